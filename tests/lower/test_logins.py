"""Login operations: a tool would take a password from a model."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import ApiSecurityScheme, SchemeKind, SchemeUse

AT = Location("spec.yaml")
SECURED = ((SchemeUse("o"),),)
TEXT = {"type": "string"}
SECRET = {"type": "string", "format": "password"}


def login_findings(
    build: Any, properties: dict[str, Any], *, url: str = "", **more: Any
) -> list[str]:
    """Returns the findings about a POST with these properties in its form."""
    schema = {"type": "object", "properties": properties, "required": [*properties]}
    form = build.body(schema, "application/x-www-form-urlencoded")
    scheme = ApiSecurityScheme("o", SchemeKind.OAUTH2, AT, password_url=url)
    operation = build.operation(body=form, **{"path": "/token", **more})
    api = build.api(operation, servers=("https://api.example.com/v1",), schemes=(scheme,))
    return [
        diagnostic.message
        for diagnostic in build.lower(api).diagnostics
        if diagnostic.code.id == "MG389"
    ]


@pytest.mark.parametrize(
    "url", ["token", "/token", "/v1/token", "https://api.example.com/v1/token"]
)
def test_the_token_endpoint_of_a_scheme_logs_in(build: Any, url: str) -> None:
    (message,) = login_findings(build, {"name": TEXT, "password": TEXT}, url=url, security=SECURED)

    assert message == "`POST /token` is a login: its tool takes `password` from the model"


@pytest.mark.parametrize(
    ("properties", "secrets"),
    [
        ({"grant_type": TEXT, "refresh_token": TEXT, "client_secret": TEXT}, 2),
        ({"email": TEXT, "password": TEXT}, 1),
        ({"userName": TEXT, "passWord": TEXT}, 1),
        ({"pin": SECRET}, 1),
    ],
)
def test_a_form_with_a_secret_and_without_a_credential_logs_in(
    build: Any, properties: dict[str, Any], secrets: int
) -> None:
    (message,) = login_findings(build, properties)

    assert message.partition("takes")[2].count("`") == 2 * secrets


@pytest.mark.parametrize(
    ("properties", "more"),
    [
        ({"email": TEXT, "password": TEXT}, {"security": SECURED}),
        ({"pin": SECRET}, {"security": SECURED}),
        ({"document": TEXT, "password": TEXT}, {}),
        ({"email": TEXT, "password": {"type": "boolean"}}, {}),
        ({"email": TEXT}, {}),
    ],
)
def test_an_operation_that_sets_a_password_or_takes_none_is_no_login(
    build: Any, properties: dict[str, Any], more: dict[str, Any]
) -> None:
    assert login_findings(build, properties, **more) == []
