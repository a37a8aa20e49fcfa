"""The tables of `mcpgen.toml`: each module has the keys of one subject, and the value they make."""
