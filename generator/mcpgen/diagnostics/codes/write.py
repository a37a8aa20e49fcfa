"""Findings of the write stage: MG5xx."""
