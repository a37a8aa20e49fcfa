"""Facts extracted from sentences, and sentences without facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mcpgen.openspec.lower.extraction import FactKind, Facts, facts_of
from mcpgen.openspec.model.requirements import Requirements

Finds = Callable[[str], Facts]
Parses = Callable[[str], Requirements]

EXACT = "The read surface SHALL contain exactly `schema`, `search`, and `fetch_one`."


def requirement_text(body: str, *steps: str) -> str:
    """Returns a requirement with a scenario of the given steps."""
    listing = "".join(f"- {step}\n" for step in steps)
    return f"### Requirement: The MCP server SHALL do it\n\n{body}\n\n#### Scenario: It does\n{listing}"


def fact_names(facts: Facts, kind: FactKind) -> list[tuple[str, ...]]:
    """Returns the names of all facts of a kind."""
    return [fact.names for fact in facts.of(kind)]


@pytest.mark.parametrize(
    "sentence",
    [
        EXACT,
        EXACT.replace("`", ""),
        "The tool list SHALL have exactly these tools: `schema`, `search` and `fetch_one`.",
        "The server SHALL expose three MCP tools: `schema`, `search`, `fetch_one`.",
        "The server SHALL register 3 tools: `schema`, `search`, `fetch_one`.",
    ],
)
def test_an_exact_list_of_tools_is_found_with_and_without_marks(
    facts: Finds, sentence: str
) -> None:
    (fact,) = facts(requirement_text(sentence)).of(FactKind.EXACT_TOOLS)

    assert fact.names == ("schema", "search", "fetch_one")
    assert fact.demanded
    assert "schema" in fact.sentence.text[slice(*fact.span)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Each tool description MUST carry exactly ONE example.",
        "The tools SHALL behave exactly as before.",
        "structuredContent SHALL contain exactly `id`, `title` and `text` for tools.",
        "The tools SHALL NOT return exactly `a`, `b` and `c`.",
        "The server SHALL expose four MCP tools: `schema`, `search`, `fetch`.",
        "The file SHALL contain exactly `one`, `two` and `three`.",
        "The tools are exactly red, green and blue.",
    ],
)
def test_another_sentence_is_no_exact_list(facts: Finds, sentence: str) -> None:
    assert fact_names(facts(requirement_text(sentence)), FactKind.EXACT_TOOLS) == []


def test_a_list_that_is_wrapped_over_lines_is_one_list(facts: Finds) -> None:
    text = requirement_text(
        "The read surface SHALL contain exactly `schema`,\n`search`,\nand `fetch_one`."
    )

    assert fact_names(facts(text), FactKind.EXACT_TOOLS) == [("schema", "search", "fetch_one")]


def test_code_between_fences_says_nothing(facts: Finds) -> None:
    text = requirement_text(f"It SHALL be so.\n\n```\n{EXACT}\n```\n")

    assert facts(text).all == ()


@pytest.mark.parametrize("mark", ["`", ""])
def test_names_that_a_list_must_not_have_are_found_with_their_phrase(
    facts: Finds, mark: str
) -> None:
    text = requirement_text(
        "It SHALL be so.",
        "**WHEN** a client calls tools/list",
        f"**THEN** it SHALL NOT include {mark}list_streams{mark}, {mark}fetch_blob{mark}, or any "
        "event-subscription management tool",
    )

    (fact,) = facts(text).of(FactKind.FORBIDDEN_TOOLS)

    assert fact.names == ("list_streams", "fetch_blob")
    assert fact.phrases == ("event-subscription management tool",)
    assert (fact.sentence.scenario, fact.sentence.step) == ("It does", 2)


def test_what_a_result_must_not_have_is_no_forbidden_tool(facts: Finds) -> None:
    text = requirement_text(
        "It SHALL be so.",
        "**WHEN** a client calls `fetch`",
        "**THEN** the result SHALL NOT include `request_id`",
    )

    assert fact_names(facts(text), FactKind.FORBIDDEN_TOOLS) == []


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The `look_up` tool finds things.", ["look_up"]),
        ("WHEN a client calls `look_up` it answers.", ["look_up"]),
        ("WHEN a client invokes look_up it answers.", ["look_up"]),
        ("WHEN look_up is invoked it answers.", ["look_up"]),
        ("WHEN `look_up({ a: 1 })` runs it answers.", ["look_up"]),
        ("It SHALL offer the tools `one_a`, `one_b` and `one_c`.", ["one_a", "one_b", "one_c"]),
        ("WHEN a client calls the server it answers.", []),
        ("WHEN code runs `readline` it blocks.", []),
        ("WHEN a client calls `tools/list` it answers.", []),
    ],
)
def test_a_tool_is_known_by_how_it_is_spoken_of(
    facts: Finds, sentence: str, names: list[str]
) -> None:
    assert list(facts(requirement_text(sentence)).tools) == names


@pytest.mark.parametrize(
    "sentence",
    [
        "There is no member `look_up` tool, nor a screen for it.",
        "There are no `add_all`, `look_up`, or `drop_all` tools any more.",
        "The MCP tool `description` strings SHALL be short.",
        "A failed `isError` tool result SHALL be shown.",
        "The stream emits a `started` tool event.",
        "The tools of the `look-up` and `find-all` capabilities SHALL be registered.",
        "The input schema of the tools does NOT expose `look_up`.",
        "The tools `a` and `b` SHALL be examples.",
    ],
)
def test_a_name_of_another_thing_is_no_tool(facts: Finds, sentence: str) -> None:
    assert facts(requirement_text(sentence)).tools == ()


@pytest.mark.parametrize(
    "step",
    [
        "the request body includes `mast_length`",
        "the response (forwarded by the tool) includes `mast_length`",
        "its description notes that at least one of `mast_length`/`hull_length` is needed",
        "the answer of the boat tools keeps the returned `mast_length`",
    ],
)
def test_a_member_of_a_request_or_answer_of_tools_is_no_tool(facts: Finds, step: str) -> None:
    text = requirement_text("It SHALL be so.", "**WHEN** somebody sells a boat", f"**THEN** {step}")

    assert facts(text.replace("do it", "have boat tools")).tools == ()


def test_the_names_of_a_list_of_tools_end_before_the_demand(facts: Finds) -> None:
    text = requirement_text(
        "The tools — `add_boat` and `sell_boat` — SHALL write to the rows (`boat_rows`, `x_y`)."
    )

    assert facts(text).tools == ("add_boat", "sell_boat")


def test_a_list_of_tools_that_a_client_asked_for_names_tools(facts: Finds) -> None:
    text = requirement_text(
        "It SHALL be so.", "**WHEN** a client calls tools/list", "**THEN** it includes `look_up`"
    )

    assert facts(text.replace("do it", "list its tools")).tools == ("look_up",)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("`sell_boat(fleet, log=console)`", ()),
        ("`sell_boat(fleet, {})`", ()),
        ("`sell_boat(boat)`", ("sell_boat",)),
        ('`sell_boat(boat="Ark", quick=true)`', ("sell_boat",)),
    ],
)
def test_a_call_written_as_code_names_a_function(
    facts: Finds, call: str, names: tuple[str, ...]
) -> None:
    assert facts(requirement_text("It SHALL be so.", f"**WHEN** {call} is called")).tools == names


@pytest.mark.parametrize(
    "sentence",
    [
        "The pilot subagent SHALL have the tools `look_up` and `find_all`.",
        "A subagent that calls the `look_up` tool SHALL wait for approval.",
        "The harbour master's subagents may use only these tools: `look_up`, `find_all`.",
        "The skill SHALL declare allowed-tools: `look_up`, `find_all`.",
        "It SHALL give the `look_up` tool to every pilot subagent.",
        "It SHALL expose the `look_up` tool to the HarbourAgent for its plans.",
        "The harbour guide SHALL use the `Grep` tool and the `WebFetch` tool.",
        "It SHALL list the tools `Read`, `Grep` and `Glob`.",
    ],
)
def test_a_tool_of_a_model_in_the_described_program_is_no_tool(facts: Finds, sentence: str) -> None:
    text = requirement_text("It SHALL be so.").replace("It SHALL be so.", sentence)

    assert facts(text.replace("The MCP server SHALL do it", "MCP and its models")).tools == ()


def test_a_program_that_calls_a_tool_in_a_then_does_not_have_the_tool(facts: Finds) -> None:
    text = requirement_text(
        "It SHALL be so.", "**WHEN** it rains", "**THEN** the model calls the `look_up` MCP tool"
    )

    assert facts(text).tools == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "The MCP server SHALL expose a `start_pilot` tool that starts a subagent.",
        "The MCP server SHALL expose the tool `Grep` for logs.",
        "It SHALL expose a `pilot_state` tool that returns the state of a subagent.",
    ],
)
def test_a_tool_of_the_server_may_be_about_subagents(facts: Finds, sentence: str) -> None:
    (name,) = facts(requirement_text(sentence)).tools

    assert f"`{name}`" in sentence


def test_a_text_about_subagents_names_no_tool_of_a_server(requirements: Parses) -> None:
    text = requirement_text("It SHALL be so.", "**WHEN** the pilot executes the `look_up` tool")
    pilots = replace(
        requirements(text), capability="subagents", purpose="How pilots work together."
    )

    assert facts_of(pilots).tools == ()
    assert facts_of(replace(pilots, capability="pilots")).tools == ("look_up",)


def test_a_forbidden_name_is_no_tool(facts: Finds) -> None:
    text = requirement_text(
        "It SHALL be so.",
        "**WHEN** a client calls tools/list",
        "**THEN** it SHALL NOT list `old_one`",
        "**AND** nobody calls `old_one`",
    )

    assert facts(text).tools == ()


FORBIDDEN = [
    "It SHALL NOT expose the deprecated alias `old_id` as an MCP tool input.",
    "It SHALL NOT expose the deprecated alias old_id as a tool argument.",
    "none of those tools SHALL advertise `old_id`",
    "no tools have an `old_id` parameter",
]


@pytest.mark.parametrize("sentence", FORBIDDEN)
def test_a_forbidden_argument_is_found(facts: Finds, sentence: str) -> None:
    assert fact_names(facts(requirement_text(sentence)), FactKind.FORBIDDEN_ARGUMENT) == [
        ("old_id",)
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "It SHALL NOT advertise `old_id` as the preferred selector.",
        "It SHALL NOT expose `old_id` as a tool input unless it is asked to.",
    ],
)
def test_a_condition_or_another_sense_forbids_no_argument(facts: Finds, sentence: str) -> None:
    assert fact_names(facts(requirement_text(sentence)), FactKind.FORBIDDEN_ARGUMENT) == []


def test_a_fact_of_a_body_stands_where_its_paragraph_does(facts: Finds) -> None:
    text = requirement_text(
        "It SHALL be so.\n\n```\nno `x` tool\n```\n\n- one\n- It SHALL list exactly `look_up` and\n"
        "  `find_all` as tools.\n\n\nNo tool SHALL advertise `old_id`."
    )
    result = [(fact.kind, fact.at.line) for fact in facts(text).all]

    assert result == [(FactKind.EXACT_TOOLS, 18), (FactKind.FORBIDDEN_ARGUMENT, 22)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It SHALL list exactly `look_up` and `find_all` as tools, and no tool SHALL advertise `old_id`.",
        "Neither the `look_up` tool nor the `find_all` tool SHALL accept `old_id`.",
    ],
)
def test_what_no_tool_shall_take_is_not_demanded_of_those_named_before(
    facts: Finds, sentence: str
) -> None:
    assert fact_names(facts(requirement_text(sentence)), FactKind.ARGUMENT) == []


def test_a_call_is_read_with_all_of_its_arguments(facts: Finds) -> None:
    text = requirement_text(
        "The `look_up` tool SHALL work.",
        '**WHEN** a client calls `look_up` with `name: "ants"`, `n: 2` and `all: true`',
    )

    (fact,) = facts(text).of(FactKind.CALL)
    assert fact.values == {"name": "ants", "n": 2, "all": True}


def test_arguments_with_types_are_found(facts: Finds) -> None:
    text = requirement_text(
        "`look_up` SHALL accept `{ name: string, kinds?: string[], how?: 'a'|'b', n?: number }`."
    )

    (fact,) = facts(text).of(FactKind.ARGUMENT)

    assert fact.tools == ("look_up",)
    assert fact.required == {"name"}
    assert fact.schemas == {
        "name": {"type": "string"},
        "kinds": {"type": "array", "items": {"type": "string"}},
        "how": {"type": "string", "enum": ["a", "b"]},
        "n": {"type": "number"},
    }


@pytest.mark.parametrize(
    ("sentence", "tools", "names", "is_demanded"),
    [
        ("The `look_up` tool SHALL accept `a` (required) and `b` parameters.", ("look_up",), ("a", "b"), True),
        ("All tools have a `search: str | None` parameter.", (), ("search",), True),
        ("All tools MUST accept an optional `sid` and `how` parameter.", (), ("sid", "how"), True),
        (f"{EXACT} `schema` and `search` SHALL advertise optional `sid`.", ("schema", "search"), ("sid",), True),
        (f"{EXACT} `schema` and `search` SHALL advertise `sid` where it is needed.", ("schema", "search"), ("sid",), False),
        (f"{EXACT} schema and search SHALL advertise optional source_id.", ("schema", "search"), ("source_id",), True),
        (f"{EXACT} Then call `schema(stream, how: \"full\")`.", ("schema",), ("stream", "how"), False),
        (f"{EXACT} WHEN a client calls `schema` with both `a` and `b` it works.", ("schema",), ("a", "b"), False),
        (f"{EXACT} WHEN a client calls schema without source_id it works.", ("schema",), ("source_id",), False),
    ],
)  # fmt: skip
def test_arguments_are_found_with_the_tools_that_take_them(
    facts: Finds, sentence: str, tools: tuple[str, ...], names: tuple[str, ...], is_demanded: bool
) -> None:
    (fact,) = facts(requirement_text(sentence)).of(FactKind.ARGUMENT)

    assert (fact.tools, fact.names, fact.demanded) == (tools, names, is_demanded)


@pytest.mark.parametrize(
    ("call", "values"),
    [
        ('`look_up(name="x", n=3, all=[1, 2])`', {"name": "x", "n": 3, "all": [1, 2]}),
        ('`look_up({ name: "x" })`', {"name": "x"}),
        ('`look_up` with `{"name":"x"}`', {"name": "x"}),
        ('`look_up` with `how: "full"`', {"how": "full"}),
        ("`look_up()`", {}),
    ],
)
def test_a_call_is_read_with_its_values(facts: Finds, call: str, values: Any) -> None:
    text = requirement_text(
        "It SHALL be so.", f"**WHEN** a client calls {call}", "**THEN** it answers"
    )

    (fact,) = facts(text).of(FactKind.CALL)

    assert (fact.tools, fact.values) == (("look_up",), values)


@pytest.mark.parametrize(
    "call", ['`look_up(__import__("os").getcwd())`', "`look_up(a=b)`", "`look_up(a=1e999)`"]
)
def test_a_call_is_never_evaluated(facts: Finds, call: str) -> None:
    text = requirement_text("The `look_up` tool.", f"**WHEN** a client calls {call}")

    assert fact_names(facts(text), FactKind.CALL) == []


WIRE = [
    ("a typed `not_here` error", FactKind.ERROR_CODE, "not_here"),
    ("not_here errors", FactKind.ERROR_CODE, "not_here"),
    ("the error code `NOT_HERE`", FactKind.ERROR_CODE, "NOT_HERE"),
    ('an error with `retry_with: "id"`', FactKind.HINT, "retry_with"),
]


@pytest.mark.parametrize(("words", "kind", "name"), WIRE)
def test_what_goes_over_the_wire_is_found(
    facts: Finds, words: str, kind: FactKind, name: str
) -> None:
    assert fact_names(facts(requirement_text(f"It SHALL return {words}.")), kind) == [(name,)]


@pytest.mark.parametrize(
    "words", ["a typed `TABLE_OF` list", "the 512 characters", "3 errors", "an error", "GET it"]
)
def test_other_words_are_not(facts: Finds, words: str) -> None:
    assert facts(requirement_text(f"It SHALL return {words}.")).all == ()


def test_facts_stand_in_the_order_of_the_text(facts: Finds) -> None:
    steps = ("**WHEN** x", "**THEN** `no_b` errors", "**AND** `no_c` errors")

    codes = fact_names(
        facts(requirement_text("It SHALL return `no_a` errors.", *steps)), FactKind.ERROR_CODE
    )

    assert codes == [("no_a",), ("no_b",), ("no_c",)]
