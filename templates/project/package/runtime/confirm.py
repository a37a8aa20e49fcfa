"""Calls that are made only once the user has said yes to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .client import Asking, Unheard
from .encode import json_text, whole
from .policy import Invocation, Rule
from .questions import Question
from .redact import Redactor, unnamed
from .result import Result
from .settings import ServerSettings
from .tool import Json

LONGEST_VALUE = 200
"""How many characters of an argument the user is shown."""

MOST_ARGUMENTS = 25
"""How many arguments the user is shown."""

_YES = {
    "type": "object",
    "properties": {
        "confirm": {"type": "boolean", "title": "Make this call", "default": False},
    },
    "required": ["confirm"],
}


class ConfirmSettings(ServerSettings):
    """Whether users are asked."""

    confirm_calls: bool = True
    """Whether calls that need it are confirmed by the user; without, they are made at once."""


class Confirmation(Rule):
    """The rule that asks the user before calls of `tools`. `open` lets calls through whose client cannot
    ask, else they are refused; a call inside another never asks, and is refused in any case."""

    def __init__(
        self, settings: ConfirmSettings, tools: Collection[str], *, open: bool = False
    ) -> None:
        self._tools = frozenset(tools if settings.confirm_calls else ())
        self._open = open

    async def confirm(self, invocation: Invocation, redactor: Redactor) -> Result | None:
        """What a call results in that the user did not confirm, None if it may be made."""
        tool, client = invocation.tool, invocation.client
        if tool.name not in self._tools:
            return None
        what = f"`{tool.name}`" + (f" ({tool.title})" if tool.title else "")
        shown = redactor.clean("\n".join(_shown(invocation.arguments)))
        message = f"May {what} be called? It may change or delete something.\n{shown}"
        try:
            (answer,) = await client.ask(Question.form(message, _YES, key="confirm"))
        except Asking as asking:
            return asking.result
        except Unheard as fault:
            is_final = fault.needs is None or not client.listens
            return fault.result if is_final or not self._open else None
        if answer["action"] == "accept" and answer["content"]["confirm"]:
            return None
        said = "cancelled" if answer["action"] == "cancel" else "declined"
        return Result.error(f"The user {said}: `{tool.name}` was not called, and nothing was sent.")


def _shown(arguments: Mapping[str, Json]) -> list[str]:
    """The arguments without what is named like a secret, one on each line: no value begins another."""
    values = unnamed(dict(arguments))
    lines = [f"- {_cut(name)}: {_cut(json_text(values[name]))}" for name in values]
    more = len(lines) - MOST_ARGUMENTS
    return [*lines[:MOST_ARGUMENTS], *([f"- and {more} more arguments"] if more > 0 else [])]


def _cut(text: str) -> str:
    """A text that shows as it is: without what changes lines or directions, and cut with a word."""
    plain = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in whole(text))
    if len(plain) <= LONGEST_VALUE:
        return plain
    return f"{plain[:LONGEST_VALUE]}… ({len(plain)} characters)"
