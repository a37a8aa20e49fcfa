"""Answers plain requests before the SDK does. A server without this package behaves the same, slower."""
