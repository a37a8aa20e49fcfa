"""The project's folder before a build: paths, configuration and lock."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from mcpgen import __version__, write
from mcpgen import config as configs
from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.diagnostics.codes import openspec as openspec_codes
from mcpgen.diagnostics.codes import write as write_codes
from mcpgen.emit.runtime import runtime_version
from mcpgen.ir.project import USER_TEMPLATES
from mcpgen.openspec.load import is_openspec, requirement_files
from mcpgen.pipeline.project_checks import HOOKS
from mcpgen.pipeline.result import BuildOptions

STDIN = "-"
"""The path of a specification from standard input."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A project's folder with configuration and lock.

    `name` is the folder's name in messages. `config_path` is the configuration file, named
    `config_name`; `config_text` is None without a file. `config_hash` is the hash of the file's
    bytes.
    """

    folder: Path
    name: str
    config_path: Path
    config_name: str
    config: Config
    config_text: str | None
    config_hash: str
    lock: write.Lock | None

    def spec(self, path: str) -> str:
        """Returns the path of the specification: `path`, else the configured path, else `""`."""
        return path or self._from_config(self.config.spec)

    def root(self, path: str) -> str:
        """Returns the folder for all references: `path`, else the configured folder, else `""`."""
        return path or self._from_config(self.config.root)

    def overlays(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Returns the paths of the overlays: `paths`, else the configured paths. The overlays apply
        in this order."""
        return tuple(paths) or tuple(self._from_config(path) for path in self.config.overlays)

    def allow_remote(self, hosts: Sequence[str]) -> tuple[str, ...]:
        """Returns the hosts for remote references: `hosts`, else the configured hosts."""
        return tuple(hosts) or self.config.allow_remote

    def with_defaults(self, options: BuildOptions) -> BuildOptions:
        """Fills empty options about reading from the configuration."""
        return replace(
            options,
            root=self.root(options.root),
            overlays=self.overlays(options.overlays),
            allow_remote=self.allow_remote(options.allow_remote),
            capability=options.capability or self.config.capability,
            change=options.change or self.config.change,
            openapi=options.openapi or self._from_config(self.config.openapi),
            source=options.source or self.config.source,
        )

    def _from_config(self, path: str) -> str:
        """Converts a path in the configuration to a path relative to the current folder."""
        if not path:
            return ""
        folder = os.path.dirname(self.config_name)
        return PurePath(os.path.normpath(os.path.join(folder, path))).as_posix()

    def spec_name(self, spec: str) -> str:
        """Returns the specification's path relative to the project's folder; `""` for standard
        input."""
        return "" if spec == STDIN else write.input_name(Path(spec), self.folder)

    def openapi_name(self, options: BuildOptions) -> str:
        """Returns the path of the API behind requirements, relative to the project's folder; `""`
        without an API."""
        path = options.openapi or self._from_config(self.config.openapi)
        return write.input_name(Path(path), self.folder) if path else ""

    def root_name(self, options: BuildOptions) -> str:
        """Returns the folder for all references relative to the project's folder, or `""`."""
        root = self.root(options.root)
        return write.input_name(Path(root), self.folder) if root else ""

    def overlay_names(self, options: BuildOptions) -> tuple[str, ...]:
        """Returns the overlays' paths relative to the project's folder, in order of application."""
        names = self.overlays(options.overlays)
        return tuple(write.input_name(Path(path), self.folder) for path in names)

    def facts(
        self, spec: str, options: BuildOptions, written: Collection[str] = ()
    ) -> dict[str, str | bool]:
        """Returns the options with an effect on the generated files, and the files of the user that are
        in the folder or among the paths `written` by the build: a build writes a deleted file again.
        """
        users = (
            path for path in USER_TEMPLATES if path in written or (self.folder / path).exists()
        )
        return self._facts_of_requirements(spec, self.with_defaults(options)) | {
            "users": "\n".join(sorted(users)),
            "spec": self.spec_name(spec),
            "root": self.root_name(options),
            "config": write.input_name(self.config_path, self.folder),
            "keep_going": options.keep_going or self.config.keep_going,
            "overlays": "\n".join(self.overlay_names(options)),
            "allow_remote": "\n".join(self.allow_remote(options.allow_remote)),
        }

    def _facts_of_requirements(self, spec: str, options: BuildOptions) -> dict[str, str | bool]:
        """Returns the files and the selection of the requirements."""
        if not is_openspec(spec):
            return {}
        names = (
            write.input_name(Path(path), self.folder) for path in requirement_files(spec, options)
        )
        return {
            "requirements": "\n".join(names),
            "capability": options.capability,
            "change": options.change,
            "openapi": self.openapi_name(options),
        }

    def choices(self, spec: str, options: BuildOptions) -> Config:
        """Returns the configuration of the build: the file, then flags and lock.

        The lock keeps the project's name if the API's title changes: a new package name would leave
        the user's hooks behind.
        """
        lock = self.lock or write.Lock()
        return replace(
            self.config,
            spec=self.spec_name(spec),
            source=options.source or self.config.source,
            capability=options.capability or self.config.capability,
            change=options.change or self.config.change,
            openapi=self.openapi_name(options),
            root=self.root_name(options),
            overlays=self.overlay_names(options),
            allow_remote=self.allow_remote(options.allow_remote),
            name=self.config.name or lock.name,
            package=self.config.package or lock.package,
            tool_names=lock.tools,
            operation_ids=lock.operation_ids,
            keep_going=options.keep_going or self.config.keep_going,
        )

    def package_on_disk(self, package: str) -> str:
        """Returns the package folder of `hooks.py` before the build: the old package's if
        `mcpgen.toml` has a new `package`."""
        before = self.lock.package if self.lock else ""
        return before if before and (self.folder / before / HOOKS).is_file() else package

    def tell_newer_generator(self, options: BuildOptions, diagnostics: Diagnostics) -> bool:
        """Refuses a project built by a later mcpgen, unless the options allow a downgrade.

        Returns True if the project is refused. Adds OLDER_GENERATOR and OLDER_RUNTIME.
        """
        if self.lock is None or options.downgrade:
            return False
        if not self.lock.is_newer(__version__):
            if not self.lock.has_newer_runtime(runtime_version()):
                return False
            at = Location(write.file_name(self.name, write.NAME), ("runtime",))
            later = self.lock.runtime
            diagnostics.add(write_codes.OLDER_RUNTIME, at, version=runtime_version(), later=later)
            return True
        at = Location(write.file_name(self.name, write.NAME), ("mcpgen",))
        code, later = write_codes.OLDER_GENERATOR, self.lock.mcpgen
        diagnostics.add(code, at, version=__version__, later=later)
        return True

    def tell_absent_spec(self, diagnostics: Diagnostics) -> bool:
        """Reports a configured specification that does not exist. Returns True if there is none. Adds
        ABSENT_SPEC."""
        path = self.spec("")
        if Path(path).exists():
            return False
        line, column = configs.toml_position(self.config_text or "", ("spec",))
        at = Location(self.config_name, ("spec",), line, column)
        folder = shlex.quote(self.name)
        diagnostics.add(
            codes.ABSENT_SPEC,
            at,
            named=self.config.spec,
            path=os.path.normpath(path),
            folder=folder,
        )
        return True

    def tell_other_spec(self, spec: str, diagnostics: Diagnostics) -> None:
        """Reports a configured specification different from `spec`. Adds OTHER_SPEC."""
        configured = self.config.spec and os.path.normpath(self.spec(""))
        if configured and spec != STDIN and os.path.realpath(configured) != os.path.realpath(spec):
            line, column = configs.toml_position(self.config_text or "", ("spec",))
            at = Location(self.config_name, ("spec",), line, column)
            diagnostics.add(codes.OTHER_SPEC, at, given=spec, named=self.config.spec)

    def tell_other_name(self, name: str, diagnostics: Diagnostics) -> None:
        """Reports a changed project name: clients may rely on the old name. Adds OTHER_NAME."""
        before = self.lock.name if self.lock else ""
        if before and before != name:
            line, column = configs.toml_position(self.config_text or "", ("name",))
            at = Location(self.config_name, ("name",), line, column)
            old, new = (text.upper().replace("-", "_") for text in (before, name))
            diagnostics.add(codes.OTHER_NAME, at, before=before, name=name, old=old, new=new)


