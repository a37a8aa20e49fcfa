# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Rate limits, concurrency, retries and circuit breakers."""
