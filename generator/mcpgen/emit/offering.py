"""The modules of what a server offers beside its tools: resources, prompts, and what belongs to them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

from mcpgen.emit.assembly import api_name
from mcpgen.emit.code import docstring, identifier, imports, literal
from mcpgen.emit.literal import Call, Name, Value
from mcpgen.emit.offered import Offered
from mcpgen.emit.views import ChangesView, OfferView
from mcpgen.ir.offers import Message, Prompt, PromptArgument, Resource, Suggestions, Touched
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json

Keywords = tuple[tuple[str, Value], ...]


def resources(server: Server) -> Offered | None:
    """The resources of a server."""
    if not server.resources:
        return None
    withheld = tuple(tool.name for tool in server.tools if tool.withheld)
    every = tuple(_resource(each) for each in server.resources)
    call = Call("Resources", (every,), (("withheld", withheld),) if withheld else ())
    names = {
        "resource": ("Resource",),
        "resources": ("Resources",),
        **_suggesting(server.resources),
    }
    summary = f"What clients of the {api_name(server)} read by URI"
    return _offered(server, summary, names, "RESOURCES", call)


def prompts(server: Server) -> Offered | None:
    """The prompts of a server."""
    if not server.prompts:
        return None
    every = tuple(_prompt(each) for each in server.prompts)
    embeds = any(_embeds(message) for each in server.prompts for message in each.messages)
    needs = embeds and bool(server.resources)
    beside = (Name("RESOURCES"),) if needs else ()
    call = Call("Prompts", (every, *beside))
    used = {"Prompt"} | (
        {"PromptArgument"} if any(one.arguments for one in server.prompts) else set()
    )
    names = {
        "prompt": (*sorted(used), "Message"),
        "prompts": ("Prompts",),
        **_suggesting([argument for one in server.prompts for argument in one.arguments]),
    }
    summary = f"The prompts of the {api_name(server)}"
    return _offered(server, summary, names, "PROMPTS", call, ("resources",) if needs else ())


def completion(server: Server) -> Offered | None:
    """What completes variables and arguments, of a server in which something can be."""
    templates = any(each.complete for each in server.resources)
    arguments = any(
        argument.complete or argument.values for one in server.prompts for argument in one.arguments
    )
    if not templates and not arguments:
        return None
    named: Keywords = (
        *((("resources", Name("RESOURCES")),) if server.resources else ()),
        *((("prompts", Name("PROMPTS")),) if server.prompts else ()),
    )
    own = (*(("resources",) if server.resources else ()), *(("prompts",) if server.prompts else ()))
    summary = "The values that clients may suggest to their users"
    call = Call("Completion", (), named)
    return _offered(server, summary, {"completion": ("Completion",)}, "COMPLETION", call, own)


def changes(server: Server) -> Offered | None:
    """What tells of changes, of a server that is to do so."""
    notices = server.offers.notices
    if not notices.changes:
        return None
    writers = {
        name: tuple(_touched(each) for each in touched) for name, touched in notices.writers.items()
    }
    names = ("Changes", "Touched") if writers else ("Changes",)
    is_shared = server.limits.shared
    runtime = f"{server.package}.runtime"
    relay = (imports(f"{runtime}.redis_relay", ("redis_relay",)),) if is_shared else ()
    view = ChangesView(
        package=identifier(server.package),
        summary=docstring(f"Which calls of the {api_name(server)} change which resources"),
        imports=(imports(f"{runtime}.changes", names), *relay),
        writers=literal(
            _mapping(writers), before=len("WRITERS: dict[str, tuple[Touched, ...]] = ")
        ),
        has_writers=bool(writers),
        changes=literal(_changes_call(bool(writers), is_shared), indent=4, before=len("return ")),
    )
    return Offered("changes", "changes", view, asks_settings=True)


def _changes_call(has_writers: bool, is_shared: bool) -> Call:
    """`Changes(RESOURCES, WRITERS, …)`."""
    relay = (("relay", Call("redis_relay", (Name("settings"),))),) if is_shared else ()
    alone = Name("settings.workers == 1 and not settings.several_instances")
    writers: Value = Name("WRITERS") if has_writers else {}
    return Call("Changes", (Name("RESOURCES"), writers), (("alone", alone), *relay))


def log_levels(server: Server) -> Offered | None:
    """What takes the levels of clients' logs, of a server that is to do so."""
    if not server.offers.notices.log:
        return None
    summary = "From which level on clients read what is logged for them"
    names = {"log_level": ("LogLevels",)}
    return _offered(server, summary, names, "LOG_LEVELS", Call("LogLevels"))


