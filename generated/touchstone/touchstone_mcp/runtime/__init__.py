"""What every server made by mcpgen has in common; the modules beside this folder only declare."""
