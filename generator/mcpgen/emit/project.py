"""The files of a project: paths, owners and contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mcpgen.cache import BuildCache
from mcpgen.config import SCHEMA, Config, config_schema
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.emit import mcpb, package_files, project_files
from mcpgen.emit.card import public_tools, server_card, server_json
from mcpgen.emit.code import SourceText, identifier, imports, json, literal
from mcpgen.emit.deployment import deployment
from mcpgen.emit.extensions import asks_clients
from mcpgen.emit.feature_declaration import (
    SESSION_VARIABLES,
    SESSIONS,
    STORE,
    STORE_REQUIRES,
    STORE_VARIABLE,
    FeatureModule,
    PolicyVariable,
    has_store,
)
from mcpgen.emit.feature_modules import discovery_view, feature_modules
from mcpgen.emit.headers import add_header, git_attributes
from mcpgen.emit.locks import lock_files
from mcpgen.emit.models import begin_models, model_schemas
from mcpgen.emit.policy import RuleDeclaration, policy_view, rules
from mcpgen.emit.project_tests import (
    auth_fixture_view,
    contract_view,
    entry,
    least_arguments,
    needs_auth_setup,
    policy_test_view,
    resources_test_view,
)
from mcpgen.emit.render import TemplateView, render, templates_folder
from mcpgen.emit.resources_prompts import files as attached_files
from mcpgen.emit.runtime import (
    RUNTIME,
    copied_files,
    import_installed,
    runtime_imports,
)
from mcpgen.emit.sbom import NAME as SBOM
from mcpgen.emit.sbom import sbom
from mcpgen.emit.tool_files import start_tool_files
from mcpgen.emit.views import (
    ConftestView,
    DiscoveryTestView,
    EveryToolView,
    RuntimeHooksView,
    ScenarioConftestView,
    SupportView,
    ToolsetsTestView,
)
from mcpgen.ir.json_format import FormattedEntry, format_json
from mcpgen.ir.project import USER_TEMPLATES, File, Owner
from mcpgen.ir.server import HEADER_KEYWORD, Server, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.openspec.emit.declared_answers import play_callees
from mcpgen.openspec.emit.scenario_tests import ENGINE, scenario_files, scenario_views
from mcpgen.parallel import WorkerPool

_PACKAGE = "package/"
"""The folder of the package's templates."""

_TOOLS = "tools/__init__.py"
"""The module of the package that lists the tools."""

PYPROJECT = "pyproject.toml"
"""The template, and the path in the project."""

RELOAD = ("server.package_watch", "ReloadSettings")
"""The runtime module and the class of the settings of a server that serves changes."""

RELOAD_VARIABLE = PolicyVariable(
    "reload_breaking", "whether changes that break callers are served without a restart", "false"
)

_MODELS_DOCSTRING = '"""The arguments of each tool as types, for hooks and tests."""\n'
_SCHEMAS_DOCSTRING = (
    '"""The API\'s schemas of request bodies and responses as types, for hooks."""\n'
)


def files(
    server: Server,
    config: Config,
    pool: WorkerPool,
    model_pool: WorkerPool,
    build_cache: BuildCache,
) -> Iterator[File]:
    """Yields every file of the project except `mcpgen.lock`, in any order.

    `pool` renders the tool files, `model_pool` generates the models; both pools end.
    """
    rendered = list(_with_runtime(server, config, pool, model_pool, build_cache))
    runtime = f"{server.package}/{RUNTIME}"
    rendered.append(git_attributes(rendered, runtime))
    # Each text is dropped for the text with its header: a tenth of the memory of a large build.
    while rendered:
        yield add_header(rendered.pop(), config.spec, runtime)


def _with_runtime(
    server: Server,
    config: Config,
    pool: WorkerPool,
    model_pool: WorkerPool,
    build_cache: BuildCache,
) -> Iterator[File]:
    """The files with the runtime of the configuration: a copy, or imports of the package."""
    rendered = _all_files(server, config, pool, model_pool, build_cache)
    if config.runtime is RuntimeMode.VENDORED:
        yield from rendered
        return
    copied = f"{server.package}/{RUNTIME}/"
    for file in rendered:
        if file.path.startswith(copied):
            continue
        if file.path.endswith(".py"):
            file = replace(file, text=import_installed(file.text, server.package))
        yield file


