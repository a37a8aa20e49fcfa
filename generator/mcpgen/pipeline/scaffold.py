"""Makes a new project, empty or from a specification."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path, PurePath

from mcpgen import config as configs
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.document_urls import is_remote
from mcpgen.ir.json_format import format_json
from mcpgen.ir.source import Document
from mcpgen.openspec.load import is_openspec
from mcpgen.pipeline.build_project import build
from mcpgen.pipeline.load_spec import LoadedSpec, load_spec, places
from mcpgen.pipeline.result import (
    BuildOptions,
    BuildResult,
    BuildStatus,
    PhaseTimer,
    ProgressCallback,
)
from mcpgen.pipeline.workspace import STDIN

STARTER = "openapi.yaml"
"""The specification of a project without `spec`."""


def new(
    folder: str,
    spec: str = "",
    *,
    overlays: Sequence[str] = (),
    allow_remote: Sequence[str] = (),
    capability: str = "",
    change: str = "",
    stdin: bytes | None = None,
    tell: ProgressCallback | None = None,
) -> BuildResult:
    """Makes a folder with configuration and specification, and builds the project.

    `spec` is copied with all local references and `overlays`; without `spec` the project has a
    small example. Documents from `allow_remote` are not copied. Requirements without a companion
    get a drafted companion; `capability` and `change` select requirements in an OpenSpec folder. If
    the specification has errors, the folder keeps the copies and the result has the findings.
    Raises FileExistsError for a folder with content.
    """
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileExistsError(17, "exists already and is not empty", folder)
    if spec and is_openspec(spec):
        options = BuildOptions(
            overlays=tuple(overlays),
            allow_remote=tuple(allow_remote),
            capability=capability,
            change=change,
        )
        return _from_requirements(place, spec, options, tell)
    if not spec:
        starter = files("mcpgen.pipeline").joinpath("starter", STARTER).read_text("utf-8")
        texts: Mapping[str, bytes] = {STARTER: starter.encode()}
        repairs: dict[str, bytes] = {}
    else:
        clock, diagnostics = PhaseTimer(tell), Diagnostics()
        with clock.phase("read"):
            from mcpgen.read import read

            source = read(
                spec, diagnostics, stdin=stdin, overlays=overlays, allow_remote=allow_remote
            )
        if source is None or diagnostics.failed:
            return BuildResult(
                BuildStatus.FAILED,
                folder,
                seconds=clock.seconds,
                diagnostics=tuple(diagnostics.sorted()),
                places=places(LoadedSpec(source), None, stdin),
            )
        first = STARTER if spec == STDIN else PurePath(spec).name
        local = {key: document for key, document in source.documents.items() if not is_remote(key)}
        subfolder = "" if len(local) == 1 else "spec/"
        texts = {
            f"{subfolder}{key or first}": document.text.encode() for key, document in local.items()
        }
        repairs = repairs_of(source.overlays, texts)
    first = next(iter(texts))
    settings: dict[str, str | list[str]] = {"spec": first, "name": place.name}
    if repairs:
        settings["overlays"] = list(repairs)
    if allow_remote:
        settings["allow_remote"] = list(allow_remote)
    choices = configs.render_config(settings)
    _write(place, {**texts, **repairs, configs.NAME: choices.encode()})
    # `capability` and `change` need requirements: the build reports an error otherwise.
    options = BuildOptions(capability=capability, change=change)
    return replace(build("", folder, options, tell=tell), folder=folder)


def _from_requirements(
    place: Path, spec: str, options: BuildOptions, tell: ProgressCallback | None
) -> BuildResult:
    """Makes a project with copies of requirements, companion and OpenAPI documents."""
    clock, diagnostics = PhaseTimer(tell), Diagnostics()
    loaded_spec = load_spec(spec, options, None, clock, diagnostics, validated=False)
    scaffold = scaffold_files(loaded_spec, spec, options)
    folder = place.as_posix()
    if scaffold is None:
        return BuildResult(
            BuildStatus.FAILED,
            folder,
            seconds=clock.seconds,
            diagnostics=tuple(diagnostics.sorted()),
            places=places(loaded_spec, None),
        )
    settings = {**scaffold.chosen, "name": place.name}
    if options.allow_remote:
        settings["allow_remote"] = list(options.allow_remote)
    from mcpgen.openspec.bind import bind_all, schema_files

    choices = configs.render_config(settings)
    companions = {
        path: text.decode() for path, text in scaffold.texts.items() if path.endswith(".yaml")
    }
    schemas = {path: text.encode() for path, text in schema_files(companions).items()}
    _write(place, {**scaffold.texts, **schemas, configs.NAME: choices.encode()})
    if scaffold.undrafted:
        first = (place / str(scaffold.chosen["spec"])).as_posix()
        bind_all(first, change=options.change, capability=str(scaffold.chosen["capability"]))
    return replace(build("", folder, BuildOptions(), tell=tell), folder=folder)


def write_config(folder: Path, values: Mapping[str, bool | str | list[str]]) -> None:
    """Writes `mcpgen.toml` with `values`, and its schema, as a first build would. Raises
    FileExistsError for a folder with a `mcpgen.toml`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / configs.NAME).open("x", encoding="utf-8", newline="") as stream:
        stream.write(configs.render_config(values))
    schema = format_json(configs.config_schema())
    (folder / configs.SCHEMA).write_text(schema, encoding="utf-8", newline="")


