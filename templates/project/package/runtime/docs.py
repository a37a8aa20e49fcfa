"""A tool that documents the others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from .docs_settings import DocsSettings
from .hooks import Call
from .offer import Inside, Offer
from .papers import as_json, described, paged
from .result import Result
from .tool import Tool

_REQUEST = re.compile(r"(?P<about>.*?)(?:\s+(?P<page>[0-9]{1,4}))?", re.DOTALL)


class Docs(Offer):
    """The tool that gives documentation. `groups` are the names of tools by what may be asked for."""

    def __init__(
        self, tool: Tool, groups: Mapping[str, Sequence[str]], settings: DocsSettings
    ) -> None:
        self.tools = (tool,)
        self._groups = groups
        self._most = settings.docs_bytes

    async def answer(self, call: Call, inside: Inside) -> Result:
        """A page of the index, of a group, or of one tool."""
        shown = {tool.name: tool for tool in inside.shown(call.caller)}
        groups = _within(self._groups, shown)
        found = _REQUEST.fullmatch(call.arguments.get("about", "").strip())
        about, page = (found["about"], int(found["page"] or 1)) if found else ("", 1)
        if about.isdigit() and not found["page"]:  # type: ignore[index]
            about, page = "", int(about[:4])
        if not about:
            return Result.text(paged(_index(groups, call.tool.name), self._most, page, ""))
        name = next((each for each in (*groups, *shown) if each.lower() == about.lower()), "")
        if not name:
            near = get_close_matches(about[:80], [*groups, *shown], 3)
            hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else "."
            return Result.error(f"There is no group or tool `{about[:80]}`{hint}")
        names = groups.get(name, (name,))
        head = [f"# {name}"] if name in groups else []
        texts = [described(each, shown[each], as_json) for each in names]
        return Result.text(paged([*head, *texts], self._most, page, name))


def _within(groups: Mapping[str, Sequence[str]], shown: Mapping[str, Tool]) -> dict[str, list[str]]:
    """The groups without what a caller does not find."""
    found = {group: [name for name in names if name in shown] for group, names in groups.items()}
    return {group: names for group, names in found.items() if names}


def _index(groups: Mapping[str, Sequence[str]], tool: str) -> list[str]:
    """What there is, a group in a line."""
    head = (
        f"# Tools\n\n`{tool}` with the name of a group or of a tool as `about` tells its arguments, "
        "its result and an example.\n\n## Groups"
    )
    rows = [
        f"- {group}: {', '.join(f'`{name}`' for name in names)}" for group, names in groups.items()
    ]
    return [head, *rows]
