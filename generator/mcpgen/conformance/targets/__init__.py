"""Where a server to be checked comes from: an address, a command that starts it, credentials."""
