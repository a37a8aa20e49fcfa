"""Servers built with other software, and docs/other-servers.md."""
