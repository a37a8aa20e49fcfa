"""The views of the files around the package, for people, pip, Docker and CI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mcpgen import __version__
from mcpgen.clients import ServerEntry, find_client
from mcpgen.config import Config
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.config.tables.tool_schemas import FlattenMode
from mcpgen.emit.code import (
    SourceText,
    action,
    comment,
    identifier,
    image,
    integer,
    markdown,
    markdown_code,
    markdown_codes,
    markdown_lines,
    shell,
    slug,
    toml_string,
    toml_strings,
    url_path,
)
from mcpgen.emit.credentials import settings
from mcpgen.emit.extensions import has_streams
from mcpgen.emit.feature_declaration import PolicyVariable
from mcpgen.emit.locks import LOCK
from mcpgen.emit.package_files import api_name, request_of, variable_prefix
from mcpgen.emit.policy.access import access_variables
from mcpgen.emit.required_variables import limit_store, required_variables
from mcpgen.emit.runtime import runtime_package, runtime_requirements
from mcpgen.emit.views import (
    BuiltinToolRowView,
    ClientSnippetView,
    ConfigFileView,
    DockerIgnoreView,
    DockerView,
    HostView,
    MissingView,
    PolicyVariableView,
    PyprojectView,
    ReadmeView,
    ResourceRowView,
    ToolRowView,
    ToolsetRowView,
    VariableView,
    WorkflowView,
)
from mcpgen.ir.policy import PassthroughSpec, TokenExchange, origin
from mcpgen.ir.resources_prompts import PromptSpec, ResourceSpec
from mcpgen.ir.server import EnvSetting, Server, Toolset, ToolSpec

_CHECKOUT = action("actions/checkout", "3d3c42e5aac5ba805825da76410c181273ba90b1", "v7.0.1")
_SETUP_PYTHON = action("actions/setup-python", "5fda3b95a4ea91299a34e894583c3862153e4b97", "v7.0.0")
"""The commits of the newest tags, from `git ls-remote --tags https://github.com/actions/checkout`.
"""

_RELEASE = re.compile(r"[0-9]+(\.[0-9]+){0,3}((a|b|rc)[0-9]+)?")
"""The versions of APIs that are valid versions of Python packages."""


API = "the API"
"""The purpose of requests to the API, as returned by `hosts`."""

UNVERSIONED = "0.1.0"
"""The version of a project if the API has no usable version."""


_README_CLIENTS = ("claude-desktop", "cursor", "vscode", "codex", "gemini-cli")

_BASE = (
    "aiohttp>=3.12,<4",
    "jsonschema-rs>=0.60,<1",
    "mcp>=2.3,<3",
    "pydantic-settings>=2.10,<3",
    "uvicorn>=0.35,<1",
)
"""The dependencies of every server with a copy of the runtime."""


def pyproject_view(server: Server, config: Config, requires: tuple[str, ...] = ()) -> PyprojectView:
    """`pyproject.toml`. `requires` are requirements besides those of every server."""
    is_package = config.runtime is RuntimeMode.PACKAGE
    name = server.package.replace("_", "-")
    return PyprojectView(
        name=toml_string(name),
        version=toml_string(release(server)),
        description=toml_string(f"MCP server of the {api_name(server)}"),
        command=slug(name),
        package=identifier(server.package),
        is_package=is_package,
        requires=tuple(
            toml_string(requirement)
            for requirement in (
                runtime_requirements(requires) if is_package else sorted((*_BASE, *requires))
            )
        ),
    )


def release(server: Server) -> str:
    """The version of the project: the API's version, if valid for a package, else `UNVERSIONED`."""
    return server.version if _RELEASE.fullmatch(server.version) else UNVERSIONED


