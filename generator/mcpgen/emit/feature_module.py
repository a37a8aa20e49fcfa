"""A feature of a server besides the tools of the API, as a generated module."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.emit.literal import CallExpr, NameExpr
from mcpgen.emit.policy.rule_declaration import PolicyVariable
from mcpgen.emit.render import TemplateView


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
