"""Builds from a URL: fetches the document, stores the document in the project and builds from the
file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import read as read_codes
from mcpgen.diagnostics.codes import write as write_codes
from mcpgen.pipeline.result import BuildOptions, BuildResult, BuildStatus, PhaseTimer
from mcpgen.pipeline.workspace import Workspace, locate_folder, open_workspace
from mcpgen.read.fetch import Download, download, strip_url_credentials

BuildFile = Callable[[str, str, BuildOptions], BuildResult]
"""Builds a specification file into a folder."""

NameProject = Callable[[bytes, Diagnostics], str]
"""Returns the project name for a document; `""` and diagnostics for an unreadable document."""


def build_from_url(
    spec: str,
    folder: str,
    options: BuildOptions,
    clock: PhaseTimer,
    build_file: BuildFile,
    name_project: NameProject,
) -> BuildResult:
    """Fetches the document at the URL `spec`, or at the `source` of `mcpgen.toml`, and builds the
    project.

    Writes the document beside `mcpgen.toml` before the build and restores the old document if the
    build fails. `check` writes nothing; a changed document is a difference. Raises OSError for a
    fault of the machine.
    """
    diagnostics = Diagnostics()
    name = locate_folder(folder)
    space = open_workspace(name, options, diagnostics) if name else None
    if diagnostics.failed:
        return _failed_fetch(name, clock, diagnostics)
    url = spec or (space.config.source if space else "")
    if not url:
        at = Location(space.config_name if space else CONFIG_NAME)
        diagnostics.add(config_codes.NO_SOURCE, at)
        return _failed_fetch(name, clock, diagnostics)
    source = strip_url_credentials(url)
    content = fetch_document(url, source, clock, diagnostics)
    if content is None:
        return _failed_fetch(name, clock, diagnostics)
    if space is None:
        name = name_project(content, diagnostics)
        if not name:
            return _failed_fetch(name, clock, diagnostics)
        space = open_workspace(name, options, Diagnostics())
    path = _document_path(space, source, content, diagnostics)
    if path is not None and Path(path).is_dir():
        diagnostics.add(
            write_codes.OBSTACLE, Location(path), obstacle="a folder that has the file's name"
        )
        path = None
    if path is None:
        return _failed_fetch(name, clock, diagnostics)
    options = replace(options, source=source)
    if options.check:
        return _compare(path, source, content, name, options, clock, diagnostics, build_file)
    with _document_in_place(Path(path), content) as keep:
        outcome = build_file(path, name, options)
        keep(outcome.status is not BuildStatus.FAILED)
    return _with_findings(outcome, diagnostics)


def fetch_document(
    url: str, source: str, clock: PhaseTimer, diagnostics: Diagnostics
) -> bytes | None:
    """Downloads the document at `url`, named `source` in findings; None on failure. Adds UNFETCHED_DOCUMENT and REDIRECTED_DOCUMENT."""
    at = Location(source)
    with clock.phase("fetch"):
        response = download(url)
    if not isinstance(response, Download):
        diagnostics.add(read_codes.UNFETCHED_DOCUMENT, at, url=source, reason=response.reason)
        return None
    if response.redirect:
        diagnostics.add(read_codes.REDIRECTED_DOCUMENT, at, url=source, target=response.redirect)
    if source != url.partition("#")[0]:
        diagnostics.add(config_codes.UNWRITTEN_CREDENTIALS, at, url=source)
    return response.content


def _document_path(
    space: Workspace, source: str, content: bytes, diagnostics: Diagnostics
) -> str | None:
    """Returns the path of the document in the project; None and an error if the path belongs to
    another specification. Adds OTHER_SOURCE and UNFETCHED_FILE."""
    if space.config_text is not None:
        if space.config.spec and space.config.source == source:
            return space.spec("")
        ending = _suffix_of_content(content)
        at = Location(space.config_name)
        diagnostics.add(config_codes.OTHER_SOURCE, at, url=source, path=f"openapi.{ending}")
        return None
    path = (Path(space.name) / f"openapi.{_suffix_of_content(content)}").as_posix()
    if Path(path).is_file() and Path(path).read_bytes() != content:
        diagnostics.add(config_codes.UNFETCHED_FILE, Location(path), path=path, url=source)
        return None
    return path


def _suffix_of_content(content: bytes) -> str:
    return "json" if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "yaml"


def _compare(
    path: str,
    source: str,
    content: bytes,
    name: str,
    options: BuildOptions,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    build_file: BuildFile,
) -> BuildResult:
    """Compares the project with the stored document, and the stored document with the fetched
    document. Adds CHANGED_SOURCE."""
    file = Path(path)
    current = file.read_bytes() if file.is_file() else None
    if current != content:
        diagnostics.add(config_codes.CHANGED_SOURCE, Location(path), path=path, url=source)
    if current is None:
        return replace(_failed_fetch(name, clock, diagnostics), status=BuildStatus.DRIFTED)
    outcome = _with_findings(build_file(path, name, options), diagnostics)
    if current != content and outcome.status.good:
        return replace(outcome, status=BuildStatus.DRIFTED)
    return outcome


@contextmanager
def _document_in_place(path: Path, content: bytes) -> Iterator[Callable[[bool], None]]:
    """Writes the document. Unless the body calls `keep(True)`, restores the file and the folders."""
    before = path.read_bytes() if path.is_file() else None
    above = [folder for folder in path.parents if not folder.exists()]
    stays = False

    def keep(wanted: bool) -> None:
        nonlocal stays
        stays = wanted

    if before != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, content)
    try:
        yield keep
    finally:
        if not stays and before is not None and before != content:
            _replace(path, before)
        elif not stays and before is None:
            path.unlink(missing_ok=True)
            for folder in above:
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()


def _replace(path: Path, content: bytes) -> None:
    """Replaces a file atomically; replaces a link instead of following the link."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _failed_fetch(name: str, clock: PhaseTimer, diagnostics: Diagnostics) -> BuildResult:
    return BuildResult(
        BuildStatus.FAILED, name, seconds=clock.seconds, diagnostics=tuple(diagnostics.sorted())
    )


def _with_findings(outcome: BuildResult, diagnostics: Diagnostics) -> BuildResult:
    for diagnostic in outcome.diagnostics:
        diagnostics.add_diagnostic(diagnostic)
    return replace(outcome, diagnostics=tuple(diagnostics.sorted()))
