"""Reads requirements: paths to the text of `spec.md`, its deltas and the companion."""
