"""Calls that run after the user has confirmed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import asynccontextmanager

from ..observability.redact import Redactor
from ..observability.redact_names import redact_named
from ..result import Result
from ..server.client_channel import InputRequired, NoAnswer
from ..server.invocation import Invocation
from ..server.middleware import Middleware
from ..server.request_states import RequestStates
from ..settings import ServerSettings
from ..tool import Json
from ..upstream.value_text import compact_json, replace_surrogates
from .forms import Question

MAX_VALUE_LENGTH = 200
"""Maximum characters shown of an argument."""

MAX_ARGUMENTS = 25
"""Maximum number of arguments shown."""

MAX_LENGTH = 6000
"""Maximum characters shown of all arguments."""

_BLANK = "`\u115f\u1160\u2800\u3164\uffa0"
"""Backtick and invisible letters."""

_YES = {
    "type": "object",
    "properties": {
        "confirm": {"type": "boolean", "title": "Make this call", "default": False},
    },
    "required": ["confirm"],
}


class ConfirmSettings(ServerSettings):
    """The setting that switches confirmations off."""

    confirm_calls: bool = True
    """Asks the user to confirm calls that need a confirmation; if false, calls run at once."""


class Confirmation(Middleware):
    """Asks the user before calls of `tools`. With `open`, calls of clients without elicitation are
    allowed, otherwise refused; nested calls are always refused, because a nested call cannot ask.

    `states` records used confirmations for all processes. Raises `ValueError` if several processes,
    or successive processes with a fixed key, would each keep a separate record: every process would
    accept the same confirmation once.
    """

    def __init__(
        self,
        settings: ConfirmSettings,
        tools: Collection[str],
        states: RequestStates | None = None,
        *,
        open: bool = False,
    ) -> None:
        self._tools = frozenset(tools if settings.confirm_calls else ())
        self._open = open
        self.states = states
        is_shared = states is not None and not states.alone
        if self._tools and not is_shared and (cause := _sharing(settings)):
            raise ValueError(
                f"calls are confirmed by users, and {cause}: each process would accept the same"
                ' confirmation once. Build the server with `limits.store = "redis"` and set'
                f" {settings.variable('limit_store')}, or serve with one process and its own key"
            )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Closes the store of used confirmations at the end."""
        yield
        if self.states:
            await self.states.close()

    async def confirm(self, invocation: Invocation, redactor: Redactor) -> Result | None:
        """The result of a call that the user did not confirm, None if the call may run."""
        tool, client = invocation.tool, invocation.client
        if tool.name not in self._tools:
            return None
        label = f"`{tool.name}`" + (f" ({_truncate(tool.title)})" if tool.title else "")
        arguments = _format_arguments(invocation.arguments, redactor)
        message = "\n".join(
            (f"May {label} be called? It may change or delete something.", *arguments)
        )
        try:
            (answer,) = await client.ask(Question.form(message, _YES, key="confirm"))
        except InputRequired as asking:
            return asking.result
        except NoAnswer as fault:
            is_final = fault.needs is None or not client.listens
            return fault.result if is_final or not self._open else None
        if answer["action"] == "accept" and answer["content"]["confirm"]:
            return None
        outcome = "cancelled" if answer["action"] == "cancel" else "declined"
        return Result.error(
            f"The user {outcome}: `{tool.name}` was not called, and nothing was sent."
        )


def _sharing(settings: ConfirmSettings) -> str:
    """The setting that lets other processes accept this process's confirmations, `""` if none. With
    a random key, a process accepts only its own, also after a restart."""
    if settings.several_instances:
        return f"{settings.variable('several_instances')} is true"
    if settings.workers > 1:
        return f"{settings.variable('workers')} is {settings.workers}"
    is_set = "state_key" in settings.model_fields_set
    return f"{settings.variable('state_key')} is set" if is_set else ""


def _format_arguments(arguments: Mapping[str, Json], redactor: Redactor) -> Iterator[str]:
    """The arguments without secrets, one per line; a value cannot look like several lines or like
    Markdown. Arguments beyond the limits are counted."""
    values, room = redact_named(dict(arguments)), MAX_LENGTH
    for index, (name, value) in enumerate(values.items()):
        # Redact before truncating: a truncated secret would not be recognized.
        line = f"- {_markdown_code(redactor.clean(name))}: {_markdown_code(redactor.clean(compact_json(value)))}"
        room -= len(line)
        if index == MAX_ARGUMENTS or room < 0:
            yield f"- and {len(values) - index} more arguments"
            return
        yield line


def _markdown_code(text: str) -> str:
    """The text as inline code, shown literally by Markdown renderers."""
    return f"`{_truncate(text)}`"


def _truncate(text: str) -> str:
    """The text with line breaks, direction marks and backticks escaped, truncated with a note."""
    plain = "".join(
        c if c.isprintable() and c not in _BLANK else f"\\u{ord(c):04x}"
        for c in replace_surrogates(text)
    )
    if len(plain) <= MAX_VALUE_LENGTH:
        return plain
    return f"{plain[:MAX_VALUE_LENGTH]}… ({len(plain)} characters)"
