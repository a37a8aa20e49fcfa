"""Three conforming servers with the same tools, resources and prompts, made with different software."""
