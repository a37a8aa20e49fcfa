"""Resources, prompts, completion and subscriptions."""
