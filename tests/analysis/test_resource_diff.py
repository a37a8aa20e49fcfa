"""Changes of resources and prompts, and their compatibility classes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.analysis.tool_builders import surface

from mcpgen.analysis.change_kinds import ChangedThing, ChangeKind
from mcpgen.analysis.diff import diff_listings
from mcpgen.analysis.render_diff import diff_as_json, diff_as_markdown, diff_as_text

PET = {"uriTemplate": "shop://pets/{id}", "name": "pet", "mimeType": "application/json"}
RULES = {"uri": "shop://rules", "name": "rules", "size": 3}
ID = {"name": "id", "required": True}
REVIEW = {"name": "review", "title": "Review", "arguments": [ID, {"name": "tone"}]}


def changes(
    old: dict[str, Any], new: dict[str, Any]
) -> list[tuple[ChangeKind, ChangedThing, str, str]]:
    """Returns kind, entry, name and place of each change."""
    diff = diff_listings(surface(**old), surface(**new))
    return [(change.change, change.kind, change.tool, change.place) for change in diff.changes]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ((PET, RULES), []),
        ((RULES, PET), []),
        ((PET,), [(ChangeKind.RESOURCE_REMOVED, "shop://rules", "")]),
        (
            (PET, RULES, {"uri": "shop://x", "name": "x"}),
            [(ChangeKind.RESOURCE_ADDED, "shop://x", "")],
        ),
        (
            ({**PET, "uriTemplate": "shop://pets/{petId}"}, RULES),
            [(ChangeKind.RESOURCE_URI, "shop://pets/{petId}", "")],
        ),
        (
            ({"uri": "shop://pets/{id}", "name": "other"}, RULES),
            [
                (ChangeKind.RESOURCE_TYPE, "shop://pets/{id}", ""),
                (ChangeKind.OTHER, "shop://pets/{id}", "name"),
            ],
        ),
        (
            ({**PET, "mimeType": "text/xml"}, RULES),
            [(ChangeKind.RESOURCE_TYPE, PET["uriTemplate"], "")],
        ),
        (({**PET, "title": "Pet"}, RULES), [(ChangeKind.TITLE, PET["uriTemplate"], "")]),
        ((PET, {**RULES, "size": 4}), [(ChangeKind.OTHER, "shop://rules", "size")]),
        (
            ({"uri": "shop://y", "name": "x"}, {"uri": "shop://z", "name": "x"}, PET, RULES),
            [
                (ChangeKind.RESOURCE_ADDED, "shop://y", ""),
                (ChangeKind.RESOURCE_ADDED, "shop://z", ""),
            ],
        ),
        (({"name": 7, "uri": ["x"]}, PET, RULES), [(ChangeKind.RESOURCE_ADDED, "['x']", "")]),
    ],
)
def test_resources_are_known_by_their_uris(new: Any, expected: list[Any]) -> None:
    result = changes({"resources": (PET, RULES)}, {"resources": new})

    assert result == [
        (change, ChangedThing.RESOURCE, uri, place) for change, uri, place in expected
    ]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ([REVIEW], []),
        ([], [(ChangeKind.PROMPT_REMOVED, "")]),
        ([{**REVIEW, "arguments": [ID]}], [(ChangeKind.ARGUMENT_REMOVED, "tone")]),
        (
            [{**REVIEW, "arguments": None}],
            [(ChangeKind.ARGUMENT_REMOVED, name) for name in ("id", "tone")],
        ),
        (
            [{**REVIEW, "arguments": [{"name": "id"}, {"name": "tone", "required": True}]}],
            [(ChangeKind.ARGUMENT_OPTIONAL, "id"), (ChangeKind.ARGUMENT_REQUIRED, "tone")],
        ),
        (
            [{**REVIEW, "arguments": [*REVIEW["arguments"], {"name": "a"}, {**ID, "name": "b"}]}],
            [(ChangeKind.ARGUMENT_ADDED, "a"), (ChangeKind.ARGUMENT_ADDED_REQUIRED, "b")],
        ),
        (
            [{**REVIEW, "arguments": [{**ID, "description": "It."}, {"name": "tone"}]}],
            [(ChangeKind.ARGUMENT_DESCRIBED, "id")],
        ),
        ([{**REVIEW, "title": "R"}], [(ChangeKind.TITLE, "")]),
    ],
)
def test_prompts_are_known_by_their_names(new: list[Any], expected: list[Any]) -> None:
    result = changes({"prompts": (REVIEW,)}, {"prompts": tuple(new)})

    assert result == [(change, ChangedThing.PROMPT, "review", place) for change, place in expected]


def test_what_one_side_does_not_tell_has_not_changed() -> None:
    assert changes({}, {"resources": (PET,), "prompts": (REVIEW,)}) == []
    assert changes({"resources": (PET,), "prompts": ()}, {"prompts": (REVIEW,)}) == [
        (ChangeKind.PROMPT_ADDED, ChangedThing.PROMPT, "review", "")
    ]


def test_they_are_shown_as_what_they_are() -> None:
    diff = diff_listings(
        surface(resources=(PET,), prompts=()), surface(resources=(), prompts=(REVIEW,))
    )

    text, markdown, tree = diff_as_text(diff), diff_as_markdown(diff), diff_as_json(diff)

    assert text.splitlines()[:4] == [
        "resource shop://pets/{id}",
        " ! a resource that is gone [breaks saved references and callers]",
        "prompt review",
        "   a prompt that was not there",
    ]
    assert "| resource `shop://pets/{id}` | a resource that is gone |" in markdown
    assert [(change["kind"], change["tool"]) for change in tree["changes"]] == [
        ("resource", "shop://pets/{id}"),
        ("prompt", "review"),
    ]
