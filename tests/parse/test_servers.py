"""Servers of documents, path items and operations."""

import pytest


def test_variables_carry_their_defaults(parse_document, document):
    server = {
        "url": "https://{region}.e.com:{port}/{base}",
        "variables": {
            "region": {"default": "eu"},
            "port": {"default": 8443},
            "base": {"default": "v1"},
        },
    }

    result = parse_document(document(servers=[server, {"url": "/relative"}]))

    assert [server.url for server in result.api.servers] == [
        "https://eu.e.com:8443/v1",
        "/relative",
    ]
    assert result.findings == []


@pytest.mark.parametrize("url", [" https://e.com/v1", "https://e.com/v1\n", "https://e.com/{v}"])
def test_white_space_around_a_url_is_no_part_of_the_url(parse_document, document, url):
    server = {"url": url, "variables": {"v": {"default": "v1 "}}}

    result = parse_document(document(servers=[server]))

    assert [server.url for server in result.api.servers] == ["https://e.com/v1"]
    assert result.findings == []


def test_the_innermost_servers_count(parse_document, document):
    paths = {
        "/a": {
            "servers": [{"url": "https://path.com"}],
            "get": {},
            "post": {"servers": [{"url": "https://operation.com"}]},
        },
        "/b": {"get": {}},
    }

    result = parse_document(document(paths=paths, servers=[{"url": "https://document.com"}]))

    assert [operation.servers[0].url for operation in result.api.operations] == [
        "https://path.com",
        "https://operation.com",
        "https://document.com",
    ]


@pytest.mark.parametrize(
    "url",
    [
        "https://{region}.e.com",
        "wss://e.com",
        "file:///etc",
        "localhost:8080/v1",
        "//e.com/v1",
        "https://",
        "http://[bad",
        "https://e.com:99999",
        "https://e.com/a\r\nb",
        "https://e.com\\@evil.com",
    ],
)
def test_a_server_that_cannot_be_called_is_left_out_with_a_warning(parse_document, document, url):
    result = parse_document(document(servers=[{"url": url}]))

    assert result.api.servers == ()
    assert result.names == ["unusable-server"]


def test_servers_of_the_wrong_shape_are_ignored_with_a_warning(parse_document, document):
    result = parse_document(document(servers=["https://e.com", {"description": "no url"}]))

    assert result.api.servers == ()
    assert result.names == ["ignored-value", "ignored-value"]


def test_the_place_of_the_first_server_is_kept_for_a_server_without_a_usable_url(
    parse_document, document
):
    unusable = parse_document(document(servers=[{"url": "https://{region}.example.com"}])).api
    absent = parse_document(document(servers=[])).api

    assert unusable.servers == ()
    assert unusable.servers_at.pointer == "/servers/0"
    assert absent.servers_at is None
