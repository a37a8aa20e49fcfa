"""Makes the template views of the modules in the generated package from a `Server`.

Docstrings name a module by the path of its template: `package/` is the folder of the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcpgen.emit.code import SourceText, docstring, identifier, imports, integer, literal, slug
from mcpgen.emit.credentials import feature_settings, is_general, scheme_call, settings, stems
from mcpgen.emit.declaration import (
    argument_call,
    callees,
    constant_call,
    hints_call,
    page_call,
    part_callees,
    route_call,
)
from mcpgen.emit.escape import collapse_to_line, truncate_words
from mcpgen.emit.extensions import QUESTIONS, asks_clients, extensions
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.models import class_name
from mcpgen.emit.views import (
    HooksView,
    KeywordView,
    MainView,
    PackageView,
    ServerView,
    SettingsView,
    SettingView,
    ToolFileView,
    ToolsView,
)
from mcpgen.ir.server import RouteSpec, Server, ToolSpec
from mcpgen.openspec.emit.declared_answers import play_call, play_callees

if TYPE_CHECKING:
    from mcpgen.emit.feature_declaration import FeatureModule

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
"""Python's types of settings, by JSON Schema type."""

_ENDS_WITH_API = re.compile(r"\bapi$", re.IGNORECASE)

_EXAMPLE_TOOL = "get_it"
"""The tool in the docstring of `package/hooks.py` of a server without tools."""

_SUMMARY_CHARACTERS = 88
"""Characters for purpose and request in the summary of a tool's module, which is one line."""

_MIN_PURPOSE_CHARACTERS = 20
"""With less room, the summary has the request without the purpose."""


def api_name(server: Server) -> str:
    """The name of the API in prose: the title, followed by the word API unless the title ends with
    it; for a capability only the title."""
    title = truncate_words(collapse_to_line(server.title), 60) or server.slug
    if server.capability:
        return title
    return title if _ENDS_WITH_API.search(title) else f"{title} API"


def variable_prefix(server: Server) -> SourceText:
    """The prefix of the server's environment variables: upper case, with `_` at the end."""
    return identifier(f"{server.slug.upper().replace('-', '_')}_")


def package_view(server: Server) -> PackageView:
    """`package/__init__.py`."""
    return PackageView(summary=docstring(f"MCP server of the {api_name(server)}"))


def main_view(server: Server, has_reload: bool) -> MainView:
    """`package/__main__.py`. `has_reload`: the server can serve changes without a restart."""
    sentence = f"`python -m {server.package}` serves the {api_name(server)} as MCP over HTTP"
    return MainView(identifier(server.package), docstring(sentence), has_reload)


def server_view(
    server: Server,
    has_policy: bool,
    features: Sequence[FeatureModule] = (),
    has_fast_path: bool = False,
    is_in_process: bool = False,
) -> ServerView:
    """`package/server.py` of a server with these feature modules.

    `has_policy`: `package/policy.py` exists. `has_fast_path`: the server answers lists and
    plain calls in front of the SDK (docs/scale.md). `is_in_process`: `create` also takes an ASGI
    application of the same process, in place of the API.
    """
    field_stems = stems(server.security_schemes, [setting.name for setting in server.settings])
    calls = tuple(scheme_call(scheme, field_stems[scheme.id]) for scheme in server.security_schemes)
    return ServerView(
        summary=docstring(f"Assembles the MCP server of the {api_name(server)}"),
        imports=tuple(_server_imports(server, has_policy, features, has_fast_path, is_in_process)),
        name=_keyword_value("name", server.slug),
        title=_keyword_value("title", server.title),
        version=_keyword_value("version", server.version),
        instructions=_keyword_value("instructions", server.instructions),
        has_toolsets=bool(server.toolsets),
        toolsets=_keyword_value(
            "toolsets", {toolset.name: toolset.instructions for toolset in server.toolsets}
        ),
        security=literal(calls, before=len("SECURITY: tuple[HeaderScheme, ...] = ")),
        needs_settings=_needs_settings(server, has_policy, features),
        is_in_process=is_in_process,
        app_call=literal(
            _app_call(server, has_policy, features, has_fast_path, is_in_process),
            indent=4,
            before=len("return "),
        ),
        create_summary=docstring(
            f"Returns the ASGI application; MCP is at `{server.policy.path}`", indent=4
        ),
    )


