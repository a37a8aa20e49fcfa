"""Benchmarks of mcpgen and of comparable tools: `python -m benchmarks`."""
