"""Texts of checks, from the TOML files of this folder (a file per module of checks)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CheckText:
    """The texts of one check.

    `sentence` states the requirement, `explanation` the harm of a violation, `fix` the change that
    removes the violation. `bad` and `good` are an example: messages (`→` from the client, `←` from
    the server), a part of an announced tool, or code.
    """

    sentence: str
    explanation: str
    fix: str
    bad: str
    good: str


def _load_texts() -> dict[str, CheckText]:
    tables: dict[str, dict[str, str]] = {}
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        tables |= tomllib.loads(path.read_text("utf-8"))
    return {id: _check_text(table) for id, table in tables.items()}


def _check_text(table: Mapping[str, str]) -> CheckText:
    # Prose is wrapped in the files; line ends count in the examples only.
    prose = {key: " ".join(table[key].split()) for key in ("sentence", "explanation", "fix")}
    return CheckText(**prose, bad=table["bad"], good=table["good"])


TEXTS: Mapping[str, CheckText] = _load_texts()
"""Texts by check id. Checks of the official suite have no texts."""
