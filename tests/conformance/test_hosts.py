"""Host facts: sources, and the findings for tools."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from base_server import tool
from builder import TEXT, taking
from tests.time_limits import works_at_most

from mcpgen.conformance import CheckOptions, CheckOutcome, CheckStatus, check_list
from mcpgen.conformance.checks.run_checks import HOST_CHECKS
from mcpgen.conformance.hosts.facts import CONSEQUENCES, facts
from mcpgen.conformance.hosts.features import tool_features
from mcpgen.conformance.hosts.rules import FACT_CHECKS, MARK_WORDS
from mcpgen.conformance.profiles import EVERY_HOST, PROFILES


def found_by(host: str, *tools: dict[str, Any]) -> dict[str, CheckOutcome]:
    """Violations of a host's facts, by check id."""
    report = check_list(json.dumps(list(tools)), CheckOptions(profiles=(host,)))
    return {o.check.id: o for o in report.outcomes if o.status is not CheckStatus.PASSED}


def test_every_host_has_facts_and_every_fact_a_host() -> None:
    assert set(facts()) == {*EVERY_HOST, "experience-workspace"}


def test_every_fact_has_a_judge_a_check_a_source_and_a_date() -> None:
    for fact in (fact for host_facts in facts().values() for fact in host_facts):
        assert fact.check in FACT_CHECKS
        assert fact.then in CONSEQUENCES
        assert fact.sure in ("high", "medium", "low")
        assert fact.url.startswith("https://")
        assert date.fromisoformat(fact.read) <= date(2026, 11, 21)

    assert set(FACT_CHECKS) == set(HOST_CHECKS)


def test_outcome_names_host_consequence_and_source() -> None:
    outcome = found_by("gemini-api", tool("look", {"$top": TEXT}, []))["host-argument-name"]

    assert outcome.status is CheckStatus.FAILED
    assert outcome.profiles == ("gemini_api",)
    assert outcome.expected.startswith("Gemini API: argument names")
    assert outcome.expected.endswith("it rejects the whole request with all tools")
    assert (outcome.saw, outcome.tool) == ("$top", "look")
    assert "read 2026-08-21" in outcome.check.clause


def test_fact_of_low_confidence_only_warns() -> None:
    tools = [tool(f"tool_{number}", {}, []) for number in range(101)]

    low_confidence, high_confidence = found_by("cursor", *tools), found_by(
        "openai_api", *tools, *tools[:28]
    )

    assert low_confidence["host-tool-count"].status is CheckStatus.WARNING
    assert high_confidence["host-tool-count"].status is CheckStatus.FAILED


def test_tool_name_is_measured_with_the_hosts_prefix() -> None:
    long = tool("a" * 44, {}, [])

    assert "host-tool-name" in found_by("experience-workspace", long)
    assert found_by("cline", long) == {}


def test_nested_argument_names_count_where_the_host_looks_at_them() -> None:
    nested = {"type": "object", "properties": {"a.b:c": TEXT}, "description": "A pet."}

    nested_tool = tool("look", {"pet": nested}, [])

    assert "host-argument-name" in found_by("gemini_api", nested_tool)
    assert "host-argument-name" not in found_by("anthropic_api", nested_tool)


@pytest.mark.parametrize(
    ("description", "violations"),
    [("A colour.", {"host-schema-keyword"}), ("A colour, red or green.", set())],
)
def test_value_repeated_in_the_description_is_not_lost(
    description: str, violations: set[str]
) -> None:
    color_schema = {"type": "string", "enum": ["red", "green"], "description": description}

    assert (
        set(found_by("experience-workspace", tool("paint", {"colour": color_schema}, [])))
        == violations
    )


def test_conditional_fact_warns_and_names_the_condition() -> None:
    tree = {"$defs": {"T": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}
    endless = tool("grow", {}, [], inputSchema=taking(t={"$ref": "#/$defs/T"}) | tree)

    outcome = found_by("anthropic_api", endless)["host-schema-reference"]

    assert outcome.status is CheckStatus.WARNING
    assert "when tools are strict, it rejects" in outcome.expected


def test_schema_features_have_their_location() -> None:
    inner = {"anyOf": [{"const": 1}, {"type": ["string", "null"]}]}
    schema = taking(pet={"type": "array", "items": inner})

    result = tool_features({"inputSchema": schema})

    assert result.marks["type-list"] == "/properties/pet/items/anyOf/1"
    assert result.marks["branch-untyped"] == "/properties/pet/items/anyOf/0"
    assert (result.depth, result.properties, result.keys) == (2, 1, [("pet", True)])


def test_schema_nested_without_end_is_walked_without_recursion() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(5_000):
        deep = {"type": "array", "items": deep}

    assert tool_features({"inputSchema": taking(deep=deep)}).depth == 5_001


def test_every_spelled_mark_is_one_that_schemas_get() -> None:
    odd_schema = {"type": ["a"], "enum": ["x", 1], "anyOf": [{}, True], "default": 1}
    schemas = (
        {"properties": {"a": odd_schema, "b": {}}, "additionalProperties": {"$ref": "#"}},
        {"type": "object", "properties": {"c": {"$ref": "https://elsewhere.example/c"}}},
    )
    tool_featureses = [tool_features({"inputSchema": schema}) for schema in schemas]

    assert set(MARK_WORDS) <= {
        mark for features in tool_featureses for mark in (*features.marks, *features.root)
    }


def test_two_thousand_tools_are_judged_for_every_host_in_bounded_work() -> None:
    properties = {f"argument_{number}": TEXT for number in range(8)}
    text = json.dumps([tool(f"tool_{number}", properties, []) for number in range(2_000)])
    words = tuple(word for word in PROFILES if word in facts())

    with works_at_most(30):
        report = check_list(text, CheckOptions(profiles=("protocol", "universal", *words)))

    assert len(report.tools) == 2_000
