"""Checks of arguments, bodies and results against JSON Schemas."""
