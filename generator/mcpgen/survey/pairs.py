"""Which tool of the old list is which of the new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.conformance.strict_json import dumps
from mcpgen.survey.surface import Announced, Surface


@dataclass(frozen=True, slots=True)
class Pair:
    """A tool before and after; None where it was not or is not there. `known_by` says why two names
    are one tool: `operation` or `content`, `""` where the name is the same."""

    old: Announced | None
    new: Announced | None
    known_by: str = ""


def pairs(old: Surface, new: Surface) -> tuple[Pair, ...]:
    """The pairs in the order of the new list, then what is gone in the order of the old one.

    A tool with another name is the same one if it stands for the same operation of the API; where
    that is not known, only if everything but its name and title is the same, and no other tool of
    either list is like it.
    """
    before, after = _named(old), _named(new)
    gone = {name: tool for name, tool in before.items() if name not in after}
    come = {name: tool for name, tool in after.items() if name not in before}
    renamed = _by_operation(old, new, gone, come)
    if not (old.operations and new.operations):
        renamed = _by_content(before, after, gone, come)
    found = [
        (
            Pair(before[renamed[name][0]], tool, renamed[name][1])
            if name in renamed
            else Pair(before.get(name), tool)
        )
        for name, tool in after.items()
    ]
    taken = {name for name, _ in renamed.values()}
    found += [Pair(tool, None) for name, tool in gone.items() if name not in taken]
    return tuple(found)


def _named(surface: Surface) -> dict[str, Announced]:
    """The tools by name; of two with the same one the first, which is the one that hosts keep."""
    found: dict[str, Announced] = {}
    for tool in surface.tools:
        found.setdefault(str(tool["name"]), tool)
    return found


def _by_operation(
    old: Surface, new: Surface, gone: Mapping[str, Announced], come: Mapping[str, Announced]
) -> dict[str, tuple[str, str]]:
    """The old name of each tool that has another one, by the new name, and how it is known."""
    former = {old.operations[name]: name for name in gone if name in old.operations}
    return {
        name: (former[operation], "operation")
        for name in come
        if (operation := new.operations.get(name)) in former
    }


def _by_content(
    before: Mapping[str, Announced],
    after: Mapping[str, Announced],
    gone: Mapping[str, Announced],
    come: Mapping[str, Announced],
) -> dict[str, tuple[str, str]]:
    """The same, where all that can be compared is what is announced."""
    mine, theirs = _alike(before), _alike(after)
    found: dict[str, tuple[str, str]] = {}
    for content, names in theirs.items():
        former = mine.get(content, [])
        if len(names) == len(former) == 1 and names[0] in come and former[0] in gone:
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
