"""Every style of OpenAPI's table, asserted on the wire.

Source: https://spec.openapis.org/oas/v3.1.1.html#style-examples
"""

from __future__ import annotations

from typing import Any, Literal

import pytest

from mcpgen_runtime.tool import Argument, Hints, Route, Tool
from mcpgen_runtime.upstream.exchange import InvalidArguments, UpstreamRequest
from mcpgen_runtime.upstream.request_builder import RequestBuilder, map_arguments

Place = Literal["path", "query", "header", "cookie"]

ARRAY = ["blue", "black"]
OBJECT = {"R": 100, "G": 200}
HINTS = Hints(read_only=True, destructive=False, idempotent=True)


def build_parameter_request(
    place_name: Place, value: Any, style: str, explode: bool, **more: Any
) -> UpstreamRequest:
    """Returns the request of a tool with the one parameter `color`."""
    path = "/{color}" if place_name == "path" else "/"
    schema = {"type": "string"}
    argument = Argument(
        "color", place_name, schema, to=("color",), style=style, explode=explode, **more
    )
    route = Route("GET", path)
    tool = Tool("t", "T", "", route, HINTS, (argument,))
    return RequestBuilder(tool, route).request(map_arguments(tool, {"color": value}))


EMPTY: Any = []
NULLS = ["blue", None, "black"]
SPARSE = {"R": 100, "G": None}

PATHS = [
    ("simple", True, "blue", "/blue"),
    ("label", True, "blue", "/.blue"),
    ("matrix", True, "blue", "/;color=blue"),
    ("matrix", True, "", "/;color"),
    ("matrix", True, NULLS, "/;color=blue;color=black"),
    ("matrix", True, SPARSE, "/;R=100"),
    ("simple", False, NULLS, "/blue,black"),
    ("simple", True, SPARSE, "/R=100"),
    ("label", True, SPARSE, "/.R=100"),
    ("label", False, "a.b", "/.a.b"),
    ("label", False, ["a.b", "c"], "/.a.b,c"),
    ("simple", False, "r\u00e9sum\u00e9 \u96ea", "/r%C3%A9sum%C3%A9%20%E9%9B%AA"),
    ("simple", False, {"a,b": "c=d"}, "/a%2Cb,c%3Dd"),
    ("matrix", True, {"a;b": "c;d"}, "/;a%3Bb=c%3Bd"),
    ("simple", False, -1.5, "/-1.5"),
    ("simple", False, True, "/true"),
    ("simple", False, [{"a": 1}], "/%7B%22a%22%3A1%7D"),
    ("simple", False, "blue", "/blue"),
    ("simple", False, ARRAY, "/blue,black"),
    ("simple", True, ARRAY, "/blue,black"),
    ("simple", False, OBJECT, "/R,100,G,200"),
    ("simple", True, OBJECT, "/R=100,G=200"),
    ("label", False, "blue", "/.blue"),
    ("label", False, ARRAY, "/.blue,black"),
    ("label", True, ARRAY, "/.blue.black"),
    ("label", False, OBJECT, "/.R,100,G,200"),
    ("label", True, OBJECT, "/.R=100.G=200"),
    ("matrix", False, "blue", "/;color=blue"),
    ("matrix", False, "", "/;color"),
    ("matrix", False, ARRAY, "/;color=blue,black"),
    ("matrix", True, ARRAY, "/;color=blue;color=black"),
    ("matrix", False, OBJECT, "/;color=R,100,G,200"),
    ("matrix", True, OBJECT, "/;R=100;G=200"),
    ("simple", False, ["a,b", "c/d"], "/a%2Cb,c%2Fd"),
    ("spaceDelimited", False, ARRAY, "/blue%20black"),
    ("tabDelimited", False, ARRAY, "/blue%09black"),
    ("pipeDelimited", False, ["a/b", "c"], "/a%2Fb%7Cc"),
]

