"""A tool's declaration, as the calls in the tool's module."""

from __future__ import annotations

from mcpgen.emit.code import SourceText, literal
from mcpgen.emit.literal import CallExpr, Value
from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import (
    ArgumentSpec,
    BodyPlan,
    ConstantSpec,
    ElementSpec,
    HintsSpec,
    PageSpec,
    PartSpec,
    RouteSpec,
    ToolSpec,
    XmlNode,
)
from mcpgen.ir.source import Json

SCALARS = frozenset(("string", "integer", "number", "boolean"))


def route_call(route: RouteSpec) -> CallExpr:
    """`Route(method, path, …)`."""
    return CallExpr(
        "Route",
        (route.method, route.path),
        _declared_keywords(
            ("security", route.security),
            ("accept", route.accept if route.accept != "application/json" else ""),
            ("base_url", route.base_url),
            ("body", _body_call(route.body) if route.body else None),
            ("trusted", route.trusted),
        ),
    )


def builtin_tool_call(tool: ToolSpec, before: int) -> SourceText:
    """A built-in tool as a call, on a line with `before` characters in front of the call."""
    call = CallExpr(
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


def hints_call(hints: HintsSpec) -> CallExpr:
    """`Hints(read_only=…, …)`. Keywords equal to the runtime's defaults (open world, all hints
    announced) are left out."""
    open_world = () if hints.open_world else (("open_world", False),)
    brief = (("brief", True),) if hints.brief else ()
    return CallExpr(
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


def argument_call(argument: ArgumentSpec) -> CallExpr:
    """`Argument(name, place, schema, …)`, without keywords equal to the runtime's defaults."""
    target = argument.target
    return CallExpr(
        "Argument",
        (argument.name, str(argument.place), dict(argument.schema)),
        (
            *_declared_keywords(("required", argument.required)),
            *(() if target == (argument.name,) else (("to", target),)),
            *_declared_keywords(
                *_style_keywords(argument.place, argument.style),
                ("explode", argument.explode and not _is_sent_whole(argument)),
                ("reserved", argument.allow_reserved),
                ("rows", str(argument.rows or "")),
                ("content", argument.content),
                ("text", str(argument.text or "")),
            ),
            *_check_keyword(argument.check),
            *_declared_keywords(
                ("nulls", dict(argument.nulls)),
                ("empties", dict(argument.empties)),
                ("spread", argument.spread),
                ("also", argument.also),
                ("hidden", argument.hidden),
            ),
        ),
    )


def constant_call(constant: ConstantSpec) -> CallExpr:
    """`Constant(place, to, value, …)`."""
    return CallExpr(
        "Constant",
        (str(constant.place), constant.target, constant.value),
        _declared_keywords(
            *_style_keywords(constant.place, constant.style), ("explode", constant.explode)
        ),
    )


_DEFAULT_STYLES = {
    Place.PATH: Style.SIMPLE,
    Place.QUERY: Style.FORM,
    Place.HEADER: Style.SIMPLE,
    Place.COOKIE: Style.FORM,
}
"""The style of a parameter without `style`: https://spec.openapis.org/oas/v3.1.1.html#parameter-object"""


def _style_keywords(place: Place, style: Style | None) -> tuple[tuple[str, Value], ...]:
    return () if style in (None, _DEFAULT_STYLES.get(place)) else (("style", str(style)),)


def _is_sent_whole(argument: ArgumentSpec) -> bool:
    """True for a parameter of one scalar value, which `explode` does not change."""
    kind = argument.schema.get("type")
    return (
        argument.place in _DEFAULT_STYLES
        and len(argument.target) == 1
        and isinstance(kind, str)
        and SCALARS.issuperset((kind, *argument.also))
        and not (argument.text or argument.spread)
    )


def page_call(page: PageSpec) -> CallExpr:
    """`Page(…)`, without keywords equal to the runtime's defaults."""
    return CallExpr(
        "Page",
        (),
        _declared_keywords(("bytes", page.bytes), ("items", page.items), ("cursor", page.cursor)),
    )


def callees(tool: ToolSpec) -> tuple[str, ...]:
    """The names a tool's module imports from the runtime's module `tool`. Each name occurs once."""
    return (
        "Tool",
        *(("Route",) if tool.route else ()),
        "Hints",
        *(("Argument",) if tool.arguments or tool.bound else ()),
        *(("Body",) if tool.route and tool.route.body else ()),
    )


def part_callees(tool: ToolSpec) -> tuple[str, ...]:
    """The names a tool's module imports from the runtime's module `tool_parts`. `()` for a tool
    without parts."""
    body = tool.route.body if tool.route else None
    return (
        *(("Constant",) if tool.constants else ()),
        *(("Page",) if tool.page else ()),
        *(("Part",) if body and body.parts else ()),
        *(("Element",) if body and _has_shapes(body) else ()),
    )


def _has_shapes(body: BodyPlan) -> bool:
    return bool(body.xml) or any(part.xml for part in body.parts.values())


def _body_call(body: BodyPlan) -> CallExpr:
    """`Body(media_type, …)`."""
    return CallExpr(
        "Body",
        (body.media_type,),
        (
            *_declared_keywords(("required", body.required)),
            *_check_keyword(body.check),
            *_declared_keywords(
                ("parts", {name: _part_call(part) for name, part in body.parts.items()}),
                ("xml", {name: _element_call(shape) for name, shape in body.xml.items()}),
            ),
        ),
    )


def _part_call(part: PartSpec) -> CallExpr:
    """`Part(media_type, …)`."""
    return CallExpr(
        "Part",
        (part.media_type,) if part.media_type else (),
        _declared_keywords(
            ("base64", part.base64),
            ("needs", part.needs),
            ("xml", _element_call(part.xml) if part.xml else None),
        ),
    )


def _element_call(shape: ElementSpec) -> CallExpr:
    """`Element(name, …)`."""
    return CallExpr(
        "Element",
        (shape.name,) if shape.name else (),
        _declared_keywords(
            ("node", str(shape.node) if shape.node is not XmlNode.ELEMENT else ""),
            ("namespace", shape.namespace),
            ("fields", {name: _element_call(element) for name, element in shape.fields.items()}),
            ("other", _element_call(shape.other) if shape.other else None),
            ("each", _element_call(shape.each) if shape.each else None),
            ("wrapped", shape.wrapped),
            ("like", shape.like),
        ),
    )


def _declared_keywords(*keywords: tuple[str, Value]) -> tuple[tuple[str, Value], ...]:
    """The keywords with values other than the runtime's defaults."""
    return tuple(keyword for keyword in keywords if keyword[1])


def _check_keyword(schema: Json) -> tuple[tuple[str, Value], ...]:
    """The keyword `check`. The schema `False`, which rejects every value, is kept."""
    return () if schema is None else (("check", schema),)