def _write(folder: Path, texts: Mapping[str, bytes]) -> None:
    """Writes files into an empty or absent folder; removes all files if a write fails."""
    existed = folder.exists()
    try:
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text)
    except BaseException:
        for entry in folder.iterdir() if folder.exists() else ():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        if folder.exists() and not existed:
            folder.rmdir()
        raise


SPEC = "spec.md"
FOLDER = "openspec"
"""Paths of requirements in a project: one file, or an OpenSpec folder."""


@dataclass(frozen=True, slots=True)
class ScaffoldFiles:
    """The files of a new project by path, and the configuration of the paths. `undrafted` if the
    project needs a companion."""

    texts: Mapping[str, bytes]
    chosen: Mapping[str, str | list[str]]
    undrafted: bool = False


def scaffold_files(
    loaded_spec: LoadedSpec, spec: str, options: BuildOptions
) -> ScaffoldFiles | None:
    """Returns the requirements with companion and OpenAPI documents; None for unreadable
    requirements."""
    if loaded_spec.source is None or not loaded_spec.capabilities:
        return None
    names = [capability.name for capability in loaded_spec.capabilities]
    capability, first = names[0], loaded_spec.source.root
    alone = not os.path.isdir(spec)
    root = PurePath(first.name).parent if alone else _root(first.name, capability, options.change)
    texts: dict[str, bytes] = {}
    for key, document in loaded_spec.source.documents.items():
        if not is_remote(key):
            path = os.path.relpath(document.name, root).replace(os.sep, "/")
            path = path if not alone else SPEC if document is first else path
            texts[path if alone else f"{FOLDER}/{path}"] = document.text.encode()
    chosen: dict[str, str | list[str]] = {
        "spec": SPEC if alone else FOLDER,
        "capability": ",".join(names),
    }
    if options.change:
        chosen["change"] = options.change
    repairs = repairs_of(loaded_spec.source.overlays, texts)
    if repairs:
        chosen["overlays"] = list(repairs)
    undrafted = any(capability.companion is None for capability in loaded_spec.capabilities)
    return ScaffoldFiles({**texts, **repairs}, chosen, undrafted=undrafted)


def _root(name: str, capability: str, change: str) -> PurePath:
    """Returns the OpenSpec folder of a spec or a delta."""
    path = PurePath(name)
    depth = len(PurePath(capability).parts) + 1
    folder = path.parents[depth]
    return folder.parent.parent if folder.parent.name == "changes" and change else folder


def repairs_of(overlays: Sequence[Document], texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns the overlays by unique path beside the specification."""
    repairs: dict[str, bytes] = {}
    for overlay in overlays:
        stem, dot, ending = PurePath(overlay.name).name.partition(".")
        path, number = f"{stem}{dot}{ending}", 1
        while path in repairs or path in texts:
            number += 1
            path = f"{stem}-{number}{dot}{ending}"
        repairs[path] = overlay.text.encode()
    return repairs