QUERIES = [
    ("form", False, "blue", "color=blue"),
    ("form", False, "", "color="),
    ("form", False, EMPTY, ""),
    ("form", False, {}, ""),
    ("form", True, {}, ""),
    ("form", True, None, ""),
    ("form", True, NULLS, "color=blue&color=black"),
    ("form", False, NULLS, "color=blue,black"),
    ("form", True, SPARSE, "R=100"),
    ("form", False, SPARSE, "color=R,100"),
    ("form", True, ["", "a"], "color=&color=a"),
    ("form", True, {"a&b=c": "d&e=f"}, "a%26b%3Dc=d%26e%3Df"),
    ("spaceDelimited", False, OBJECT, "color=R%20100%20G%20200"),
    ("spaceDelimited", True, ARRAY, "color=blue&color=black"),
    ("pipeDelimited", False, OBJECT, "color=R%7C100%7CG%7C200"),
    ("pipeDelimited", True, ARRAY, "color=blue&color=black"),
    ("pipeDelimited", False, "a|b", "color=a%7Cb"),
    ("deepObject", True, {"a": None, "b": ""}, "color%5Bb%5D="),
    ("deepObject", True, {"a": {}}, ""),
    ("deepObject", True, {"a]b[": "&="}, "color%5Ba%5Db%5B%5D=%26%3D"),
    ("form", True, "\u00fc\u96ea", "color=%C3%BC%E9%9B%AA"),
    ("form", True, {"a": {"b": 1}}, "a=%7B%22b%22%3A1%7D"),
    ("form", True, "blue", "color=blue"),
    ("form", True, "", "color="),
    ("form", False, ARRAY, "color=blue,black"),
    ("form", True, ARRAY, "color=blue&color=black"),
    ("form", False, OBJECT, "color=R,100,G,200"),
    ("form", True, OBJECT, "R=100&G=200"),
    ("spaceDelimited", False, ARRAY, "color=blue%20black"),
    ("tabDelimited", False, ARRAY, "color=blue%09black"),
    ("pipeDelimited", False, ARRAY, "color=blue%7Cblack"),
    ("deepObject", True, OBJECT, "color%5BR%5D=100&color%5BG%5D=200"),
    (
        "deepObject",
        True,
        {"a": {"b": [1, 2]}},
        "color%5Ba%5D%5Bb%5D%5B%5D=1&color%5Ba%5D%5Bb%5D%5B%5D=2",
    ),
    ("deepObject", True, ["a", "b"], "color%5B%5D=a&color%5B%5D=b"),
    (
        "deepObject",
        True,
        {"a": [{"b": 1}, {"b": 2}]},
        "color%5Ba%5D%5B0%5D%5Bb%5D=1&color%5Ba%5D%5B1%5D%5Bb%5D=2",
    ),
    ("form", False, ["a,b", "c&d=e"], "color=a%2Cb,c%26d%3De"),
    ("form", True, [], ""),
    ("form", True, True, "color=true"),
    ("form", True, 5.0, "color=5"),
    ("form", True, 0.1, "color=0.1"),
    ("form", True, "a b+c\r\n", "color=a%20b%2Bc%0D%0A"),
]

HEADERS = [
    ("simple", True, ARRAY, "blue,black"),
    ("simple", False, NULLS, "blue,black"),
    ("simple", True, SPARSE, "R=100"),
    ("simple", False, "a, b; c", "a, b; c"),
    ("simple", False, True, "true"),
    ("simple", False, "blue", "blue"),
    ("simple", False, ARRAY, "blue,black"),
    ("simple", False, OBJECT, "R,100,G,200"),
    ("simple", True, OBJECT, "R=100,G=200"),
    ("spaceDelimited", False, ARRAY, "blue black"),
    ("tabDelimited", False, ARRAY, "blue\tblack"),
    ("pipeDelimited", False, ARRAY, "blue|black"),
]

COOKIES = [
    ("form", True, OBJECT, ("R=100", "G=200")),
    ("form", True, SPARSE, ("R=100",)),
    ("form", True, NULLS, ("color=blue", "color=black")),
    ("form", False, "blue", ("color=blue",)),
    ("form", False, ["a,b", "c"], ("color=a%2Cb,c",)),
    ("cookie", True, "blue", ("color=blue",)),
    ("cookie", True, ARRAY, ("color=blue", "color=black")),
    ("cookie", True, OBJECT, ("R=100", "G=200")),
    ("cookie", False, ARRAY, ("color=blue,black",)),
    ("cookie", False, OBJECT, ("color=R,100,G,200",)),
    ("cookie", True, "a%20b=c", ("color=a%20b=c",)),
    ("form", True, "blue", ("color=blue",)),
    ("form", False, ARRAY, ("color=blue,black",)),
    ("form", False, OBJECT, ("color=R,100,G,200",)),
    ("form", True, ARRAY, ("color=blue", "color=black")),
    ("form", True, "a; admin=1", ("color=a%3B%20admin=1",)),
]


@pytest.mark.parametrize(("style", "explode", "value", "path"), PATHS)
def test_path(style: str, explode: bool, value: Any, path: str) -> None:
    assert build_parameter_request("path", value, style, explode).path == path


@pytest.mark.parametrize(("style", "explode", "value", "query"), QUERIES)
def test_query(style: str, explode: bool, value: Any, query: str) -> None:
    assert build_parameter_request("query", value, style, explode).query == query


