"""Security schemes and requirements."""

import pytest

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Place, SchemeKind, SchemeUse

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
BEARER = {"type": "http", "scheme": "Bearer"}


def _parse_secured(parse_document, document, schemes, operation_security=None, **fields):
    operation = {} if operation_security is None else {"security": operation_security}
    components = {"securitySchemes": schemes}
    return parse_document(document(operation, components=components, **fields))


def test_every_kind_of_scheme_is_read(parse_document, document):
    schemes = {
        "key": KEY,
        "query": {"type": "apiKey", "in": "query", "name": "api key"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "sid", "description": "d"},
        "bearer": BEARER,
        "basic": {"type": "http", "scheme": "basic"},
        "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://e.com"},
        "mtls": {"type": "mutualTLS"},
        "oauth": {
            "type": "oauth2",
            "flows": {
                "implicit": {"authorizationUrl": "https://e.com/a", "scopes": {"read": "r"}},
                "clientCredentials": {
                    "tokenUrl": "https://e.com/token",
                    "scopes": {"read": "r", "write": "w"},
                },
            },
        },
    }

    result = _parse_secured(parse_document, document, schemes)

    parsed_schemes = result.api.security_schemes
    assert result.findings == []
    assert [item.kind for item in parsed_schemes.values()] == [
        SchemeKind.API_KEY,
        SchemeKind.API_KEY,
        SchemeKind.API_KEY,
        SchemeKind.BEARER,
        SchemeKind.BASIC,
        SchemeKind.OPENID,
        SchemeKind.MUTUAL_TLS,
        SchemeKind.OAUTH2,
    ]
    assert (parsed_schemes["cookie"].place, parsed_schemes["cookie"].name) == (Place.COOKIE, "sid")
    assert parsed_schemes["oauth"].token_url == "https://e.com/token"
    assert parsed_schemes["oauth"].scopes == ("read", "write")


def test_requirements_are_alternatives_of_schemes_that_go_together(parse_document, document):
    operation_security = [{"key": [], "bearer": ["a"]}, {}]

    result = _parse_secured(
        parse_document, document, {"key": KEY, "bearer": BEARER}, operation_security
    )

    assert result.operation.security == (
        (SchemeUse("key"), SchemeUse("bearer", ("a",))),
        (),
    )


@pytest.mark.parametrize(
    ("operation_security", "expected"),
    [
        (None, ((SchemeUse("key"),),)),
        ([], ()),
        ([{}], ((),)),
        ([{"key": []}], ((SchemeUse("key"),),)),
    ],
)
def test_an_operation_overrides_the_security_of_the_document(
    parse_document, document, operation_security, expected
):
    result = _parse_secured(
        parse_document, document, {"key": KEY}, operation_security, security=[{"key": []}]
    )

    assert result.operation.security == expected
    assert result.findings == []


def test_an_alternative_with_an_undefined_scheme_is_left_out(parse_document, document):
    result = _parse_secured(parse_document, document, {"key": KEY}, [{"keyy": []}, {"key": []}])

    assert result.operation.security == ((SchemeUse("key"),),)
    assert result.names == ["undefined-scheme"]
    assert "other alternatives" in result.finding.message
    assert result.finding.hint == "did you mean `key`?"


def test_an_operation_left_without_alternatives_is_built_and_reported(parse_document, document):
    result = _parse_secured(parse_document, document, {}, [{"gone": []}])

    assert result.operation.security == ()
    assert result.names == ["undefined-scheme"]
    assert "without a credential" in result.finding.message


@pytest.mark.parametrize(
    "scheme",
    [
        {"type": "http", "scheme": "digest"},
        {"type": "unheard-of"},
        {"type": "apiKey", "in": "body", "name": "k"},
        {"type": "apiKey", "in": "header", "name": "X\r\nHost"},
        {"type": "apiKey", "in": "header"},
        ["apiKey"],
    ],
)
def test_an_unusable_scheme_is_reported_at_its_location(parse_document, document, scheme):
    result = _parse_secured(parse_document, document, {"odd": scheme})

    assert result.api.security_schemes == {}
    assert result.names == ["unsupported-scheme"]
    assert result.finding.at.pointer == "/components/securitySchemes/odd"


