"""What a scenario raises that nothing is known to be wrong with and that is not shown either."""

from __future__ import annotations


class PendingStep(Exception):
    """A step that nobody has bound to anything that could be checked."""


class StaleBinding(Exception):
    """What the scenario's steps are bound to was written for another text."""
