"""The files that a new project begins with, copied from what it is made of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from mcpgen.ir.document_urls import is_remote
from mcpgen.ir.source import Document
from mcpgen.pipeline.loaded_spec import LoadedSpec
from mcpgen.pipeline.result import BuildOptions

SPEC = "spec.md"
FOLDER = "openspec"
"""What requirements are called in a project: one file, or the folder of all."""


@dataclass(frozen=True, slots=True)
class ScaffoldFiles:
    """The files of a new project by path, and the choices that name them. `undrafted` tells that a
    companion is still to be written."""

    texts: Mapping[str, bytes]
    chosen: Mapping[str, str | list[str]]
    undrafted: bool = False


def scaffold_files(known: LoadedSpec, spec: str, options: BuildOptions) -> ScaffoldFiles | None:
    """The requirements with their companion and the OpenAPI documents; None if they could not be
    read."""
    if known.source is None or known.requirements is None:
        return None
    capability, first = known.requirements.capability, known.source.root
    alone = not os.path.isdir(spec)
    root = PurePath(first.name).parent if alone else _root(first.name, capability, options.change)
    texts: dict[str, bytes] = {}
    for key, document in known.source.documents.items():
        if not is_remote(key):
            path = os.path.relpath(document.name, root).replace(os.sep, "/")
            path = path if not alone else SPEC if document is first else path
            texts[path if alone else f"{FOLDER}/{path}"] = document.text.encode()
    chosen: dict[str, str | list[str]] = {
        "spec": SPEC if alone else FOLDER,
        "capability": capability,
    }
    if options.change:
        chosen["change"] = options.change
    repairs = repairs_of(known.source.overlays, texts)
    if repairs:
        chosen["overlays"] = list(repairs)
    return ScaffoldFiles({**texts, **repairs}, chosen, undrafted=known.companion is None)


def _root(name: str, capability: str, change: str) -> PurePath:
    """The OpenSpec folder that a spec or a delta lies in."""
    path = PurePath(name)
    depth = len(PurePath(capability).parts) + 1
    folder = path.parents[depth]
    return folder.parent.parent if folder.parent.name == "changes" and change else folder


def repairs_of(overlays: Sequence[Document], texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The overlays by the paths they get beside the specification, each a path of its own."""
    found: dict[str, bytes] = {}
    for overlay in overlays:
        stem, dot, ending = PurePath(overlay.name).name.partition(".")
        path, number = f"{stem}{dot}{ending}", 1
        while path in found or path in texts:
            number += 1
            path = f"{stem}-{number}{dot}{ending}"
        found[path] = overlay.text.encode()
    return found