def locate_folder(folder: str) -> str:
    """Returns the project's folder before the specification is read: `folder`, else the current
    folder if a project, else `""`."""
    if folder:
        return PurePath(os.path.normpath(folder)).as_posix()
    return "." if Path(configs.NAME).is_file() else ""


def open_workspace(name: str, options: BuildOptions, diagnostics: Diagnostics) -> Workspace:
    """Opens the workspace in the folder `name`; the folder need not exist.

    Adds the findings of `mcpgen.toml` and the lock; raises OSError for an unreadable file.
    """
    folder = Path(name)
    path = Path(options.config) if options.config else folder / configs.NAME
    label = path.as_posix()
    content = _bytes_or_none(path)
    if content is None and options.config:
        diagnostics.add(codes.MISSING_CONFIG, Location(label), path=label)
    config = (
        Config(has_schema=True) if content is None else configs.load(content, label, diagnostics)
    )
    config = _with_files(config, path.parent, diagnostics)
    return Workspace(
        folder=folder,
        name=name,
        config_path=path,
        config_name=label,
        config=config,
        config_text=None if content is None else content.decode("utf-8", errors="replace"),
        config_hash="" if content is None else write.hash_of(content),
        lock=write.read_lock(folder, write.file_name(name, write.NAME), diagnostics),
    )


