"""The SARIF log: the schema of SARIF 2.1.0 and the rules of code hosts."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import unquote, urlsplit

import pytest
from report_fixtures import PING, SMALL, hostile_report

from mcpgen.conformance import CheckOutcome, CheckStatus, Report, as_sarif
from mcpgen.conformance.schemas import schema_problem, value_problem
from mcpgen.conformance.strict_json import Json

TEXT = {"type": "string", "minLength": 1}


def closed_object(required: str, **properties: Json) -> Json:
    """An object schema with these members only."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


MESSAGE = closed_object("text", text=TEXT, markdown=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RULE = closed_object(
    "id shortDescription fullDescription help helpUri defaultConfiguration",
    id=TEXT,
    name=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=closed_object("text markdown", text=TEXT, markdown=TEXT),
    helpUri={"type": "string", "format": "uri"},
    defaultConfiguration=closed_object("level", level=LEVEL),
    properties={"type": "object", "properties": {"tags": {"type": "array", "uniqueItems": True}}},
)
LOCATION = closed_object(
    "physicalLocation logicalLocations",
    physicalLocation=closed_object(
        "artifactLocation region",
        artifactLocation=closed_object("uri", uri={"type": "string", "format": "uri-reference"}),
        region=closed_object("startLine", startLine={"type": "integer", "minimum": 1}),
    ),
    logicalLocations={
        "type": "array",
        "minItems": 1,
        "uniqueItems": True,
        "items": closed_object("name", name=TEXT, fullyQualifiedName=TEXT, kind=TEXT),
    },
)
RESULT = closed_object(
    "ruleId ruleIndex level message locations partialFingerprints",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations={"type": "array", "items": LOCATION, "minItems": 1},
    partialFingerprints={"type": "object", "additionalProperties": TEXT, "minProperties": 1},
    suppressions={
        "type": "array",
        "items": closed_object("kind", kind={"enum": ["inSource", "external"]}, justification=TEXT),
    },
    properties={"type": "object"},
)
RUN = closed_object(
    "tool results",
    tool=closed_object(
        "driver",
        driver=closed_object(
            "name rules",
            name=TEXT,
            informationUri={"type": "string", "format": "uri"},
            rules={"type": "array", "items": RULE, "uniqueItems": True},
        ),
    ),
    invocations={
        "type": "array",
        "items": closed_object("executionSuccessful", executionSuccessful={"type": "boolean"}),
    },
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
    properties={"type": "object"},
)
LOG = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **closed_object(
        "version runs",
        **{"$schema": {"type": "string", "format": "uri"}},
        version={"const": "2.1.0"},
        runs={"type": "array", "items": RUN, "minItems": 1},
    ),
}
"""The used part of the SARIF 2.1.0 schema, closed for other members."""


def results(report: Report) -> list[dict[str, Json]]:
    """The results of the log of a report."""
    result: list[dict[str, Json]] = as_sarif(report)["runs"][0]["results"]
    return result


@pytest.mark.parametrize("report", [SMALL, hostile_report(), Report("x", ())])
def test_a_log_has_the_shape_of_sarif(report: Report) -> None:
    log = json.loads(json.dumps(as_sarif(report)).encode("utf-8", "replace"))

    assert schema_problem(LOG) == ""
    assert value_problem(LOG, log) == ""


def test_a_result_points_at_its_rule() -> None:
    run = as_sarif(SMALL)["runs"][0]

    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_a_violation_in_several_revisions_is_one_result() -> None:
    pings = [item for item in results(SMALL) if item["ruleId"] == "ping-answers"]

    assert [item["properties"]["revisions"] for item in pings] == [["2025-03-26", "2025-11-25"]]
    assert pings[0]["level"] == "error"


def test_known_findings_are_suppressed() -> None:
    suppressed_rules = [result["ruleId"] for result in results(SMALL) if "suppressions" in result]

    assert suppressed_rules == ["universal-flat"]


def test_fingerprint_does_not_depend_on_the_answer() -> None:
    timed_outcomes = tuple(replace(item, saw=f"{item.saw} at 12:01") for item in SMALL.outcomes)

    before = [item["partialFingerprints"] for item in results(SMALL)]
    after = [
        item["partialFingerprints"] for item in results(replace(SMALL, outcomes=timed_outcomes))
    ]

    assert before == after
    assert len({str(item) for item in before}) == len(before)


def test_two_violations_of_a_check_have_different_fingerprints() -> None:
    outcomes = tuple(
        CheckOutcome(PING, CheckStatus.FAILED, text, "x", "t") for text in ("one", "two")
    )

    texts = {str(result["partialFingerprints"]) for result in results(Report("x", outcomes))}

    assert len(texts) == 2


def test_finding_is_located_in_the_given_file() -> None:
    log = as_sarif(SMALL, "lists/my tools.json")

    uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"][
        "uri"
    ]
    assert unquote(uri) == "lists/my tools.json"
    assert urlsplit(uri).scheme == ""


def test_a_finding_names_its_tool() -> None:
    logical = results(SMALL)[1]["locations"][0]["logicalLocations"]

    assert logical == [
        {
            "name": "getPet",
            "fullyQualifiedName": "http://127.0.0.1:1/mcp#getPet",
            "kind": "function",
        }
    ]
