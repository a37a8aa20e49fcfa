"""Makes a server that runs without a project: the package that `mcpgen build` would write, in a
temporary folder.

`build` renders the package with the same functions from the same `Server`, so both servers are equal.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path, PurePath
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mcpgen.analysis import ToolListing
from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.config import Config, DocsMode, ScriptMode
from mcpgen.diagnostics import Diagnostic, Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.diagnostics.render import SourceMap
from mcpgen.emit.render import runtime_folder
from mcpgen.emit.runtime import RUNTIME
from mcpgen.emit.tool_files import make_tool
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.project import File, Owner
from mcpgen.ir.server import Server, ToolSpec
from mcpgen.openspec.load import is_openspec, with_budgets
from mcpgen.parallel import WorkerPool
from mcpgen.pipeline.build_project import has_scheme
from mcpgen.pipeline.fetched_spec import fetch_document
from mcpgen.pipeline.load_spec import failing, load_spec, lower_server, places
from mcpgen.pipeline.load_tools import listing_of_server
from mcpgen.pipeline.project_checks import HOOKS, report_unknown_hooks
from mcpgen.pipeline.result import BuildOptions, PhaseTimer, ProgressCallback
from mcpgen.pipeline.workspace import STDIN, Workspace, locate_folder, open_workspace
from mcpgen.read.fetch import strip_url_credentials

_TOOLS = "tools"
"""The sub-package of the tools."""


class ToolsImporter(MetaPathFinder, Loader):
    """Finds and loads the modules below `tools/` of the package in `folder`. A file of the user
    replaces the module of its name.

    The declaration in a tool's module is evaluated directly: to render, write and compile the modules
    of GitHub's 1,223 tools took 0.7 s of processor time, a sixth of the start; to evaluate them takes
    0.1 s. The modules are found by folder, because `hooks.py` may import a generation of the package by
    another name.
    """

    def __init__(self, server: Server, folder: Path) -> None:
        self._server = server
        self._package = str(folder)
        self._folder = folder / _TOOLS
        self._tools = {tool.module: tool for tool in server.tools}

    def install(self) -> None:
        """Takes the place of the importer of the generation before."""
        sys.meta_path[:] = [
            self,
            *(finder for finder in sys.meta_path if not isinstance(finder, ToolsImporter)),
        ]

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of `tools` or of the module of a tool; None for any other module."""
        module = name.rpartition(".")[2]
        if module == _TOOLS and path and self._package in path:
            if (self._folder / "__init__.py").exists():
                return None
            spec = ModuleSpec(name, self, is_package=True)
            spec.submodule_search_locations = [str(self._folder)]
            return spec
        if module not in self._tools or not path or str(self._folder) not in path:
            return None
        return None if (self._folder / f"{module}.py").exists() else ModuleSpec(name, self)

    def exec_module(self, module: ModuleType) -> None:
        """Fills `tools` with `TOOLS` and the modules of the tools, and such a module with `TOOL`."""
        if module.__name__.endswith(f".{_TOOLS}"):
            modules = [
                import_module(f"{module.__name__}.{tool.module}") for tool in self._server.tools
            ]
            module.TOOLS = tuple(tool_module.TOOL for tool_module in modules)  # type: ignore[attr-defined]
            return
        package, _, name = module.__name__.rpartition(f".{_TOOLS}.")
        tool = make_tool(self._tools[name], lambda *where: _runtime_class(package, *where))
        module.TOOL = tool  # type: ignore[attr-defined]


@cache
def _runtime_class(package: str, module: str, name: str) -> Any:
    """A class of the runtime of a package."""
    return getattr(import_module(f"{package}.{RUNTIME}.{module}"), name)


if TYPE_CHECKING:
    from mcpgen.smoke_test.stub_upstream import StubUpstream

_NOT_COPIED = shutil.ignore_patterns(RUNTIME, "__pycache__", "tools")
"""Parts of a built package that are made anew."""


@dataclass(frozen=True, slots=True)
class ToolSummary:
    """A row of the table of tools. `request` is `GET /pets`, `""` for a tool without a request;
    `effect` is `reads`, `writes` or `deletes`."""

    name: str
    request: str
    effect: str
    text: str


@dataclass(frozen=True, slots=True)
class RunnableServer:
    """A server and the files of its package. `server` is None if `diagnostics` has errors.

    `package` is the name under which the package is imported.
    `package_on_disk` is the package of a built project with the user's modules, None without a
    project. `ejected` are paths of generated files that belong to the user. `inputs` are the paths
    of all files read.
    """

    server: Server | None = None
    package: str = ""
    files: tuple[File, ...] = ()
    api: ApiDescription | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    places: SourceMap = field(default_factory=SourceMap)
    package_on_disk: Path | None = None
    ejected: frozenset[str] = frozenset()
    inputs: tuple[Path, ...] = ()

    @property
    def listing(self) -> ToolListing:
        """The announced tools."""
        if self.api is None or self.server is None:
            return ToolListing("", ())
        return listing_of_server(self.api, self.server)

    @property
    def ejected_tools(self) -> list[str]:
        """The paths, below the package, of the modules of tools that belong to the user."""
        if self.package_on_disk is None:
            return []
        package = f"{self.package_on_disk.name}/"
        paths = [path.removeprefix(package) for path in self.ejected if path.startswith(package)]
        return [
            path
            for path in paths
            if path.startswith("tools/") and (self.package_on_disk / path).is_file()
        ]

    @property
    def tools(self) -> tuple[ToolSummary, ...]:
        """The tools in document order."""
        return tuple(_summary(tool) for tool in self.server.tools) if self.server else ()


