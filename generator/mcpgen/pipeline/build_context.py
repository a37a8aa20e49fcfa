"""What the back half of the line works on."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from pathlib import PurePosixPath

from mcpgen import __version__, write
from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.config import toml_position as places_of
from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.codes import read as read_codes
from mcpgen.emit.runtime import has_copy, runtime_version
from mcpgen.ir.document_urls import is_remote
from mcpgen.ir.project import Project
from mcpgen.ir.server import Server
from mcpgen.ir.source import Source
from mcpgen.pipeline.hooks import NAME as HOOKS_NAME
from mcpgen.pipeline.result import BuildOptions, BuildResult, BuildStatus
from mcpgen.pipeline.timings import PhaseTimer
from mcpgen.pipeline.workspace import STDIN, Workspace


@dataclass(frozen=True, slots=True)
class BuildContext:
    """A generated project and everything its writing needs."""

    space: Workspace
    spec: str
    options: BuildOptions
    source: Source
    server: Server
    project: Project
    clock: PhaseTimer
    diagnostics: Diagnostics

    def plan(self) -> write.WritePlan:
        """What has to change in the folder; its conflicts are among the diagnostics."""
        lock = self.space.lock
        paths = {file.path for file in self.project.files}
        if lock:
            paths |= {*lock.files, *lock.ejected}
        with self.clock.phase("plan"):
            disk = write.snapshot(self.space.folder, sorted(paths))
            if lock and lock.package and lock.package != self.server.package:
                made = self._moved(lock, disk)
            else:
                made = write.plan(self.project, lock, disk)
        write.report_conflicts(made, self.space.name, self.diagnostics)
        return made

    def _moved(self, lock: write.Lock, disk: write.ProjectSnapshot) -> write.WritePlan:
        """The plan of a project whose package has got another name, with the user's files in it."""
        space, package = self.space, self.server.package
        lock = write.lock_after_move(lock, package, disk)
        made = write.plan(self.project, lock, disk)
        move = write.move_package(made, self.project, lock, space.folder, package)
        line, column = places_of(space.config_text or "", ("package",))
        at = Location(space.config_name, ("package",), line, column)
        write.add_move_findings(move, lock.package, package, at, space.name, self.diagnostics)
        return move.plan

    def lock(self, made: write.WritePlan, *, passed: bool, failed: bool = False) -> write.Lock:
        """The lock after the build. It does not have the hooks of a server that `failed` its trial, so
        that `--check` tries the server, too."""
        space = self.space
        inputs = self._inputs()
        if failed:
            inputs = {name: digest for name, digest in inputs.items() if name not in self.hooks}
        facts = space.facts(self.spec, self.options)
        fetched = any(is_remote(name) for name in inputs)
        unread = any(each.code in parse_codes.REFUSED_REFERENCES for each in self.diagnostics)
        again = self.spec == STDIN or fetched or unread or self.server.missing
        return write.Lock(
            __version__,
            "" if again else write.inputs_digest(inputs, facts),
            passed,
            self.server.slug,
            self.server.package,
            inputs,
            made.files,
            self.project.tools,
            made.ejected,
            self.server.operation_ids,
            runtime_version() if has_copy(self.project, self.server.package) else "",
        )

    def tell_drift(self) -> None:
        """Says which of the documents that were fetched are others than at the last build.

        Adds CHANGED_REFERENCE: a warning where the build is only compared.
        """
        known = self.space.lock.inputs if self.space.lock else {}
        severity = None if self.options.check else Severity.NOTE
        for key, document in self.source.documents.items():
            if is_remote(key) and known.get(key, document.sha256) != document.sha256:
                at = Location(self.source.root.name)
                self.diagnostics.add(read_codes.CHANGED_REFERENCE, at, severity=severity, url=key)

    def _inputs(self) -> dict[str, str]:
        """The files the project is made from, as they were when they were read."""
        space = self.space
        inputs = {}
        if self.spec != STDIN:
            root = PurePosixPath(space.spec_name(self.spec))
            for key, document in self.source.documents.items():
                if is_remote(document.key) and not is_remote(key):
                    continue  # A relative reference that was fetched; its URL is an input, too.
                path = posixpath.normpath(root.parent / key) if key else str(root)
                inputs[key if is_remote(key) else path] = document.sha256
        names = space.overlay_names(self.options)
        for name, overlay in zip(names, self.source.overlays, strict=True):
            inputs[name] = overlay.sha256
        beside = space.config_path.parent
        for path, content in space.config.files.items():
            inputs[write.input_name(beside / path, space.folder)] = write.hash_of(content)
        if space.config_hash:
            inputs[write.input_name(space.config_path, space.folder)] = space.config_hash
        else:
            for file in self.project.files:
                if file.path == CONFIG_NAME:
                    inputs[CONFIG_NAME] = write.hash_of(file.text.encode())
        return inputs | self.hooks

    @property
    def hooks(self) -> dict[str, str]:
        """The user's `hooks.py` with its hash; nothing if there is none. No file is made from it, but
        the server that was checked ran it."""
        name = f"{self.server.package}/{HOOKS_NAME}"
        return write.hash_inputs(self.space.folder, [name]) or {}

    def outcome(self, status: BuildStatus, made: write.WritePlan) -> BuildResult:
        """The outcome, but for what every outcome has."""
        # Loaded here: a build with nothing to do makes no job.
        from mcpgen.emit.required_variables import limit_store, required_variables

        return BuildResult(
            status,
            self.space.name,
            self.server.package,
            changes=made.moves,
            tools=self.project.tools,
            missing=self.server.missing,
            required=(*required_variables(self.server, is_local=True), *limit_store(self.server)),
        )
