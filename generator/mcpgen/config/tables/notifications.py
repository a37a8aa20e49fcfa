"""Notifications from the server to clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.config.key_spec import switch


@dataclass(frozen=True, slots=True)
class NotificationsConfig:
    """The notifications that clients can turn on: `changes` of subscribed resources, and `log`
    messages."""

    changes: bool = False
    log: bool = False


def read_notifications(values: Mapping[str, Any]) -> NotificationsConfig:
    """The notifications configured by the keys."""
    return NotificationsConfig(values["notices.changes"], values["notices.log"])


KEYS = (
    switch(
        "notices.changes",
        "Whether clients can subscribe to resources, and are told of calls that change them.",
    ),
    switch(
        "notices.log",
        "Whether clients can set the level from which on handlers write to their log.",
    ),
)
