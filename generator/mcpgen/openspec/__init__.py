"""OpenSpec requirements and their companion `mcp.yaml`: from files to scenarios that a generated server is tested with.

The folders are the stages, in the order of ARCHITECTURE.md; the rest of mcpgen calls `load`, `lint` and `scenarios`.
"""
