"""The smoke test of a built project: the project is started, called and checked before a built-in API."""
