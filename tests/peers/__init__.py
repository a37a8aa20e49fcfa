"""Servers that others wrote, and what our checks find in them."""