def _server_imports(
    server: Server,
    has_policy: bool,
    features: Sequence[FeatureModule],
    has_fast_path: bool,
    is_in_process: bool,
) -> Iterator[SourceText]:
    """The imports of `package/server.py`, in isort's order."""
    names: dict[str, tuple[str, ...]] = {feature.module: (feature.name,) for feature in features}
    names |= {"hooks": ("HOOKS",), "settings": ("Settings",), "tools": ("TOOLS",)}
    names |= {
        "_runtime.hooks": ("Hooks",),
        "_runtime.server.app": ("App", "ServerInfo", "create_app"),
        "_runtime.upstream.secret_store": ("HeaderScheme",),
    }
    if any(map(is_general, server.security_schemes)):
        names["_runtime.upstream.credentials"] = ("SecurityScheme",)
    if server.discovery:
        names["discovery"] = ("DISCOVERY",)
    if has_policy:
        names["policy"] = ("rules",)
    if server.sessions:
        resumable = ("SessionEventStore",) if server.resumable else ()
        names["_runtime.server.sessions"] = (*resumable, "Sessions")
    if has_policy or server.discovery or features:
        names["_runtime.server.feature"] = ("feature_registry",)
    if has_fast_path:
        names["_runtime.fast_path.fast_path"] = ("open_fast_path",)
    if is_in_process:
        names["_runtime.server.asgi"] = ("Asgi",)
        names["_runtime.upstream.in_process"] = ("in_process",)
    for module, name in extensions(server):
        names[f"_runtime.{module}"] = (name,)
    if asks_clients(server):
        module, name = QUESTIONS
        names[f"_runtime.{module}"] = (name,)
    if fetches_tokens(server):
        names["_runtime.upstream.oauth_client"] = ("ClientCredentialsTokens",)
    if server.settings:
        names["_runtime.server.env_arguments"] = ("fill_from_settings",)
    for module in sorted(names):
        yield imports(f"{server.package}.{module}", names[module])


def _needs_settings(server: Server, has_policy: bool, features: Sequence[FeatureModule]) -> bool:
    """True if an argument of `create_app`, such as the rules, is made from the settings."""
    is_needed = has_policy or server.sessions or bool(server.settings)
    return is_needed or any(feature.asks_settings for feature in features)


def _app_call(
    server: Server,
    has_policy: bool,
    features: Sequence[FeatureModule],
    has_fast_path: bool,
    is_in_process: bool,
) -> CallExpr:
    """`create_app(…)`. The settings are a variable if several arguments need the settings."""
    settings, tools = NameExpr("settings"), NameExpr("TOOLS")
    needs_settings = _needs_settings(server, has_policy, features)
    settings_value = settings if needs_settings else NameExpr("settings or Settings()")
    tools_value = CallExpr("fill_from_settings", (tools, settings)) if server.settings else tools
    rules = (CallExpr("rules", (settings,)),) if has_policy else ()
    positional = (
        NameExpr("IDENTITY"),
        tools_value,
        NameExpr("SECURITY"),
        settings_value,
        NameExpr("hooks"),
        *rules,
    )
    surface = (("surface", NameExpr("DISCOVERY")),) if server.discovery else ()
    offers = (("offers", tuple(feature.value for feature in features)),) if features else ()
    registry_call = CallExpr("feature_registry", (), (*surface, *offers))
    registry = (("registry", registry_call),) if has_policy or surface or offers else ()
    event_store = (NameExpr("SessionEventStore"),) if server.resumable else ()
    sessions_call = CallExpr("Sessions", (settings, *event_store))
    sessions = (("sessions", sessions_call),) if server.sessions else ()
    fast_path = (("fast_path", NameExpr("open_fast_path")),) if has_fast_path else ()
    installers = tuple(NameExpr(name) for _, name in extensions(server))
    extensions_value = (("extensions", installers),) if installers else ()
    questions = (("questions", NameExpr(QUESTIONS[1])),) if asks_clients(server) else ()
    token = NameExpr("ClientCredentialsTokens")
    tokens = (("tokens", token),) if fetches_tokens(server) else ()
    api = CallExpr("in_process", (NameExpr("upstream"),))
    upstream = (("upstream", api),) if is_in_process else ()
    keywords = (
        *registry,
        *sessions,
        *fast_path,
        *extensions_value,
        *tokens,
        *questions,
        *upstream,
    )
    return CallExpr("create_app", positional, keywords)