@pytest.mark.parametrize(("style", "explode", "value", "text"), HEADERS)
def test_header(style: str, explode: bool, value: Any, text: str) -> None:
    assert ("color", text) in build_parameter_request("header", value, style, explode).headers


@pytest.mark.parametrize("value", [[], {}, [None], {"R": None}])
@pytest.mark.parametrize("place", ["query", "header", "cookie"])
def test_what_has_no_members_is_not_sent(place: Place, value: Any) -> None:
    request = build_parameter_request(place, value, "form", False)

    assert "color" not in {request.query[:5], *(name for name, _ in request.headers)}
    assert request.cookies == ()


@pytest.mark.parametrize(
    ("place", "style"),
    [
        ("query", "form"),
        ("query", "deepObject"),
        ("header", "simple"),
        ("cookie", "form"),
        ("path", "matrix"),
    ],
)
def test_what_is_required_is_not_left_out_in_silence(place: Place, style: str) -> None:
    with pytest.raises(InvalidArguments, match="color: must not be empty"):
        build_parameter_request(place, {}, style, True, required=True)


def test_an_empty_key_of_a_deep_object_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="must not hold an empty key"):
        build_parameter_request("query", {"a": {"": 1}}, "deepObject", True)


@pytest.mark.parametrize(("style", "explode", "value", "cookies"), COOKIES)
def test_cookie(style: str, explode: bool, value: Any, cookies: tuple[str, ...]) -> None:
    assert build_parameter_request("cookie", value, style, explode).cookies == cookies


def test_reserved_characters_stay_but_for_those_that_end_a_value() -> None:
    request = build_parameter_request("query", "a/b?c=[d]&e#f+g;h", "form", True, reserved=True)

    assert request.query == "color=a/b?c%3D%5Bd%5D%26e%23f%2Bg%3Bh"


def test_parameter_with_a_media_type_is_json() -> None:
    request = build_parameter_request("query", {"a": [1]}, "", False, content="application/json")

    assert request.query == "color=%7B%22a%22%3A%5B1%5D%7D"


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\x00", "ü"])
def test_header_refuses_what_it_cannot_carry(value: str) -> None:
    with pytest.raises(InvalidArguments) as error:
        build_parameter_request("header", value, "simple", False)

    assert error.value.problems == ("color: must hold printable ASCII characters only",)


@pytest.mark.parametrize("value", [" a", "a ", "\ta", " "])
def test_header_refuses_blanks_around_a_value_which_http_takes_away(value: str) -> None:
    with pytest.raises(InvalidArguments) as error:
        build_parameter_request("header", value, "simple", False)

    assert error.value.problems == ("color: must not begin or end with a space or a tab",)


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\x00"])
def test_cookie_refuses_control_characters(value: str) -> None:
    with pytest.raises(InvalidArguments) as error:
        build_parameter_request("cookie", value, "form", False)

    assert error.value.problems == ("color: must not hold control characters",)


@pytest.mark.parametrize(
    ("value", "cookie"),
    [("a;b", "a%3Bb"), ("a%3Bb", "a%253Bb"), ("100%", "100%25"), ("é", "%C3%A9"), ("a b", "a%20b")],
)
def test_values_that_differ_are_cookies_that_differ(value: str, cookie: str) -> None:
    assert build_parameter_request("cookie", value, "form", False).cookies == (f"color={cookie}",)


@pytest.mark.parametrize("value", [["a,b", "c"], {"k": "a,b"}, {"a,b": "v"}])
def test_header_refuses_a_member_with_the_comma_that_separates_members(value: Any) -> None:
    with pytest.raises(InvalidArguments) as error:
        build_parameter_request("header", value, "simple", False)

    assert error.value.problems == ("color: must not hold `,`, which stands between the values",)


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "host",
        "Cookie",
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "Accept",
        "Proxy-Authorization",
        "X-Forwarded-Host",
        "a(b",
        "a\r\nb",
    ],
)
def test_header_that_is_the_servers_own_is_never_set(name: str) -> None:
    argument = Argument("x", "header", {"type": "string"}, to=(name,), style="simple")
    route = Route("GET", "/")
    tool = Tool("t", "T", "", route, HINTS, (argument,))

    with pytest.raises(InvalidArguments):
        RequestBuilder(tool, route).request(map_arguments(tool, {"x": "1"}))


