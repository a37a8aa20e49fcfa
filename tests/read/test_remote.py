"""References to other hosts: fetched documents, refused documents, and costs."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.certificates import certificate
from tests.document_host import DocumentHost

from mcpgen.diagnostics import Diagnostics
from mcpgen.read import http_client, limits, read
from mcpgen.read.fetch import strip_url_credentials

Reads = Callable[..., tuple[list[str], list[tuple[str, str]]]]

SCHEMA = b"type: object\n"


@pytest.fixture(name="host")
def host_fixture() -> Iterator[DocumentHost]:
    """A server on this machine."""
    host = DocumentHost()
    yield host
    host.close()


@pytest.fixture(name="reads")
def reads_fixture(tmp_path: Path) -> Reads:
    """Reads a description with one reference; returns keys of the documents, and findings."""

    def run(reference: str, *allowed_hosts: str) -> tuple[list[str], list[tuple[str, str]]]:
        tree = {"openapi": "3.1.0", "paths": {"/a": {"$ref": reference}}}
        (tmp_path / "api.json").write_text(json.dumps(tree), encoding="utf-8")
        diagnostics = Diagnostics()
        source = read(str(tmp_path / "api.json"), diagnostics, allow_remote=allowed_hosts)
        assert source is not None
        return list(source.documents), [
            (diagnostic.code.name, diagnostic.message) for diagnostic in diagnostics
        ]

    return run


def test_a_request_to_an_allowed_host_has_no_credentials(host: DocumentHost, reads: Reads) -> None:
    host.answers["/s.yaml"] = (200, {"Set-Cookie": "a=b"}, SCHEMA)

    keys, result = reads(f"http://{host.name}/s.yaml#/x", host.name)

    assert (keys, result) == (["", f"http://{host.name}/s.yaml"], [])
    ((path, headers),) = host.requests
    assert path == "/s.yaml"
    assert headers["host"] == host.name
    assert not {"cookie", "authorization", "referer"} & set(headers)


@pytest.mark.parametrize("allowed_hosts", [(), ("127.0.0.1",), ("example.com",), ("127.0.0.1:1",)])
def test_every_other_host_and_port_is_refused(
    host: DocumentHost, reads: Reads, allowed_hosts: tuple[str, ...]
) -> None:
    keys, ((name, message),) = reads(f"http://{host.name}/s.yaml", *allowed_hosts)

    assert (keys, name, host.requests) == ([""], "remote-reference", [])
    assert "not allowed" in message


def test_references_of_what_was_fetched_are_relative_to_its_url(
    host: DocumentHost, reads: Reads
) -> None:
    body = b'{"a": {"$ref": "../t.yaml"}, "b": {"$ref": "http://example.com/x"}}'
    host.answers["/d/s.json"] = (200, {}, body)
    host.answers["/t.yaml"] = (200, {}, SCHEMA)

    keys, result = reads(f"http://{host.name}/d/s.json", host.name)

    assert keys[1:] == [f"http://{host.name}/d/s.json", f"http://{host.name}/t.yaml"]
    assert [name for name, _ in result] == ["remote-reference"]


def test_what_was_fetched_refers_to_no_file(
    host: DocumentHost, reads: Reads, tmp_path: Path
) -> None:
    (tmp_path / "secret.yaml").write_text("a: 1", encoding="utf-8")
    url = (tmp_path / "secret.yaml").as_uri()
    host.answers["/s.json"] = (200, {}, json.dumps({"$ref": url}).encode())

    keys, result = reads(f"http://{host.name}/s.json", host.name)

    assert keys[1:] == [f"http://{host.name}/s.json"]
    assert [name for name, _ in result] == ["remote-reference"]


def test_a_redirect_is_followed_to_an_allowed_host_only(host: DocumentHost, reads: Reads) -> None:
    host.answers["/old"] = (302, {"Location": "/new/s.json"}, b"")
    host.answers["/new/s.json"] = (200, {}, b'{"$ref": "t.yaml"}')
    host.answers["/new/t.yaml"] = (200, {}, SCHEMA)
    host.answers["/away"] = (302, {"Location": "http://localhost:1/x"}, b"")

    keys, result = reads(f"http://{host.name}/old", host.name)

    base = f"http://{host.name}"
    assert keys[1:] == [f"{base}/new/s.json", f"{base}/old", f"{base}/new/t.yaml"]
    assert result == []
    assert [name for name, _ in reads(f"{base}/away", host.name)[1]] == ["remote-reference"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, {}, b""), "status of the answer is 404"),
        ((302, {"Location": "/s"}, b""), "redirects more than 5 times"),
        ((302, {"Location": "ftp://h/s"}, b""), "no URL of http"),
        ((200, {"Content-Encoding": "gzip"}, b"x"), "compressed"),
        ((200, {"Content-Length": "10"}, b"x"), "ended early"),
    ],
)
def test_a_host_that_gives_no_document_is_told(
    host: DocumentHost, reads: Reads, answer: Any, reason: str
) -> None:
    host.answers["/s"] = answer

    keys, ((name, message),) = reads(f"http://{host.name}/s", host.name)

    assert (keys, name) == ([""], "unfetched-reference")
    assert reason in message


def test_a_host_that_never_ends_is_cut_off(
    host: DocumentHost, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REMOTE_SECONDS", 1)
    host.answers["/drip"] = (200, {}, b"")

    _, ((name, message),) = reads(f"http://{host.name}/drip", host.name)

    assert name == "unfetched-reference"
    assert "longer than 1 seconds" in message


def test_a_document_is_not_larger_than_a_file(
    host: DocumentHost, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 1000)
    host.answers["/s"] = (200, {}, b" " * 2000)

    _, ((name, message),) = reads(f"http://{host.name}/s", host.name)

    assert (name, "larger than 1,000 bytes" in message) == ("unfetched-reference", True)


def test_a_url_with_a_user_name_is_refused(host: DocumentHost, reads: Reads) -> None:
    _, ((name, message),) = reads(f"http://me:secret@{host.name}/s", host.name)

    assert (name, host.requests) == ("unfetched-reference", [])
    assert "user name" in message


@pytest.mark.parametrize("name", ["127.1", "0x7f.0.0.1", "2130706433"])
def test_a_name_that_leads_to_a_private_address_is_refused(name: str) -> None:
    with pytest.raises(http_client.NoAllowedAddress, match="private"):
        http_client.resolve_host(name, 80)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("2606:2800:220:1::1", True),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("2002:7f00:1::", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("2001:0:1::1", False),
    ],
)
def test_private_addresses_are_known_in_every_spelling(address: str, public: bool) -> None:
    assert http_client.is_public_address(address) is public


def test_a_host_is_reached_over_tls_only_if_its_certificate_is_good(
    reads: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, key = certificate(tmp_path, "host")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, key)
    with ExitStack() as stack:
        host = DocumentHost(context)
        stack.callback(host.close)
        host.answers["/s.yaml"] = (200, {}, SCHEMA)
        url = f"https://{host.name}/s.yaml"

        unknown_result = reads(url, host.name)
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        trusted_result = reads(url, host.name)

    assert [name for name, _ in unknown_result[1]] == ["unfetched-reference"]
    assert trusted_result == (["", url], [])


def test_credentials_in_a_query_are_left_out_of_the_url_that_is_written() -> None:
    url = "https://h.example/a.json?format=a&accessKey=1&api_key=2&X-Amz-Signature=3&monkey=b"

    assert strip_url_credentials(url) == "https://h.example/a.json?format=a&monkey=b"


def test_a_fault_in_a_fetched_document_is_told_at_the_reference(
    host: DocumentHost, reads: Reads
) -> None:
    host.answers["/s.yaml"] = (200, {}, b"a: [1\n")

    keys, result = reads(f"http://{host.name}/s.yaml#/x", host.name)

    assert keys == [""]
    assert sorted(name for name, _ in result) == ["broken-yaml", "unreadable-reference"]
