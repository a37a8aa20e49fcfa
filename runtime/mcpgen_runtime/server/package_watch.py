"""Serves a changed package without a restart: after a build, or a change of `hooks.py`.

The files are read when they are whole: all of them are those of `mcpgen.lock`, which a build writes
last. Without a lock, as in an installed package, a pause after the last change has to do.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from ..observability.logs import set_log_level
from ..settings import ServerSettings
from ..tool import Json, Tool
from .app import App
from .reload import START_SECONDS, ReloadableApp, watch_files

RUNTIME = "_runtime"
"""The sub-package with the copied runtime, which a running process keeps."""

_COMMAND_LINE_SETTINGS = frozenset({"host", "port", "upstream", "workers"})
"""The settings that the command line may have given."""

_SUFFIXES = (".py", ".json")
_TEXTS = frozenset({"title", "description", "examples"})
_VALUES = frozenset({"const", "default", "enum"})
_MAPS = frozenset({"properties", "patternProperties", "$defs"})
_Settings = TypeVar("_Settings", bound=ServerSettings)

logger = logging.getLogger(__name__)


class ReloadSettings(ServerSettings):
    """The setting of a server that takes changes."""

    reload_breaking: bool = False
    """Serves also changes that break callers."""


def reloading(package: str, create: Callable[[_Settings], App]) -> Callable[[_Settings], App]:
    """Returns a function that creates a server whose process looks at the files of `package`. The
    function can be pickled, since workers are spawned."""
    return partial(_create_reloadable, package, create)


def _create_reloadable(
    package: str, create: Callable[[_Settings], App], settings: _Settings
) -> App:
    watcher = PackageWatcher(package)
    app = ReloadableApp(create(settings), watcher.start)
    set_log_level(settings, package)
    # A `ReloadableApp` has the attributes of its current `App`.
    return cast(App, app)


class PackageWatcher:
    """Looks at the files of a package in a thread, and serves a change: the modules are imported
    anew, except the runtime. A package that cannot be imported or started, or with breaking changes
    unless `reload_breaking`, is not served: the server from before stays."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._folder = Path(str(sys.modules[package].__file__)).parent
        self._lock = self._folder.parent / "mcpgen.lock"
        self._runtime = self._digests(RUNTIME)
        self._listing = listing_of(self._imported_modules())
        self._generation = 0
        self._keep_data(sys.modules[f"{package}.server"])

    def start(self, app: ReloadableApp) -> None:
        """Looks at the files until the process ends."""
        self._reloadable_app = app
        watch_files(self._files, self._reload)

    def _files(self) -> list[Path]:
        # `os.walk` skips folders that a build deletes meanwhile.
        folders = os.walk(self._folder)
        files = [Path(folder, name) for folder, _, names in folders for name in names]
        return [*(path for path in files if path.suffix in _SUFFIXES), self._lock]

    def _keep_data(self, server: Any) -> None:
        """Lets the applications of a server module read the data files as the files are now: an
        application reads `schemas.json` at the first call of a tool, maybe after a change."""
        self._generation += 1
        name = f"{self._package}_{self._generation}"
        module = ModuleType(name)
        data = {path.name: _DataFile(path.read_bytes()) for path in self._folder.glob("*.json")}
        module.__spec__ = ModuleSpec(name, cast(Loader, _DataFiles(data)), is_package=True)
        sys.modules[name] = module
        server.IDENTITY = replace(server.IDENTITY, module=f"{name}.server")

    def _imported_modules(self) -> dict[str, ModuleType]:
        """The modules of the package that are imported anew, by name."""
        excluded = (f"{self._package}.{RUNTIME}", f"{self._package}.__main__")
        return {
            name: module
            for name, module in sys.modules.items()
            if name.startswith(f"{self._package}.") and not name.startswith(excluded)
        }

    def _digests(self, folder: str = "") -> dict[str, str]:
        """The SHA-256 of each file below a folder of the package, by path below the parent folder of
        the package; line ends are those of Unix, as in `mcpgen.lock`."""
        return {
            path.relative_to(self._folder.parent)
            .as_posix(): hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n"))
            .hexdigest()
            for path in self._folder.joinpath(folder).rglob("*")
            if path.suffix in _SUFFIXES
        }

    def _is_complete(self, digests: Mapping[str, str]) -> bool:
        """True if no file of the package differs from `mcpgen.lock`, or there is no lock."""
        if not self._lock.is_file():
            return True
        try:
            files = json.loads(self._lock.read_bytes())["files"]
        except (ValueError, KeyError):
            return False
        own = {path: files[path] for path in files if path.startswith(f"{self._package}/")}
        return all(
            digests.get(path) == digest for path, digest in own.items() if path.endswith(_SUFFIXES)
        )

    def _reload(self) -> None:
        """Serves the changed package, or logs the reason why not."""
        before = self._imported_modules()
        try:
            app, listing = self._load()
            breaking = [*breaking_changes(self._listing, listing)]
            settings = app.settings
            if breaking and not getattr(settings, "reload_breaking", False):
                variable = settings.variable("reload_breaking")
                raise _ReloadRefused(f"{'; '.join(breaking)}; restart, or set {variable}=true")
            loop = self._reloadable_app.loop
            if loop is None:
                raise _ReloadRefused("the server has not started")
            replacement = asyncio.run_coroutine_threadsafe(self._reloadable_app.replace(app), loop)
            replacement.result(START_SECONDS)
        except _ReloadRefused as reason:
            logger.error("The changed package is not served: %s", reason)
        # The user's `hooks.py` may raise any exception.
        except Exception:
            logger.exception("The changed package is not served")
        else:
            self._listing = listing
            logger.info("Serving the changed package with %d tools", len(listing.tools))
            return
        for name in self._imported_modules():
            del sys.modules[name]
        sys.modules.update(before)

    def _load(self) -> tuple[App, Listing]:
        """Imports the package and creates the application. Raises `_ReloadRefused` for a package that
        is being written, or with another runtime, and any exception of a module."""
        digests = self._digests()
        if not self._is_complete(digests):
            raise _ReloadRefused("files differ from mcpgen.lock, as during a build")
        if any(digests.get(path) != digest for path, digest in self._runtime.items()):
            raise _ReloadRefused("the runtime has changed; restart the server")
        for name in self._imported_modules():
            del sys.modules[name]
        importlib.invalidate_caches()
        server = importlib.import_module(f"{self._package}.server")
        current = self._reloadable_app.settings
        overrides = current.model_fields_set & _COMMAND_LINE_SETTINGS
        settings = importlib.import_module(f"{self._package}.settings").Settings(
            **{name: getattr(current, name) for name in overrides}
        )
        self._keep_data(server)
        app: App = server.create(settings)
        if self._digests() != digests:
            raise _ReloadRefused("files changed meanwhile")
        return app, listing_of(self._imported_modules())


