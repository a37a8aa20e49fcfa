"""The tables of `mcpgen.toml`: each module has the keys of a table, and the resulting value."""
