"""A tool's declaration, as the calls that stand in its module."""

from __future__ import annotations

from mcpgen.emit.literal import Call, Value
from mcpgen.ir.server import Argument, BodyPlan, Constant, Hints, Route, Tool
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
        ),
    )


def hints_call(hints: Hints) -> Call:
    """`Hints(read_only=…, …)`; the open world is what a tool has unless said otherwise."""
    open_world = () if hints.open_world else (("open_world", False),)
    return Call(
        "Hints",
        (),
        (
            ("read_only", hints.read_only),
            ("destructive", hints.destructive),
            ("idempotent", hints.idempotent),
            *open_world,
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
                ("content", argument.content),
                ("text", str(argument.text or "")),
            ),
            *_checked(argument.check),
            *_said(("nulls", dict(argument.nulls))),
        ),
    )


def constant_call(constant: Constant) -> Call:
    """`Constant(place, to, value, …)`."""
    return Call(
        "Constant",
        (str(constant.place), constant.target, constant.value),
        _said(("style", str(constant.style or "")), ("explode", constant.explode)),
    )


def callees(tool: Tool) -> tuple[str, ...]:
    """The names a tool's module imports from the runtime."""
    return (
        "Tool",
        "Route",
        "Hints",
        *(("Argument",) if tool.arguments else ()),
        *(("Constant",) if tool.constants else ()),
        *(("Body",) if tool.route.body else ()),
    )


def _body_call(body: BodyPlan) -> Call:
    """`Body(media_type, …)`."""
    return Call(
        "Body",
        (body.media_type,),
        (
            *_said(("required", body.required)),
            *_checked(body.check),
            *_said(("part_types", dict(body.part_types))),
        ),
    )


def _said(*keywords: tuple[str, Value]) -> tuple[tuple[str, Value], ...]:
    """The keywords whose value is not what the runtime assumes."""
    return tuple(keyword for keyword in keywords if keyword[1])


def _checked(schema: Json) -> tuple[tuple[str, Value], ...]:
    """The keyword `check`, also for the schema `False`, which nothing meets."""
    return () if schema is None else (("check", schema),)
