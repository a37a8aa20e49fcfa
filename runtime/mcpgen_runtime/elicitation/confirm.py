"""Asks the user to confirm a call before the call runs."""

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

# A user decides on what is visible in a dialog of the client.
MAX_TEXT_LENGTH = 200
"""Maximum characters shown of the title, of the name of an argument, and of a value."""

MAX_ARGUMENTS = 25
"""Maximum number of arguments shown."""

MAX_ARGUMENTS_LENGTH = 6000
"""Maximum characters of all lines with arguments. Together with the first line, the message stays below
`MAX_MESSAGE_LENGTH` of a question."""

_ESCAPED = "`\u115f\u1160\u2800\u3164\uffa0"
"""Characters that are escaped although `str.isprintable` is true: the backtick, which would end inline
code, and characters that are shown as nothing or as a blank."""

_CONFIRM_SCHEMA = {
    "type": "object",
    "properties": {
        "confirm": {"type": "boolean", "title": "Make this call", "default": False},
    },
    "required": ["confirm"],
}


class ConfirmSettings(ServerSettings):
    """The setting of confirmations."""

    confirm_calls: bool = True
    """Asks the user to confirm calls that need a confirmation; if false, such calls run at once."""


class Confirmation(Middleware):
    """Asks the user before calls of `tools`.

    A call whose user cannot be asked is refused. With `open`, the call runs unconfirmed
    if the client has not declared to the server that it supports elicitation. A nested call is always
    refused, because a nested call cannot ask.

    `states` records the confirmations that were used, since revision 2026-07-28: a client must not use
    the same confirmation twice. Raises `ValueError` if `states` is not shared, but other processes
    would accept a confirmation of this process: every process would accept the confirmation once.
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
        self._allows_unconfirmed = open
        self.states = states
        is_shared = states is not None and not states.alone
        if self._tools and not is_shared and (cause := _cause_of_several_processes(settings)):
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
        """Asks the user. Returns None if the call may run, otherwise the result of the call: a refusal,
        or the question for a client that must repeat the call with the answer."""
        tool, client = invocation.tool, invocation.client
        if tool.name not in self._tools:
            return None
        label = f"`{tool.name}`" + (f" ({_plain_text(tool.title)})" if tool.title else "")
        arguments = _format_arguments(invocation.arguments, redactor)
        message = "\n".join(
            (f"May {label} be called? It may change or delete something.", *arguments)
        )
        try:
            (answer,) = await client.ask(Question.form(message, _CONFIRM_SCHEMA, key="confirm"))
        except InputRequired as question:
            return question.result
        except NoAnswer as fault:
            # `needs` is set only if the client has not declared elicitation to the server.
            has_no_elicitation = fault.needs is not None and client.listens
            return None if has_no_elicitation and self._allows_unconfirmed else fault.result
        if answer["action"] == "accept" and answer["content"]["confirm"]:
            return None
        outcome = "cancelled" if answer["action"] == "cancel" else "declined"
        return Result.error(
            f"The user {outcome}: `{tool.name}` was not called, and nothing was sent."
        )


def _cause_of_several_processes(settings: ConfirmSettings) -> str:
    """The setting because of which several processes accept the same confirmation, `""` if none. A
    set `state_key` is such a setting, since the process after a restart has the same key. The default
    key is random, so a process accepts only its own confirmations."""
    if settings.several_instances:
        return f"{settings.variable('several_instances')} is true"
    if settings.workers > 1:
        return f"{settings.variable('workers')} is {settings.workers}"
    is_set = "state_key" in settings.model_fields_set
    return f"{settings.variable('state_key')} is set" if is_set else ""


def _format_arguments(arguments: Mapping[str, Json], redactor: Redactor) -> Iterator[str]:
    """The arguments without secrets, one per line; a value cannot look like several lines or like
    Markdown. The last line counts the arguments beyond the limits."""
    values, remaining_length = redact_named(dict(arguments)), MAX_ARGUMENTS_LENGTH
    for index, (name, value) in enumerate(values.items()):
        # Redact before truncating: a truncated secret would not be recognized.
        name_code = _markdown_code(redactor.clean(name))
        line = f"- {name_code}: {_markdown_code(redactor.clean(compact_json(value)))}"
        remaining_length -= len(line)
        if index == MAX_ARGUMENTS or remaining_length < 0:
            yield f"- and {len(values) - index} more arguments"
            return
        yield line


def _markdown_code(text: str) -> str:
    """The text as inline code, which Markdown renderers show literally."""
    return f"`{_plain_text(text)}`"


def _plain_text(text: str) -> str:
    """The text on one line, with backticks and invisible characters escaped, and truncated with a note
    of the length."""
    plain = "".join(
        c if c.isprintable() and c not in _ESCAPED else f"\\u{ord(c):04x}"
        for c in replace_surrogates(text)
    )
    if len(plain) <= MAX_TEXT_LENGTH:
        return plain
    return f"{plain[:MAX_TEXT_LENGTH]}… ({len(plain)} characters)"
