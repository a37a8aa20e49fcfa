"""A second process that takes its share of work which falls into independent parts."""

from mcpgen.parallel.pool import IN_PROCESS, WorkerPool, answer

__all__ = ["IN_PROCESS", "WorkerPool", "answer"]