class _DataFile(bytes):
    """The content of a data file."""

    def read_bytes(self) -> bytes:
        """The content."""
        return self


class _DataFiles:
    """Data files in memory, for `importlib.resources.files`."""

    def __init__(self, data: Mapping[str, _DataFile]) -> None:
        self._data = data

    def get_resource_reader(self, name: str) -> _DataFiles:
        """The files."""
        return self

    def files(self) -> _DataFiles:
        """The files."""
        return self

    def joinpath(self, name: str) -> _DataFile:
        """The file with a name. Raises `KeyError` if there is none."""
        return self._data[name]


class _ReloadRefused(Exception):
    """The reason why a changed package is not served."""


@dataclass(frozen=True)
class Listing:
    """The tools of a package by name, the media types of resources by URI, and the arguments of
    prompts by name."""

    tools: Mapping[str, Tool]
    resources: Mapping[str, Json]
    prompts: Mapping[str, Json]


def listing_of(modules: Mapping[str, ModuleType]) -> Listing:
    """The listing of imported modules of a package."""
    constants: dict[str, Any] = {}
    for name, module in modules.items():
        for constant in ("TOOLS", "RESOURCES", "PROMPTS"):
            if name.count(".") == 1 and hasattr(module, constant):
                constants.setdefault(constant, getattr(module, constant))
    resources = constants["RESOURCES"].resources if "RESOURCES" in constants else ()
    prompts = constants["PROMPTS"].prompts if "PROMPTS" in constants else {}
    return Listing(
        {tool.name: tool for tool in constants.get("TOOLS", ())},
        {resource.uri: resource.mime_type for resource in resources},
        {name: prompt.announced.get("arguments") for name, prompt in prompts.items()},
    )


def breaking_changes(before: Listing, after: Listing) -> Iterator[str]:
    """Yields the changes that may break a client: all changes but additions and other texts. `mcpgen
    diff` knows further changes that are safe."""
    for name, tool in before.tools.items():
        if name not in after.tools:
            yield f"the tool `{name}` is gone"
        elif not _takes_calls_of(tool, after.tools[name]):
            yield f"the tool `{name}` takes or returns other values"
    for kind, old, new in (
        ("resource", before.resources, after.resources),
        ("prompt", before.prompts, after.prompts),
    ):
        for name in old:
            if name not in new:
                yield f"the {kind} `{name}` is gone"
            elif old[name] != new[name]:
                yield f"the {kind} `{name}` has changed"


def _takes_calls_of(before: Tool, after: Tool) -> bool:
    """True if calls of `before` are calls of `after` with equal effects and results."""
    old, new = _without_texts(before.input_schema), _without_texts(after.input_schema)
    arguments, new_arguments = old.pop("properties"), new.pop("properties")
    required = set(new.pop("required")) <= set(old.pop("required"))
    return (
        required
        and old == new
        and all(new_arguments.get(name) == arguments[name] for name in arguments)
        and (before.output is None or _without_texts(before.output) == _without_texts(after.output))
        and (before.hints, before.wrapped, before.fields)
        == (after.hints, after.wrapped, after.fields)
    )


def _without_texts(schema: Json, *, is_map: bool = False) -> Json:
    """A schema without titles, descriptions and examples; `is_map`: a mapping of schemas by name."""
    if isinstance(schema, list | tuple):
        return [_without_texts(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: (
            value
            if key in _VALUES and not is_map
            else _without_texts(value, is_map=key in _MAPS and not is_map)
        )
        for key, value in schema.items()
        if is_map or key not in _TEXTS
    }
