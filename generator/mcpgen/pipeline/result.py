"""Options, progress, timings and result of a build."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Diagnostic, Severity
from mcpgen.diagnostics.render import SourceMap

if TYPE_CHECKING:
    from mcpgen.conformance import Report
    from mcpgen.emit.required_variables import RequiredVariable
    from mcpgen.ir.server import MissingTool
    from mcpgen.openspec.report.matrix import ScenarioMatrix
    from mcpgen.write import FileChange


class BuildStatus(StrEnum):
    """The end of a build."""

    BUILT = "built"
    UNCHANGED = "unchanged"
    """The build changed no file."""
    CURRENT = "current"
    """`check`: a build would change no file."""
    DRIFTED = "drifted"
    """`check`: a build would change files."""
    FIT = "fit"
    """A project was checked without a build, and the server passed."""
    UNFIT = "unfit"
    """The server failed the checks, or `strict` takes a warning of the last stage for an error; written
    files stay."""
    FAILED = "failed"
    """There were errors; nothing was written."""

    @property
    def good(self) -> bool:
        """True if the user need not act."""
        return self in (
            BuildStatus.BUILT,
            BuildStatus.UNCHANGED,
            BuildStatus.CURRENT,
            BuildStatus.FIT,
        )


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The flags of one build.

    `check` compares instead of writing; `strict` treats warnings as errors and repeats every check;
    `verify` starts and checks the built server; `config` is the path of a file in place of the
    folder's `mcpgen.toml`, or `""`; `source` is the URL of the fetched specification, or `""`;
    `refresh` fetches the URL again; `root` is the folder for all references, or `""` for the
    configured folder or the folder of the specification. `overlays` are paths of OpenAPI overlays,
    in order; `allow_remote` are hosts for remote references; empty for the configured values. For
    OpenSpec, `capability` (names with commas) and `change` select requirements and `openapi` is the
    path of the API behind them, `""` for the configured values.
    `downgrade` permits a rewrite of files of a later mcpgen. `verbose` also reads the document of
    an unchanged project to show the findings.
    """

    check: bool = False
    strict: bool = False
    verify: bool = True
    keep_going: bool = False
    config: str = ""
    root: str = ""
    overlays: tuple[str, ...] = ()
    allow_remote: tuple[str, ...] = ()
    capability: str = ""
    change: str = ""
    openapi: str = ""
    downgrade: bool = False
    source: str = ""
    refresh: bool = False
    verbose: bool = False


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The result of a build.

    `folder` is the printed name of the project's folder, `""` if unknown. `changes` are the changed
    files (with `check`: the files to change) in order of path; `diff` is the unified diff after a
    `check`. `tools` are names by operation. `validation` describes the validation of the document.
    `required` are the environment variables necessary for a start. `scenarios` are the results of a
    project's scenarios. `seconds` are by phase, in order. `diagnostics` are in printing order.
    """

    status: BuildStatus
    folder: str
    package: str = ""
    changes: tuple[FileChange, ...] = ()
    diff: str = ""
    report: Report | None = None
    tools: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[MissingTool, ...] = ()
    validation: str = ""
    required: tuple[RequiredVariable, ...] = ()
    scenarios: ScenarioMatrix | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    places: SourceMap = field(default_factory=SourceMap)

    def count(self, severity: Severity) -> int:
        """The number of findings with a severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)


ProgressCallback = Callable[[str], None]
"""Receives the name of every phase at the start of the phase."""


class PhaseTimer:
    """Seconds by phase; repeated phases add up."""

    def __init__(self, tell: ProgressCallback | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._tell = tell

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measures the body of the `with` statement in seconds, also of a body that raises."""
        if self._tell:
            self._tell(name)
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + spent
