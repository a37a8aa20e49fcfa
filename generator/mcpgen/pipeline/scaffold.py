"""A new project, from nothing or from a specification."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path, PurePath

from mcpgen import config as configs
from mcpgen.diagnostics import Diagnostics
from mcpgen.pipeline.building import build
from mcpgen.pipeline.clock import Clock
from mcpgen.pipeline.outcome import Options, Outcome, Status, Tell
from mcpgen.pipeline.understand import Understood, places
from mcpgen.pipeline.workspace import STDIN

STARTER = "openapi.yaml"
"""The specification of a project that begins from nothing."""


def new(
    folder: str, spec: str = "", *, stdin: bytes | None = None, tell: Tell | None = None
) -> Outcome:
    """Makes a folder with choices and a specification, and builds the project there.

    `spec` is copied, with every file it refers to; without it there is a small one to begin with.
    When the specification has errors, the folder keeps what was put there and the outcome has the
    findings. Raises FileExistsError if the folder holds anything.
    """
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileExistsError(17, "exists already and is not empty", folder)
    if not spec:
        starter = files("mcpgen.pipeline").joinpath("starter", STARTER).read_text("utf-8")
        texts: Mapping[str, bytes] = {STARTER: starter.encode()}
    else:
        clock, diagnostics = Clock(tell), Diagnostics()
        with clock.phase("read"):
            from mcpgen.read import read

            source = read(spec, diagnostics, stdin=stdin)
        if source is None or diagnostics.failed:
            return Outcome(
                Status.FAILED,
                folder,
                seconds=clock.seconds,
                diagnostics=tuple(diagnostics.sorted()),
                places=places(Understood(source), None, stdin),
            )
        first = STARTER if spec == STDIN else PurePath(spec).name
        beside = "" if len(source.documents) == 1 else "spec/"
        texts = {
            f"{beside}{key or first}": document.text.encode()
            for key, document in source.documents.items()
        }
    first = next(iter(texts))
    choices = configs.template({"spec": first, "name": place.name})
    _write(place, {**texts, configs.NAME: choices.encode()})
    outcome = build("", folder, Options(), tell=tell)
    return replace(outcome, folder=folder)


def _write(folder: Path, texts: Mapping[str, bytes]) -> None:
    """Writes files into a folder that is empty or absent; leaves it so if one cannot be written."""
    there = folder.exists()
    try:
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text)
    except BaseException:
        for entry in folder.iterdir() if folder.exists() else ():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        if folder.exists() and not there:
            folder.rmdir()
        raise
