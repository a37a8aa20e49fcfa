"""Exceptions of scenarios that neither pass nor fail."""

from __future__ import annotations


class PendingStep(Exception):
    """A step without a binding that could be checked."""


class StaleBinding(Exception):
    """The bindings of the scenario belong to an earlier text of the scenario."""
