"""The modules of resources and prompts, and of completion, subscriptions and log levels."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

from mcpgen.emit.code import docstring, identifier, imports, literal
from mcpgen.emit.feature_declaration import FeatureModule
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.package_files import api_name
from mcpgen.emit.views import ChangesView, FeatureView
from mcpgen.ir.resources_prompts import (
    CompletionSource,
    PromptArgumentSpec,
    PromptMessageSpec,
    PromptSpec,
    ResourceInvalidation,
    ResourceSpec,
)
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json

Keywords = tuple[tuple[str, Value], ...]


def resources(server: Server) -> FeatureModule | None:
    """The module with the resources of a server; None without resources."""
    if not server.resources:
        return None
    withheld = tuple(tool.name for tool in server.tools if tool.withheld)
    every = tuple(_resource_call(resource) for resource in server.resources)
    call = CallExpr("Resources", (every,), (("withheld", withheld),) if withheld else ())
    names = {
        "resources.resources": ("Resource", "Resources"),
        **_suggesting(server.resources),
    }
    summary = f"Resources of the {api_name(server)}, read by URI"
    return _offered(server, summary, names, "RESOURCES", call)


def prompts(server: Server) -> FeatureModule | None:
    """The module with the prompts of a server; None without prompts."""
    if not server.prompts:
        return None
    every = tuple(_prompt_call(prompt) for prompt in server.prompts)
    embeds = any(_embeds(message) for prompt in server.prompts for message in prompt.messages)
    needs = embeds and bool(server.resources)
    beside = (NameExpr("RESOURCES"),) if needs else ()
    call = CallExpr("Prompts", (every, *beside))
    used = {"Prompt"} | (
        {"PromptArgument"} if any(prompt.arguments for prompt in server.prompts) else set()
    )
    names = {
        "resources.prompts": (*sorted(used), "PromptMessage", "Prompts"),
        **_suggesting([argument for prompt in server.prompts for argument in prompt.arguments]),
    }
    summary = f"The prompts of the {api_name(server)}"
    return _offered(server, summary, names, "PROMPTS", call, ("resources",) if needs else ())


def completion(server: Server) -> FeatureModule | None:
    """The module of completion, or None if no variable and no argument has suggestions."""
    templates = any(resource.complete for resource in server.resources)
    arguments = any(
        argument.complete or argument.values
        for prompt in server.prompts
        for argument in prompt.arguments
    )
    if not templates and not arguments:
        return None
    named: Keywords = (
        *((("resources", NameExpr("RESOURCES")),) if server.resources else ()),
        *((("prompts", NameExpr("PROMPTS")),) if server.prompts else ()),
    )
    own = (*(("resources",) if server.resources else ()), *(("prompts",) if server.prompts else ()))
    summary = "The values that clients may suggest to their users"
    call = CallExpr("Completion", (), named)
    return _offered(
        server, summary, {"resources.completion": ("Completion",)}, "COMPLETION", call, own
    )


def changes(server: Server) -> FeatureModule | None:
    """The module of subscriptions to resources, or None if the server has none."""
    notices = server.offers.notices
    if not notices.changes:
        return None
    writers = {
        name: tuple(_touched(pattern) for pattern in touched)
        for name, touched in notices.writers.items()
    }
    names = ("ResourceSubscriptions", "ChangedResources") if writers else ("ResourceSubscriptions",)
    is_shared = server.limits.is_shared
    runtime = f"{server.package}._runtime"
    relay = (
        (imports(f"{runtime}.resources.subscriptions_redis", ("redis_relay",)),)
        if is_shared
        else ()
    )
    view = ChangesView(
        package=identifier(server.package),
        summary=docstring(
            f"Notifications of resources that calls of the {api_name(server)} change"
        ),
        imports=(imports(f"{runtime}.resources.subscriptions", names), *relay),
        writers=literal(
            _calls_by_name(writers),
            before=len("WRITERS: dict[str, tuple[ChangedResources, ...]] = "),
        ),
        has_writers=bool(writers),
        changes=literal(_changes_call(bool(writers), is_shared), indent=4, before=len("return ")),
    )
    return FeatureModule("changes", "changes", view, asks_settings=True)


def _changes_call(has_writers: bool, is_shared: bool) -> CallExpr:
    """`ResourceSubscriptions(RESOURCES, WRITERS, …)`."""
    relay = (("relay", CallExpr("redis_relay", (NameExpr("settings"),))),) if is_shared else ()
    alone = NameExpr("settings.workers == 1 and not settings.several_instances")
    writers: Value = NameExpr("WRITERS") if has_writers else {}
    return CallExpr(
        "ResourceSubscriptions", (NameExpr("RESOURCES"), writers), (("alone", alone), *relay)
    )


def log_levels(server: Server) -> FeatureModule | None:
    """The module of `logging/setLevel`, or None if the server has no log notifications."""
    if not server.offers.notices.log:
        return None
    summary = "Log messages for clients, from the level that a client sets"
    names = {"server.log_level": ("LogLevels",)}
    return _offered(server, summary, names, "LOG_LEVELS", CallExpr("LogLevels"))


def files(server: Server) -> dict[str, Json]:
    """The content of `package/files.json`: the files sent unchanged, by name."""
    used = {resource.file for resource in server.resources}
    used |= {message.file for prompt in server.prompts for message in prompt.messages}
    return {name: _file_content(server.offers.files[name]) for name in sorted(used - {""})}


def _file_content(content: bytes) -> dict[str, Json]:
    """A file as text, or as base64 if binary."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return {"blob": b64encode(content).decode()}
    return {"blob": b64encode(content).decode()} if "\0" in text else {"text": text}


