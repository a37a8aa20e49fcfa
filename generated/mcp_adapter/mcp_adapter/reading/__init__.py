"""Makes the results of the tools from answers of the resource server."""