def choices_view(config: Config) -> ConfigFileView:
    """`mcpgen.toml`."""
    return ConfigFileView(
        has_schema=config.has_schema,
        has_spec=bool(config.spec),
        spec=toml_string(config.spec),
        has_source=bool(config.source),
        source=toml_string(config.source),
        has_capability=bool(config.capability),
        capability=toml_string(config.capability),
        has_change=bool(config.change),
        change=toml_string(config.change),
        has_openapi=bool(config.openapi),
        openapi=toml_string(config.openapi),
        has_root=bool(config.root),
        root=toml_string(config.root),
        has_overlays=bool(config.overlays),
        overlays=toml_strings(config.overlays),
        has_remote=bool(config.allow_remote),
        allow_remote=toml_strings(config.allow_remote),
        is_package=config.runtime is RuntimeMode.PACKAGE,
        keep_going=config.keep_going,
    )


def has_lock(config: Config) -> bool:
    """True if mcpgen writes lock files for the project: their hashes cover only a copied runtime."""
    return config.runtime is RuntimeMode.VENDORED


def docker_ignore_view(package: SourceText, config: Config) -> DockerIgnoreView:
    """`.dockerignore`."""
    lock = config.deployment.lock
    return DockerIgnoreView(bool(lock), slug(lock or LOCK), package)


def docker_view(server: Server, config: Config) -> DockerView:
    """`Dockerfile`."""
    base = config.deployment.base_image
    return DockerView(
        base_image=image(base),
        base_tag=image(base.partition("@")[0]),
        has_lock=has_lock(config),
        has_own_lock=bool(config.deployment.lock),
        own_lock=slug(config.deployment.lock or LOCK),
        package=identifier(server.package),
        prefix=variable_prefix(server),
        has_metrics=server.observability.prometheus,
    )


def workflow_view(config: Config) -> WorkflowView:
    """`.github/workflows/mcpgen.yaml`."""
    is_locked = has_lock(config)
    # The lock file has what mcpgen needs.
    options = ["--no-deps"] if is_locked else []
    return WorkflowView(
        has_lock=is_locked,
        checkout=_CHECKOUT,
        setup_python=_SETUP_PYTHON,
        has_install=bool(config.spec) and not (is_locked and config.deployment.mcpgen_hash),
        install=shell("pip", "install", *options, f"mcpgen=={__version__}"),
        has_spec=bool(config.spec),
        check=shell(*_build_command(config), "--check"),
    )


def _build_command(config: Config) -> list[str]:
    """The command that builds the project again, in the project's folder."""
    # A file without other keys is the file that the build writes, with `spec`.
    if config.spec and (config.at("spec") or not config.locations):
        return ["mcpgen", "build"]
    return ["mcpgen", "build", config.spec or "SPEC", "-o", "."]


