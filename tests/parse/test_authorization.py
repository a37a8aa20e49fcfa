"""Credentials described as header parameters."""

import pytest

from mcpgen.ir.api import Place, SchemeKind, SchemeUse

PARAMETER = {"name": "authorization", "in": "header", "required": True, "description": "Bearer."}


def test_an_authorization_header_without_a_scheme_is_a_credential_of_the_server(
    parse_document, document
):
    result = parse_document(document({"parameters": [PARAMETER | {"schema": {"type": "string"}}]}))

    scheme = result.api.security_schemes["Authorization"]
    assert (scheme.kind, scheme.place, scheme.name) == (
        SchemeKind.API_KEY,
        Place.HEADER,
        "Authorization",
    )
    assert scheme.description == "Bearer."
    assert result.operation.security == ((SchemeUse("Authorization"),),)
    assert result.operation.parameters == ()
    assert result.names == ["assumed-credential"]


def test_the_same_holds_in_swagger_2(parse_document, swagger):
    result = parse_document(swagger({"parameters": [PARAMETER | {"type": "string"}]}))

    assert result.operation.security == ((SchemeUse("Authorization"),),)
    assert result.names == ["assumed-credential"]


def test_a_credential_that_is_not_required_may_be_missing(parse_document, document):
    parameter = PARAMETER | {"required": False, "schema": {"type": "string"}}

    result = parse_document(document({"parameters": [parameter]}))

    assert result.operation.security == ((SchemeUse("Authorization"),), ())


@pytest.mark.parametrize("id_", ["key", "Authorization"])
def test_a_security_of_the_operation_wins_over_the_header(parse_document, document, id_):
    schemes = {id_: {"type": "http", "scheme": "bearer"}}
    parameter = PARAMETER | {"schema": {"type": "string"}}
    operation = {"parameters": [parameter], "security": [{id_: []}]}

    result = parse_document(document(operation, components={"securitySchemes": schemes}))

    assert list(result.api.security_schemes) == [id_]
    assert result.operation.security == ((SchemeUse(id_),),)
    assert result.operation.parameters == ()
    assert result.names == ["reserved-header"]


def test_the_scheme_has_an_id_that_the_document_does_not_use(parse_document, document):
    schemes = {"Authorization": {"type": "http", "scheme": "bearer"}}
    parameter = PARAMETER | {"schema": {"type": "string"}}

    result = parse_document(
        document({"parameters": [parameter]}, components={"securitySchemes": schemes})
    )

    assert result.operation.security == ((SchemeUse("AuthorizationHeader"),),)
