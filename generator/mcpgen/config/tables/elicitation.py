"""Questions to users: by models, in sessions, and before calls."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.config import validators
from mcpgen.config.key_spec import (
    key,
    keys_of,
)


class ElicitMode(StrEnum):
    """The presence of an elicitation tool for models."""

    OFF = "off"
    ON = "on"


class CannotAskPolicy(StrEnum):
    """The treatment of a call that needs confirmation, from a client without elicitation."""

    REFUSE = "refuse"
    ALLOW = "allow"


@dataclass(frozen=True, slots=True)
class ElicitConfig:
    """The name of the elicitation tool, and sessions: clients before 2026-07-28 support elicitation
    only in sessions. `resumable`: clients can resume the streams of a session. `hooks`: handlers of
    `hooks.py` ask the user."""

    mode: ElicitMode = key(
        "elicitation.mode", ElicitMode, "Whether there is a tool by which a model asks the user."
    )
    name: str = key(
        "elicitation.name",
        "elicit",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        validators.is_tool_name,
    )
    sessions: bool = key(
        "elicitation.sessions",
        False,
        "Whether clients before 2026-07-28 get sessions, in which they can be asked.",
    )
    resumable: bool = key(
        "elicitation.resumable",
        False,
        "Whether clients can take up an event stream of their session again.",
    )
    hooks: bool = key("elicitation.hooks", False, "Whether handlers in `hooks.py` ask the user.")


@dataclass(frozen=True, slots=True)
class ConfirmConfig:
    """The tools called only after confirmation by the user: all destructive tools, tools by name,
    and tools that require a scope of `scopes`."""

    destructive: bool = key(
        "confirm.destructive",
        False,
        "Whether the user is asked before every call that may destroy something.",
    )
    tools: tuple[str, ...] = key(
        "confirm.tools",
        (),
        "Tools that are called only once the user has said yes, by name.",
        "the name of a tool",
        validators.is_line,
    )
    scopes: tuple[str, ...] = key(
        "confirm.scopes",
        (),
        "The same for all tools that need one of these scopes.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    )
    unable: CannotAskPolicy = key(
        "confirm.unable",
        CannotAskPolicy,
        "What becomes of such calls from clients that cannot ask their user.",
    )


KEYS = (*keys_of(ElicitConfig), *keys_of(ConfirmConfig))