def files(server: Server) -> dict[str, Json]:
    """The content of `package/files.json`: the files that are sent as they are, by name."""
    used = {each.file for each in server.resources}
    used |= {message.file for each in server.prompts for message in each.messages}
    return {name: _file(server.offers.files[name]) for name in sorted(used - {""})}


def _file(content: bytes) -> dict[str, Json]:
    """A file as its text, if it is one, else as base64."""
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
    call: Call,
    own: tuple[str, ...] = (),
) -> Offered:
    """The module of one constant; `own` are the modules of the package whose constants it takes."""
    runtime = f"{server.package}.runtime"
    lines: dict[str, tuple[str, ...]] = {
        f"{server.package}.{module}": (module.upper(),) for module in own
    }
    lines |= {f"{runtime}.{module}": every for module, every in names.items()}
    view = OfferView(
        summary=docstring(summary),
        imports=tuple(imports(module, lines[module]) for module in sorted(lines)),
        constant=identifier(constant),
        value=literal(call, before=len(constant) + 3),
    )
    return Offered(constant.lower(), constant, view, template="package/offer.py")


def _suggesting(
    every: tuple[Resource, ...] | list[PromptArgument],
) -> dict[str, tuple[str, ...]]:
    """The import of what suggests values, if some of these need it."""
    found: list[Suggestions] = []
    for each in every:
        if isinstance(each, Resource):
            found += each.complete.values()
        elif each.complete:
            found.append(each.complete)
    kinds = {"Asked" if each.tool else "Given" for each in found}
    return {"suggestions": tuple(sorted(kinds))} if kinds else {}


def _resource(resource: Resource) -> Call:
    said = _said(
        ("title", resource.title),
        ("description", resource.description),
        ("mime_type", resource.mime_type),
        ("tool", resource.tool),
        ("file", resource.file),
        ("size", resource.size),
        ("annotations", dict(resource.annotations)),
        (
            "complete",
            _mapping({name: _suggestions(one) for name, one in resource.complete.items()}),
        ),
    )
    return Call("Resource", (resource.uri, resource.name), said)


def _prompt(prompt: Prompt) -> Call:
    said = _said(
        ("title", prompt.title),
        ("description", prompt.description),
        ("arguments", tuple(_argument(each) for each in prompt.arguments)),
        ("messages", tuple(_message(each) for each in prompt.messages)),
    )
    return Call("Prompt", (prompt.name,), said)


def _argument(argument: PromptArgument) -> Call:
    said = _said(
        ("title", argument.title),
        ("description", argument.description),
        ("required", argument.required),
        ("type", "" if argument.type == "string" else argument.type),
        ("values", argument.values),
        ("complete", _suggestions(argument.complete) if argument.complete else None),
        ("ask", argument.ask),
    )
    return Call("PromptArgument", (argument.name,), said)


def _message(message: Message) -> Call:
    said = _said(
        ("text", message.text),
        ("file", message.file),
        ("mime_type", message.mime_type),
        ("uri", message.uri),
    )
    return Call("Message", (message.role,), said)


def _embeds(message: Message) -> bool:
    return bool(message.uri) and not message.file


def _suggestions(one: Suggestions) -> Call:
    if not one.tool:
        return Call("Given", (one.values,))
    arguments = (dict(one.arguments),) if one.arguments else ()
    return Call("Asked", (one.tool, one.value, *arguments))


def _touched(touched: Touched) -> Call:
    values = (dict(touched.values),) if touched.values else ()
    return Call("Touched", (touched.uri, *values))


def _said(*keywords: tuple[str, Value]) -> Keywords:
    """The keywords whose values differ from their defaults."""
    return tuple(
        (name, value) for name, value in keywords if value not in ("", None, (), {}, False)
    )


def _mapping(values: Mapping[str, Value]) -> Value:
    """A mapping to calls, as it is printed."""
    return dict(values)