def _offered(
    server: Server,
    summary: str,
    names: Mapping[str, tuple[str, ...]],
    constant: str,
    call: CallExpr,
    own: tuple[str, ...] = (),
) -> FeatureModule:
    """A module with a single constant; `own` are the package's modules with constants to import."""
    runtime = f"{server.package}._runtime"
    lines: dict[str, tuple[str, ...]] = {
        f"{server.package}.{module}": (module.upper(),) for module in own
    }
    lines |= {f"{runtime}.{module}": every for module, every in names.items()}
    view = FeatureView(
        summary=docstring(summary),
        imports=tuple(imports(module, lines[module]) for module in sorted(lines)),
        constant=identifier(constant),
        value=literal(call, before=len(constant) + 3),
    )
    return FeatureModule(constant.lower(), constant, view, template="package/feature.py")


def _suggesting(
    every: tuple[ResourceSpec, ...] | list[PromptArgumentSpec],
) -> dict[str, tuple[str, ...]]:
    """The import of the classes that suggest values, if used."""
    sources: list[CompletionSource] = []
    for owner in every:
        if isinstance(owner, ResourceSpec):
            sources += owner.complete.values()
        elif owner.complete:
            sources.append(owner.complete)
    kinds = {"ListedValues" if owner.tool else "StaticValues" for owner in sources}
    return {"resources.completion_values": tuple(sorted(kinds))} if kinds else {}


def _resource_call(resource: ResourceSpec) -> CallExpr:
    keywords = _changed_keywords_of_call(
        ("title", resource.title),
        ("description", resource.description),
        ("mime_type", resource.mime_type),
        ("tool", resource.tool),
        ("file", resource.file),
        ("size", resource.size),
        ("annotations", dict(resource.annotations)),
        (
            "complete",
            _calls_by_name(
                {name: _suggestions(source) for name, source in resource.complete.items()}
            ),
        ),
    )
    return CallExpr("Resource", (resource.uri, resource.name), keywords)


def _prompt_call(prompt: PromptSpec) -> CallExpr:
    keywords = _changed_keywords_of_call(
        ("title", prompt.title),
        ("description", prompt.description),
        ("arguments", tuple(_prompt_argument_call(argument) for argument in prompt.arguments)),
        ("messages", tuple(_prompt_message_call(message) for message in prompt.messages)),
    )
    return CallExpr("Prompt", (prompt.name,), keywords)


def _prompt_argument_call(argument: PromptArgumentSpec) -> CallExpr:
    keywords = _changed_keywords_of_call(
        ("title", argument.title),
        ("description", argument.description),
        ("required", argument.required),
        ("type", "" if argument.type == "string" else argument.type),
        ("values", argument.values),
        ("complete", _suggestions(argument.complete) if argument.complete else None),
        ("ask", argument.ask),
    )
    return CallExpr("PromptArgument", (argument.name,), keywords)


def _prompt_message_call(message: PromptMessageSpec) -> CallExpr:
    keywords = _changed_keywords_of_call(
        ("text", message.text),
        ("file", message.file),
        ("mime_type", message.mime_type),
        ("uri", message.uri),
    )
    return CallExpr("PromptMessage", (message.role,), keywords)


def _embeds(message: PromptMessageSpec) -> bool:
    return bool(message.uri) and not message.file


def _suggestions(source: CompletionSource) -> CallExpr:
    if not source.tool:
        return CallExpr("StaticValues", (source.values,))
    arguments = (dict(source.arguments),) if source.arguments else ()
    return CallExpr("ListedValues", (source.tool, source.value, *arguments))


def _touched(touched: ResourceInvalidation) -> CallExpr:
    values = (dict(touched.values),) if touched.values else ()
    return CallExpr("ChangedResources", (touched.uri, *values))


def _changed_keywords_of_call(*keywords: tuple[str, Value]) -> Keywords:
    """The keywords with values other than the defaults."""
    return tuple(
        (name, value) for name, value in keywords if value not in ("", None, (), {}, False)
    )


def _calls_by_name(values: Mapping[str, Value]) -> Value:
    """Widens the type of a mapping of calls to `Value`."""
    return dict(values)
