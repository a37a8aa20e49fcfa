"""Facts about hosts: limit, consequence, source and date."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mcpgen.conformance.strict_json import Json

CONSEQUENCES: Mapping[str, tuple[str, bool]] = {
    "reject_request": ("it rejects the whole request with all tools", True),
    "drop_tool": ("it drops the tool", True),
    "drop_server": ("it drops the server with all tools", True),
    "error": ("it fails with an error", True),
    "give_up": ("it gives up waiting", True),
    "fall_back": ("it treats the server as an older one", False),
    "rename": ("it renames the tool", False),
    "truncate": ("it cuts off the rest", False),
    "truncate_hash": ("it cuts the name and ends it with a hash", False),
    "set_aside": ("it moves the text to a file that the model has to open", False),
    "degrade": ("the model never sees the violating part", False),
    "prompt": ("it asks the user before every call", False),
    "disable": ("the user has to disable tools", False),
    "refuse_review": ("its review refuses the tool", False),
    "warn": ("it works less well", False),
    "placeholder": ("the model reads `<empty>` in its place", False),
    "advise": ("its review warns, and it takes the tool as it is", False),
}
"""By key: the host's reaction in words, and True if the reaction makes a violation a failure."""

ADVICE = "advise"
"""Consequence of facts that only the review of a host's directory knows: the host takes the tool whole."""


@dataclass(frozen=True, slots=True)
class HostFact:
    """A limit of one host.

    `check` is the kind of fact (the check's id is `host-<kind>`), `limits` the values of the limit,
    `then` the key of the consequence, `sure` the confidence, `when` a condition in words.
    """

    host: str
    check: str
    limits: Mapping[str, Json] = field(repr=False)
    then: str
    sure: str
    url: str
    read: str
    when: str = ""

    @property
    def fails(self) -> bool:
        """True if a violation is a failure: harmful, unconditional, and not of low confidence."""
        return CONSEQUENCES[self.then][1] and self.sure != "low" and not self.when

    @property
    def consequence(self) -> str:
        """The host's reaction to a violation, as a clause."""
        words = CONSEQUENCES[self.then][0]
        return f"when {self.when}, {words}" if self.when else words


@cache
def facts() -> Mapping[str, tuple[HostFact, ...]]:
    """The facts of every host, by the host's profile."""
    data = json.loads((Path(__file__).parent / "facts.json").read_text(encoding="utf-8"))
    return {
        host: tuple(_host_fact(host, row, data["sources"][row["source"]]) for row in rows)
        for host, rows in data["hosts"].items()
    }


def _host_fact(host: str, row: Mapping[str, Json], source: Mapping[str, str]) -> HostFact:
    own_keys = {"check", "then", "sure", "source", "when"}
    limits = {key: value for key, value in row.items() if key not in own_keys}
    return HostFact(
        host=host,
        check=row["check"],
        limits=limits,
        then=row["then"],
        sure=row["sure"],
        url=source["url"],
        read=source["read"],
        when=row.get("when", ""),
    )
