"""What a search for tools answers: a line for each, within bounds that every host reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .tool import Tool

ANSWER_BYTES = 3000
"""The most that an answer weighs."""

_LINE = 240
"""The most characters of the line of one tool."""

_GROUPS = 1200
"""The most characters of a list of groups."""


def format_results(tools: Iterable[Tool], count: int) -> str:
    """The tools, best first, with the arguments they need; `count` are those among which they were
    looked for."""
    lines = [f"Best of {count} tools; `!` marks those that change something:"]
    size = len(lines[0].encode())
    for tool in tools:
        line = _line(tool)
        size += len(line.encode()) + 1
        if size > ANSWER_BYTES:
            break
        lines.append(line)
    return "\n".join(lines)


def format_no_results(head: str, near: Sequence[str], groups: Mapping[str, Sequence[str]]) -> str:
    """What is said when nothing was found: what comes near, and which groups there are."""
    hint = f" Did you mean {', '.join(f'`{one}`' for one in near)}?" if near else ""
    return f"{head}{hint}\n{groups_line(groups)}" if groups else f"{head}{hint}"


def groups_line(groups: Mapping[str, Sequence[str]]) -> str:
    """All groups with the number of their tools, the largest first where not all find room."""
    said = [f"{group} ({len(names)})" for group, names in groups.items()]
    if len(", ".join(said)) > _GROUPS:
        largest = sorted(groups, key=lambda group: -len(groups[group]))
        said = [f"{group} ({len(groups[group])})" for group in largest]
    kept, size = [], 0
    for one in said:
        size += len(one) + 2
        if size > _GROUPS:
            kept.append("…")
            break
        kept.append(one)
    return f"Groups: {', '.join(kept)}"


def _line(tool: Tool) -> str:
    needed = ", ".join(argument.name for argument in tool.arguments if argument.required)
    mark = "" if tool.hints.read_only else "!"
    line = f"- {tool.name}({needed}){mark}: {tool.title or tool.description}"
    return line if len(line) <= _LINE else f"{line[:_LINE - 1].rstrip()}…"
