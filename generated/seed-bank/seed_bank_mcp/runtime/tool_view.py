"""What clients see of the tools, and what they mean by what they call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .feature import Feature
from .tool import Json, Tool


class ToolView(Feature):
    """Every tool under its own name. A subclass may show others, of its own, in their place."""

    def listed(self, shown: Sequence[Tool]) -> Sequence[Tool]:
        """What stands in the list, of the tools that a caller may see."""
        return shown

    def meant(
        self, name: str, arguments: Mapping[str, Json], known: Callable[[str], bool]
    ) -> tuple[str, Mapping[str, Json]]:
        """The call of a tool known to the caller that a call stands for; itself if for none."""
        return name, arguments

    def message(self, content: Mapping[str, Json]) -> Mapping[str, Json]:
        """A message as it would be if the call that is meant had been made."""
        params = content.get("params")
        if content.get("method") != "tools/call" or not isinstance(params, dict):
            return content
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return content
        name, meant = self.meant(name, arguments, lambda _: True)
        return {**content, "params": {**params, "name": name, "arguments": meant}}
