"""What has changed of resources and prompts, and whom it breaks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.survey.announcing import surface

from mcpgen.survey.changes import Change, Kind
from mcpgen.survey.difference import difference
from mcpgen.survey.show.difference import as_json, as_markdown, as_text

PET = {"uriTemplate": "shop://pets/{id}", "name": "pet", "mimeType": "application/json"}
RULES = {"uri": "shop://rules", "name": "rules", "size": 3}
ID = {"name": "id", "required": True}
REVIEW = {"name": "review", "title": "Review", "arguments": [ID, {"name": "tone"}]}


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[Change, Kind, str, str]]:
    """Each change with what it is about."""
    found = difference(surface(**old), surface(**new))
    return [(one.change, one.kind, one.tool, one.place) for one in found.changes]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ((PET, RULES), []),
        ((RULES, PET), []),
        ((PET,), [(Change.RESOURCE_REMOVED, "shop://rules", "")]),
        (
            (PET, RULES, {"uri": "shop://x", "name": "x"}),
            [(Change.RESOURCE_ADDED, "shop://x", "")],
        ),
        (
            ({**PET, "uriTemplate": "shop://pets/{petId}"}, RULES),
            [(Change.RESOURCE_URI, "shop://pets/{petId}", "")],
        ),
        (
            ({"uri": "shop://pets/{id}", "name": "other"}, RULES),
            [
                (Change.RESOURCE_TYPE, "shop://pets/{id}", ""),
                (Change.OTHER, "shop://pets/{id}", "name"),
            ],
        ),
        (
            ({**PET, "mimeType": "text/xml"}, RULES),
            [(Change.RESOURCE_TYPE, PET["uriTemplate"], "")],
        ),
        (({**PET, "title": "Pet"}, RULES), [(Change.TITLE, PET["uriTemplate"], "")]),
        ((PET, {**RULES, "size": 4}), [(Change.OTHER, "shop://rules", "size")]),
        (
            ({"uri": "shop://y", "name": "x"}, {"uri": "shop://z", "name": "x"}, PET, RULES),
            [(Change.RESOURCE_ADDED, "shop://y", ""), (Change.RESOURCE_ADDED, "shop://z", "")],
        ),
        (({"name": 7, "uri": ["x"]}, PET, RULES), [(Change.RESOURCE_ADDED, "['x']", "")]),
    ],
)
def test_resources_are_known_by_their_uris(new: Any, expected: list[Any]) -> None:
    found = changes({"resources": (PET, RULES)}, {"resources": new})

    assert found == [(change, Kind.RESOURCE, uri, place) for change, uri, place in expected]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ([REVIEW], []),
        ([], [(Change.PROMPT_REMOVED, "")]),
        ([{**REVIEW, "arguments": [ID]}], [(Change.ARGUMENT_REMOVED, "tone")]),
        (
            [{**REVIEW, "arguments": None}],
            [(Change.ARGUMENT_REMOVED, name) for name in ("id", "tone")],
        ),
        (
            [{**REVIEW, "arguments": [{"name": "id"}, {"name": "tone", "required": True}]}],
            [(Change.ARGUMENT_OPTIONAL, "id"), (Change.ARGUMENT_REQUIRED, "tone")],
        ),
        (
            [{**REVIEW, "arguments": [*REVIEW["arguments"], {"name": "a"}, {**ID, "name": "b"}]}],
            [(Change.ARGUMENT_ADDED, "a"), (Change.ARGUMENT_ADDED_REQUIRED, "b")],
        ),
        (
            [{**REVIEW, "arguments": [{**ID, "description": "It."}, {"name": "tone"}]}],
            [(Change.ARGUMENT_DESCRIBED, "id")],
        ),
        ([{**REVIEW, "title": "R"}], [(Change.TITLE, "")]),
    ],
)
def test_prompts_are_known_by_their_names(new: list[Any], expected: list[Any]) -> None:
    found = changes({"prompts": (REVIEW,)}, {"prompts": tuple(new)})

    assert found == [(change, Kind.PROMPT, "review", place) for change, place in expected]


def test_what_one_side_does_not_tell_has_not_changed() -> None:
    assert changes({}, {"resources": (PET,), "prompts": (REVIEW,)}) == []
    assert changes({"resources": (PET,), "prompts": ()}, {"prompts": (REVIEW,)}) == [
        (Change.PROMPT_ADDED, Kind.PROMPT, "review", "")
    ]


def test_they_are_shown_as_what_they_are() -> None:
    found = difference(
        surface(resources=(PET,), prompts=()), surface(resources=(), prompts=(REVIEW,))
    )

    text, markdown, told = as_text(found), as_markdown(found), as_json(found)

    assert text.splitlines()[:4] == [
        "resource shop://pets/{id}",
        " ! a resource that is gone [breaks saved references and callers]",
        "prompt review",
        "   a prompt that was not there",
    ]
    assert "| resource `shop://pets/{id}` | a resource that is gone |" in markdown
    assert [(one["kind"], one["tool"]) for one in told["changes"]] == [
        ("resource", "shop://pets/{id}"),
        ("prompt", "review"),
    ]
