"""Targets of a run: commands that start a server, and credentials."""
