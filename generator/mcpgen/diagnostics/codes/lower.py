"""Findings of the lower stage: MG3xx."""
