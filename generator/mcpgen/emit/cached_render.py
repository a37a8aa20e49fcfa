"""The texts of the files that a whole server has: as they are remembered, or rendered."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.cache import BuildCache, canonical_json, hash_texts
from mcpgen.emit.render import TemplateView, render


@dataclass(frozen=True, slots=True)
class RenderedText:
    """What became of a template and a view."""

    text: str


@dataclass(frozen=True, slots=True)
class RenderCache:
    """The texts that a memory has, and those that it has not."""

    memory: BuildCache

    def of(self, template: str, view: TemplateView) -> str:
        """The text of a template, filled from a view. Raises TypeError for anything printed that is
        not `SourceText`."""
        key = hash_texts("text", template, canonical_json(view))
        known = self.memory.get(key, RenderedText)
        if known is None:
            known = RenderedText(render(template, view))
            self.memory.put(key, known)
        return known.text
