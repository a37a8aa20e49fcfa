"""What a build is asked for, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Diagnostic, Severity
from mcpgen.diagnostics.render import LineOf, Locate
from mcpgen.ir.server import MissingTool

if TYPE_CHECKING:
    from mcpgen.conformance import Report
    from mcpgen.emit.required_variables import RequiredVariable
    from mcpgen.openspec.report.matrix import ScenarioMatrix
    from mcpgen.write import FileChange


class BuildStatus(StrEnum):
    """How a build ended."""

    BUILT = "built"
    UNCHANGED = "unchanged"
    """The project already was what the build would make."""
    CURRENT = "current"
    """`check`: the project on disk is what a build would make."""
    DRIFTED = "drifted"
    """`check`: it is not."""
    FIT = "fit"
    """A project was tried as it stands, and its server passed."""
    UNFIT = "unfit"
    """The server did not pass its trial; what was written stays."""
    FAILED = "failed"
    """Errors were found; nothing was written."""

    @property
    def good(self) -> bool:
        """Whether the user may go on."""
        return self in (
            BuildStatus.BUILT,
            BuildStatus.UNCHANGED,
            BuildStatus.CURRENT,
            BuildStatus.FIT,
        )


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The flags of one build.

    `check` compares instead of writing; `strict` takes warnings for errors and looks at
    everything again; `verify` starts and checks what was built; `config` is the path of a file to
    read in place of the folder's `mcpgen.toml`, or `""`; `source` is the URL that the specification
    was fetched from, or `""`, and `refresh` fetches that URL again; `root` is the folder that references may
    not leave, or `""` for the choices' or the specification's own. `overlays` are the paths of
    documents that repair the specification, in order, and `allow_remote` the hosts its references
    may be fetched from; empty for the choices'. Of an OpenSpec folder, `capability` and `change` say
    which requirements are meant, `""` for those of the choices. `downgrade` allows to rewrite what a
    later mcpgen wrote. `verbose` reads the document of an unchanged project, too, to tell its findings.
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
    downgrade: bool = False
    source: str = ""
    refresh: bool = False
    verbose: bool = False


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Where findings stand: the position of a location, and the text of a line of a file.

    Nothing is looked up before it is asked for, because most findings are never printed.
    """

    position: Locate = lambda _: None
    line: LineOf = lambda _, __: None


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What came of a build.

    `folder` is the project's, as messages print it, `""` if it was not known yet. `changes` are those
    that touch the disk (or would), in order of path; `diff` shows them after a `check`. `tools` are
    the names by operation. `validation` says how far the document was compared with its
    specification. `required` are the environment variables without which the server does not start.
    `scenarios` are those of a project that were performed along with its check.
    `seconds` are by phase, in order. `diagnostics` are in order of printing.
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
        """How many findings have this severity."""
        return sum(found.severity is severity for found in self.diagnostics)


ProgressCallback = Callable[[str], None]
"""Is told each phase of a build as it begins, in a word."""


class PhaseTimer:
    """Seconds by phase; a phase that is entered twice adds up."""

    def __init__(self, tell: ProgressCallback | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._tell = tell

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Counts the time of the body of the `with` statement."""
        if self._tell:
            self._tell(name)
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + spent
