"""Staying alive in a registry, until somebody ends it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from mcpgen.ir.server_card import Card
from mcpgen.pipeline.registry.client import RegisteredAgent, RegistryConnection
from mcpgen.pipeline.registry.errors import RegistryErrorKind, RegistryFailure
from mcpgen.pipeline.registry.registration import RegistrationPlan, register

SHORTEST_PAUSE = 1.0
"""Seconds until a sign of life that was lost is sent once more; then twice as many, up to the usual."""

LONGEST_WAIT = 300.0
"""Seconds for which a registry that wants it is left alone at most."""


def stay(
    card: Card,
    registry: RegistryConnection,
    terms: RegistrationPlan,
    made: RegisteredAgent,
    tell: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Sends signs of life until it is interrupted, then withdraws the server.

    One that is lost is sent again soon, or when the registry wants it; a registry that has forgotten the server is told of it anew.
    Raises Trouble when the registry refuses, and KeyboardInterrupt, each after the server was withdrawn.
    """
    held, lost, wait = made, 0, 0.0
    try:
        while True:
            sleep(_pause(terms, lost, wait))
            try:
                held = _renewed(card, registry, terms, held, tell)
                lost, wait = 0, 0.0
            except RegistryFailure as trouble:
                # While a registry comes back, whatever stands before it may know nothing of it.
                if not trouble.kind.passes and trouble.kind is not RegistryErrorKind.GONE:
                    raise
                lost, wait = lost + 1, trouble.wait
                pause = _pause(terms, lost, wait)
                tell(f"a sign of life was lost, the next is in {pause:g} s: {trouble}")
    finally:
        _withdraw(registry, held, tell)


def _pause(terms: RegistrationPlan, lost: int, wait: float) -> float:
    """Seconds until the next sign of life, after so many were lost; the registry wants `wait` of them."""
    if not lost:
        return terms.pause
    soon = float(min(SHORTEST_PAUSE * 2 ** min(lost - 1, 20), terms.pause))
    return max(soon, min(wait, LONGEST_WAIT))


def _renewed(
    card: Card,
    registry: RegistryConnection,
    terms: RegistrationPlan,
    held: RegisteredAgent,
    tell: Callable[[str], None],
) -> RegisteredAgent:
    """The registration after a sign of life: the same, or another if the registry knew it no more."""
    try:
        registry.renew(held)
        return held
    except RegistryFailure as trouble:
        if trouble.kind is not RegistryErrorKind.GONE:
            raise
    # What it has lost but in part would be there once more each time.
    with suppress(RegistryFailure):
        registry.withdraw(held.id)
    anew = register(card, registry, terms)
    tell(f"the registry had forgotten the server: registered anew as {anew.id}")
    return anew


def _withdraw(
    registry: RegistryConnection, held: RegisteredAgent, tell: Callable[[str], None]
) -> None:
    try:
        registry.withdraw(held.id)
        tell(f"withdrawn: {held.id}")
    except RegistryFailure as trouble:
        tell(
            f"{held.id} could not be withdrawn, the registry will miss its signs of life: {trouble}"
        )