def _all_files(
    server: Server,
    config: Config,
    pool: WorkerPool,
    model_pool: WorkerPool,
    build_cache: BuildCache,
) -> Iterator[File]:
    """Every file of a project with a copy of the runtime."""
    package = identifier(server.package).text
    with (
        begin_models(
            (model_schemas(server.tools), server.api_schemas), model_pool, build_cache
        ) as finish_models,
        start_tool_files(server.tools, package, pool) as finish_tool_files,
    ):
        runtime_modules = {
            "tool",
            *(name for tool in server.tools for name, _ in play_callees(tool.answer)),
        }
        for file in _package_files(server, config):
            runtime_modules |= runtime_imports(file.text)
            yield file
        for template, view in _views(server, config):
            text = render(template, view)
            runtime_modules |= runtime_imports(text)
            yield _project_file(template, package, text)
            if template == PYPROJECT:
                if project_files.has_lock(config):
                    yield from lock_files(text, config)
                if config.deployment.sbom:
                    yield File(SBOM, sbom(server, text), Owner.MCPGEN)
        for name, text in _copied_files().items():
            is_in_package = name.startswith(_PACKAGE)
            if not is_in_package and (server.bound_scenarios or not name.startswith(ENGINE)):
                yield _project_file(name, package, text)
        for name, text in copied_files(runtime_modules).items():
            yield File(f"{package}/{RUNTIME}/{name}", text, Owner.MCPGEN)
        if server.bound_scenarios:
            yield from scenario_files(server.bound_scenarios)
        yield File("server.json", server_json(server), Owner.MCPGEN)
        if config.deployment.mcpb:
            yield File(mcpb.PATH, mcpb.manifest_text(server), Owner.MCPGEN)
        if config.has_schema:
            yield File(SCHEMA, format_json(config_schema()), Owner.MCPGEN)
        # Waits as late as possible: the pool renders while this process renders.
        files_by_tool = finish_tool_files()
        # The pool holds a sixth of the memory of a large build.
        pool.end()
        for tool_files in files_by_tool:
            yield from tool_files.files
        rendered_entries = {
            tool.name: tool_files.entry
            for tool, tool_files in zip(server.tools, files_by_tool, strict=True)
        }
        # Built-in tools are listed, too, but have no files.
        entries = {
            tool.name: rendered_entries.get(tool.name) or entry(tool) for tool in server.listed
        }
        card_entries = [FormattedEntry(entries[tool.name].text) for tool in public_tools(server)]
        yield File("server-card.json", server_card(server, card_entries), Owner.MCPGEN)
        contract = render("tests/test_contract.py", contract_view(server, config, entries))
        yield File("tests/test_contract.py", contract, Owner.MCPGEN)
        models, schemas = finish_models()
        yield File(f"{package}/models.py", _MODELS_DOCSTRING + models, Owner.MCPGEN)
        if schemas:
            yield File(f"{package}/schemas.py", _SCHEMAS_DOCSTRING + schemas, Owner.MCPGEN)


def runnable_files(server: Server, config: Config) -> Iterator[File]:
    """The files that a server in this process reads, and `pyproject.toml`. Tools, models, tests,
    documents and the copy of the runtime are left out."""
    package = identifier(server.package).text
    for file in _package_files(server, config):
        if file.path != f"{package}/{_TOOLS}":
            yield file
    yield _project_file(PYPROJECT, package, pyproject_text(server, config))


def pyproject_text(server: Server, config: Config) -> str:
    """The text of `pyproject.toml`."""
    return render(PYPROJECT, _pyproject_view(server, config))


def _package_files(server: Server, config: Config) -> Iterator[File]:
    """The modules and the data of the package, except tools, models and the runtime."""
    package = identifier(server.package).text
    for template, view in _package_views(server, config):
        yield _project_file(template, package, render(template, view))
    for feature in feature_modules(server):
        template = feature.template or f"package/{feature.module}.py"
        yield File(f"{package}/{feature.module}.py", render(template, feature.view), Owner.MCPGEN)
    for name, text in _copied_files().items():
        if name.startswith(_PACKAGE):
            yield _project_file(name, package, text)
    if definitions := _validation_schemas(server):
        yield File(f"{package}/schemas.json", json(definitions).text, Owner.MCPGEN)
    if attachments := attached_files(server):
        yield File(f"{package}/files.json", json(attachments).text, Owner.MCPGEN)


def _validation_schemas(server: Server) -> dict[str, Json]:
    """The definitions that validations of calls reach, in the order of the server."""
    names: set[str] = set()
    waiting: list[Json] = [{"$ref": name} for tool in server.tools for name in tool.definitions]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).removeprefix("#/$defs/")
            if name in server.definitions and name not in names:
                names.add(name)
                waiting.append(server.definitions[name])
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return {name: schema for name, schema in server.definitions.items() if name in names}


