"""SDK documentation, read by a script such as `db.md`, `db.orders.md` or `db.orders.d.ts`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import indent

from ..tool import Json, Tool
from .documentation import (
    Examples,
    describe_tool,
    fence_code,
    method_signature,
    page_of_parts,
    usable_bytes,
)

_REQUEST = re.compile(
    r"(?P<path>\w+(?:\.\w+){0,2})\.(?P<kind>md|d\.ts)(?:\s{1,9}(?P<page>[0-9]{1,4}))?\s{0,9};?",
    re.ASCII,
)

_FENCES = 20
"""Bytes of a page reserved for the fence around types."""

Methods = Mapping[str, Tool]
"""The tools of a module, by method."""


@dataclass(frozen=True)
class ScriptDocs:
    """Documentation of the SDK named `root`, with the modules visible to a caller. `runner` is the
    tool that runs scripts, `max_bytes` the maximum bytes of an answer; `examples` are shown with
    the methods."""

    runner: str
    root: str
    modules: Mapping[str, Methods]
    max_bytes: int
    examples: Examples = field(default_factory=dict)

    def requested_page(self, script: str) -> str | None:
        """The documentation requested by a script; None for a script that must run."""
        match = _REQUEST.fullmatch(script.strip())
        if match is None:
            return None
        root, *path = match["path"].split(".")
        if root.lower() != self.root.lower():
            return None
        return self._answer(path, match["kind"], int(match["page"] or 1))

    def _answer(self, path: list[str], kind: str, page: int) -> str:
        """A page about a module or method; an empty path is the index."""
        request = f"{'.'.join([self.root, *path])}.{kind}"
        if not path:
            parts = self._index() if kind == "md" else self._all_types()
            return page_of_parts(parts, self.max_bytes, page, request)
        module = _resolve_name(path[0], self.modules)
        method = _resolve_name(path[1], self.modules[module]) if module and path[1:] else ""
        if not module or (path[1:] and not method):
            return f"There is no `{request[:200]}`; `{self.root}.md` is the index."
        methods = {method: self.modules[module][method]} if method else self.modules[module]
        if kind == "d.ts":
            return page_of_parts([*self._types(module, methods)], self.max_bytes, page, request)
        head = [f"# {self.root}.{module}"] if not method else []
        texts = [self._method(module, name, tool) for name, tool in methods.items()]
        return page_of_parts([*head, *texts], self.max_bytes, page, request)

    def _index(self) -> list[str]:
        """The index, one line per module."""
        root = self.root
        head = (
            f"# {root}\n\nIn scripts of `{self.runner}`, `{root}` is the API: `await "
            f"{root}.<module>.<method>({{ … }})` takes one object of named arguments and gives back "
            "the value of the answer; a call that fails throws an `Error`. The value of the last "
            "expression, or what `return` gives, is the result.\n\n"
            f"`{root}.<module>.md` documents a module, `{root}.<module>.<method>.md` a method, and "
            f"`{root}.<module>.d.ts` has the types.\n\n## Modules"
        )
        rows = [
            f"- `{root}.{module}`: {', '.join(f'`{method}`' for method in methods)}"
            for module, methods in self.modules.items()
        ]
        return [head, *rows]

    def _method(self, module: str, method: str, tool: Tool) -> str:
        path = f"{self.root}.{module}.{method}"

        def example(arguments: Mapping[str, Json]) -> str:
            text = json.dumps(arguments, ensure_ascii=False) if arguments else ""
            return fence_code("ts", f"await {path}({text})")

        return describe_tool(path, tool, example, self.examples)

    def _all_types(self) -> list[str]:
        """The types of all modules in separate blocks, so that pages end between blocks."""
        return [
            block
            for module, methods in self.modules.items()
            for block in self._types(module, methods)
        ]

    def _types(self, module: str, methods: Methods) -> Iterator[str]:
        """The types of a module, in blocks that fit on a page; each block is a complete
        declaration."""
        head, tail = f"declare const {self.root}: {{\n  {module}: {{\n", "\n  };\n};"
        room = usable_bytes(self.max_bytes) - len(f"{head}{tail}") - _FENCES
        signatures: list[str] = []
        for method, tool in methods.items():
            text = indent(method_signature(method, tool), "    ")
            if (
                signatures
                and sum(len(signature.encode()) + 1 for signature in (*signatures, text)) > room
            ):
                yield fence_code("ts", head + "\n".join(signatures) + tail)
                signatures = []
            signatures.append(text)
        yield fence_code("ts", head + "\n".join(signatures) + tail)


def _resolve_name(name: str, names: Mapping[str, object]) -> str:
    """The matching name, ignoring case; `""` if none."""
    if name in names:
        return name
    return next((candidate for candidate in names if candidate.lower() == name.lower()), "")
