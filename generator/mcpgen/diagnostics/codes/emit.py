"""Findings of the emit stage: MG4xx."""
