"""Parameters that override method or path are never arguments."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, FlatteningConfig, MethodOverride

KEEP = Config(flattening=FlatteningConfig(method_override=MethodOverride.KEEP))
PLACES = [
    ("header", "X-HTTP-Method-Override"),
    ("header", "X-HTTP-Method"),
    ("header", "x-method-override"),
    ("header", "X_HTTP_METHOD_OVERRIDE"),
    ("header", "X-Original-URL"),
    ("header", "X-Rewrite-URL"),
    ("query", "_method"),
    ("query", "X-HTTP-Method-Override"),
    ("cookie", "_method"),
]


@pytest.mark.parametrize(("place", "name"), PLACES)
def test_parameter_that_overrides_the_request_is_no_argument(
    build: Any, place: str, name: str
) -> None:
    lowering = build.lower_operation(build.parameter(place, name))

    assert lowering.arguments == {}
    (finding,) = [
        diagnostic for diagnostic in lowering.diagnostics if diagnostic.code.id == "MG312"
    ]
    assert "changes the method or path of the request" in finding.message
    assert 'flatten.method_override = "keep"' in finding.message


def test_parameter_that_overrides_the_request_with_one_value_is_not_sent(build: Any) -> None:
    parameter = build.parameter("header", "X-HTTP-Method", {"const": "DELETE"}, required=True)

    assert build.lower_operation(parameter).tool.constants == ()


@pytest.mark.parametrize(("place", "name"), PLACES)
def test_user_may_keep_parameters_that_override_the_request(
    build: Any, place: str, name: str
) -> None:
    lowering = build.lower_operation(build.parameter(place, name), config=KEEP)

    assert [argument.target for argument in lowering.tool.arguments] == [(name,)]
    assert "MG312" not in lowering.codes


@pytest.mark.parametrize("name", ["method", "payment_method", "http_method"])
def test_parameter_of_another_name_is_an_argument(build: Any, name: str) -> None:
    assert list(build.lower_operation(build.parameter("query", name)).arguments) == [name]


@pytest.mark.parametrize(
    "media", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_property_of_a_body_that_overrides_the_method_is_no_argument(
    build: Any, media: str
) -> None:
    text = {"type": "string"}
    schema = {"type": "object", "properties": {"_method": text, "name": text}}

    default_result = build.lower_operation(body=build.body(schema, media))
    with_method = build.lower_operation(body=build.body(schema, media), config=KEEP)

    assert "name" in default_result.arguments
    assert "_method" not in [argument.target[0] for argument in default_result.tool.arguments]
    assert "MG312" in default_result.codes
    assert "_method" in [argument.target[0] for argument in with_method.tool.arguments]


def test_property_of_a_body_with_one_value_is_sent(build: Any) -> None:
    schema = {
        "type": "object",
        "required": ["_method"],
        "properties": {"_method": {"const": "PUT"}, "name": {"type": "string"}},
    }

    lowering = build.of_body(schema)

    assert list(lowering.arguments) == ["name"]
    assert "MG312" not in lowering.codes