def readme_view(
    server: Server, config: Config, read: tuple[PolicyVariable, ...] = ()
) -> ReadmeView:
    """`README.md`. `read` are the settings that rules of the policy read."""
    variables = variable_prefix(server).text
    credentials = settings(server.security_schemes, [row.name for row in server.settings])
    tools = [tool for tool in server.tools if not tool.withheld]
    changing = [tool for tool in tools if not tool.hints.read_only]
    return ReadmeView(
        title=markdown(server.title or server.slug),
        is_package=config.runtime is RuntimeMode.PACKAGE,
        has_lambda=config.deployment.aws_lambda,
        exports=tuple(
            VariableView(identifier(name), comment(meaning))
            for name, meaning in start_variables(server, config.runtime)
        ),
        reading=markdown_codes([tool.name for tool in tools if tool.hints.read_only]),
        writing=markdown_codes(
            [tool.name for tool in changing if not tool.hints.changes_existing_data]
        ),
        deleting=markdown_codes(
            [tool.name for tool in changing if tool.hints.changes_existing_data]
        ),
        addresses=markdown_codes(list(dict.fromkeys(url for url, *_ in hosts(server)))),
        credentials=_credentials_cell(server, [field.field for field in credentials]),
        runtime=slug(runtime_package(server.package, config.runtime)),
        has_fast_path=config.fast_path or config.runtime is RuntimeMode.PACKAGE,
        has_additive=any(tool.hints.additive for tool in changing),
        has_streams=has_streams(server),
        api=markdown(api_name(server)),
        count=markdown(f"{len(tools)} {'tool' if len(tools) == 1 else 'tools'}"),
        package=identifier(server.package),
        name=slug(server.slug),
        image=slug(server.package.replace("_", "-")),
        prefix=variable_prefix(server),
        upstream=(
            markdown_code(server.upstream)
            if server.upstream
            else markdown(_missing_upstream_effect(server))
        ),
        address=url_path(server.policy.path),
        clients=tuple(_client_snippets(server)),
        log_format=slug("json" if server.observability.has_json_logs else "text"),
        has_callers=server.policy.authentication is not None,
        enabled=markdown_code("true" if server.policy.enabled else "false"),
        variables=tuple(
            VariableView(
                identifier(f"{variables}{setting.field.upper()}"), markdown(setting.meaning)
            )
            for setting in credentials
        ),
        values=tuple(
            VariableView(identifier(f"{variables}{row.name.upper()}"), markdown(meaning))
            for row, meaning in _sent_values(server)
        ),
        hosts=tuple(
            HostView(markdown_code(url), markdown(purpose), markdown(secrets))
            for url, purpose, secrets in hosts(server)
        ),
        has_tool_search=server.discovery is not None,
        policy=tuple(
            PolicyVariableView(
                identifier(f"{variables}{row.field.upper()}"),
                markdown(row.meaning),
                markdown(row.absent or "as in mcpgen.toml"),
            )
            for row in (*access_variables(server), *read)
        ),
        is_strict=config.flattening.mode is FlattenMode.STRICT,
        is_nested=config.flattening.mode is FlattenMode.NESTED,
        has_toolsets=bool(server.toolsets),
        toolsets=tuple(_toolset_row(toolset) for toolset in server.toolsets),
        main_endpoint_tools=markdown(
            f"the set {server.toolset}" if server.toolset else "all of them"
        ),
        tools=tuple(_readme_tool_row(tool) for tool in tools),
        has_builtin_tools=bool(server.builtin_tools),
        builtin_tools=tuple(
            BuiltinToolRowView(slug(tool.name), markdown(tool.title, limit=120))
            for tool in server.builtin_tools
        ),
        has_missing=bool(server.missing),
        missing=tuple(
            MissingView(markdown_code(missing.operation), markdown(missing.reason))
            for missing in server.missing
        ),
        has_resources=bool(server.resources),
        resources=tuple(_resource_row(resource) for resource in server.resources),
        has_prompts=bool(server.prompts),
        prompts=tuple(_prompt_row(prompt) for prompt in server.prompts),
        build=markdown_code(" ".join(_build_command(config))),
    )


def _client_snippets(server: Server) -> Iterator[ClientSnippetView]:
    """The entries of widespread clients for the server at its default address."""
    entry = ServerEntry(server.slug, url=f"http://127.0.0.1:8000{server.policy.path}")
    for client in filter(None, map(find_client, _README_CLIENTS)):
        yield ClientSnippetView(
            title=markdown(client.title),
            file=markdown_code(client.file_name),
            entry=markdown_lines(client.snippet(entry)),
        )


def start_variables(server: Server, runtime: RuntimeMode) -> Iterator[tuple[str, str]]:
    """The variables of the command that starts the server, with meanings: the required variables,
    and the credentials of the API if the API has a single scheme."""
    required = required_variables(server, runtime, is_local=True)
    for variable in (*required, *limit_store(server)):
        yield variable.name, variable.meaning
    if len(server.security_schemes) == 1:
        names = [setting.name for setting in server.settings]
        for credential in settings(server.security_schemes, names):
            yield f"{variable_prefix(server).text}{credential.field.upper()}", credential.meaning


def _credentials_cell(server: Server, fields: Sequence[str]) -> SourceText:
    """The credentials that the API gets."""
    match server.forwarded_credential:
        case PassthroughSpec():
            return markdown("the credential of the caller, sent only to trusted hosts")
        case TokenExchange():
            return markdown("a token that the issuer exchanges for the token of the caller")
    return markdown_codes([f"{variable_prefix(server).text}{field.upper()}" for field in fields])


