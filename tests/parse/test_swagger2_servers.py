"""Swagger 2.0: base URLs from `host`, `basePath` and `schemes`, and security schemes."""

import pytest

from mcpgen.ir.api import Place, SchemeKind, SchemeUse
from mcpgen.ir.source import Dialect


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ({"schemes": ["https"]}, "https://e.com"),
        ({"schemes": ["http", "https"], "basePath": "/v1"}, "https://e.com/v1"),
        ({"schemes": ["http"], "basePath": "/"}, "http://e.com"),
        ({"schemes": ["wss", "http"], "basePath": "/v1/"}, "http://e.com/v1"),
        ({"schemes": ["https"], "host": "e.com:8443"}, "https://e.com:8443"),
    ],
)
def test_the_base_url_is_put_together_and_https_preferred(parse_document, swagger, fields, url):
    result = parse_document(swagger(**({"host": "e.com"} | fields)))

    assert [server.url for server in result.api.servers] == [url]
    assert result.findings == []
    assert result.api.dialect is Dialect.SWAGGER_2_0


def test_without_schemes_https_is_assumed_and_noted(parse_document, swagger):
    result = parse_document(swagger(host="e.com"))

    assert result.api.servers[0].url == "https://e.com"
    assert result.names == ["assumed-scheme"]
    assert result.finding.at.pointer == "/host"


@pytest.mark.parametrize(("base", "urls"), [("/v1", ["/v1"]), ("/", []), (None, [])])
def test_without_a_host_the_server_is_relative_or_none(parse_document, swagger, base, urls):
    result = parse_document(swagger(**({"basePath": base} if base else {})))

    assert [server.url for server in result.api.servers] == urls
    assert result.findings == []


@pytest.mark.parametrize("host", ["https://e.com", "e.com/v1", "{shop}.e.com", "a b", "e.com:x"])
def test_a_host_that_is_more_than_a_name_and_a_port_is_left_out(parse_document, swagger, host):
    result = parse_document(swagger(host=host, schemes=["https"]))

    assert result.api.servers == ()
    assert result.names == ["unusable-server"]
    assert result.finding.at.pointer == "/host"


def test_schemes_that_no_request_can_be_made_with_leave_no_server(parse_document, swagger):
    result = parse_document(swagger(host="e.com", schemes=["ws"]))

    assert result.api.servers == ()
    assert result.names == ["unusable-server"]
    assert result.finding.at.pointer == "/schemes"


def test_a_base_path_without_its_slash_gets_one(parse_document, swagger):
    result = parse_document(swagger(host="e.com", basePath="v1", schemes=["https"]))

    assert result.api.servers[0].url == "https://e.com/v1"
    assert result.names == ["corrected-path"]


def test_the_schemes_of_an_operation_count_for_it_alone(parse_document, swagger):
    paths = {
        "/a": {"get": {"schemes": ["http"]}, "put": {"schemes": ["https", "http"]}, "post": {}}
    }

    result = parse_document(swagger(paths=paths, host="e.com", basePath="/v1", schemes=["https"]))

    assert [operation.servers[0].url for operation in result.api.operations] == [
        "http://e.com/v1",
        "https://e.com/v1",
        "https://e.com/v1",
    ]
    assert result.findings == []


def test_every_kind_of_security_scheme_is_read(parse_document, swagger):
    oauth = {"type": "oauth2", "authorizationUrl": "https://e.com/a", "scopes": {"read": "r"}}
    definitions = {
        "user": {"type": "basic", "description": "d"},
        "key": {"type": "apiKey", "in": "query", "name": "k"},
        "implicit": oauth | {"flow": "implicit"},
        "machine": oauth | {"flow": "application", "tokenUrl": "https://e.com/t"},
        "code": oauth | {"flow": "accessCode", "tokenUrl": "https://e.com/t"},
        "password": oauth | {"flow": "password", "tokenUrl": "https://e.com/t"},
    }

    result = parse_document(swagger(securityDefinitions=definitions, security=[{"user": []}]))

    schemes = result.api.security_schemes
    assert result.findings == []
    assert {id_: scheme.kind for id_, scheme in schemes.items()} == {
        "user": SchemeKind.BASIC,
        "key": SchemeKind.API_KEY,
        "implicit": SchemeKind.OAUTH2,
        "machine": SchemeKind.OAUTH2,
        "code": SchemeKind.OAUTH2,
        "password": SchemeKind.OAUTH2,
    }
    assert (schemes["key"].place, schemes["key"].name) == (Place.QUERY, "k")
    assert [scheme.token_url for scheme in schemes.values()] == [
        "",
        "",
        "",
        "https://e.com/t",
        "",
        "",
    ]
    assert schemes["implicit"].scopes == ("read",)
    assert result.operation.security == ((SchemeUse("user"),),)


def test_a_relative_token_url_stays_below_the_base_url_of_the_api(parse_document, swagger):
    scheme = {"type": "oauth2", "flow": "application", "tokenUrl": "/t", "scopes": {}}

    result = parse_document(
        swagger(host="e.com", schemes=["https"], securityDefinitions={"machine": scheme})
    )

    assert result.api.security_schemes["machine"].token_url == "/t"


def test_a_scheme_that_is_not_defined_is_looked_for_where_this_version_has_them(
    parse_document, swagger
):
    result = parse_document(swagger({"security": [{"gone": []}]}))

    assert result.names == ["undefined-scheme"]
    assert result.finding.hint == "define it under `securityDefinitions`"


def test_fields_of_openapi_3_are_reported_with_their_replacement(parse_document, swagger):
    operation = {"requestBody": {}, "responses": {"200": {"description": "d", "content": {}}}}

    result = parse_document(swagger(operation, servers=[], components={}))

    assert result.names == ["foreign-field"] * 4
    assert [item.at.pointer for item in result.findings] == [
        "/servers",
        "/components",
        "/paths/~1a/post/requestBody",
        "/paths/~1a/post/responses/200/content",
    ]
    assert result.operation.body is None