def _with_files(config: Config, folder: Path, diagnostics: Diagnostics) -> Config:
    """Adds the content of the attached files to the configuration."""
    if not config.attachments:
        return config
    from mcpgen.read.files import read_config_files

    root = Location(configs.NAME)
    locations = {path: config.at(*place) or root for path, place in config.attachments.items()}
    return replace(config, files=read_config_files(folder, locations, diagnostics))


def _bytes_or_none(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def follow_archived_change(
    space: Workspace, spec: str, options: BuildOptions, diagnostics: Diagnostics
) -> tuple[Workspace, BuildOptions]:
    """Writes the companions of an archived change beside their specs and removes `change`.

    Returns the workspace and options to build with: unchanged if no archived change is named, with
    `--check`, or if another companion is in the place. Adds MG784. Raises OSError if a file cannot
    be written.
    """
    change = options.change or space.config.change
    if not change or options.check:
        return space, options
    # Loads the stages of OpenSpec, which takes 0.2 s.
    from mcpgen.openspec.bind.archived_change import archived_companions, without_change

    moved = archived_companions(spec, change)
    if moved is None or moved.conflicts:
        return space, options
    for path, text in {**moved.texts, **moved.schemas}.items():
        Path(path).write_text(text, encoding="utf-8", newline="")
    line, column = configs.toml_position(space.config_text or "", ("change",))
    at = Location(space.config_name, ("change",), line, column)
    if space.config_text is not None and space.config.change == change:
        mended = without_change(space.config_text, line)
        space.config_path.write_text(mended, encoding="utf-8", newline="")
        space = open_workspace(space.name, options, Diagnostics())
    if space.config.change:
        return space, options
    files = ", ".join(f"`{path}`" for path in moved.texts)
    done = f"{files} now holds what its `mcp.yaml` said, and " if files else ""
    diagnostics.add(openspec_codes.FOLLOWED_CHANGE, at, name=change, folder=moved.folder, done=done)
    return space, replace(options, change="")
