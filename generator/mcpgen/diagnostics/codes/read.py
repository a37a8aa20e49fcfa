"""Findings of the read stage: MG1xx."""
