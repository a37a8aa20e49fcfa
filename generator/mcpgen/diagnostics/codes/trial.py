"""Findings of the trial stage: MG7xx."""
