"""Declarations of rules and feature modules, and the settings that several of them share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.config.key_spec import spec_of
from mcpgen.emit.literal import CallExpr, NameExpr
from mcpgen.emit.render import TemplateView
from mcpgen.ir.server import Server


@dataclass(frozen=True, slots=True)
class PolicyVariable:
    """A setting that a rule reads: field, meaning, and the value without the setting, `""` for the
    value of `mcpgen.toml`."""

    field: str
    meaning: str
    absent: str


def key_variable(table: type, field: str, form: str = "", absent: str = "") -> PolicyVariable:
    """The variable that replaces a key of `mcpgen.toml`, with the meaning of the key and the form of
    values in the environment."""
    key = spec_of(table, field)
    meaning = key.meaning.removesuffix(".").partition(";")[0].replace("`", "")
    if not meaning[1].isupper():
        meaning = meaning[0].lower() + meaning[1:]
    return PolicyVariable(key.variable, f"{meaning}: {form}" if form else meaning, absent)


@dataclass(frozen=True, slots=True)
class RuleDeclaration:
    """The call that makes the rule; `NameExpr("settings")` stands for the server's settings.

    `imports` are the imported names, by module of the runtime. `settings` is the runtime module and
    the class with the rule's settings, or None. `requires` are distributions with bounds, besides
    those of every server. `variables` are the settings as rows of the README.
    """

    call: CallExpr
    imports: Mapping[str, tuple[str, ...]]
    settings: tuple[str, str] | None = None
    requires: tuple[str, ...] = ()
    variables: tuple[PolicyVariable, ...] = ()


@dataclass(frozen=True, slots=True)
class FeatureModule:
    """A feature module of the package: the constant or function `name` in `package/<module>.py`,
    rendered from `view`. `template` is a template shared by several modules, or `""` for the
    template at that path.

    `asks_settings`: `name` is a function of the server's settings, else a constant. `settings` is
    the runtime module and the class with the feature's settings, or None. `requires` are
    distributions with bounds, besides those of every server. `variables` are the settings as rows
    of the README.
    """

    module: str
    name: str
    view: TemplateView
    asks_settings: bool = False
    settings: tuple[str, str] | None = None
    requires: tuple[str, ...] = ()
    variables: tuple[PolicyVariable, ...] = ()
    template: str = ""

    @property
    def value(self) -> NameExpr | CallExpr:
        """The expression passed to `create_app`."""
        return (
            CallExpr(self.name, (NameExpr("settings"),))
            if self.asks_settings
            else NameExpr(self.name)
        )


SESSIONS = ("server.sessions", "SessionSettings")
"""The runtime module with the settings of sessions, and the class in the module."""

ASKING = (
    PolicyVariable("answer_seconds", "time for a user to answer a question", "300"),
    PolicyVariable("questions_at_once", "open questions of a process", "100"),
    PolicyVariable(
        "state_key",
        "key that seals calls waiting for answers, 32 characters or more; the same on all hosts",
        "random at every start",
    ),
    PolicyVariable(
        "several_instances",
        "whether other instances answer the same clients; requires the same key",
        "false",
    ),
)
"""The settings of every server with elicitation, as rows of the README."""

SESSION_VARIABLES = (
    *ASKING,
    PolicyVariable("sessions", "whether clients before 2026-07-28 get sessions", "true"),
    PolicyVariable(
        "session_idle_seconds", "time without a request after which a session ends", "1800"
    ),
    PolicyVariable("sessions_at_once", "open sessions", "1000"),
    PolicyVariable("sessions_per_caller", "open sessions of an authenticated caller", "100"),
)
"""The settings of a server with sessions, as rows of the README."""


STORE = ("limits.redis_client", "RedisSettings")
"""The runtime module with the settings of Redis, and the class in the module."""

STORE_REQUIRES = "redis>=6,<9"
"""The distribution of the Redis client, with bounds."""

STORE_VARIABLE = PolicyVariable(
    "limit_store",
    "store that processes share: redis://HOST:PORT/0, memory://",
    "none: the server does not start",
)


def has_store(server: Server) -> bool:
    """True if the server keeps something in Redis."""
    limits = server.limits
    kept = (
        limits.has_rates,
        limits.breaker_failures,
        server.confirmation,
        server.offers.notices.changes,
    )
    return limits.is_shared and any(kept)
