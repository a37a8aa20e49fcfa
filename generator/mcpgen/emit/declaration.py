"""A tool's declaration, as the calls that stand in its module."""

from __future__ import annotations

from mcpgen.emit.code import Code, literal
from mcpgen.emit.literal import Call, Value
from mcpgen.ir.server import (
    Argument,
    BodyPlan,
    Constant,
    Element,
    Hints,
    Page,
    Part,
    Route,
    Tool,
    XmlNode,
)
from mcpgen.ir.source import Json


def route_call(route: Route) -> Call:
    """`Route(method, path, …)`."""
    return Call(
        "Route",
        (route.method, route.path),
        _said(
            ("security", route.security),
            ("accept", route.accept if route.accept != "application/json" else ""),
            ("base_url", route.base_url),
            ("body", _body_call(route.body) if route.body else None),
            ("trusted", route.trusted),
        ),
    )


def own_tool(tool: Tool, before: int) -> Code:
    """A tool of the server's own as one call, on a line with so many characters before it."""
    call = Call(
        "Tool",
        (),
        (
            ("name", tool.name),
            ("title", tool.title),
            ("description", tool.description),
            ("route", None),
            ("hints", hints_call(tool.hints)),
            ("arguments", tuple(argument_call(argument) for argument in tool.arguments)),
        ),
    )
    return literal(call, before=before)


def hints_call(hints: Hints) -> Call:
    """`Hints(read_only=…, …)`; the open world is what a tool has, and all hints are announced, unless
    said otherwise."""
    open_world = () if hints.open_world else (("open_world", False),)
    brief = (("brief", True),) if hints.brief else ()
    return Call(
        "Hints",
        (),
        (
            ("read_only", hints.read_only),
            ("destructive", hints.destructive),
            ("idempotent", hints.idempotent),
            *open_world,
            *brief,
        ),
    )


def argument_call(argument: Argument) -> Call:
    """`Argument(name, place, schema, …)` with what differs from the defaults."""
    target = argument.target
    return Call(
        "Argument",
        (argument.name, str(argument.place), dict(argument.schema)),
        (
            *_said(("required", argument.required)),
            *(() if target == (argument.name,) else (("to", target),)),
            *_said(
                ("style", str(argument.style or "")),
                ("explode", argument.explode),
                ("reserved", argument.allow_reserved),
                ("rows", str(argument.rows or "")),
                ("content", argument.content),
                ("text", str(argument.text or "")),
            ),
            *_checked(argument.check),
            *_said(
                ("nulls", dict(argument.nulls)),
                ("empties", dict(argument.empties)),
                ("spread", argument.spread),
                ("also", argument.also),
                ("hidden", argument.hidden),
            ),
        ),
    )


def constant_call(constant: Constant) -> Call:
    """`Constant(place, to, value, …)`."""
    return Call(
        "Constant",
        (str(constant.place), constant.target, constant.value),
        _said(("style", str(constant.style or "")), ("explode", constant.explode)),
    )


def page_call(page: Page) -> Call:
    """`Page(…)` with what differs from the defaults."""
    return Call(
        "Page",
        (),
        _said(("bytes", page.bytes), ("items", page.items), ("cursor", page.cursor)),
    )


def callees(tool: Tool) -> tuple[str, ...]:
    """The names a tool's module imports from the runtime."""
    body = tool.route.body if tool.route else None
    return (
        "Tool",
        *(("Route",) if tool.route else ()),
        "Hints",
        *(("Argument",) if tool.arguments or tool.bound else ()),
        *(("Constant",) if tool.constants else ()),
        *(("Page",) if tool.page else ()),
        *(("Body",) if body else ()),
        *(("Part",) if body and body.parts else ()),
        *(("Element",) if body and _has_shapes(body) else ()),
    )


def _has_shapes(body: BodyPlan) -> bool:
    return bool(body.xml) or any(part.xml for part in body.parts.values())


def _body_call(body: BodyPlan) -> Call:
    """`Body(media_type, …)`."""
    return Call(
        "Body",
        (body.media_type,),
        (
            *_said(("required", body.required)),
            *_checked(body.check),
            *_said(
                ("parts", {name: _part_call(part) for name, part in body.parts.items()}),
                ("xml", {name: _element_call(shape) for name, shape in body.xml.items()}),
            ),
        ),
    )


def _part_call(part: Part) -> Call:
    """`Part(media_type, …)`."""
    return Call(
        "Part",
        (part.media_type,) if part.media_type else (),
        _said(
            ("base64", part.base64),
            ("needs", part.needs),
            ("xml", _element_call(part.xml) if part.xml else None),
        ),
    )


def _element_call(shape: Element) -> Call:
    """`Element(name, …)`."""
    return Call(
        "Element",
        (shape.name,) if shape.name else (),
        _said(
            ("node", str(shape.node) if shape.node is not XmlNode.ELEMENT else ""),
            ("namespace", shape.namespace),
            ("fields", {name: _element_call(each) for name, each in shape.fields.items()}),
            ("other", _element_call(shape.other) if shape.other else None),
            ("each", _element_call(shape.each) if shape.each else None),
            ("wrapped", shape.wrapped),
            ("like", shape.like),
        ),
    )


def _said(*keywords: tuple[str, Value]) -> tuple[tuple[str, Value], ...]:
    """The keywords whose value is not what the runtime assumes."""
    return tuple(keyword for keyword in keywords if keyword[1])


def _checked(schema: Json) -> tuple[tuple[str, Value], ...]:
    """The keyword `check`, also for the schema `False`, which nothing meets."""
    return () if schema is None else (("check", schema),)
