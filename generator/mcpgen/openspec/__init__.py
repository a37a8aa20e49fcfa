"""OpenSpec requirements and their companion `mcp.yaml`, from files to scenario tests.

The folders are the stages, in the order of ARCHITECTURE.md. The rest of mcpgen calls `load`, `lint`
and `scenarios`.
"""
