"""Servers made by hand, for the tests of `emit`."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics import Location
from mcpgen.ir.api import ApiSecurityScheme, Place, SchemeKind, Style
from mcpgen.ir.server import (
    ArgumentSpec,
    BodyPlan,
    ConstantSpec,
    ExpectedRequest,
    HintsSpec,
    MissingTool,
    RouteSpec,
    Server,
    StubResponse,
    TextForm,
    ToolScenario,
    ToolSpec,
)
from mcpgen.ir.source import Json

AT = Location("spec.yaml", ("paths",))


def argument(
    name: str, schema: dict[str, Json], place: Place = Place.QUERY, **more: object
) -> ArgumentSpec:
    """Returns an argument whose target is the argument's name."""
    argument_spec = ArgumentSpec(name, schema, False, place, (name,), AT)
    return replace(argument_spec, **more)  # type: ignore[arg-type]


def tool(name: str, *arguments: ArgumentSpec, **more: object) -> ToolSpec:
    """Returns a tool that reads."""
    tool_spec = ToolSpec(
        name=name,
        module=name,
        title=name.replace("_", " ").capitalize(),
        description=f"What `{name}` does.",
        arguments=arguments,
        constants=(),
        route=RouteSpec("GET", f"/{name}", ()),
        hints=HintsSpec(True, False, True, True),
        operation=f"GET /{name}",
        at=AT,
    )
    return replace(tool_spec, **more)  # type: ignore[arg-type]


def server(*tools: ToolSpec, **more: object) -> Server:
    """Returns a server of these tools."""
    result = Server(
        slug="pets",
        package="pets_mcp",
        title="Pets",
        version="1.2.0",
        instructions="Pets of a small shop.",
        upstream="https://pets.example.com/v1",
        tools=tools,
        security_schemes=(),
        definitions={},
    )
    return replace(result, **more)  # type: ignore[arg-type]


PET_ID = argument(
    "pet_id",
    {"type": "integer", "minimum": 1, "description": "Id of the pet. At least 1."},
    Place.PATH,
    required=True,
    target=("petId",),
    style=Style.SIMPLE,
)

GET_PET = tool(
    "get_pet",
    PET_ID,
    argument(
        "fields",
        {
            "type": "array",
            "items": {"type": "string", "enum": ["name", "price", "photo"]},
            "description": "Fields to return, all if left out.",
        },
        style=Style.FORM,
        explode=True,
    ),
    title="Read a pet",
    description="Returns one pet with the fields asked for.",
    route=RouteSpec("GET", "/pets/{petId}", ((),)),
    operation="GET /pets/{petId}",
    output={"type": "object", "properties": {"name": {"type": "string"}}},
    scenarios=(
        ToolScenario(
            "required_only",
            {"pet_id": 7},
            ExpectedRequest("GET", "/pets/7", {}, {}),
            StubResponse(200, "application/json", {"name": "Rex"}),
        ),
        ToolScenario(
            "everything",
            {"pet_id": 7, "fields": ["name", "price"]},
            ExpectedRequest("GET", "/pets/7?fields=name&fields=price", {}, {}),
            StubResponse(200, "application/json", {"name": "Rex"}),
        ),
    ),
)