def _missing_upstream_effect(server: Server) -> str:
    """The effect of a missing API URL in the settings."""
    sends = any(tool.route for tool in server.tools)
    return "required" if sends else "none: requests of handlers answer with an error"


def hosts(server: Server) -> Iterator[tuple[str, str, str]]:
    """Every URL that the server sends requests to: URL, purpose, and secrets sent to the host. The
    API stands first, other base URLs follow in order of the tools."""
    schemes = "credentials of the API" if server.security_schemes else ""
    yield server.upstream or f"{variable_prefix(server).text}UPSTREAM", API, schemes or "none"
    others: dict[str, list[ToolSpec]] = {}
    for tool in server.tools:
        if tool.route and tool.route.base_url and not tool.route.base_url.startswith("/"):
            others.setdefault(tool.route.base_url, []).append(tool)
    for url, tools in others.items():
        names = ", ".join(tool.name for tool in tools[:5])
        more = f" and {len(tools) - 5} more" if tools[5:] else ""
        gets = any(tool.route and tool.route.trusted for tool in tools)
        gets = gets or origin(url) == origin(server.upstream)
        yield url, f"{names}{more}", schemes if gets and schemes else "none"
    for scheme in server.security_schemes:
        for url in scheme.issuers:
            secrets = "name and password of a user, " if url == scheme.password_url else ""
            yield url, f"tokens of {scheme.id}", f"{secrets}client id and secret"
    match server.forwarded_credential:
        case TokenExchange(token_url=url) if url:
            yield url, "tokens for those of callers", "client id and secret, tokens of callers"
        case PassthroughSpec(trusted=hosts):
            for host in hosts:
                yield host, "hosts that callers' credentials may go to", "credentials of callers"
    if authentication := server.policy.authentication:
        verified = "verifies tokens of callers"
        if authentication.jwks_url:
            yield authentication.jwks_url, verified, "none"
        if authentication.introspection_url:
            yield authentication.introspection_url, verified, "client id and secret, tokens of callers"
    if server.registry.url:
        yield server.registry.url, "the registry", "token of the registry"


def _sent_values(server: Server) -> Iterator[tuple[EnvSetting, str]]:
    """The settings with values that tools send, and the names used in requests."""
    for setting in server.settings:
        names = {
            name
            for tool in server.tools
            for name, value in tool.settings.items()
            if value.name == setting.name
        }
        yield setting, f"value that tools send as {' and '.join(sorted(names))}"


def _toolset_row(toolset: Toolset) -> ToolsetRowView:
    """A row of the table of sets of tools."""
    return ToolsetRowView(
        name=slug(toolset.name),
        count=integer(len(toolset.tools)),
        tools=markdown(", ".join(toolset.tools)),
    )


def _answering(tool: ToolSpec) -> str:
    """The request of a tool, or the file with the answer."""
    if tool.answer:
        return f"tools/{tool.module}.py"
    return request_of(tool.route) if tool.route else "hooks.py"


def _resource_row(resource: ResourceSpec) -> ResourceRowView:
    """A row of the table of resources."""
    return ResourceRowView(
        name=markdown_code(resource.uri),
        meaning=markdown(resource.title or resource.description or resource.name, limit=120),
        source=markdown_code(resource.tool or resource.file),
    )


def _prompt_row(prompt: PromptSpec) -> ResourceRowView:
    """A row of the table of prompts."""
    names = ", ".join(argument.name for argument in prompt.arguments)
    return ResourceRowView(
        name=markdown_code(prompt.name),
        meaning=markdown(prompt.title or prompt.description or prompt.name, limit=120),
        source=markdown(names or "none"),
    )


def _readme_tool_row(tool: ToolSpec) -> ToolRowView:
    """A row of the table of tools."""
    return ToolRowView(
        name=slug(tool.name),
        summary=markdown(tool.title or tool.description, limit=120),
        request=markdown_code(_answering(tool)),
        is_read_only=markdown("yes" if tool.hints.read_only else "no"),
    )
