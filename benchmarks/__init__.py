"""What mcpgen costs, measured: `python -m benchmarks`, beside what one would pick instead."""
