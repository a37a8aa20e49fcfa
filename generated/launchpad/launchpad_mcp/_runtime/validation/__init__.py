# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Checks of arguments, bodies and results against JSON Schemas."""