@dataclass(frozen=True, slots=True)
class _ServerExtensions:
    """The rules and feature modules of a server, with the classes of settings, the distributions
    and the environment variables that both need."""

    rules: tuple[RuleDeclaration, ...]
    features: tuple[FeatureModule, ...]
    classes: tuple[tuple[str, str], ...]
    requires: tuple[str, ...]
    variables: tuple[PolicyVariable, ...]


def _extensions(server: Server, config: Config) -> _ServerExtensions:
    declared, features = rules(server), feature_modules(server)
    extensions: tuple[RuleDeclaration | FeatureModule, ...] = (*declared, *features)
    classes = tuple(extension.settings for extension in extensions if extension.settings)
    classes += (SESSIONS,) if server.sessions else ()
    requires = {name for extension in extensions for name in extension.requires}
    variables = [variable for extension in extensions for variable in extension.variables]
    variables += SESSION_VARIABLES if server.sessions else ()
    if config.deployment.reload:
        classes += (RELOAD,)
        variables.append(RELOAD_VARIABLE)
    if has_store(server):
        classes += (STORE,)
        requires.add(STORE_REQUIRES)
        variables.append(STORE_VARIABLE)
    return _ServerExtensions(
        rules=tuple(declared),
        features=features,
        classes=classes,
        requires=tuple(sorted(requires)),
        variables=tuple(dict.fromkeys(variables)),
    )


def _package_views(server: Server, config: Config) -> Iterator[tuple[str, TemplateView]]:
    """Yields the templates of the package with one file per template, and the views."""
    extensions = _extensions(server, config)
    # The installed runtime has every module; a copy has only the modules that the project imports.
    has_whole_runtime = config.runtime is RuntimeMode.PACKAGE
    yield "package/__init__.py", package_files.package_view(server)
    yield "package/__main__.py", package_files.main_view(server, config.deployment.reload)
    if server.discovery:
        yield "package/discovery.py", discovery_view(server, server.discovery)
    yield "package/hooks.py", package_files.hooks_view(server)
    yield (
        "package/runtime/hooks.py",
        RuntimeHooksView(identifier(server.package), asks_clients(server)),
    )
    if extensions.rules:
        yield "package/policy.py", policy_view(server)
    yield "package/server.py", package_files.server_view(
        server,
        bool(extensions.rules),
        extensions.features,
        config.fast_path or has_whole_runtime,
        config.in_process or has_whole_runtime,
    )
    yield "package/settings.py", package_files.settings_view(
        server, extensions.classes, config.budgets.result_bytes
    )
    yield "package/tools/__init__.py", package_files.tools_view(server)


def _pyproject_view(server: Server, config: Config) -> TemplateView:
    return project_files.pyproject_view(server, config, _extensions(server, config).requires)


def _views(server: Server, config: Config) -> Iterator[tuple[str, TemplateView]]:
    """Yields the templates outside of the package with one file per template, and the views."""
    package = identifier(server.package)
    # Imports are sorted: `package_first` and `tests_first` of the views.
    order = (package.text < "tests", package.text > "tests")
    variables = _extensions(server, config).variables
    yield ".dockerignore", project_files.docker_ignore_view(package, config)
    yield ".github/workflows/mcpgen.yaml", project_files.workflow_view(config)
    yield "Dockerfile", project_files.docker_view(server, config)
    yield "README.md", project_files.readme_view(server, config, variables)
    yield "mcpgen.toml", project_files.choices_view(config)
    yield PYPROJECT, _pyproject_view(server, config)
    # Every server that may use elicitation has this setting.
    uses_elicitation = any(variable.field == "state_key" for variable in variables)
    yield from deployment(server, config, uses_elicitation)
    yield "tests/support.py", _support_view(server)
    has_auth_setup = needs_auth_setup(server)
    yield "tests/conftest.py", ConftestView(package, *order, has_auth_setup, bool(_needs(server)))
    if has_auth_setup:
        yield "tests/auth_fixture.py", auth_fixture_view(server)
    if server.policy.authentication:
        yield "tests/test_policy.py", policy_test_view(server)
    if server.bound_scenarios:
        has_needs = bool(_needs(server))
        yield from scenario_views(server.bound_scenarios)
        yield "tests/scenarios/conftest.py", ScenarioConftestView(
            package, *order, has_auth_setup, has_needs
        )
    if server.discovery:
        yield "tests/test_discovery.py", DiscoveryTestView(package, *order)
    if server.resources or server.prompts:
        yield "tests/test_resources.py", resources_test_view(server)
    yield "tests/test_every_tool.py", _every_tool_view(server, package, order)
    if server.toolsets:
        sets = {toolset.name: list(toolset.tools) for toolset in server.toolsets}
        listed = literal(sets, before=len("SETS: dict[str, list[str]] = "))
        yield "tests/test_toolsets.py", ToolsetsTestView(package, *order, listed)