def fetches_tokens(server: Server) -> bool:
    """True if the server fetches access tokens for its API."""
    return any(scheme.token_url or scheme.password_url for scheme in server.security_schemes)


def settings_view(
    server: Server, classes: tuple[tuple[str, str], ...] = (), result_bytes: int = 0
) -> SettingsView:
    """`package/settings.py`. `classes` are the runtime modules with further settings, and the class
    in each; `result_bytes` is the default limit of an answer's bytes, 0 for the runtime's default.
    """
    fields = settings(server.security_schemes, [setting.name for setting in server.settings])
    feature_fields = feature_settings(server)
    required_type = ("Field",) if server.settings else ()
    bases = (*dict.fromkeys(classes), ("settings", "ServerSettings"))
    runtime = f"{server.package}._runtime"
    bounded_type = ("PositiveInt",) if result_bytes else ()
    has_secret = bool(feature_fields) or any(field.secret for field in fields)
    secret_type = ("SecretStr",) if has_secret else ()
    pydantic_names = (*required_type, *bounded_type, *secret_type)
    return SettingsView(
        package=identifier(server.package),
        imports=tuple(imports(f"{runtime}.{module}", (name,)) for module, name in sorted(bases)),
        head=literal(
            CallExpr("Settings", tuple(NameExpr(name) for _, name in bases)),
            before=len("class "),
            after=1,
        ),
        prefix=variable_prefix(server),
        upstream=literal(server.upstream, indent=4, before=len("upstream: str = ")),
        has_public_url=bool(server.policy.public_url) and _reads_public_url(server),
        public_url=literal(server.policy.public_url, indent=4, before=len("public_url: str = ")),
        has_registry_url=bool(server.registry.url),
        registry_url=literal(server.registry.url, indent=4, before=len("registry_url: str = ")),
        is_disabled=not server.policy.enabled,
        has_json_logs=server.observability.has_json_logs,
        has_result_bytes=bool(result_bytes),
        result_bytes=integer(result_bytes),
        has_pydantic=bool(pydantic_names),
        pydantic=imports("pydantic", pydantic_names),
        has_credential_fields=bool(fields) or bool(feature_fields),
        credential_fields=tuple(
            SettingView(identifier(field.field), identifier("SecretStr" if field.secret else "str"))
            for field in fields
        )
        + tuple(SettingView(identifier(name), identifier("SecretStr")) for name in feature_fields),
        has_required_fields=bool(server.settings),
        required_fields=tuple(
            SettingView(identifier(setting.name), identifier(_TYPES[setting.kind]))
            for setting in server.settings
        ),
    )


def _reads_public_url(server: Server) -> bool:
    """True if the running server needs its public URL."""
    return server.policy.authentication is not None or bool(server.registry.url)


def hooks_view(server: Server) -> HooksView:
    """`package/hooks.py`. The example is the first tool that needs a handler, or else the first
    tool."""
    unanswered_tools = handler_tools(server)
    tool = next(iter((*unanswered_tools, *server.tools)), None)
    return HooksView(
        has_handled=bool(unanswered_tools),
        package=identifier(server.package),
        tool=slug(tool.name if tool else _EXAMPLE_TOOL),
        handler=identifier(tool.module if tool else _EXAMPLE_TOOL),
        arguments=identifier(class_name(tool.name if tool else _EXAMPLE_TOOL)),
    )