def _summary(tool: ToolSpec) -> ToolSummary:
    request = f"{tool.route.method} {tool.route.path}" if tool.route else ""
    deletes = tool.hints.destructive and tool.route is not None and tool.route.method == "DELETE"
    effect = "reads" if tool.hints.read_only else "deletes" if deletes else "writes"
    text = " ".join((tool.title or tool.description).split())
    return ToolSummary(tool.name, request, effect, text)


def load_runnable_server(
    target: str,
    options: BuildOptions,
    *,
    scenarios: bool = False,
    generation: int = 0,
    stdin: bytes | None = None,
    tell: ProgressCallback | None = None,
) -> RunnableServer:
    """Reads and lowers a description and renders the package, in memory.

    `target` is a path, a URL, `-` for `stdin`, a project's folder, or `""` for the project in the
    current folder. The `mcpgen.toml` in the folder of the description, else in the current folder,
    applies. `generation` is appended to the name of the package unless 0, so that a process can
    import several generations. With `scenarios` the tools have the calls and answers for `--mock`.
    Raises OSError for an unreadable file. Adds NO_SPEC.
    """
    clock, diagnostics = PhaseTimer(tell), Diagnostics()
    is_project = Path(target).is_dir() and not is_openspec(target)
    name = locate_folder(target if is_project else _folder_of(target))
    space = open_workspace(name, options, diagnostics)
    spec = space.spec("" if is_project else target)
    if not spec:
        diagnostics.add(codes.NO_SPEC, Location(space.config_name), path=space.config_name)
    merged_options = space.with_defaults(options)
    if has_scheme(spec):
        source = strip_url_credentials(spec)
        stdin = fetch_document(spec, source, clock, diagnostics)
        merged_options, spec = replace(merged_options, source=source), STDIN
    if diagnostics.failed:
        return RunnableServer(diagnostics=tuple(diagnostics.sorted()))
    with WorkerPool(["mcpgen.lower"], meanwhile=_import_libraries) as pool:
        return _load(
            space, spec, merged_options, stdin, scenarios, generation, clock, diagnostics, pool
        )


def _load(
    space: Workspace,
    spec: str,
    options: BuildOptions,
    stdin: bytes | None,
    scenarios: bool,
    generation: int,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    pool: WorkerPool,
) -> RunnableServer:
    loaded_spec = load_spec(spec, options, stdin, clock, diagnostics, validated=False, pool=pool)
    result = RunnableServer(places=places(loaded_spec, space, stdin))
    if loaded_spec.source is None or loaded_spec.api is None:
        return replace(result, diagnostics=tuple(diagnostics.sorted()))
    space.tell_other_spec(spec, diagnostics)
    config = with_budgets(space.choices(spec, options), loaded_spec.capabilities)
    # `scenarios` are asked for by a mock.
    config = replace(config, full_answers=scenarios)
    server, config = lower_server(
        loaded_spec,
        loaded_spec.api,
        config,
        clock,
        diagnostics,
        scenarios=scenarios or _has_examples(config),
        pool=pool,
    )
    package = space.package_on_disk(server.package)
    report_unknown_hooks(server, space.folder, space.name, package, diagnostics)
    name = f"{server.package}_{generation}" if generation else server.package
    files: tuple[File, ...] = ()
    if not failing(diagnostics, options):
        with clock.phase("emit"):
            from mcpgen.emit.project import runnable_files

            files = tuple(runnable_files(replace(server, package=name), config))
    on_disk = space.folder / package
    documents = (*loaded_spec.source.documents.values(), *loaded_spec.source.overlays)
    return replace(
        result,
        server=server if files else None,
        package=name,
        api=loaded_spec.api,
        files=files,
        diagnostics=tuple(diagnostics.sorted()),
        package_on_disk=on_disk if (on_disk / HOOKS).is_file() else None,
        ejected=frozenset(space.lock.ejected if space.lock else ()),
        inputs=(
            *(Path(document.name) for document in documents),
            space.config_path,
            on_disk / HOOKS,
        ),
    )


def _import_libraries() -> None:
    """Imports the libraries of every server, which takes half a second."""
    for name in ("mcp.server.lowlevel", "aiohttp", "pydantic_settings", "uvicorn"):
        importlib.import_module(name)


