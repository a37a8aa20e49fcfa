"""Exceptions that end the test of a scenario that neither passes nor fails."""

from __future__ import annotations


class PendingStep(Exception):
    """Some step was not checked, or nothing is asserted; the message names each gap."""


class StaleBinding(Exception):
    """The text of the scenario has changed since its actions and assertions were written."""
