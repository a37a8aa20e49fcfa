"""Questions to the user during a call."""
