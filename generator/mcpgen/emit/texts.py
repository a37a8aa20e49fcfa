"""The texts of the files that a whole server has: as they are remembered, or rendered."""

from __future__ import annotations

from mcpgen.emit.render import View, rendered
from mcpgen.frozen import frozen
from mcpgen.memory import Memory, digest, told


@frozen
class Rendered:
    """What became of a template and a view."""

    text: str


@frozen
class Texts:
    """The texts that a memory has, and those that it has not."""

    memory: Memory

    def of(self, template: str, view: View) -> str:
        """The text of a template, filled from a view. Raises TypeError for anything printed that is
        not `Code`."""
        key = digest("text", template, told(view))
        known = self.memory.recalled(key, Rendered)
        if known is None:
            known = Rendered(rendered(template, view))
            self.memory.keep(key, known)
        return known.text
