"""Combines requirements and their companion."""
