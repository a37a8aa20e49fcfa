"""Renders what requirements add to a project: scenario tests and declared answers."""
