"""Registering a server with a registry of agents: both ways, staying alive there, withdrawing."""
