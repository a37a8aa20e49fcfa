"""One thing a server offers beside the tools of its API, as it is written down."""

from __future__ import annotations

from mcpgen.emit.literal import Call, Name
from mcpgen.emit.policy.declared import Variable
from mcpgen.emit.render import View
from mcpgen.frozen import frozen


@frozen
class Offered:
    """One `Offer` of the runtime: `name` in `package/<module>.py`, which `view` fills; `template` is
    the one that several such modules are made of, `""` for the one of that path.

    It is a constant, or a function of the server's settings if it `asks_settings`. `settings` is the
    module of the runtime and the class in it with the settings it reads, None where it reads none;
    `requires` are the distributions it needs beside those of every server, with their bounds;
    `variables` are its settings, as the README tells them.
    """

    module: str
    name: str
    view: View
    asks_settings: bool = False
    settings: tuple[str, str] | None = None
    requires: tuple[str, ...] = ()
    variables: tuple[Variable, ...] = ()
    template: str = ""

    @property
    def value(self) -> Name | Call:
        """What `create_app` is given."""
        return Call(self.name, (Name("settings"),)) if self.asks_settings else Name(self.name)
