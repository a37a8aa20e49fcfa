"""Builder of small API descriptions, and the rules of flat announced schemas."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from tests.runtime_harness import InvalidArguments, UpstreamRequest

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import (
    ApiDescription,
    ApiSecurityScheme,
    ApiServer,
    MediaType,
    Operation,
    Parameter,
    Place,
    PropertyEncoding,
    RequestBody,
    Response,
    Schema,
    Style,
)
from mcpgen.ir.server import ArgumentSpec, RouteSpec, Server, ToolSpec
from mcpgen.ir.source import Dialect
from mcpgen.lower import lower
from tests import runtime_harness

AT = Location("spec.yaml")
STYLES = {
    Place.PATH: Style.SIMPLE,
    Place.QUERY: Style.FORM,
    Place.HEADER: Style.SIMPLE,
    Place.COOKIE: Style.FORM,
}


@dataclass
class Lowered:
    """Lowered API: the server, the diagnostics, and shortcuts to parts."""

    server: Server
    diagnostics: Diagnostics

    @property
    def tool(self) -> ToolSpec:
        return self.server.tools[0]

    @property
    def route(self) -> RouteSpec:
        assert self.tool.route is not None
        return self.tool.route

    @property
    def arguments(self) -> dict[str, ArgumentSpec]:
        return {argument.name: argument for argument in self.tool.arguments}

    @property
    def codes(self) -> set[str]:
        return {finding.code.id for finding in self.diagnostics}

    def scenario(self, name: str) -> Any:
        return next(scenario for scenario in self.tool.scenarios if scenario.name == name)


@dataclass
class Builder:
    """Builds values of `ir.api` with defaults for everything a test does not set."""

    config: Config = field(default_factory=Config)

    def parameter(self, place: str, name: str, schema: Any = None, **fields: Any) -> Parameter:
        parameter_place = Place(place)
        style = Style(fields.pop("style", STYLES[parameter_place]))
        parameter = Parameter(
            name=name,
            place=parameter_place,
            schema=Schema({"type": "string"} if schema is None else schema, AT / name),
            required=parameter_place is Place.PATH,
            at=AT / name,
            style=style,
            explode=style in (Style.FORM, Style.DEEP_OBJECT),
        )
        return replace(parameter, **fields)

    def body(
        self,
        schema: Any,
        media: str = "application/json",
        *,
        required: bool = True,
        encodings: tuple[PropertyEncoding, ...] = (),
        examples: tuple[Any, ...] = (),
    ) -> RequestBody:
        location = AT / "body"
        body_schema = None if schema is None else Schema(schema, location)
        return RequestBody(
            required, (MediaType(media, body_schema, location, encodings, examples),), location
        )

    def response(
        self, schema: Any, status: str = "200", media: str = "application/json", *examples: Any
    ) -> Response:
        location = AT / "responses" / status
        media_type = MediaType(media, Schema(schema, location), location, examples=examples)
        return Response(status, "", (media_type,), location)

    def operation(self, *parameters: Parameter, **fields: Any) -> Operation:
        path = "/things" + "".join(f"/{{{p.name}}}" for p in parameters if p.place is Place.PATH)
        operation = Operation(
            id="doThing",
            method="POST" if "body" in fields else "GET",
            path=path,
            parameters=parameters,
            body=None,
            responses=(),
            security=(),
            servers=(),
            at=AT / "paths" / fields.get("path", path) / fields.get("method", "get").lower(),
        )
        return replace(operation, **fields)

    def api(
        self,
        *operations: Operation,
        definitions: Mapping[str, Any] | None = None,
        schemes: tuple[ApiSecurityScheme, ...] = (),
        servers: tuple[str, ...] = ("https://api.example.com",),
        **fields: Any,
    ) -> ApiDescription:
        api_description = ApiDescription(
            title="Things",
            version="1.0",
            description="",
            dialect=Dialect.OPENAPI_3_1,
            servers=tuple(ApiServer(url, AT / "servers") for url in servers),
            operations=operations,
            definitions={
                name: Schema(json, AT / "schemas" / name)
                for name, json in (definitions or {}).items()
            },
            security_schemes={scheme.id: scheme for scheme in schemes},
            at=AT,
        )
        return replace(api_description, **fields)

    def lower(self, api: ApiDescription, config: Config | None = None) -> Lowered:
        diagnostics = Diagnostics()
        return Lowered(lower(api, config or self.config, diagnostics), diagnostics)

    def lower_operation(
        self,
        *parameters: Parameter,
        body: RequestBody | None = None,
        definitions: Mapping[str, Any] | None = None,
        config: Config | None = None,
        schemes: tuple[ApiSecurityScheme, ...] = (),
        **fields: Any,
    ) -> Lowered:
        """Returns the server of one operation."""
        if body is not None:
            fields["body"] = body
        operation = self.operation(*parameters, **fields)
        return self.lower(self.api(operation, definitions=definitions, schemes=schemes), config)

    def of_body(self, schema: Any, **fields: Any) -> Lowered:
        """Returns the server of one operation with a required JSON body."""
        return self.lower_operation(body=self.body(schema), **fields)


def request_of(lowering: Lowered, arguments: Mapping[str, Any]) -> UpstreamRequest:
    """Returns the request that the generated server sends for a call. Raises `InvalidArguments`."""
    return runtime_harness.build_request(lowering.server, arguments)


@pytest.fixture(scope="session")
def build_request() -> Callable[[Lowered, Mapping[str, Any]], UpstreamRequest]:
    """Function from a call to the sent request."""
    return request_of


@pytest.fixture(scope="session")
def problems_of() -> Callable[[Lowered, Mapping[str, Any]], list[str]]:
    """Returns a function that gives the problems of an invalid call."""

    def problems(lowering: Lowered, arguments: Mapping[str, Any]) -> list[str]:
        with pytest.raises(InvalidArguments) as error:
            request_of(lowering, arguments)
        return list(error.value.problems)

    return problems


@pytest.fixture(scope="session")
def build() -> Builder:
    """Builder of `ir.api` values."""
    return Builder()


LEGAL_ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
SCALAR_TYPES = ("string", "integer", "number", "boolean")
FORBIDDEN_KEYWORDS = {
    "$ref",
    "$defs",
    "const",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "if",
    "nullable",
    "prefixItems",
    "properties",
    "patternProperties",
    "additionalProperties",
}


def flat_faults(tool: ToolSpec) -> list[str]:
    """Returns the violations of the rules of flat schemas in a tool."""
    schema = tool.input_schema
    faults = [
        key
        for key in schema
        if key not in ("type", "properties", "required", "additionalProperties")
    ]
    if schema["additionalProperties"] is not False or schema["type"] != "object":
        faults.append("root")
    if len({argument.name for argument in tool.arguments}) < len(tool.arguments):
        faults.append("a name twice")
    for name, part in schema["properties"].items():
        if not LEGAL_ARGUMENT.fullmatch(name):
            faults.append(f"{name}: illegal")
        if not part.get("description", "").strip() or len(part["description"]) > 1024:
            faults.append(f"{name}: description")
        faults += [f"{name}: {fault}" for fault in _scalar_faults(part, arrays=True)]
    return faults


def _scalar_faults(schema: Mapping[str, Any], *, arrays: bool) -> list[str]:
    faults = sorted(FORBIDDEN_KEYWORDS & schema.keys())
    kind = schema.get("type")
    if kind == "array" and arrays:
        if "items" not in schema:
            return [*faults, "items"]
        return faults + _scalar_faults(schema["items"], arrays=False)
    if kind not in SCALAR_TYPES:
        faults.append(f"type {kind}")
    values = schema.get("enum", ["x"])
    if not values or not all(isinstance(value, str) and value for value in values):
        faults.append("enum")
    if "enum" in schema and kind != "string":
        faults.append("enum of no strings")
    return faults


@pytest.fixture(scope="session")
def faults_of() -> Callable[[ToolSpec], list[str]]:
    """Checker of flat schemas."""
    return flat_faults
