"""The scenario engine of a project: claims hold for matching responses and fail otherwise."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

PROJECT = Path(__file__).parents[3] / "templates" / "project"


def engine(name: str) -> ModuleType:
    """Imports a module of the engine from the project template."""
    package = sys.modules.setdefault("tests.scenario_engine", ModuleType("tests.scenario_engine"))
    package.__path__ = [str(PROJECT / "tests" / "scenario_engine")]
    return importlib.import_module(f"tests.scenario_engine.{name}")


sys.modules["tests.support"] = importlib.import_module("mcpgen_runtime.testing")
lifespan = engine("lifespan")
paths, matchers, outcome = engine("paths"), engine("matchers"), engine("outcome")
fixtures, targets = engine("fixtures"), engine("targets")
unexpected_failures, matrix = engine("unexpected_failures"), engine("matrix")

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
    assert paths.find_values(path, VALUE).values == values


@pytest.mark.parametrize("path", [".text", "a..b", "a[", "a[x]", "a.", 'a["b]', "a[-1]", "[0]b"])
def test_what_is_no_path_is_said_to_be_none(path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        paths.find_values(path, VALUE)


def lies(path: str, **claim_values: Any) -> str:
    message: str = matchers.describe_false_claim(claim_values, paths.find_values(path, VALUE))
    return message


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
    ("rows[*].id", "type", ["integer"], ["string", "boolean"]),
    ("rows[0]", "type", "object", "array"),
    ("none", "type", ["string", "null"], ["string"]),
    ("mirror", "mirrors", {"x": 1}, {"x": 2}),
    ("absent", "absent", True, False),
    ("rows[*].absent", "absent", True, False),
    ("none", "present", True, False),
]


@pytest.mark.parametrize(("path", "claim", "true_value", "false_value"), CLAIMS)
def test_a_claim_holds_for_what_it_says_and_for_nothing_else(
    path: str, claim: str, true_value: Any, false_value: Any
) -> None:
    assert lies(path, **{claim: true_value}) == ""
    assert lies(path, **{claim: false_value}).startswith(claim)


def test_every_claim_is_among_those_that_are_tried() -> None:
    assert {claim for _, claim, _, _ in CLAIMS} == matchers.CLAIM_NAMES


@pytest.mark.parametrize("claim", sorted(matchers.CLAIM_NAMES - {"absent", "count"}))
def test_a_claim_about_values_is_false_of_none(claim: str) -> None:
    assert "found " in lies("rows[*].absent", **{claim: True})
    assert "found nothing" in lies("absent", **{claim: True})


@pytest.mark.parametrize("claim", [{"absent": True}, {"count": 0}, {"present": False}])
def test_that_there_is_nothing_can_be_claimed(claim: dict[str, Any]) -> None:
    assert lies("rows[*].absent", **claim) == ""


@pytest.mark.parametrize(("claim", "operand"), [("lacks", "x"), ("unique", True), ("order", [])])
def test_a_claim_that_no_value_could_make_false_is_false_of_none(claim: str, operand: Any) -> None:
    assert "found nothing" in lies("rows[*].absent", **{claim: operand})


def test_a_claim_that_there_is_not_is_a_mistake_of_whoever_wrote_it() -> None:
    with pytest.raises(TypeError, match="no claim 'equal'"):
        lies("text", equal="two words")


def make_outcome(result: Any = None, error: Any = None, **more: Any) -> Any:
    import json

    body = {"jsonrpc": "2.0", "id": 1}
    body |= {"error": error} if error else {"result": result}
    return outcome.ActionOutcome("tools/call", json.dumps(body), 200, **more)


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
    fixtures.SentRequest("GET /books/7?limit=2&all=", {}, b""),
    fixtures.SentRequest("POST /books", {}, b"{}"),
]
HEADERS = {"www-authenticate": "Bearer"}

SUBJECTS = [
    ("assert_is_error", make_outcome({**TEXT, "isError": True}), (True,), (False,)),
    ("assert_is_error", make_outcome(TEXT), (False,), (True,)),
    ("assert_refused", make_outcome({**TEXT, "isError": True}), (True,), (False,)),
    ("assert_refused", make_outcome(error={"code": -32602}), (True,), (False,)),
    ("assert_refused", make_outcome(TEXT), (False,), (True,)),
    ("assert_code", make_outcome(error={"code": -32602}), (-32602,), (-32601,)),
    ("assert_status", make_outcome(TEXT), (200,), (401,)),
    ("assert_text", make_outcome(TEXT), ({"contains": "one\ntwo"},), ({"contains": "three"},)),
    ("assert_text", make_outcome(error={"message": "no"}), ({"equals": "no"},), ({"lacks": "no"},)),
    (
        "assert_header",
        make_outcome(TEXT, headers=HEADERS),
        ("WWW-Authenticate", {"matches": "^Bearer"}),
        ("WWW-Authenticate", {"absent": True}),
    ),
    ("assert_bytes", make_outcome({"a": "é"}), ("result", {"at_most": 10}), ("result", {"at_most": 9})),
    ("assert_bytes", make_outcome({"tools": []}), ("tools/list", {"at_most": 2}), ("result", {"at_most": 2})),
    ("assert_within", make_outcome(TEXT, milliseconds=5.0), (5,), (4,)),
    ("assert_tools", make_outcome(TOOLS), (["schema", "*subscription*"], [], []), (["schema"], [], [])),
    ("assert_tools", make_outcome(TOOLS), ([], ["schema"], []), ([], ["search"], [])),
    ("assert_tools", make_outcome(TOOLS), ([], [], ["search"]), ([], [], ["*subscription*"])),
    ("assert_tools", make_outcome(TOOLS), ([], ["s*"], []), (["schema", "add_subscription", "x"], [], [])),
    ("assert_arguments", make_outcome(TOOLS), ("every", ["stream"], []), ("every", ["at"], [])),
    ("assert_arguments", make_outcome(TOOLS), (["schema"], [], ["at"]), ("every", [], ["at"])),
    ("assert_arguments", make_outcome(TOOLS), (["schema"], [], []), (["search"], [], [])),
    ("assert_path", make_outcome({"a": 1}), ("a", {"equals": 1}), ("a", {"equals": 2})),
    (
        "assert_path",
        make_outcome({"text": '{"b": 1}', "a": {"b": 1}}),
        ("text", {"mirrors": "a"}),
        ("text", {"mirrors": "a.b"}),
    ),
    ("assert_path", make_outcome(JSON_TEXT), ("**.rows", {"count": 1}), ("**.rows", {"absent": True})),
    ("assert_path", make_outcome(JSON_TEXT), ("**", {"contains": "hit"}), ("**", {"lacks": "hit"})),
    ("assert_path", make_outcome(BOTH), ("**.rows", {"count": 1}), ("**.leak", {"absent": True})),
    ("assert_path", make_outcome(error={"data": {"x": 1}}), ("data.x", {"equals": 1}), ("data", {"absent": True})),
]  # fmt: skip


@pytest.mark.parametrize(("name", "action_outcome", "true_arguments", "false_arguments"), SUBJECTS)
def test_an_assertion_holds_for_what_it_says_and_fails_for_the_rest(
    name: str,
    action_outcome: Any,
    true_arguments: tuple[Any, ...],
    false_arguments: tuple[Any, ...],
) -> None:
    check = getattr(targets, name)

    check(action_outcome, *true_arguments)
    with pytest.raises(AssertionError, match=r"but|found"):
        check(action_outcome, *false_arguments)


def test_every_assertion_is_among_those_that_are_tried() -> None:
    assertion_names = {name for name in vars(targets) if name.startswith("assert_")}

    assert assertion_names == {name for name, *_ in SUBJECTS} | {"assert_upstream"}


@pytest.mark.parametrize(
    ("true_shape", "false_shape"),
    [
        ({"count": 2}, {"count": 0}),
        ({"method": "GET"}, {"method": "PUT"}),
        ({"path": "/books/*"}, {"path": "/shelves/*"}),
        ({"path": "/books/*", "query": {"limit": "2", "all": ""}}, {"query": {"limit": "3"}}),
        ({"method": "PUT", "count": 0}, {"method": "POST", "at_least": 2}),
        ({"at_most": 2}, {"at_most": 1}),
    ],
)
def test_requests_are_counted_by_their_shape(
    true_shape: dict[str, Any], false_shape: dict[str, Any]
) -> None:
    targets.assert_upstream(SENT, true_shape)
    with pytest.raises(AssertionError, match="it got"):
        targets.assert_upstream(SENT, false_shape)


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
    action_outcome = outcome.ActionOutcome("POST /mcp", "Unauthorized", 401)

    with pytest.raises(AssertionError):
        getattr(targets, check)(action_outcome, *args)


REFUSED = make_outcome({**TEXT, "isError": True})


@pytest.mark.parametrize(
    "action_outcome",
    [
        REFUSED,
        make_outcome(error={"code": -32602}),
        outcome.ActionOutcome("POST /mcp", "Unauthorized", 401),
        *(
            outcome.ActionOutcome("shelf --help", "Traceback", code, is_command=True)
            for code in (1, 127, 255, -9)
        ),
    ],
)
def test_an_action_that_failed_is_an_accident_unless_something_is_affirmed_of_it(
    action_outcome: Any,
) -> None:
    (reason,) = unexpected_failures.find_unexpected_failures([action_outcome], (), ())

    assert "came back as an error, and nothing asserts that" in reason
    assert not [*unexpected_failures.find_unexpected_failures([action_outcome], {1}, ())]


@pytest.mark.parametrize(
    "done",
    [
        make_outcome(TEXT),
        outcome.ActionOutcome("shelf --help", "Usage", 0, is_command=True),
        outcome.ActionOutcome("README.md", "Read me"),
        outcome.ActionOutcome("GET /healthz", "ok", 200),
    ],
)
def test_an_action_that_was_done_is_no_accident(done: Any) -> None:
    assert not [*unexpected_failures.find_unexpected_failures([done], (), ())]


@pytest.mark.parametrize("module", ["upstream/operation.py", "server/calls.py"])
def test_what_the_server_says_where_it_fails_is_known(module: str) -> None:
    text = (PROJECT.parents[1] / "runtime" / "mcpgen_runtime" / module).read_text("utf-8")
    (sign,) = [sign for sign in unexpected_failures.SERVER_FAILURES if sign in text]

    (reason,) = unexpected_failures.find_unexpected_failures(
        [make_outcome({"content": [{"type": "text", "text": f"- {sign} x"}], "isError": True})],
        {1},
        (),
    )

    assert unexpected_failures.SERVER_FAILURES[sign] in reason


@pytest.mark.parametrize(
    ("claim_map", "affirming"),
    [
        ({"lacks": "a"}, False),
        ({"absent": True}, False),
        ({"present": False}, False),
        ({"count": 0}, False),
        ({"at_most": 9}, False),
        ({"lacks": "a", "contains": "b"}, True),
        ({"absent": False}, True),
        ({"present": True}, True),
        ({"count": 1}, True),
        ({"equals": 0}, True),
    ],
)
def test_claims_that_find_something_are_told_from_those_that_deny(
    claim_map: dict[str, Any], affirming: bool
) -> None:
    assert unexpected_failures.needs_content(claim_map) is affirming


def test_a_part_of_a_list_of_tools_is_not_taken_for_all_of_it() -> None:
    page = make_outcome({**TOOLS, "nextCursor": "2"})

    with pytest.raises(AssertionError, match="another page"):
        targets.assert_tools(page, [], [], ["search"])


def test_every_tool_is_at_least_one() -> None:
    with pytest.raises(AssertionError, match="no tool is listed"):
        targets.assert_arguments(make_outcome({"tools": []}), "every", [], ["alias"])


def test_the_last_event_of_a_stream_is_the_answer() -> None:
    stream = 'event: message\ndata: {"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}\n\n'

    assert outcome.ActionOutcome("POST", stream, 200).result == {"a": 1}


def test_a_result_without_blocks_has_no_text() -> None:
    assert make_outcome({"content": [], "structuredContent": {"title": "Ants"}}).text == ""


def test_paths_and_texts_reach_the_contents_of_a_resource() -> None:
    contents = [{"uri": "shelf://books", "text": '[{"title": "Ants"}]'}]

    resource = make_outcome({"contents": contents})

    assert resource.text == '[{"title": "Ants"}]'
    targets.assert_path(resource, "**.title", {"equals": "Ants"})


def test_a_later_fixture_goes_before_an_earlier_one() -> None:
    fixture_class = fixtures.ScenarioFixture
    named_fixtures = {
        "one": fixture_class({"A": "1", "B": "1"}, {"X": "1"}, (), len, {"n": 1}),
        "two": fixture_class({"B": "2"}, {"X": "2"}),
    }

    merged_fixture = fixtures.merge_fixtures(["one", "two"], named_fixtures)

    assert merged_fixture.environment == {"A": "1", "B": "2"}
    assert merged_fixture.headers == {"X": "2"}
    assert merged_fixture.app is len
    assert merged_fixture.values == {"n": 1}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def get_response(app: Any, path: str = "/") -> httpx2.Response:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://app") as client:
        return await client.get(path)


def lifespan_app(events: list[str], *, breaks: str = "") -> Starlette:
    """Returns an application that records startup and shutdown; responds with lifespan state."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, str]]:
        if breaks == "startup":
            raise ValueError("no store")
        events.append("started")
        yield {"store": "open"}
        if breaks == "shutdown":
            raise ValueError("store is locked")
        events.append("stopped")

    async def root(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.state.store)

    return Starlette(routes=[Route("/", root)], lifespan=lifespan)


