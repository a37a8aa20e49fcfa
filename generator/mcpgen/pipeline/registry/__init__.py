"""Registers servers with a registry of agents, sends heartbeats and deregisters."""
