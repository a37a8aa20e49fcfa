"""What the tools of the adapter say: each module makes one kind of result of what the archive answers."""
