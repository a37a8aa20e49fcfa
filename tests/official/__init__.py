"""What the official suite asks, as a page."""