UPDATE_PET = tool(
    "update_pet",
    PET_ID,
    argument(
        "x_request_id",
        {"type": "string", "description": "Id to find the request by."},
        Place.HEADER,
        target=("X-Request-Id",),
        style=Style.SIMPLE,
    ),
    argument(
        "shop",
        {"type": "string", "description": "The shop."},
        Place.COOKIE,
        style=Style.FORM,
    ),
    argument(
        "name",
        {"type": "string", "minLength": 1, "description": "Name. At least 1 character."},
        Place.BODY,
        required=True,
    ),
    argument(
        "price", {"type": "number", "minimum": 0, "description": "Price in euro."}, Place.BODY
    ),
    argument(
        "address_street",
        {"type": "string", "description": "Street of the address."},
        Place.BODY,
        target=("address", "street"),
    ),
    argument(
        "visits",
        {"type": "string", "description": "Visits. JSON: `[{vet: string, cost?: number}]`"},
        Place.BODY,
        text=TextForm.JSON,
        check={"type": "array", "items": {"$ref": "#/$defs/Visit"}},
    ),
    argument(
        "null_fields",
        {
            "type": "array",
            "items": {"type": "string", "enum": ["price"]},
            "description": "Fields to set to null.",
        },
        Place.BODY,
        target=(),
        nulls={"price": ("price",)},
    ),
    title="Update a pet",
    description="Changes name, address, price or visits of a pet that exists. " * 3,
    route=RouteSpec(
        "PUT",
        "/pets/{petId}",
        (("api_key",), ("oauth",)),
        body=BodyPlan("application/json", True, {"$ref": "#/$defs/PetChange"}),
    ),
    hints=HintsSpec(False, True, True, True),
    operation="PUT /pets/{petId}",
    constants=(ConstantSpec(Place.BODY, ("kind",), "pet"),),
    definitions=("PetChange", "Visit"),
    scenarios=(
        ToolScenario(
            "required_only",
            {"pet_id": 7, "name": "Rex"},
            ExpectedRequest(
                "PUT", "/pets/7", {}, {}, {"name": "Rex", "kind": "pet"}, "application/json"
            ),
            StubResponse(200, "application/json", None),
        ),
        ToolScenario(
            "everything",
            {
                "pet_id": 7,
                "x_request_id": "abc",
                "shop": "ghent",
                "name": "Rex",
                "address_street": "Main Street 1",
                "visits": '[{"vet": "Jo", "cost": 12.5}]',
                "null_fields": ["price"],
            },
            ExpectedRequest(
                "PUT",
                "/pets/7",
                {"X-Request-Id": "abc"},
                {"shop": "ghent"},
                {
                    "name": "Rex",
                    "kind": "pet",
                    "price": None,
                    "address": {"street": "Main Street 1"},
                    "visits": [{"vet": "Jo", "cost": 12.5}],
                },
                "application/json",
            ),
            StubResponse(200, "application/json", None),
        ),
    ),
)

SEND_FORM = tool(
    "send_form",
    argument("note", {"type": "string", "description": "A note."}, Place.BODY),
    route=RouteSpec(
        "POST", "/notes", ((),), body=BodyPlan("application/x-www-form-urlencoded", False)
    ),
    hints=HintsSpec(False, False, False, True),
    operation="POST /notes",
    scenarios=(
        ToolScenario(
            "required_only",
            {},
            ExpectedRequest("POST", "/notes", {}, {}),
            StubResponse(204, "", None),
        ),
        ToolScenario(
            "everything",
            {"note": "a & b"},
            ExpectedRequest(
                "POST",
                "/notes",
                {},
                {},
                (("note", "a & b"),),
                "application/x-www-form-urlencoded",
            ),
            StubResponse(204, "", None),
        ),
    ),
)

LIST_PETS = tool("list_pets", title="List the pets", route=RouteSpec("GET", "/pets", ()))

PETS = server(
    LIST_PETS,
    GET_PET,
    UPDATE_PET,
    SEND_FORM,
    security_schemes=(
        ApiSecurityScheme("api_key", SchemeKind.API_KEY, AT, Place.HEADER, "X-Api-Key"),
        ApiSecurityScheme(
            "oauth", SchemeKind.OAUTH2, AT, token_url="https://pets.example.com/token"
        ),
        ApiSecurityScheme("Basic Auth", SchemeKind.BASIC, AT),
        ApiSecurityScheme("mtls", SchemeKind.MUTUAL_TLS, AT),
    ),
    definitions={
        "Unused": {"type": "null"},
        "PetChange": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "kind": {"const": "pet"},
                "price": {"type": ["number", "null"], "minimum": 0},
                "address": {"type": "object", "properties": {"street": {"type": "string"}}},
                "visits": {"type": "array", "items": {"$ref": "#/$defs/Visit"}},
            },
        },
        "Visit": {
            "type": "object",
            "required": ["vet"],
            "properties": {"vet": {"type": "string"}, "cost": {"type": "number"}},
        },
    },
    missing=(MissingTool("GET /odd", "Its body has no schema.", AT),),
)
