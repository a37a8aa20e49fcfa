"""Requests drawn from the schemas of an OpenAPI document as its author wrote them."""
