"""A tool that documents the others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType

from .docs_settings import DocsSettings
from .feature import Feature, ServerContext
from .hooks import Call
from .result import Result
from .tool import Tool
from .tool_docs import Examples, call_as_json, describe_tool, page_of_parts

_PAGE = re.compile(r"(?:^|\s)([0-9]{1,4})$")


class Docs(Feature):
    """The tool that gives documentation. `groups` are the names of tools by what may be asked for,
    `examples` are shown with them."""

    def __init__(
        self,
        tool: Tool,
        groups: Mapping[str, Sequence[str]],
        settings: DocsSettings,
        examples: Examples = MappingProxyType({}),
    ) -> None:
        self.tools = (tool,)
        self._groups, self._examples = groups, examples
        self._most = settings.docs_bytes

    async def answer(self, call: Call, inside: ServerContext) -> Result:
        """A page of the index, of a group, or of one tool."""
        shown = {tool.name: tool for tool in inside.shown(call.caller)}
        groups = _within(self._groups, shown)
        about, page = _asked(call.arguments.get("about", ""))
        if not about:
            return Result.text(page_of_parts(_index(groups, call.tool.name), self._most, page, ""))
        name = next((each for each in (*groups, *shown) if each.lower() == about.lower()), "")
        if not name:
            near = get_close_matches(about[:80], [*groups, *shown], 3)
            hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else "."
            return Result.error(f"There is no group or tool `{about[:80]}`{hint}")
        names = groups.get(name, (name,))
        head = [f"# {name}"] if name in groups else []
        texts = [describe_tool(each, shown[each], call_as_json, self._examples) for each in names]
        return Result.text(page_of_parts([*head, *texts], self._most, page, name))


def _asked(text: str) -> tuple[str, int]:
    """What is asked for, and which page of it; a number alone is a page of the index."""
    text = text.strip()
    found = _PAGE.search(text)
    return (text[: found.start()], int(found[1])) if found else (text, 1)


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
