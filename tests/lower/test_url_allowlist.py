"""URLs of the document are used only if the URL can belong to an API."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Location, Severity
from mcpgen.ir.api import ApiSecurityScheme, ApiServer, SchemeKind, SchemeUse

AT = Location("spec.yaml")


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest",
        "http://0xa9fea9fe/",
        "http://2852039166/",
        "http://0251.0376.0251.0376/",
        "http://169.254.43518/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:a9fe:a9fe::]/",
        "http://[fd00:ec2::254]/",
        "http://metadata.google.internal/",
        "https://user:secret@api.example.com",
        "https://api.example.com@evil.example",
        "file:///etc/passwd",
        "ftp://api.example.com",
        "//api.example.com",
        "https://api.example.com\r\nX: y",
        "https://аpi.example.com",
        "https://[::1",
        "https://example.com:99999",
    ],
)
def test_an_address_where_no_api_lives_is_refused(build: Any, url: str) -> None:
    lowering = build.lower(build.api(build.operation(), servers=(url,)))

    assert lowering.server.upstream == ""
    assert "MG352" in lowering.codes


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080",
        "http://127.1",
        "http://0x7f000001",
        "http://10.0.0.1",
        "http://[::1]",
        "http://db",
    ],
)
def test_a_private_address_is_kept_with_a_warning(build: Any, url: str) -> None:
    lowering = build.lower(build.api(build.operation(), servers=(url,)))

    assert lowering.server.upstream == url
    assert "MG351" in lowering.codes


@pytest.mark.parametrize(
    ("servers", "reason"),
    [
        ((), "names no server with a usable URL"),
        (
            ("/v1", "https://api.example.com"),
            "the server URL `/v1` of the API description is relative",
        ),
        (("api/v1",), "the server URL `api/v1` of the API description is relative"),
        (("https://{tenant}.example.com",), "has a variable without value"),
    ],
)
def test_without_an_absolute_address_the_server_asks_for_one(
    build: Any, servers: Any, reason: str
) -> None:
    lowering = build.lower(build.api(build.operation(), servers=servers))

    (finding,) = lowering.diagnostics
    assert lowering.server.upstream == ""
    assert finding.code.id == "MG350"
    assert reason in finding.message


def test_missing_address_is_reported_at_the_first_server(build: Any) -> None:
    place = AT / "servers" / "0"
    lowering = build.lower(build.api(build.operation(), servers=(), servers_at=place))

    (finding,) = lowering.diagnostics
    assert finding.at == place


def test_the_users_address_wins(build: Any) -> None:
    lowering = build.lower_operation(config=Config(upstream="http://127.0.0.1:9/"))

    assert lowering.server.upstream == "http://127.0.0.1:9"


def test_an_operation_may_have_its_own_address(build: Any) -> None:
    servers = (ApiServer("https://upload.example.com/", AT),)

    lowering = build.lower_operation(servers=servers)

    assert lowering.route.base_url == "https://upload.example.com"


def test_an_operation_may_live_at_another_path_of_the_same_host(build: Any) -> None:
    operation = build.operation(servers=(ApiServer("/", AT),))

    lowering = build.lower(build.api(operation, servers=("/api/v2",)))

    assert lowering.route.base_url == "/"


def test_a_scenario_below_another_path_expects_it(build: Any) -> None:
    lowering = build.lower_operation(servers=(ApiServer("/v2/", AT),))

    assert lowering.route.base_url == "/v2"
    assert lowering.tool.scenarios[0].expected_request.target == "/v2/things"


def test_an_operation_at_the_servers_address_has_none_of_its_own(build: Any) -> None:
    servers = (ApiServer("https://api.example.com", AT),)

    assert build.lower_operation(servers=servers).tool.route.base_url == ""


def test_an_operation_whose_own_address_is_unknown_is_missing(build: Any) -> None:
    lowering = build.lower_operation(servers=(ApiServer("https://{agent}", AT),))

    assert lowering.server.tools == ()
    assert "variable without a value" in lowering.server.missing[0].reason


def test_a_token_address_where_no_token_lives_is_dropped_with_a_warning(build: Any) -> None:
    scheme = ApiSecurityScheme("o", SchemeKind.OAUTH2, AT, token_url="http://169.254.169.254/t?a=b")

    lowering = build.lower_operation(schemes=(scheme,))

    (result,) = lowering.diagnostics
    assert lowering.server.security_schemes == (replace(scheme, token_url=""),)
    assert (result.code.id, result.severity) == ("MG382", Severity.WARNING)
    assert result.message == (
        "the token URL `http://169.254.169.254/t?a=b` of `o` is refused: it is the address of a "
        "metadata service; a ready token is taken from the environment"
    )
    assert "upstream" not in result.hint


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://e.com/a|b", "it holds `|`, which no URL has"),
        ("https://e.com/a b", "it holds the character U+0020, which no URL has"),
        ("https://e.com/a\tb", "it holds the character U+0009, which no URL has"),
        ("https://e.com/a`b", "it holds the character U+0060, which no URL has"),
        ("https://e.com/a?b", "it has a query or a fragment"),
    ],
)
def test_a_refused_address_is_reported_with_its_reason(build: Any, url: str, reason: str) -> None:
    lowering = build.lower(build.api(build.operation(), servers=(url,)))

    (result,) = [diagnostic for diagnostic in lowering.diagnostics if diagnostic.code.id == "MG352"]
    assert result.message == f"`{url}` is refused as an address: {reason}"
    assert result.hint.startswith("set `upstream` in mcpgen.toml, or correct the address")


def test_a_refused_address_of_an_operation_is_not_mended_by_upstream(build: Any) -> None:
    lowering = build.lower_operation(servers=(ApiServer("http://169.254.169.254/x", AT),))

    (result,) = [diagnostic for diagnostic in lowering.diagnostics if diagnostic.code.id == "MG352"]
    assert result.hint == (
        "correct the address in the document or with an overlay, or exclude the operation"
    )


def test_security_alternatives_name_known_schemes_only(build: Any) -> None:
    scheme = ApiSecurityScheme("key", SchemeKind.BEARER, AT)
    security = ((SchemeUse("key"),), (SchemeUse("ghost"),), ())

    lowering = build.lower_operation(schemes=(scheme,), security=security)

    assert lowering.route.security == (("key",), ())
    assert "MG353" in lowering.codes
