"""Findings of the parse stage: MG2xx."""
