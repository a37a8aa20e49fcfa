"""The runtime as `hooks.py` imports it."""
