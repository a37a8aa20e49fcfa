# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Authentication of callers, their permissions, and credentials passed on to the API."""
