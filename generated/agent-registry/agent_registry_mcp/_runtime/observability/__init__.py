"""Logs, audit events, metrics and traces."""
