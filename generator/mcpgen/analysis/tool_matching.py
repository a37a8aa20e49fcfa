"""Which tool of the old list is which of the new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.analysis.tool_listing import Announced, ToolListing
from mcpgen.conformance.strict_json import dumps


@dataclass(frozen=True, slots=True)
class ToolPair:
    """A tool before and after; None where it was not or is not there. `known_by` says why two names
    are one tool: `operation` or `content`, `""` where the name is the same."""

    old: Announced | None
    new: Announced | None
    known_by: str = ""


def match_tools(old: ToolListing, new: ToolListing) -> tuple[ToolPair, ...]:
    """The pairs in the order of the new list, then what is gone in the order of the old one.

    A tool with another name is the same one if it stands for the same operation of the API; where
    that is not known, only if everything but its name and title is the same, and no other tool of
    either list is like it. So a name that another operation has taken over is another tool; one whose
    operation is in neither list's other tools is the same.
    """
    before, after = _named(old), _named(new)
    if old.operations and new.operations:
        former = _by_operation(old, new, before, after)
    else:
        former = _by_content(before, after)
    taken = {name for name, _ in former.values()}
    kept = {name: (name, "") for name in after if name in before and name not in taken}
    known = kept | former
    found = [_pair(before, name, tool, known.get(name)) for name, tool in after.items()]
    followed = {name for name, _ in known.values()}
    found += [ToolPair(tool, None) for name, tool in before.items() if name not in followed]
    return tuple(found)


def _pair(
    before: Mapping[str, Announced], name: str, tool: Announced, known: tuple[str, str] | None
) -> ToolPair:
    if known is None:
        return ToolPair(None, tool)
    former, known_by = known
    return ToolPair(before[former], tool, known_by if former != name else "")


def _named(surface: ToolListing) -> dict[str, Announced]:
    """The tools by name; of two with the same one the first, which is the one that hosts keep."""
    found: dict[str, Announced] = {}
    for tool in surface.tools:
        found.setdefault(str(tool["name"]), tool)
    return found


def _by_operation(
    old: ToolListing,
    new: ToolListing,
    before: Mapping[str, Announced],
    after: Mapping[str, Announced],
) -> dict[str, tuple[str, str]]:
    """The old name of each tool whose operation was there, by the new name, and how it is known."""
    former = {old.operations[name]: name for name in before if name in old.operations}
    return {
        name: (former[operation], "operation")
        for name in after
        if (operation := new.operations.get(name)) in former
    }


def _by_content(
    before: Mapping[str, Announced], after: Mapping[str, Announced]
) -> dict[str, tuple[str, str]]:
    """The same of each tool that has another name, where all that can be compared is what is
    announced."""
    mine, theirs = _alike(before), _alike(after)
    found: dict[str, tuple[str, str]] = {}
    for content, names in theirs.items():
        former = mine.get(content, [])
        if len(names) == len(former) == 1 and names[0] not in before and former[0] not in after:
            found[names[0]] = (former[0], "content")
    return found


def _alike(tools: Mapping[str, Announced]) -> dict[bytes, list[str]]:
    """The names of the tools by all that is announced but name and title."""
    found: dict[bytes, list[str]] = {}
    for name, tool in tools.items():
        if not tool.get("description"):
            continue
        rest = {key: tool[key] for key in sorted(tool) if key not in ("name", "title")}
        found.setdefault(dumps(rest), []).append(name)
    return found
