"""The import path of the runtime for `hooks.py`."""
