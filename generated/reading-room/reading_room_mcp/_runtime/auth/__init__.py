"""Authentication of callers, their permissions, and credentials passed on to the API."""
