"""Processor time per request of generated servers, of a lower bound, and of other servers."""
