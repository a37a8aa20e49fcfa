"""Requirements and their companion, brought together."""
