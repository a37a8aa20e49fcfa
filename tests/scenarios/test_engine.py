"""The engine of a project: every claim is true of what it is true of, and false of the rest."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2] / "templates" / "project"


def engine(name: str) -> ModuleType:
    """A module of the engine, as it stands in a project."""
    return _loaded(f"tests.scenario_engine.{name}", f"tests/scenario_engine/{name}.py")


def _loaded(name: str, path: str) -> ModuleType:
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, PROJECT / path)
        assert spec
        assert spec.loader
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


_loaded("tests.support", "tests/support.py")
paths, claims, outcome = engine("paths"), engine("claims"), engine("outcome")
backdrop, subjects = engine("backdrop"), engine("subjects")

VALUE = {
    "rows": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": []}, {"id": 2}],
    "odd name": {'"': "quoted"},
    "text": "two words",
    "mirror": '{"x": 1.0}',
    "mirrored": {"x": 1},
    "yes": True,
    "none": None,
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("text", ["two words"]),
        ("rows[0].id", [1]),
        ("rows[9].id", []),
        ("rows[*].id", [1, 2, 2]),
        ("rows[*].tags[*]", ["a", "b"]),
        ('["odd name"]["\\""]', ["quoted"]),
        ("**.id", [1, 2, 2]),
        ("**.absent", []),
        ("none", [None]),
        ("text.id", []),
        ("", [VALUE]),
    ],
)
def test_a_path_leads_to_what_stands_there(path: str, values: list[Any]) -> None:
    assert paths.found(path, VALUE).values == values


@pytest.mark.parametrize("path", [".text", "a..b", "a[", "a[x]", "a.", 'a["b]', "a[-1]", "[0]b"])
def test_what_is_no_path_is_said_to_be_none(path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        paths.found(path, VALUE)


def lies(path: str, **claimed: Any) -> str:
    told: str = claims.false(claimed, paths.found(path, VALUE))
    return told


CLAIMS = [
    ("text", "equals", "two words", "two"),
    ("yes", "equals", True, 1),
    ("rows[0].id", "equals", 1.0, True),
    ("rows[*].id", "at_most", 2, 1),
    ("rows[*].id", "at_least", 1, 2),
    ("text", "contains", "two", "three"),
    ("text", "contains", ["two", "words"], ["two", "three"]),
    ("rows[0].tags", "contains", "a", "c"),
    ("rows[*].id", "contains", 2, 3),
    ("rows[0]", "contains", "id", "name"),
    ("text", "lacks", "three", "two"),
    ("text", "lacks", ["three", "four"], ["three", "two"]),
    ("rows[*].id", "lacks", 3, 2),
    ("rows[0].tags", "lacks", "c", "b"),
    ("**", "lacks", "three", "words"),
    ("text", "matches", "^two .*s$", "^words"),
    ("rows", "count", 3, 2),
    ("rows[*].id", "count", 3, 1),
    ("rows", "at_least", 3, 4),
    ("rows", "at_most", 3, 2),
    ("rows[*].id", "order", [1, 2], [2, 1]),
    ("rows[0].tags", "order", ["a", "b"], ["b", "a"]),
    ("rows[0].tags", "unique", True, False),
    ("rows[*].id", "unique", False, True),
    ("rows[0]", "keys", ["tags", "id"], ["id"]),
    ("mirror", "mirrors", {"x": 1}, {"x": 2}),
    ("absent", "absent", True, False),
    ("rows[*].absent", "absent", True, False),
    ("none", "present", True, False),
]


@pytest.mark.parametrize(("path", "claim", "so", "not_so"), CLAIMS)
def test_a_claim_holds_for_what_it_says_and_for_nothing_else(
    path: str, claim: str, so: Any, not_so: Any
) -> None:
    assert lies(path, **{claim: so}) == ""
    assert lies(path, **{claim: not_so}).startswith(claim)


def test_every_claim_is_among_those_that_are_tried() -> None:
    assert {claim for _, claim, _, _ in CLAIMS} == claims.KNOWN


@pytest.mark.parametrize("claim", ["equals", "matches", "at_most", "present", "keys"])
def test_a_claim_about_each_value_is_false_of_none(claim: str) -> None:
    assert "found nothing" in lies("rows[*].absent", **{claim: True})


@pytest.mark.parametrize(("claim", "so"), [("lacks", "x"), ("unique", True), ("order", [])])
def test_a_claim_that_no_value_could_make_false_is_false_of_none(claim: str, so: Any) -> None:
    assert "found nothing" in lies("rows[*].absent", **{claim: so})


def test_a_claim_that_there_is_not_is_a_mistake_of_whoever_wrote_it() -> None:
    with pytest.raises(TypeError, match="no claim 'equal'"):
        lies("text", equal="two words")


def answered(result: Any = None, error: Any = None, **more: Any) -> Any:
    import json

    body = {"jsonrpc": "2.0", "id": 1}
    body |= {"error": error} if error else {"result": result}
    return outcome.Outcome("tools/call", json.dumps(body), 200, **more)


TOOLS = {
    "tools": [
        {"name": "schema", "inputSchema": {"properties": {"stream": {}}}},
        {"name": "add_subscription", "inputSchema": {"properties": {"stream": {}, "at": {}}}},
    ]
}
TEXT = {"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}
JSON_TEXT = {"content": [{"type": "text", "text": '{"rows": ["hit"]}'}]}
BOTH = {
    "content": [{"type": "text", "text": '{"rows": ["hit"], "leak": 1}'}],
    "structuredContent": {"rows": ["hit"]},
}
SENT = [
    backdrop.Sent("GET /books/7?limit=2&all=", {}, b""),
    backdrop.Sent("POST /books", {}, b"{}"),
]
HEADERS = {"www-authenticate": "Bearer"}

SUBJECTS = [
    ("assert_is_error", answered({**TEXT, "isError": True}), (True,), (False,)),
    ("assert_is_error", answered(TEXT), (False,), (True,)),
    ("assert_code", answered(error={"code": -32602}), (-32602,), (-32601,)),
    ("assert_status", answered(TEXT), (200,), (401,)),
    ("assert_text", answered(TEXT), ({"contains": "one\ntwo"},), ({"contains": "three"},)),
    ("assert_text", answered(error={"message": "no"}), ({"equals": "no"},), ({"lacks": "no"},)),
    (
        "assert_header",
        answered(TEXT, headers=HEADERS),
        ("WWW-Authenticate", {"matches": "^Bearer"}),
        ("WWW-Authenticate", {"absent": True}),
    ),
    ("assert_bytes", answered({"a": "é"}), ("result", {"at_most": 10}), ("result", {"at_most": 9})),
    ("assert_bytes", answered({"tools": []}), ("tools/list", {"at_most": 2}), ("result", {"at_most": 2})),
    ("assert_within", answered(TEXT, milliseconds=5.0), (5,), (4,)),
    ("assert_tools", answered(TOOLS), (["schema", "*subscription*"], [], []), (["schema"], [], [])),
    ("assert_tools", answered(TOOLS), ([], ["schema"], []), ([], ["search"], [])),
    ("assert_tools", answered(TOOLS), ([], [], ["search"]), ([], [], ["*subscription*"])),
    ("assert_tools", answered(TOOLS), ([], ["s*"], []), (["schema", "add_subscription", "x"], [], [])),
    ("assert_arguments", answered(TOOLS), ("every", ["stream"], []), ("every", ["at"], [])),
    ("assert_arguments", answered(TOOLS), (["schema"], [], ["at"]), ("every", [], ["at"])),
    ("assert_arguments", answered(TOOLS), (["schema"], [], []), (["search"], [], [])),
    ("assert_path", answered({"a": 1}), ("a", {"equals": 1}), ("a", {"equals": 2})),
    (
        "assert_path",
        answered({"text": '{"b": 1}', "a": {"b": 1}}),
        ("text", {"mirrors": "a"}),
        ("text", {"mirrors": "a.b"}),
    ),
    ("assert_path", answered(JSON_TEXT), ("**.rows", {"count": 1}), ("**.rows", {"absent": True})),
    ("assert_path", answered(JSON_TEXT), ("**", {"contains": "hit"}), ("**", {"lacks": "hit"})),
    ("assert_path", answered(BOTH), ("**.rows", {"count": 1}), ("**.leak", {"absent": True})),
    ("assert_path", answered(error={"data": {"x": 1}}), ("data.x", {"equals": 1}), ("data", {"absent": True})),
]  # fmt: skip


@pytest.mark.parametrize(("name", "found", "so", "not_so"), SUBJECTS)
def test_an_assertion_holds_for_what_it_says_and_fails_for_the_rest(
    name: str, found: Any, so: tuple[Any, ...], not_so: tuple[Any, ...]
) -> None:
    check = getattr(subjects, name)

    check(found, *so)
    with pytest.raises(AssertionError, match=r"but|found"):
        check(found, *not_so)


def test_every_assertion_is_among_those_that_are_tried() -> None:
    asserted = {name for name in vars(subjects) if name.startswith("assert_")}

    assert asserted == {name for name, *_ in SUBJECTS} | {"assert_upstream"}


@pytest.mark.parametrize(
    ("so", "not_so"),
    [
        ({"count": 2}, {"count": 0}),
        ({"method": "GET"}, {"method": "PUT"}),
        ({"path": "/books/*"}, {"path": "/shelves/*"}),
        ({"path": "/books/*", "query": {"limit": "2", "all": ""}}, {"query": {"limit": "3"}}),
        ({"method": "PUT", "count": 0}, {"method": "POST", "at_least": 2}),
        ({"at_most": 2}, {"at_most": 1}),
    ],
)
def test_requests_are_counted_by_their_shape(so: dict[str, Any], not_so: dict[str, Any]) -> None:
    subjects.assert_upstream(SENT, so)
    with pytest.raises(AssertionError, match="it got"):
        subjects.assert_upstream(SENT, not_so)


@pytest.mark.parametrize(
    ("check", "args"),
    [
        ("assert_path", ("a", {"absent": True})),
        ("assert_bytes", ("result", {"at_most": 9999})),
        ("assert_is_error", (False,)),
        ("assert_tools", ([], [], ["a"])),
        ("assert_arguments", ("every", [], ["a"])),
        ("assert_code", (-32602,)),
    ],
)
def test_nothing_is_claimed_of_a_text_that_is_no_answer(check: str, args: tuple[Any, ...]) -> None:
    refused = outcome.Outcome("POST /mcp", "Unauthorized", 401)

    with pytest.raises(AssertionError):
        getattr(subjects, check)(refused, *args)


def test_the_last_event_of_a_stream_is_the_answer() -> None:
    stream = 'event: message\ndata: {"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}\n\n'

    assert outcome.Outcome("POST", stream, 200).result == {"a": 1}


def test_a_later_fixture_goes_before_an_earlier_one() -> None:
    given = backdrop.Given
    fixtures = {
        "one": given({"A": "1", "B": "1"}, {"X": "1"}, (), len, {"n": 1}),
        "two": given({"B": "2"}, {"X": "2"}),
    }

    both = backdrop.together(["one", "two"], fixtures)

    assert both.environment == {"A": "1", "B": "2"}
    assert both.headers == {"X": "2"}
    assert both.app is len
    assert both.values == {"n": 1}


def test_a_list_of_tools_that_goes_on_is_not_taken_for_the_whole() -> None:
    with pytest.raises(AssertionError, match="goes on"):
        subjects.assert_tools(answered({**TOOLS, "nextCursor": "2"}), [], [], ["search"])
