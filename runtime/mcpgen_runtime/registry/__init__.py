"""Registration of the server in a registry."""
