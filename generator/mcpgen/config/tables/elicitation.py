"""Questions to users: by models, in sessions, and before calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice, switch


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

    mode: ElicitMode = ElicitMode.OFF
    name: str = "elicit"
    sessions: bool = False
    resumable: bool = False
    hooks: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmConfig:
    """The tools called only after confirmation by the user: all destructive tools, tools by name,
    and tools that require a scope of `scopes`."""

    destructive: bool = False
    tools: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    unable: CannotAskPolicy = CannotAskPolicy.REFUSE


def eliciting(values: Mapping[str, Any]) -> ElicitConfig:
    """The elicitation configured by the keys."""
    mode = ElicitMode(values["elicitation.mode"])
    return ElicitConfig(
        mode,
        values["elicitation.name"],
        values["elicitation.sessions"],
        values["elicitation.resumable"],
        values["elicitation.hooks"],
    )


def confirming(values: Mapping[str, Any]) -> ConfirmConfig:
    """The confirmation configured by the keys."""
    return ConfirmConfig(
        values["confirm.destructive"],
        values["confirm.tools"],
        values["confirm.scopes"],
        CannotAskPolicy(values["confirm.unable"]),
    )


KEYS = (
    choice(
        "elicitation.mode",
        "Whether there is a tool by which a model asks the user.",
        ElicitMode,
    ),
    KeySpec(
        "elicitation.name",
        KeyType.STRING,
        "elicit",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        validators.is_tool_name,
    ),
    switch(
        "elicitation.sessions",
        "Whether clients before 2026-07-28 get sessions, in which they can be asked.",
    ),
    switch(
        "elicitation.resumable",
        "Whether clients can take up an event stream of their session again.",
    ),
    switch("elicitation.hooks", "Whether handlers in `hooks.py` ask the user."),
    switch(
        "confirm.destructive",
        "Whether the user is asked before every call that may destroy something.",
    ),
    KeySpec(
        "confirm.tools",
        KeyType.TEXTS,
        (),
        "Tools that are called only once the user has said yes, by name.",
        "the name of a tool",
        validators.is_line,
    ),
    KeySpec(
        "confirm.scopes",
        KeyType.TEXTS,
        (),
        "The same for all tools that need one of these scopes.",
        "a scope of OAuth 2, without spaces",
        validators.is_scope,
    ),
    choice(
        "confirm.unable",
        "What becomes of such calls from clients that cannot ask their user.",
        CannotAskPolicy,
    ),
)
