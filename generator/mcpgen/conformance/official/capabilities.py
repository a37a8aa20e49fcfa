"""What a server offers in one revision, in the words of what scenarios need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import NotApplicable, PrerequisiteMissing
from mcpgen.conformance.official.scenarios import HEADER_TOOL, SESSIONS
from mcpgen.conformance.strict_json import Json

_LISTS = (
    ("tools/list", "tool", "name"),
    ("prompts/list", "prompt", "name"),
    ("resources/list", "resource", "uri"),
    ("resources/templates/list", "template", "uriTemplate"),
)
"""Lists, the word for an entry of each, and the member that tells entries apart."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a server offers, in the words of `SuiteScenario.needs`."""

    has: frozenset[str]

    def lacks(self, needs: Iterable[str]) -> list[str]:
        """Which of these needs the server does not meet."""
        return [need for need in needs if need not in self.has]


def offer(visit: CheckContext) -> Capabilities:
    """What the server announced in the revision of this visit."""
    return Capabilities(frozenset(_offered(visit)))


def _offered(visit: CheckContext) -> Iterator[str]:
    declared = visit.talk.opened().get("capabilities")
    for name, flags in (declared if isinstance(declared, dict) else {}).items():
        yield name
        if isinstance(flags, dict):
            yield from (f"{name}.{flag}" for flag, on in flags.items() if on is True)
    if visit.talk.session:
        yield SESSIONS
    for method, word, member in _LISTS:
        entries = _entries(visit, method)
        yield from (f"{word} {entry[member]}" for entry in entries if member in entry)
        if word == "tool" and _mirrors(entries):
            yield HEADER_TOOL


def _entries(visit: CheckContext, method: str) -> list[dict[str, Json]]:
    try:
        return [entry for entry in visit.walked(method).entries if isinstance(entry, dict)]
    except (PrerequisiteMissing, NotApplicable):
        return []


def _mirrors(tools: list[dict[str, Json]]) -> bool:
    """Whether the suite can use the first tool that mirrors an argument: it wants a string."""
    for tool in tools:
        marked = [part for part in _properties(tool) if "x-mcp-header" in part]
        if marked:
            return any(part.get("type") == "string" for part in marked)
    return False


def _properties(tool: dict[str, Json]) -> list[dict[str, Json]]:
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    found = properties.values() if isinstance(properties, dict) else ()
    return [part for part in found if isinstance(part, dict)]