MEMBERS: list[tuple[Place, str, bool, Any, bool]] = [
    ("path", "label", True, ["a.b", "c"], False),
    ("path", "label", True, {"a": "b.c"}, False),
    ("path", "spaceDelimited", False, ["a b", "c"], False),
    ("path", "simple", False, ["a,b", "c"], True),
    ("query", "spaceDelimited", False, ["a b", "c"], False),
    ("query", "tabDelimited", False, ["a\tb", "c"], False),
    ("query", "pipeDelimited", False, ["a|b", "c"], False),
    ("query", "pipeDelimited", False, {"a|b": "c"}, False),
    ("query", "form", False, ["a,b", "c"], True),
    ("header", "simple", False, ["a,b", "c"], False),
    ("cookie", "cookie", False, ["a,b", "c"], False),
    ("cookie", "cookie", True, {"a=b": "c"}, False),
    ("cookie", "form", True, {"a=b": "c"}, False),
]


@pytest.mark.parametrize(("place_name", "style", "explode", "value", "reserved"), MEMBERS)
def test_a_member_that_holds_what_separates_it_is_refused(
    place_name: Place, style: str, explode: bool, value: Any, reserved: bool
) -> None:
    with pytest.raises(InvalidArguments) as fault:
        build_parameter_request(place_name, value, style, explode, reserved=reserved)

    assert fault.value.problems[0].startswith("color: must not hold ")


@pytest.mark.parametrize(
    ("place_name", "style", "content"),
    [
        ("path", "simple", ""),
        ("query", "form", ""),
        ("header", "simple", ""),
        ("cookie", "form", ""),
        ("query", "", "application/json"),
    ],
)
def test_a_number_that_is_too_large_inside_a_member_is_refused(
    place_name: Place, style: str, content: str
) -> None:
    with pytest.raises(InvalidArguments) as fault:
        build_parameter_request(place_name, [{"a": float("inf")}], style, True, content=content)

    assert fault.value.problems == ("color: holds a number that is too large",)


@pytest.mark.parametrize("value", ["a b", "a;b", 'a"b', "a,b", "a\\b", "\u00fc", "a\r\nb", "\x00"])
def test_a_cookie_that_escapes_nothing_refuses_what_would_end_it(value: str) -> None:
    with pytest.raises(InvalidArguments):
        build_parameter_request("cookie", value, "cookie", True)


CONTENTS: list[tuple[Place, str, Any, str]] = [
    ("query", "application/json", "x", "color=%22x%22"),
    ("query", "application/json", [1, None], "color=%5B1%2Cnull%5D"),
    ("query", "application/vnd.a+json", True, "color=true"),
    ("query", "text/plain", "a b", "color=a%20b"),
    ("path", "application/json", {"a": 1}, "/%7B%22a%22%3A1%7D"),
    ("header", "application/json", {"a": "b,c"}, '{"a":"b,c"}'),
    ("header", "text/plain", "a, b", "a, b"),
    ("cookie", "application/json", {"a": 1}, "color={%22a%22:1}"),
]


@pytest.mark.parametrize(("place_name", "media_type", "value", "text"), CONTENTS)
def test_a_parameter_with_a_media_type_is_written_as_that(
    place_name: Place, media_type: str, value: Any, text: str
) -> None:
    request = build_parameter_request(place_name, value, "", False, content=media_type)

    result = {
        "path": request.path,
        "query": request.query,
        "header": dict(request.headers).get("color"),
        "cookie": "; ".join(request.cookies),
    }
    assert result[place_name] == text


@pytest.mark.parametrize(
    ("value", "path"),
    [("a:b@c!d", "/a:b@c!d"), ("a/b?c#d;e", "/a%2Fb%3Fc%23d%3Be"), ("%41", "/%2541")],
)
def test_reserved_characters_stay_in_a_segment_of_the_path(value: str, path: str) -> None:
    assert build_parameter_request("path", value, "simple", False, reserved=True).path == path


@pytest.mark.parametrize("value", ["..", "../x", "%2e%2e", "a/../b"])
def test_a_value_with_reserved_characters_cannot_climb_either(value: str) -> None:
    with pytest.raises(InvalidArguments):
        build_parameter_request("path", value, "simple", False, reserved=True)


@pytest.mark.parametrize(
    ("media_type", "value", "query"),
    [
        ("application/json", {"a": [1]}, "%7B%22a%22%3A%5B1%5D%7D"),
        ("application/jsonpath", "$.a.b[1:1]", "%24.a.b%5B1%3A1%5D"),
        ("text/plain", "a=b&c#d", "a%3Db%26c%23d"),
    ],
)
def test_a_whole_query_string_has_no_name(media_type: str, value: Any, query: str) -> None:
    assert (
        build_parameter_request("query", value, "querystring", False, content=media_type).query
        == query
    )