@pytest.mark.parametrize(
    ("token_url", "servers", "url"),
    [
        ("https://login.e.com/token?a=b", [], "https://login.e.com/token?a=b"),
        ("/token", [{"url": "https://e.com/v1"}], "/token"),
        ("token", [], "token"),
        ("//login.e.com/token", [{"url": "https://e.com/v1"}], "https://login.e.com/token"),
        ("//login.e.com/token", [], ""),
        ("/to\\ken", [], ""),
        ("to ken", [], ""),
        ("ftp://e.com/token", [{"url": "https://e.com"}], ""),
        ("https://", [], ""),
        ("http://[bad", [], ""),
        (None, [{"url": "https://e.com"}], ""),
    ],
)
@pytest.mark.parametrize("flow", ["clientCredentials", "password"])
def test_a_token_url_is_absolute_or_a_path_below_the_api(
    parse_document, document, token_url, servers, url, flow
):
    scheme = {"type": "oauth2", "flows": {flow: {"tokenUrl": token_url, "scopes": {}}}}

    result = _parse_secured(parse_document, document, {"o": scheme}, servers=servers)

    oauth = result.api.security_schemes["o"]
    assert (oauth.token_url, oauth.password_url) == (
        (url, "") if flow == "clientCredentials" else ("", url)
    )
    assert result.names == ([] if url else ["unusable-token-url"])


@pytest.mark.parametrize("url", ["https://api.{region}.e.com/token", "{root}/oauth2/token"])
def test_a_token_url_with_a_placeholder_leaves_a_ready_token(parse_document, document, url):
    scheme = {"type": "oauth2", "flows": {"password": {"tokenUrl": url, "scopes": {}}}}

    result = _parse_secured(parse_document, document, {"o": scheme}, [{"o": []}])

    assert result.api.security_schemes["o"].password_url == ""
    assert result.operation.security == ((SchemeUse("o"),),)
    assert result.names == ["templated-token-url"]


def test_an_unusable_scheme_is_reported_once_with_its_reason_and_the_number_of_uses(
    parse_document, document
):
    digest = {"type": "http", "scheme": "digest"}
    operation = {"security": [{"d": []}]}
    paths = {"/a": {"get": operation, "post": operation}, "/b": {"get": operation}}

    result = parse_document(document(paths=paths, components={"securitySchemes": {"d": digest}}))

    (finding,) = [item for item in result.findings if item.code is codes.UNDEFINED_SCHEME]
    assert finding.message == (
        "`GET /a` asks for the security scheme `d`, which cannot be used: the HTTP scheme `digest` "
        "is not supported; calls go without a credential (in 3 places)"
    )
    assert finding.at.pointer == "/paths/~1a/get/security/0"


def test_a_scheme_may_have_the_name_of_an_extension(parse_document, document):
    schemes = {"x-api-key": KEY, "x-note": "no scheme", "x-internal": {"owner": "team"}}

    result = _parse_secured(parse_document, document, schemes, [{"x-api-key": []}])

    assert list(result.api.security_schemes) == ["x-api-key"]
    assert result.operation.security == ((SchemeUse("x-api-key"),),)
    assert result.findings == []


def test_an_unusable_scheme_leaves_the_other_schemes_of_an_alternative(parse_document, document):
    schemes = {"key": KEY, "odd": {"type": "http", "scheme": "oauth"}}

    result = _parse_secured(
        parse_document, document, schemes, [{"odd": [], "key": []}, {"odd": []}]
    )

    assert result.operation.security == ((SchemeUse("key"),),)
    assert any(
        "only the other schemes of the same entry are sent" in item.message
        for item in result.findings
    )
