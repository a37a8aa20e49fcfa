"""Findings of the config stage: MG6xx."""
