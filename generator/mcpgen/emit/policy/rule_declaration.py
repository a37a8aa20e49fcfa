"""One rule of a policy as it is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.emit.literal import CallExpr


@dataclass(frozen=True, slots=True)
class PolicyVariable:
    """One setting that a rule reads: its field, what it is, and what holds without it, `""` for what
    `mcpgen.toml` says."""

    field: str
    meaning: str
    absent: str


@dataclass(frozen=True, slots=True)
class RuleDeclaration:
    """The call that makes the rule, in which `NameExpr("settings")` stands for the server's settings.

    `imports` are the names it needs, by module of the runtime. `settings` is the module and the
    class with the settings that the rule reads, or None where it reads none. `requires` are the
    distributions that it needs beside those of every server, with their bounds; `variables` are
    the settings, as the README tells them.
    """

    call: CallExpr
    imports: Mapping[str, tuple[str, ...]]
    settings: tuple[str, str] | None = None
    requires: tuple[str, ...] = ()
    variables: tuple[PolicyVariable, ...] = ()
