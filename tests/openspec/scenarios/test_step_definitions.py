"""Every step definition matches the documented example, and no near miss."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from docs.site.reference import PAGES, escape
from scenario_project import AT, tool

from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import ArgumentSpec
from mcpgen.openspec.lower.step_definitions import (
    STEP_DEFINITIONS,
    StepContext,
    ToolArguments,
    arguments_of_schemas,
    is_established,
    match_action,
    match_step,
    tool_arguments,
    written_prefixes,
)
from mcpgen.openspec.lower.step_definitions.actions import ACTIONS
from mcpgen.openspec.lower.step_definitions.call_arguments import (
    NO_SUCH_NUMBER,
    NO_SUCH_TEXT,
    NO_SUCH_UUID,
    unknown_value,
)
from mcpgen.openspec.model.companion import ActionKind, AssertionTarget, ScenarioAction
from mcpgen.openspec.model.requirements import Role, Scenario, Step


def argument(name: str, *, required: bool = False) -> ArgumentSpec:
    schema = {"type": "string", "description": "."}
    return ArgumentSpec(name, schema, required, Place.QUERY, (name,), AT, Style.FORM)


TOOLS = (
    tool("schema", "/schema", argument("stream"), argument("detail")),
    tool("search", "/search", argument("query", required=True), argument("limit")),
    tool("fetch", "/fetch", argument("id", required=True), argument("limit"), argument("fields")),
)
LISTING = ScenarioAction(ActionKind.REQUEST, "tools/list", None, AT)
CALLING = ScenarioAction(ActionKind.CALL, "schema", {}, AT)
AROUND = StepContext(
    {
        tool.name: ToolArguments(
            frozenset(argument.name for argument in tool.arguments),
            frozenset(argument.name for argument in tool.arguments if argument.required),
            tool.operation,
        )
        for tool in TOOLS
    },
    {"event-subscription management tool": ("*subscription*",)},
    {"tools_list_bytes": 24576, "result_bytes": 60000},
    LISTING,
    ("schema", "fetch"),
    "schema",
)


def step(text: str, role: Role = Role.THEN) -> Step:
    return Step(2, role.value.upper(), role, text, AT)


def phrase_of(text: str, role: Role = Role.THEN) -> str:
    """Returns the name of the step definition matched after a list of tools or after a call."""
    for action, of_api in ((LISTING, False), (CALLING, False), (CALLING, True)):
        match = match_step(step(text, role), replace(AROUND, action=action, of_api=of_api))
        if match:
            return match.phrase + (" and more" if match.unchecked else "")
    return ""


@pytest.mark.parametrize("phrase", STEP_DEFINITIONS, ids=lambda phrase: phrase.name)
def test_a_phrase_fits_its_example_wholly(phrase) -> None:  # type: ignore[no-untyped-def]
    role = Role.WHEN if phrase in ACTIONS else Role.THEN

    assert phrase_of(phrase.example, role) == phrase.name


NEAR_MISSES = {
    "lists-tools": "an unauthenticated client calls `tools/list`",
    "makes-list": "the test harness generates `tools/list` twice",
    "lists-as-stranger": "a client calls `tools/list` without an `Accept` header",
    "calls-with": 'a client calls `fetch` with `id: "a1"` and `colour: "red"`',
    "calls-without": "a client calls `search` without a `limit`",
    "calls-bare": "a client calls `search`",
    "calls-as-written": 'a client calls `delete(query="ants")`',
    "calls-with-object": 'a client calls `fetch` with `{"ident": "a1"}`',
    "requests-method": "a client requests `resources/read`",
    "sends-operation": "a client sends `GET /records/{id}` twice",
    "operation-is-called": "`GET /schema` is called by a stranger",
    "request-is-made": "a request is made to `GET /unknown`",
    "method-request-is-made": "a POST request is made to `/schema`",
    "sends-http": "a client sends `POST /mcp`",
    "calls-named-values": "the agent calls `search` with `query` set to `<words>`",
    "is-called": "`search` is called with a valid `query`",
    "is-called-as-written": '`search("ants")` is called',
    "subject-is-called": "the tool is called with `detail` and `stream`",
    "list-is-requested": "the client requests the tools of its group",
    "reads-resource": "a client reads the resource `records://{id}`",
    "gets-prompt": "a client requests the prompt that suits",
    "exact-tools": "the response SHALL include exactly `schema`, `search` or `fetch`",
    "excluded-tools": "it SHALL NOT include `fetch_blob`, or any tool for developers",
    "included-tools": "the first response SHALL include `schema`",
    "no-argument": "no tool SHALL advertise `a` and `b`",
    "arguments": "`schema` and `fetch` SHALL advertise `connection_id` where it is needed",
    "error-result": "the call SHALL return an error result if the stream is unknown",
    "no-error-result": "every second call SHALL succeed",
    "error-code": "the server SHALL NOT return a JSON-RPC error with code -32602",
    "http-status": "the server SHALL answer with status 401 unless it is told otherwise",
    "typed-error": "the adapter SHALL return a typed error",
    "budget": "the serialized payload SHALL stay below the budget of its reader",
    "text-says": "the text SHALL contain `next_cursor` when there is more",
    "text-lacks": 'some of the text SHALL NOT contain "internal"',
    "document-keys": "structuredContent SHALL contain the fields `id` and `title`",
    "no-member": "the result SHALL NOT include `status` and `request_id`",
    "member": "each hit SHALL include `connection_id`",
    "member-equals": '`structuredContent.status` SHALL NOT be "granted"',
    "header": "the response SHALL include a header",
    "no-upstream": "the adapter SHALL NOT call the upstream twice",
    "upstream-requests": "at most one request SHALL be sent to the upstream",
    "within-time": "the server SHALL answer within 500 ms of the first request or sooner",
    "api-status": "the response status is 404 or 410",
    "is-refused": "the request is rejected unless it is repeated",
    "returns-error": "the tool returns an error or an empty list",
    "succeeds": "the request succeeds if it is repeated",
    "members": "the tool returns a list of records with `record_id`",
    "member-has-value": "the JSON SHALL contain a `success` field set to `<bool>`",
    "members-with-values": 'the response contains `"status": "..."`',
    "members-equal": "`total` is 3 or `page` is 1",
    "message-says": 'the error message contains "<name> not found"',
    "tool-count": "the response contains at least three tools",
    "exactly-these-tools": "exactly `schema` or `search` are registered",
    "tools-are-listed": "`schema` or `search` are listed",
    "tools-are-not-listed": "the tool `drop_all` is not listed twice",
}


def test_every_phrase_has_a_near_miss() -> None:
    assert [phrase.name for phrase in STEP_DEFINITIONS] == list(NEAR_MISSES)


@pytest.mark.parametrize(("name", "text"), NEAR_MISSES.items())
def test_a_step_that_only_looks_like_a_phrase_is_left_alone(name: str, text: str) -> None:
    role = Role.WHEN if name in {phrase.name for phrase in ACTIONS} else Role.THEN

    assert phrase_of(text, role) == ""


@pytest.mark.parametrize(
    "text",
    [
        "the server SHALL answer with status 401, and it SHALL log the attempt",
        "the call SHALL return an error result before fetching anything",
        "the text SHALL contain `next_cursor`; clients page with it",
        'the adapter SHALL return a typed error with `retry_with: "connection_id"` before answering',
    ],
)
def test_a_step_that_says_more_than_its_phrase_stays_partly_bound(text: str) -> None:
    assert phrase_of(text).endswith(" and more")


@pytest.mark.parametrize(
    ("text", "subject", "name", "claims"),
    [
        (
            "the response SHALL include exactly schema, search, and fetch.",
            AssertionTarget.TOOLS, "", {"exactly": ["schema", "search", "fetch"]},
        ),
        (
            "it SHALL NOT include list_streams, fetch_blob, or any event-subscription management tool",
            AssertionTarget.TOOLS, "", {"exclude": ["list_streams", "fetch_blob", "*subscription*"]},
        ),
        (
            "none of those tools SHALL advertise connector_instance_id",
            AssertionTarget.ARGUMENTS, "", {"of": ["schema", "fetch"], "exclude": ["connector_instance_id"]},
        ),
        (
            "the serialized payload SHALL stay below the configured budget",
            AssertionTarget.BYTES, "tools/list", {"at_most": 24575},
        ),
        (
            "the serialized payload SHALL be at most 24 KiB",
            AssertionTarget.BYTES, "tools/list", {"at_most": 24576},
        ),
    ],
)  # fmt: skip
def test_a_claim_about_the_list_of_tools_is_what_the_step_says(
    text: str, subject: AssertionTarget, name: str, claims: dict[str, object]
) -> None:
    match = match_step(step(text), AROUND)

    assert match
    (assertion,) = match.assertions
    assert (assertion.subject, assertion.name, assertion.claims) == (subject, name, claims)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "the adapter SHALL return a typed ambiguous_connection error with "
            'retry_with: "connection_id"',
            [("**", {"contains": "ambiguous_connection"}), ("**.retry_with", {"equals": "connection_id"})],
        ),
        (
            "structuredContent SHALL contain only the OpenAI-compatible document fields id, title, "
            "text, url, and metadata",
            [("structuredContent", {"keys": ["id", "title", "text", "url", "metadata"]})],
        ),
        (
            "the result SHALL NOT include structuredContent.data, provider_url, or request_id",
            [],
        ),
        (
            "the result SHALL NOT include `structuredContent.data`, `provider_url`, or `request_id`",
            [
                ("structuredContent.data", {"absent": True}),
                ("**.provider_url", {"absent": True}),
                ("**.request_id", {"absent": True}),
            ],
        ),
        ("the server SHALL return `CallToolResult`", []),
        ("the result SHALL include `null`", []),
    ],
)  # fmt: skip
def test_a_claim_about_a_result_is_what_the_step_says(
    text: str, claims: list[tuple[str, dict[str, object]]]
) -> None:
    match = match_step(step(text), replace(AROUND, action=CALLING))

    assertions = match.assertions if match else ()
    assert [(assertion.name, assertion.claims) for assertion in assertions] == claims


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("a client calls schema without a stream", "schema", {}),
        ('a client calls schema with detail: "full" and no stream', "schema", {"detail": "full"}),
        ('an MCP client calls `fetch({ id: "a" })`', "fetch", {"id": "a"}),
        ('a client calls `fetch` with id "a b"', "fetch", {"id": "a b"}),
        ('`fetch` is called with `id` "5"', "fetch", {"id": "5"}),
        ("a client calls tools/list on the recommended MCP endpoint", "tools/list", None),
    ],
)
def test_an_action_is_what_the_step_says(text: str, name: str, value: object) -> None:
    match = match_step(step(text, Role.WHEN), AROUND)

    assert match
    assert match.action
    assert (match.action.name, match.action.value) == (name, value)


NOTE = tool("get_note", "/api/notes/{id}", argument("id", required=True))
LIST = tool(
    "make_list", "/api/lists", argument("name", required=True), argument("colour", required=True)
)
PAGE = tool(
    "find_in", "/api/pages/{id}", argument("id", required=True), argument("words", required=True)
)
OF_API = replace(
    AROUND, tools={tool.name: tool_arguments(tool) for tool in (*TOOLS, NOTE, LIST, PAGE)}
)


def scenario(*texts: str) -> Scenario:
    """A scenario; a text begins with its role."""
    steps = [
        Step(number, role.upper(), Role(role), text, AT)
        for number, (role, _, text) in enumerate((name.partition(" ") for name in texts), 1)
    ]
    return Scenario("S", tuple(steps), "", "0" * 12, AT)


def test_a_call_without_a_required_argument_is_bound_if_the_text_expects_a_code() -> None:
    text_scenario = scenario(
        "when `get_note` is called without `id`", "then the call is rejected with error -32602"
    )

    match = match_action(text_scenario, OF_API, has_fixture=False)

    assert match
    assert match.action
    assert (match.action.name, match.action.value) == ("get_note", {})


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("the call is rejected with error -32602", [AssertionTarget.CODE]),
        ("the server returns a JSON-RPC error -32602", [AssertionTarget.CODE]),
        ("the call is not rejected with error -32602", []),
        (
            'the result is an error mentioning "depot"',
            [AssertionTarget.REFUSED, AssertionTarget.TEXT],
        ),
        ("the result is an error mentioning the depot", [AssertionTarget.REFUSED]),
    ],
)
def test_an_error_has_the_code_and_the_quoted_text_of_the_step(
    text: str, subjects: list[AssertionTarget]
) -> None:
    match = match_step(step(text, Role.THEN), replace(AROUND, action=CALLING))

    assert (
        [assertion.subject for assertion in match.assertions] == subjects if match else not subjects
    )


@pytest.mark.parametrize(
    ("when_text", "name", "value"),
    [
        ("`GET /api/notes/{id}` is called with an id that does not exist", "get_note", {"id": NO_SUCH_TEXT}),
        ("`GET /api/notes/{id}` is called for a non-existent note", "get_note", {"id": NO_SUCH_TEXT}),
        ("a client sends `GET /api/notes/{non_existent_id}`", "get_note", {"id": NO_SUCH_TEXT}),
        ("an authenticated user calls `GET /api/notes/a1`", "get_note", {"id": "a1"}),
        ("a client calls `search` with an empty `query`", "search", {"query": ""}),
        ("`fetch` is called with an unknown ID", "fetch", {"id": NO_SUCH_TEXT}),
    ],
)  # fmt: skip
def test_a_value_that_names_nothing_needs_no_fixture(
    when_text: str, name: str, value: object
) -> None:
    match = match_action(
        scenario(f"when {when_text}", "then the request fails"), OF_API, has_fixture=False
    )

    assert match
    assert match.action
    assert (match.action.name, match.action.value) == (name, value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "format": "uuid"}, NO_SUCH_UUID),
        ({"type": "integer", "format": "int64"}, NO_SUCH_NUMBER),
        ({"type": "string", "pattern": "^[a-z]{2}$"}, None),
        ({"type": "string", "format": "date"}, None),
        ({"type": "integer", "maximum": 100}, None),
    ],
)
def test_an_unknown_value_is_valid(schema: dict[str, object], value: object) -> None:
    assert unknown_value("id", arguments_of_schemas({"id": schema}, ["id"])) == value


@pytest.mark.parametrize(
    "when_text",
    [
        "`GET /api/notes/{id}` is called for a non-existent user",
        "`GET /api/notes/{id}` is called for a valid note",
        "a client calls `search` with an empty query",
        'a client calls `search` with `{"query": {"words": ["<words>"]}}`',
        "`GET /api/pages/{id}` is called without `words`",
    ],
)
def test_a_value_of_something_else_is_left_to_a_fixture(when_text: str) -> None:
    assert (
        match_action(scenario(f"when {when_text}", "then it fails"), OF_API, has_fixture=False)
        is None
    )


@pytest.mark.parametrize(
    ("when_text", "value"),
    [
        ("`make_list` is called without `name`", {"colour": "example"}),
        ("`GET /api/lists` is called without `name`", {"colour": "example"}),
    ],
)
def test_a_call_without_a_required_argument_needs_a_refusal(when_text: str, value: object) -> None:
    refused_match = match_action(
        scenario(f"when {when_text}", "then the request is rejected"), OF_API, has_fixture=False
    )
    success_match = match_action(
        scenario(f"when {when_text}", "then the request succeeds"), OF_API, has_fixture=False
    )

    assert refused_match
    assert refused_match.action
    assert refused_match.action.value == value
    assert success_match is None


@pytest.mark.parametrize(
    ("texts", "is_bound"),
    [
        ([], True),
        (["`GET /api/notes/a1` is called"], False),
        (["the address `https://example.com/api-notes/` is shown"], True),
    ],
)
def test_a_path_without_a_prefix_that_the_text_writes_elsewhere_is_another_path(
    texts: list[str], is_bound: bool
) -> None:
    prefixes = written_prefixes(filter(None, OF_API.tools.values()), texts)
    context = replace(OF_API, prefixes=prefixes)

    match = match_action(scenario("when `GET /notes/a1` is called"), context, has_fixture=False)
    prefixed_match = match_action(
        scenario("when `GET /api/notes/a1` is called"), context, has_fixture=False
    )

    assert bool(match) is is_bound
    assert prefixed_match


def test_a_status_before_an_error_code_is_read_apart_from_the_code() -> None:
    text = step("the request is rejected with `400 words_required`")
    of_api = match_step(text, replace(OF_API, action=CALLING, of_api=True))
    of_server = match_step(text, replace(OF_API, action=CALLING))

    assert of_api
    assert [assertion.claims for assertion in of_api.assertions] == [
        {"equals": True},
        {"matches": r"\b400\b"},
        {"contains": ["words_required"]},
    ]
    assert of_server
    assert of_server.unchecked == "status 400"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("any authenticated user", True),
        ("the user is logged in", True),
        ("a logged-in user with `role=user`", False),
        ("an unauthenticated client", False),
    ],
)
def test_a_client_with_its_credentials_is_established(text: str, expected: bool) -> None:
    assert is_established(step(text, Role.GIVEN)) is expected


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            '`409 Conflict` — "Only drafts can be changed"',
            [{"equals": True}, {"matches": r"\b409\b"}, {"contains": ["Only drafts can be changed"]}],
        ),
        (
            'the system returns `400 Bad Request` with `{"error":"date_invalid"}`',
            [{"equals": True}, {"matches": r"\b400\b"}, {"contains": ["date_invalid"]}],
        ),
        (
            "the response is `404 boat_not_found`",
            [{"equals": True}, {"matches": r"\b404\b"}, {"contains": ["boat_not_found"]}],
        ),
        (
            "the response is `422 Unprocessable Content` with problem code `NO_FUNDS`",
            [{"equals": True}, {"matches": r"\b422\b"}, {"contains": ["NO_FUNDS"]}],
        ),
        (
            'the response is 409 with `error.code: "name_taken"`',
            [{"equals": True}, {"matches": r"\b409\b"}, {"contains": ["name_taken"]}],
        ),
        ('it returns 200 with body `{"mode": "dark", "size": 2}`', [{"equals": False}, {"equals": "dark"}, {"equals": 2}]),
        ("it returns 200 with `data.list`", [{"equals": False}, {"present": True}]),
        ("the response includes `data.list` and `total`", [{"present": True}, {"present": True}]),
        ("`total` is 3, `pages` is 1 and `items` is empty", [{"equals": 3}, {"equals": 1}, {"equals": []}]),
        ("the response does not include `secret_key`", [{"absent": True}]),
        ("the response includes `package.json` and `spec.md`", []),
        ("the system returns `data.list`", [{"present": True}]),
        ("it returns `data.ok` as true", [{"equals": True}]),
    ],
)  # fmt: skip
def test_an_outcome_is_what_the_step_says(text: str, claims: list[object]) -> None:
    match = match_step(step(text), replace(OF_API, action=CALLING, of_api=True))

    assert [assertion.claims for assertion in match.assertions] == claims if match else not claims


@pytest.mark.parametrize(
    ("text", "pending_text"),
    [
        ("the response is `401` with the `REALM_NAME` header", "with the `REALM_NAME` header"),
        ("the response is `400` with `{\"error\": \"<code>\"}`", "with `{\"error\": \"<code>\"}`"),
        ("the response is `400` with `{\"error\": \"late\", \"after\": 3}`", "with `{\"error\": \"late\", \"after\": 3}`"),
        ("the response is `400` with `{\"error\": \"date_late\", \"field\": \"from\"}`", "with `{\"error\": \"date_late\", \"field\": \"from\"}`"),
        ("the response is `404 not_here` with a hint", "with a hint"),
        ("it returns 200 with body `{\"mode\": {\"dark\": true}}`", "with body `{\"mode\": {\"dark\": true}}`"),
        ("it returns 201 with body `{\"mode\": \"dark\"}`", "status 201"),
    ],
)  # fmt: skip
def test_a_body_behind_a_status_that_cannot_be_shown_stays_pending(
    text: str, pending_text: str
) -> None:
    match = match_step(step(text), replace(OF_API, action=CALLING, of_api=True))

    assert match
    assert match.unchecked == pending_text


@pytest.mark.parametrize(
    ("text", "pending_text"),
    [
        ("the response status is 401", ""),
        ("the response is 401 with a hint", "with a hint"),
        ("the response is `401 no_token`", "no_token"),
    ],
)
def test_a_status_of_a_request_to_the_server_leaves_the_body_pending(
    text: str, pending_text: str
) -> None:
    scenario_action = ScenarioAction(ActionKind.HTTP, "GET", None, AT, path="/mcp")

    match = match_step(step(text), replace(AROUND, action=scenario_action))

    assert match
    assert (match.assertions[0].claims, match.unchecked) == ({"equals": 401}, pending_text)


def test_the_reference_has_the_table_of_phrases() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \| (.+?) \|$", PAGES["phrases"](), re.MULTILINE)

    assert rows == [
        (step_definition.name, escape(step_definition.example), escape(step_definition.makes))
        for step_definition in STEP_DEFINITIONS
    ]


def test_the_examples_of_the_documentation_are_phrases() -> None:
    page = (Path(__file__).parents[3] / "docs" / "openspec.md").read_text("utf-8")
    section = page.partition("\n## Phrases\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?:WHEN|THEN) (.+?) \| `([a-z-]+)` \| (.+?) \|$", section, re.MULTILINE)

    assert len(rows) == 5
    assert set(rows) <= {
        (step_definition.example, step_definition.name, step_definition.makes)
        for step_definition in STEP_DEFINITIONS
    }