@pytest.mark.anyio
async def test_application_is_started_before_it_is_asked_and_shut_down_at_the_end() -> None:
    events: list[str] = []

    async with lifespan.run_lifespan(lifespan_app(events)) as app:
        answer = await get_response(app)
        before = list(events)

    assert answer.text == "open"
    assert before == ["started"]
    assert events == ["started", "stopped"]


@pytest.mark.parametrize(
    ("event", "reason"), [("startup", "no store"), ("shutdown", "store is locked")]
)
@pytest.mark.anyio
async def test_application_that_cannot_start_or_stop_fails_the_scenario(
    event: str, reason: str
) -> None:
    with pytest.raises(RuntimeError, match=f"(?s){event} of the fixture's app failed: .*{reason}"):
        async with lifespan.run_lifespan(lifespan_app([], breaks=event)):
            pass


@pytest.mark.anyio
async def test_application_is_shut_down_after_a_scenario_that_failed() -> None:
    events: list[str] = []

    with pytest.raises(AssertionError):
        async with lifespan.run_lifespan(lifespan_app(events)):
            raise AssertionError("the demand is not met")

    assert events == ["started", "stopped"]


@pytest.mark.anyio
async def test_application_without_a_lifespan_is_asked_as_it_is() -> None:
    async def serve_without_lifespan(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http"
        await PlainTextResponse("bare")(scope, receive, send)

    async with lifespan.run_lifespan(serve_without_lifespan) as app:
        answer = await get_response(app)

    assert answer.text == "bare"


@pytest.mark.anyio
async def test_upstream_of_a_fixture_is_its_application_started() -> None:
    events: list[str] = []
    fixture = fixtures.ScenarioFixture(app=lambda values: lifespan_app(events))

    async with fixtures.run_upstream(fixture) as upstream:
        answer = await upstream.client.get("/")

    assert answer.text == "open"
    assert events == ["started", "stopped"]


@pytest.mark.parametrize("module", ["timeit", "http.server", "shelf.x", "..", "os"])
@pytest.mark.anyio
async def test_a_command_is_a_module_of_the_project(module: str, tmp_path: Path) -> None:
    scene = engine("scenario").Scene(None, tmp_path)

    with pytest.raises(ValueError, match="no module of the project"):
        await scene.command(module, ["print(1)"])

    assert scene.outcomes == []


def test_a_hundred_of_a_hundred_steps_is_all_of_them() -> None:
    rows = [matrix.MatrixRow("R", str(count), "passed", 999, count) for count in (1000, 999)]

    assert matrix.Matrix(tuple(rows)).percent == 99.9
    assert matrix.Matrix(tuple(rows[1:])).percent == 100.0


def scene_of_text(folder: Path, **saved_values: Any) -> Any:
    """A scene after an action that returned a text, with saved values."""
    scene = engine("scenario").Scene(None, folder)
    scene.outcomes.append(outcome.ActionOutcome("a", "price: 5.0 (new)", 0))
    scene.saved |= saved_values
    return scene


def test_a_claim_with_an_unknown_name_is_false(tmp_path: Path) -> None:
    scene = scene_of_text(tmp_path, price="5.0")

    scene.text(contains="${price} (new)")
    for operand in ("${typo}", "no ${typo}", ["${typo}"]):
        with pytest.raises(AssertionError, match=r"\$\{typo\} to be saved"):
            scene.text(lacks=operand)


def test_a_saved_value_is_no_pattern_and_not_empty_in_a_search(tmp_path: Path) -> None:
    scene = scene_of_text(tmp_path, price=5.0, dots="5.. (new)", none="", nothing=None)

    scene.text(matches="^price: ${price} ")
    for claim in ({"matches": "${dots}"}, {"lacks": "${none}"}, {"contains": ["a", "${nothing}"]}):
        with pytest.raises(AssertionError):
            scene.text(**claim)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.anyio
async def test_set_up_keeps_values_and_nothing_else(tmp_path: Path, fails: bool) -> None:
    import httpx2

    text = {"type": "text", "text": '{"book_id": "b1"}'}
    result = {"content": [text], "isError": fails}

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"jsonrpc": "2.0", "id": 1, "result": result})

    async with httpx2.AsyncClient(
        transport=httpx2.MockTransport(answer), base_url="http://shelf"
    ) as client:
        support = sys.modules["tests.support"]
        api = support.Api(client, support.Upstream())
        api.upstream.requests.append("a request of the set-up")
        scene = engine("scenario").Scene(api, tmp_path)
        await scene.call("add_book", save={"book": "**.book_id"})
        if fails:
            with pytest.raises(AssertionError, match="the set-up to succeed"):
                scene.end_setup()
            return
        scene.end_setup()

    assert (scene.saved["book"], scene.outcomes, api.upstream.requests) == ("b1", [], [])
    assert len(scene.saved["unique"]) == 12


@pytest.mark.anyio
async def test_a_header_may_be_called_as_anything_is(tmp_path: Path) -> None:
    import httpx2

    headerses: list[httpx2.Headers] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        headerses.append(request.headers)
        return httpx2.Response(200, json={"jsonrpc": "2.0", "id": 1, "result": {}})

    transport = httpx2.MockTransport(answer)
    async with httpx2.AsyncClient(transport=transport, base_url="http://shelf") as client:
        support = sys.modules["tests.support"]
        api = support.Api(client, support.Upstream())
        names = ("toolset", "version", "method", "params", "X-Shelf")
        await engine("scenario").Scene(api, tmp_path).request(
            "tools/list", headers=dict.fromkeys(names, "me")
        )

    assert [headerses[0][name] for name in names] == ["me"] * len(names)
