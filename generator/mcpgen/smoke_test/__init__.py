"""The trial of a built project: started, called and checked before a built-in API."""
