"""The declaration of a policy rule in generated code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.emit.literal import CallExpr


@dataclass(frozen=True, slots=True)
class PolicyVariable:
    """A setting that a rule reads: field, meaning, and the value without the setting, `""` for the
    value of `mcpgen.toml`."""

    field: str
    meaning: str
    absent: str


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
