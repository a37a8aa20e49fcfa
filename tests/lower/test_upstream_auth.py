"""Configuration of upstream credentials, valid and invalid."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, CredentialMode, CredentialsConfig
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.diagnostics import Location
from mcpgen.ir.api import ApiSecurityScheme, ApiServer, SchemeKind, SchemeUse
from mcpgen.ir.policy import PassthroughSpec, TokenExchange

AT = Location("spec.yaml")
SCHEMES = tuple(ApiSecurityScheme(id, SchemeKind.BEARER, AT) for id in ("token", "gateway"))
OURS = {"MG355", "MG356", "MG357", "MG358", "MG359"}
BOTH = ((SchemeUse("token"), SchemeUse("gateway")),)


def lower_api(build: Any, credentials: CredentialsConfig, *servers: str, **more: Any) -> Any:
    """Returns a server of one operation with two security schemes."""
    operation = build.operation(security=BOTH, **more)
    api = build.api(operation, servers=servers or ("https://api.example.com",), schemes=SCHEMES)
    authentication_config = AuthenticationConfig(required=True)
    return build.lower(api, Config(credentials=credentials, authentication=authentication_config))


def passthrough(*trusted_hosts: str, **more: Any) -> CredentialsConfig:
    """Returns callers' credentials passed on to these hosts."""
    return CredentialsConfig(CredentialMode.PASSTHROUGH, trusted=trusted_hosts, **more)


def test_the_credentials_of_callers_stand_for_those_of_the_server(build: Any) -> None:
    result = lower_api(build, passthrough("*.example.com"))

    assert result.server.forwarded_credential == PassthroughSpec(("*.example.com",))
    assert result.server.security_schemes == ()
    assert result.server.tools[0].route.security == ()
    assert result.codes & OURS == set()


def test_schemes_that_stay_the_servers_own_are_kept(build: Any) -> None:
    result = lower_api(build, passthrough("api.example.com", own=("gateway",)))

    assert [scheme.id for scheme in result.server.security_schemes] == ["gateway"]
    assert result.server.tools[0].route.security == (("gateway",),)


def test_an_unknown_scheme_of_the_server_is_an_error(build: Any) -> None:
    result = lower_api(build, passthrough("api.example.com", own=("gatway",)))

    assert result.codes & OURS == {"MG357"}


@pytest.mark.parametrize("upstream", ["https://api.example.org", "http://api.example.com"])
def test_an_api_that_is_not_trusted_is_an_error(build: Any, upstream: str) -> None:
    result = lower_api(build, passthrough("*.example.com"), upstream)

    assert result.codes & OURS == {"MG356"}


def test_a_list_without_hosts_is_an_error(build: Any) -> None:
    result = lower_api(build, passthrough())

    assert result.codes & OURS == {"MG355"}


def test_an_exchange_asks_an_issuer(build: Any) -> None:
    url = "https://login.example.com/token"
    credentials_config = CredentialsConfig(CredentialMode.EXCHANGE, token_url=url, scopes=("read",))

    result = lower_api(build, credentials_config)

    assert result.server.forwarded_credential == TokenExchange(url, scopes=("read",))
    assert result.codes & OURS == set()


def test_an_exchange_without_an_issuer_is_an_error(build: Any) -> None:
    result = lower_api(build, CredentialsConfig(CredentialMode.EXCHANGE))

    assert result.codes & OURS == {"MG355"}


def test_an_exchange_for_callers_whom_nobody_knows_is_an_error(build: Any) -> None:
    credentials_config = CredentialsConfig(
        CredentialMode.EXCHANGE, token_url="https://login.example.com/token"
    )

    result = build.lower(build.api(build.operation()), Config(credentials=credentials_config))

    assert result.codes & OURS == {"MG359"}


def test_the_server_keeps_its_own_credentials_unless_reported_otherwise(build: Any) -> None:
    result = lower_api(build, CredentialsConfig())

    assert result.server.forwarded_credential is None
    assert result.server.tools[0].route.security == (("token", "gateway"),)


def test_a_list_that_nobody_reads_is_reported(build: Any) -> None:
    result = lower_api(build, CredentialsConfig(trusted=("api.example.com",)))

    assert result.codes & OURS == {"MG358"}


PAY = "https://pay.example.org/v2"


def lower_with_own_url(build: Any, *own_hosts: str, url: str = PAY, **more: Any) -> Any:
    """Returns a server of an operation with its own base URL and one scheme."""
    fields = {"security": ((SchemeUse("token"),),), **more}
    operation = build.operation(servers=(ApiServer(url, AT),), **fields)
    api = build.api(operation, servers=("https://api.example.com/v1",), schemes=SCHEMES)
    return build.lower(api, Config(credentials=CredentialsConfig(own_hosts=own_hosts)))


@pytest.mark.parametrize(
    "url", [PAY, "http://api.example.com/v1", "https://api.example.com:8443/v1"]
)
def test_another_host_than_the_apis_gets_no_credential_and_is_reported(
    build: Any, url: str
) -> None:
    result = lower_with_own_url(build, url=url)

    (finding,) = [diagnostic for diagnostic in result.diagnostics if diagnostic.code.id == "MG397"]
    assert url in finding.message
    assert str(finding.severity) == "warning"
    assert not result.server.tools[0].route.trusted


@pytest.mark.parametrize("host", ["pay.example.org", "*.example.org"])
def test_a_host_that_the_user_names_gets_the_credentials(build: Any, host: str) -> None:
    result = lower_with_own_url(build, host)

    assert "MG397" not in result.codes
    assert result.server.tools[0].route.trusted


def test_an_operation_that_needs_no_credential_may_live_anywhere(build: Any) -> None:
    assert "MG397" not in lower_with_own_url(build, security=()).codes


def test_another_path_of_the_api_is_no_other_host(build: Any) -> None:
    result = lower_with_own_url(build, url="https://api.example.com:443/v2")

    assert "MG397" not in result.codes
    assert not result.server.tools[0].route.trusted


def test_scenarios_expect_the_path_of_the_operations_own_server(build: Any) -> None:
    result = lower_with_own_url(build, "pay.example.org")

    targets = {scenario.expected_request.target for scenario in result.server.tools[0].scenarios}
    assert targets == {"/v2/things"}


@pytest.mark.parametrize(
    ("own_hosts", "expected"), [((), {"note"}), (("login.example.org",), set())]
)
def test_a_token_endpoint_on_another_host_is_a_note(
    build: Any, own_hosts: tuple[str, ...], expected: set[str]
) -> None:
    url = "https://login.example.org/token"
    scheme = ApiSecurityScheme("o", SchemeKind.OAUTH2, AT, token_url=url)
    api = build.api(build.operation(), servers=("https://api.example.com",), schemes=(scheme,))

    result = build.lower(api, Config(credentials=CredentialsConfig(own_hosts=own_hosts)))

    assert {
        str(diagnostic.severity)
        for diagnostic in result.diagnostics
        if diagnostic.code.id == "MG397"
    } == expected
