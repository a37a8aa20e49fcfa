"""A second process that takes its share of work which falls into independent parts."""

from mcpgen.crew.crew import ALONE, Crew, answer

__all__ = ["ALONE", "Crew", "answer"]