def _has_examples(config: Config) -> bool:
    """True if the server shows example calls, which are taken from scenarios."""
    return config.scripting.mode is ScriptMode.ON or config.documenting.mode is DocsMode.ON


def _folder_of(spec: str) -> str:
    """Returns the folder of a description if `mcpgen.toml` is in the folder, else `""`."""
    if spec == STDIN or has_scheme(spec):
        return ""
    folder = PurePath(spec).parent
    return folder.as_posix() if (Path(folder) / CONFIG_NAME).is_file() else ""


@contextmanager
def write_package(runnable: RunnableServer) -> Iterator[Path]:
    """Writes the package into a temporary folder, which is deleted at the end, and yields the
    folder. Adds the user's modules of a built project; `_runtime` refers to the runtime of this
    mcpgen. Raises OSError if the folder cannot be written."""
    with tempfile.TemporaryDirectory(prefix="mcpgen-serve-") as name:
        folder = Path(name)
        if on_disk := runnable.package_on_disk:
            shutil.copytree(on_disk, folder / runnable.package, ignore=_NOT_COPIED)
            for path in runnable.ejected_tools:
                (folder / runnable.package / "tools").mkdir(exist_ok=True)
                shutil.copyfile(on_disk / path, folder / runnable.package / path)
        for file in runnable.files:
            _write_file(file, folder, runnable)
        path = str(runtime_folder() / "mcpgen_runtime")
        runtime = folder / runnable.package / RUNTIME / "__init__.py"
        runtime.parent.mkdir()
        runtime.write_text(f"__path__ = [{path!r}]\n", encoding="utf-8")
        yield folder


def _write_file(file: File, folder: Path, runnable: RunnableServer) -> None:
    """Writes a file; a file of the user keeps the content in the project."""
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    on_disk = runnable.package_on_disk
    relative = file.path.removeprefix(f"{runnable.package}/")
    own = on_disk / relative if on_disk else None
    is_ejected = on_disk is not None and f"{on_disk.name}/{relative}" in runnable.ejected
    is_users = file.owner is Owner.USER or is_ejected
    if own and is_users and own.is_file():
        shutil.copyfile(own, path)
    else:
        path.write_text(file.text, encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class ServerModules:
    """The imported modules of a package: `settings` and `server` of the package, and `cli` of the
    runtime."""

    settings: ModuleType
    server: ModuleType
    cli: ModuleType
    reload: ModuleType


def choose_port() -> int:
    """Returns the number of a free port of the loopback; a second program may take the port
    meanwhile."""
    from mcpgen.conformance.targets.command import free_port

    return free_port()


def import_server(runnable: RunnableServer, folder: Path) -> ServerModules:
    """Imports the package from `folder`. Raises any exception of the user's `hooks.py`."""
    package = runnable.package
    if runnable.server is not None:
        ToolsImporter(runnable.server, folder / package).install()
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    project_package = runnable.server.package if runnable.server else package
    if package != project_package:
        # `hooks.py` names the project's package.
        for name in [*sys.modules]:
            if name == project_package or name.startswith(f"{project_package}."):
                del sys.modules[name]
        sys.modules[project_package] = importlib.import_module(package)
    runtime = f"{package}.{RUNTIME}.server"
    names = (f"{package}.settings", f"{package}.server", f"{runtime}.cli", f"{runtime}.reload")
    return ServerModules(*map(importlib.import_module, names))


class MockApi:
    """A stub API on this machine that answers from the examples and schemas of a description."""

    def __init__(self, origin: str, upstream: StubUpstream) -> None:
        self._origin = origin
        self._upstream = upstream

    def answer(self, runnable: RunnableServer, folder: Path) -> None:
        """Answers the requests of a server from now on. Sets the server's environment variables: the
        upstream, a dummy for every credential, and the sample of every required setting."""
        from mcpgen.smoke_test.environment import child_environment
        from mcpgen.smoke_test.inspect_project import read_settings
        from mcpgen.smoke_test.stub_upstream import upstream_of

        server = runnable.server
        if server is None:
            return
        upstream = upstream_of(server)
        self._upstream.base, self._upstream.exact = upstream.base, upstream.exact
        self._upstream.routes = upstream.routes
        declared = read_settings(folder / runnable.package / "settings.py")
        variables = child_environment(server, declared, f"{self._origin}{upstream.base}", 0)
        names = [*declared.secrets, "upstream", *(setting.name for setting in server.settings)]
        for name in names:
            variable = f"{declared.prefix}{name.upper()}"
            if variable in variables:
                os.environ[variable] = variables[variable]


@contextmanager
def run_mock_api() -> Iterator[MockApi]:
    """Runs a stub API without answers."""
    from mcpgen.smoke_test.stub_upstream import StubUpstream, run_stub

    upstream = StubUpstream("", {}, ())
    with run_stub(upstream) as origin:
        yield MockApi(origin, upstream)