def _every_tool_view(
    server: Server, package: SourceText, order: tuple[bool, bool]
) -> EveryToolView:
    """The tests of tools with a request, tools with a handler and tools with a declared answer.

    For a server without tools the module has the tests of requests, which then run for no tool.
    """
    has_handled = bool(package_files.handler_tools(server))
    has_declared_answers = bool(package_files.answered_tools(server))
    has_requests = any(tool.route for tool in server.tools) or not (
        has_handled or has_declared_answers
    )
    groups = (
        ("ANSWER_ARGUMENTS", has_declared_answers),
        ("HANDLER_ARGUMENTS", has_handled),
        ("REQUEST_ARGUMENTS", has_requests),
    )
    used = (name for name, is_used in groups if is_used)
    names = imports("tests.support", ("Api", "modelled", "visible_arguments", *used))
    return EveryToolView(package, *order, names, has_requests, has_handled, has_declared_answers)


_REQUEST_ARGUMENTS = "REQUEST_ARGUMENTS: dict[str, dict[str, Any]] = "


def _support_view(server: Server) -> SupportView:
    """A call of every tool with a scenario, a handler or a declared answer, and the values that the
    calls need."""
    minimal_arguments = {
        tool.name: least_arguments(tool)
        for tool in server.tools
        if tool.scenarios and not tool.withheld
    }
    handler_arguments = {
        tool.name: dict(tool.sample)
        for tool in package_files.handler_tools(server)
        if not tool.withheld
    }
    answer_arguments = {
        tool.name: dict(tool.sample)
        for tool in package_files.answered_tools(server)
        if not tool.withheld
    }
    needs = _needs(server)
    return SupportView(
        package=identifier(server.package),
        has_needs=bool(needs),
        needs=literal(needs, before=len("NEEDS: dict[str, Any] = ")),
        minimal_arguments=literal(minimal_arguments, before=len(_REQUEST_ARGUMENTS)),
        has_handled=bool(handler_arguments),
        handled=literal(
            handler_arguments, before=len("HANDLER_ARGUMENTS: dict[str, dict[str, Any]] = ")
        ),
        has_declared_answers=bool(answer_arguments),
        declared_answer_arguments=literal(
            answer_arguments, before=len("ANSWER_ARGUMENTS: dict[str, dict[str, Any]] = ")
        ),
    )


def _needs(server: Server) -> dict[str, Json]:
    """Samples of the required settings, the toolsets of tools missing at the main endpoint, and the
    headers that repeat arguments."""
    values = {setting.name: setting.sample for setting in server.settings}
    main_endpoint = {tool.name for tool in server.served("")}
    sets = {
        name: toolset.name
        for toolset in server.toolsets
        for name in toolset.tools
        if name not in main_endpoint
    }
    mirrors = {tool.name: named for tool in server.tools if (named := _mirrored_headers(tool))}
    needs = (("values", values), ("sets", sets), ("mirrors", mirrors))
    return {name: samples for name, samples in needs if samples}


def _mirrored_headers(tool: ToolSpec) -> dict[str, Json]:
    """The headers that repeat arguments of a tool, by argument."""
    repeated = (
        argument for argument in tool.announced_arguments if HEADER_KEYWORD in argument.schema
    )
    return {argument.name: argument.schema[HEADER_KEYWORD] for argument in repeated}


def _project_file(template: str, package: str, text: str) -> File:
    """The file of a template's path."""
    owner = Owner.USER if template in USER_TEMPLATES else Owner.MCPGEN
    head, slash, rest = template.partition("/")
    path = f"{package}/{rest}" if slash and head == "package" else template
    return File(path, text, owner)


@cache
def _copied_files() -> dict[str, str]:
    """The files copied without rendering, by path below the templates' folder."""
    folder = templates_folder()
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".jinja" and not _is_cache(path)
    }


def _is_cache(path: Path) -> bool:
    """True for a cache file of an interpreter or a tool."""
    return path.suffix == ".pyc" or any(part.endswith("_cache") for part in path.parts)
