"""Hosts permitted to receive a caller's credential."""

from __future__ import annotations

import pytest

from mcpgen.config.validators import is_host_pattern as is_host_pattern_at_build
from mcpgen.lower.upstream_auth import is_trusted_url as is_trusted_at_build
from mcpgen_runtime.auth.passthrough import is_host_pattern, may_see_credentials

PATTERNS = ("*.example.com", "only.test", "127.0.0.1", "[::1]")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "https://api.example.com/v1?x=1",
        "https://a.b.example.com:8443/",
        "HTTPS://API.EXAMPLE.COM/",
        "https://only.test/",
        "http://127.0.0.1:9000/x",
        "http://[::1]:9000/x",
        "https://only.test?to=https://evil.test",
    ],
)
def test_a_host_on_the_list_is_trusted_over_tls_or_on_this_machine(url: str) -> None:
    assert may_see_credentials(url, PATTERNS)
    assert is_trusted_at_build(url, PATTERNS)


@pytest.mark.parametrize(
    "url",
    [
        "http://api.example.com/",
        "https://notexample.com/",
        "https://example.com.evil.test/",
        "https://api.only.test/",
        "https://evil.test/?x=.example.com",
        "https://evil.test/#.example.com",
        "https://[::1/",
        "https://only.test:port/",
        "ftp://only.test/",
        "only.test",
        "//only.test/",
        "",
    ],
)
def test_another_host_another_scheme_and_what_cannot_be_read_are_not(url: str) -> None:
    assert not may_see_credentials(url, PATTERNS)


@pytest.mark.parametrize(
    "url",
    [
        "https://only.test@evil.test/",
        "https://evil.test@only.test/",
        "https://evil.test\\@only.test/",
        "https://evil.test\\.example.com/",
        "https://only.test:99999/",
        "https://only.test\t.evil.test/",
        "https://only.test\r\nHost: evil.test/",
        "https://ex\u00e4mple.com/",
        "https://only\uff0etest/",
        "https://only.test%2eevil.test/",
        "https://only.test./",
        "https:/only.test/",
        "https:///only.test/",
        " https://only.test/",
    ],
)
def test_what_two_readers_may_read_differently_is_not_trusted(url: str) -> None:
    assert not may_see_credentials(url, PATTERNS)


def test_nothing_is_trusted_without_a_list() -> None:
    assert not may_see_credentials("https://example.com", ())


@pytest.mark.parametrize(
    "text", ["example.com", "*.example.com", "*.a.b.example", "localhost", "127.0.0.1", "[::1]"]
)
def test_a_list_holds_hosts_and_domains(text: str) -> None:
    assert is_host_pattern(text)
    assert is_host_pattern_at_build(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "*.",
        "*.com",
        "*example.com",
        "a.*.com",
        "https://example.com",
        "example.com:443",
        "example.com/",
        "example..com",
        ".example.com",
        "example.com\n",
        "ex\u00e4mple.com",
    ],
)
def test_a_list_holds_nothing_else(text: str) -> None:
    assert not is_host_pattern(text)
    assert not is_host_pattern_at_build(text)
