"""What the configuration says of callers' credentials, and what it may not say."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, CredentialMode, Credentials
from mcpgen.config.tables.authentication import Authentication
from mcpgen.diagnostics import Location
from mcpgen.ir.api import SchemeKind, SchemeUse, SecurityScheme
from mcpgen.ir.credentials import Exchange, Passthrough

AT = Location("spec.yaml")
SCHEMES = tuple(SecurityScheme(id, SchemeKind.BEARER, AT) for id in ("token", "gateway"))
OURS = {"MG355", "MG356", "MG357", "MG358", "MG359"}
BOTH = ((SchemeUse("token"), SchemeUse("gateway")),)


def lowered(build: Any, credentials: Credentials, *servers: str, **more: Any) -> Any:
    """A server of one operation that asks for two schemes."""
    operation = build.operation(security=BOTH, **more)
    api = build.api(operation, servers=servers or ("https://api.example.com",), schemes=SCHEMES)
    known = Authentication(required=True)
    return build.lower(api, Config(credentials=credentials, authentication=known))


def passthrough(*trusted: str, **more: Any) -> Credentials:
    """Credentials of callers, handed on to these hosts."""
    return Credentials(CredentialMode.PASSTHROUGH, trusted=trusted, **more)


def test_the_credentials_of_callers_stand_for_those_of_the_server(build: Any) -> None:
    found = lowered(build, passthrough("*.example.com"))

    assert found.server.outward == Passthrough(("*.example.com",))
    assert found.server.security_schemes == ()
    assert found.server.tools[0].route.security == ()
    assert found.codes & OURS == set()


def test_schemes_that_stay_the_servers_own_are_kept(build: Any) -> None:
    found = lowered(build, passthrough("api.example.com", own=("gateway",)))

    assert [scheme.id for scheme in found.server.security_schemes] == ["gateway"]
    assert found.server.tools[0].route.security == (("gateway",),)


def test_an_unknown_scheme_of_the_server_is_an_error(build: Any) -> None:
    found = lowered(build, passthrough("api.example.com", own=("gatway",)))

    assert found.codes & OURS == {"MG357"}


@pytest.mark.parametrize("upstream", ["https://api.example.org", "http://api.example.com"])
def test_an_api_that_is_not_trusted_is_an_error(build: Any, upstream: str) -> None:
    found = lowered(build, passthrough("*.example.com"), upstream)

    assert found.codes & OURS == {"MG356"}


def test_a_list_without_hosts_is_an_error(build: Any) -> None:
    found = lowered(build, passthrough())

    assert found.codes & OURS == {"MG355"}


def test_an_exchange_asks_an_issuer(build: Any) -> None:
    url = "https://login.example.com/token"
    chosen = Credentials(CredentialMode.EXCHANGE, token_url=url, scopes=("read",))

    found = lowered(build, chosen)

    assert found.server.outward == Exchange(url, scopes=("read",))
    assert found.codes & OURS == set()


def test_an_exchange_without_an_issuer_is_an_error(build: Any) -> None:
    found = lowered(build, Credentials(CredentialMode.EXCHANGE))

    assert found.codes & OURS == {"MG355"}


def test_an_exchange_for_callers_whom_nobody_knows_is_an_error(build: Any) -> None:
    chosen = Credentials(CredentialMode.EXCHANGE, token_url="https://login.example.com/token")

    found = build.lower(build.api(build.operation()), Config(credentials=chosen))

    assert found.codes & OURS == {"MG359"}


def test_the_server_keeps_its_own_credentials_unless_told_otherwise(build: Any) -> None:
    found = lowered(build, Credentials())

    assert found.server.outward is None
    assert found.server.tools[0].route.security == (("token", "gateway"),)


def test_a_list_that_nobody_reads_is_told(build: Any) -> None:
    found = lowered(build, Credentials(trusted=("api.example.com",)))

    assert found.codes & OURS == {"MG358"}
