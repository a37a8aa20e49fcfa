"""Scenarios and runtime serialize generated values identically."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import canonicalize

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.thorough import examples

sys.path.insert(0, str(Path(__file__).parents[2]))

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import ArgumentSpec, ElementSpec, RouteSpec, XmlNode
from mcpgen.lower.scenarios.expected_request import expected_request
from mcpgen.lower.scenarios.wire_values import canonical, is_ambiguous
from mcpgen_runtime import tool as runtime
from mcpgen_runtime.tool_parts import Element
from mcpgen_runtime.upstream.exchange import InvalidArguments
from mcpgen_runtime.upstream.request_builder import RequestBuilder, map_arguments
from mcpgen_runtime.upstream.xml import xml_document

LETTERS = st.text("ab .,;|=&/%[]~\t\u00fc\u96ea\"'<>", min_size=1, max_size=5)
LEAVES = LETTERS | st.integers() | st.booleans() | st.floats(-9, 9)
VALUES: st.SearchStrategy[Any] = st.one_of(
    LEAVES,
    st.lists(LEAVES, min_size=1, max_size=3),
    st.dictionaries(LETTERS, LEAVES, min_size=1, max_size=3),
)
STYLES = {
    Place.PATH: (Style.SIMPLE, Style.LABEL, Style.MATRIX),
    Place.QUERY: (Style.FORM, Style.SPACE, Style.PIPE, Style.DEEP_OBJECT),
}
SHAPED = st.sampled_from([(place, style) for place in STYLES for style in STYLES[place]])


@settings(max_examples=examples(120, 300), deadline=None)
@given(shape=SHAPED, explode=st.booleans(), reserved=st.booleans(), value=VALUES)
def test_parameters_travel_as_expected(
    shape: tuple[Place, Style], explode: bool, reserved: bool, value: Any
) -> None:
    place, style = shape
    argument = ArgumentSpec(
        "p", {}, True, place, ("p",), Location("x"), style, explode, allow_reserved=reserved
    )
    path = "/x/{p}" if place is Place.PATH else "/x"
    runtime_argument = runtime.Argument(
        "p", place.value, {}, True, style=style, explode=explode, reserved=reserved
    )
    route = runtime.Route("GET", path)
    tool = runtime.Tool("t", "", "", route, runtime.Hints(True, False, True), (runtime_argument,))

    expected = expected_request(
        RouteSpec("GET", path, ()), (argument,), (), {**{p: {} for p in Place}, place: {"p": value}}
    )
    try:
        request = RequestBuilder(tool, route).request(map_arguments(tool, {"p": value}))
    except InvalidArguments as error:
        climbs = place is Place.PATH and ("control" in str(error) or "segment" in str(error))
        assert climbs or is_ambiguous(place, style, explode, value, reserved)
        return

    assert not is_ambiguous(place, style, explode, value, reserved)
    assert request.path + (f"?{request.query}" if request.query else "") == expected.target


NAMES = st.sampled_from(["a", "b", "p:c", "d"])


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> ElementSpec:
    """Draws shapes in the form made by lowering: every prefix with a namespace."""
    name = draw(NAMES)
    space = "urn:p" if ":" in name else draw(st.sampled_from(["", "urn:x"]))
    kinds = ["scalar", "array", "object"] if depth < 3 else ["scalar"]
    kind = "object" if depth == 0 else draw(st.sampled_from(kinds))
    if kind == "scalar":
        node = draw(st.sampled_from(list(XmlNode)))
        assume(node is not XmlNode.ATTRIBUTE or bool(space) is (":" in name))
        return ElementSpec(name, node, space)
    if kind == "array":
        element_spec = draw(elements(depth + 1))
        assume(element_spec.node is not XmlNode.ATTRIBUTE)
        return ElementSpec(name, namespace=space, each=element_spec, wrapped=True)
    fields = draw(
        st.dictionaries(st.sampled_from(["k", "l", "m"]), elements(depth + 1), max_size=3)
    )
    attributes = [f.name for f in fields.values() if f.node is XmlNode.ATTRIBUTE]
    assume(len(set(attributes)) == len(attributes))
    return ElementSpec(name, namespace=space, fields=fields)


def values(shape: ElementSpec) -> st.SearchStrategy[Any]:
    """Draws values of a shape."""
    if shape.each is not None:
        return st.lists(values(shape.each), max_size=2)
    if shape.fields:
        return st.fixed_dictionaries({}, optional={k: values(f) for k, f in shape.fields.items()})
    return LETTERS | st.integers() | st.booleans()


def copied(shape: ElementSpec) -> Element:
    """Returns the same shape as a runtime object."""
    return Element(
        shape.name,
        shape.node.value,
        shape.namespace,
        {key: copied(element_spec) for key, element_spec in shape.fields.items()},
        each=copied(shape.each) if shape.each else None,
        wrapped=shape.wrapped,
    )


@settings(max_examples=examples(80, 200), deadline=None)
@given(document=elements().flatmap(lambda shape: st.tuples(st.just(shape), values(shape))))
def test_documents_travel_as_expected(document: tuple[ElementSpec, Any]) -> None:
    shape, value = document

    content = xml_document({}, copied(shape), value, "application/xml")

    assert canonicalize(content.decode()) == canonical({"": shape}, value)
