"""Requests to the API and the results made of its responses."""
