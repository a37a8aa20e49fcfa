"""Tools that run scripts or document the other tools."""
