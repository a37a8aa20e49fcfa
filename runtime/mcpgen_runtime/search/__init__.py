"""Discovery mode: searches the tools instead of listing all of them."""