def handler_tools(server: Server) -> tuple[ToolSpec, ...]:
    """The tools without a request and without a declared answer: a handler in `hooks.py` answers."""
    return tuple(tool for tool in server.tools if tool.route is None and not tool.answer)


def answered_tools(server: Server) -> tuple[ToolSpec, ...]:
    """The tools with a declared answer, in the order of the server."""
    return tuple(tool for tool in server.tools if tool.answer)


def tools_view(server: Server) -> ToolsView:
    """`package/tools/__init__.py`."""
    modules = tuple(tool.module for tool in server.tools)
    return ToolsView(
        package=identifier(server.package),
        imports=imports(f"{server.package}.tools", modules),
        alone=len(modules) < 2,
        only=literal(tuple(NameExpr(f"{module}.TOOL") for module in modules)),
        modules=tuple(identifier(module) for module in modules),
    )


def tool_view(package: str, tool: ToolSpec) -> ToolFileView:
    """`package/tools/<module>.py`."""
    runtime = f"{package}._runtime"
    return ToolFileView(
        summary=docstring(
            _module_summary(tool.title or tool.description, _request_or_answer(tool))
        ),
        imports=tuple(
            imports(f"{runtime}.{module}", names) for module, names in tool_imports(tool)
        ),
        keywords=tuple(
            KeywordView(identifier(name), _keyword_value(name, value))
            for name, value in tool_call(tool).keywords
        ),
    )


def tool_call(tool: ToolSpec) -> CallExpr:
    """`Tool(name=…, …)`: the declaration in the tool's module, without keywords equal to the
    runtime's defaults."""
    settings = {name: setting.name for name, setting in tool.settings.items()}
    optional: dict[str, Value] = {
        "arguments": tuple(map(argument_call, tool.arguments)) or None,
        "constants": tuple(map(constant_call, tool.constants)) or None,
        "output": tool.output,
        "wrapped": tool.wrapped or None,
        "fields": tool.fields or None,
        "strict": tool.strict or None,
        "bound": tuple(map(argument_call, tool.bound)) or None,
        "filled": dict(tool.filled) or None,
        "settings": settings or None,
        "page": page_call(tool.page) if tool.page else None,
        "shared": dict(tool.shared) or None,
        "conditions": dict(tool.conditions) or None,
        "answer": play_call(tool.answer),
    }
    return CallExpr(
        "Tool",
        (),
        (
            ("name", tool.name),
            ("title", tool.title),
            ("description", tool.description),
            ("route", route_call(tool.route) if tool.route else None),
            ("hints", hints_call(tool.hints)),
            *((name, value) for name, value in optional.items() if value is not None),
        ),
    )


def tool_imports(tool: ToolSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the modules of the runtime that a tool's module imports, with the imported names, in
    isort's order."""
    yield from play_callees(tool.answer)
    yield "tool", callees(tool)
    if parts := part_callees(tool):
        yield "tool_parts", parts


def request_of(route: RouteSpec) -> str:
    """A request in prose: `GET /pets/{id}`."""
    return f"{route.method} {route.path}"


def _request_or_answer(tool: ToolSpec) -> str:
    """The request of a tool, or the place of the answer."""
    if tool.answer:
        return "answered as its `answer` says"
    return f"`{request_of(tool.route)}`" if tool.route else "answered in `hooks.py`"


def _module_summary(purpose: str, request: str) -> str:
    """The purpose of a tool, shortened so that the request fits on the line."""
    room = _SUMMARY_CHARACTERS - len(request)
    return (
        f"{truncate_words(collapse_to_line(purpose), room).rstrip('.')}: {request}"
        if room > _MIN_PURPOSE_CHARACTERS
        else request
    )


def _keyword_value(name: str, value: Value) -> SourceText:
    """The value of a keyword on a line of its own, in a call at the left margin, before a comma."""
    return literal(value, indent=4, before=len(name) + 1, after=1)
