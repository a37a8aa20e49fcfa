"""What a request does, by its method and path, as marks that stand beside words.

A question says by its verb what it wants done; a tool says it by its method more reliably than by
its name, since names are often made of nothing but the path.
"""

from __future__ import annotations

from collections.abc import Mapping

LIST, GET, CREATE, UPDATE, DELETE = "+list", "+get", "+create", "+update", "+delete"

ORDER: Mapping[str, float] = {CREATE: 1.0, UPDATE: 0.9, DELETE: 0.3}
"""What somebody may want who says that something shall be done, in words we do not know."""

MANY: Mapping[str, float] = {LIST: 1.0, GET: 0.8}
"""What somebody wants to read who speaks of several things."""

ONE: Mapping[str, float] = {GET: 1.0, LIST: 0.7}
"""What somebody wants to read who speaks of one thing."""

QUESTION: Mapping[str, float] = {LIST: 1.0, GET: 0.9}
"""What somebody wants who only names a thing."""

_ON_MANY: Mapping[str, Mapping[str, float]] = {
    "GET": {LIST: 1.0, GET: 0.95},
    "HEAD": {GET: 0.8},
    "QUERY": {LIST: 1.0, GET: 0.8},
    "POST": {CREATE: 1.0, UPDATE: 0.8, DELETE: 0.5, LIST: 0.2, GET: 0.2},
    "PUT": {UPDATE: 1.0, CREATE: 0.8},
    "PATCH": {UPDATE: 1.0},
    "DELETE": {DELETE: 1.0},
}
_ON_ONE: Mapping[str, Mapping[str, float]] = {
    **_ON_MANY,
    "GET": {GET: 1.0, LIST: 0.6},
    "POST": {UPDATE: 1.0, CREATE: 0.8, DELETE: 0.3},
    "PUT": {UPDATE: 1.0, CREATE: 0.5},
}
"""How well a method fits a wish, for paths that end in a collection and in one thing of it."""


def deeds(method: str, path: str) -> Mapping[str, float]:
    """How well a request fits each wish, from 0 to 1; nothing of a wish it does not fit."""
    table = _ON_ONE if path.rstrip("/").endswith("}") else _ON_MANY
    return table.get(method, {})


def intent_score(wanted: Mapping[str, float], method: str, path: str) -> float:
    """How well a request fits the best of several wishes, from 0 to 1; 1 if nothing is wished."""
    if not wanted:
        return 1.0
    does = deeds(method, path)
    return max(wanted[mark] * does.get(mark, 0.0) for mark in wanted) / max(wanted.values())
