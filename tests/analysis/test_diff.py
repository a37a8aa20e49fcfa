"""Changes between two listings, and their compatibility classes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.tool_builders import make_tool, surface, text

from mcpgen.analysis.change_kinds import MEANINGS, ChangeKind, CompatibilityClass
from mcpgen.analysis.diff import ListingDiff, diff_listings
from mcpgen.analysis.render_diff import diff_as_json, diff_as_markdown, diff_as_text

NUMBER = {"type": "integer", "description": "A number."}
PETS = make_tool("list_pets", {"tag": text(), "limit": NUMBER}, needs=["tag"])


def _changes(diff: ListingDiff) -> list[tuple[ChangeKind, str]]:
    return [(change.change, change.place) for change in diff.changes]


def _diff_changes(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[ChangeKind, str]]:
    return _changes(diff_listings(surface(old), surface(new)))


def _tool_with(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return make_tool("list_pets", {"tag": text(), "limit": NUMBER, **properties}, **more)


ROWS = [
    (ChangeKind.ARGUMENT_ADDED, "sort", _tool_with({"sort": text()}, needs=["tag"])),
    (
        ChangeKind.ARGUMENT_ADDED_REQUIRED,
        "sort",
        _tool_with({"sort": text()}, needs=["tag", "sort"]),
    ),
    (ChangeKind.ARGUMENT_REMOVED, "limit", make_tool("list_pets", {"tag": text()}, needs=["tag"])),
    (ChangeKind.ARGUMENT_REQUIRED, "limit", _tool_with({}, needs=["tag", "limit"])),
    (ChangeKind.ARGUMENT_OPTIONAL, "tag", _tool_with({})),
    (
        ChangeKind.ARGUMENT_WIDENED,
        "limit",
        _tool_with({"limit": {**NUMBER, "type": "number"}}, needs=["tag"]),
    ),
    (ChangeKind.ARGUMENT_RETYPED, "tag", _tool_with({"tag": text(type="integer")}, needs=["tag"])),
    (ChangeKind.ARGUMENT_RETYPED, "tag", _tool_with({"tag": text(enum=["a"])}, needs=["tag"])),
    (
        ChangeKind.ARGUMENT_DEFAULT,
        "limit",
        _tool_with({"limit": {**NUMBER, "default": 7}}, needs=["tag"]),
    ),
    (ChangeKind.ARGUMENT_RETYPED, "tag", _tool_with({"tag": text(format="date")}, needs=["tag"])),
    (ChangeKind.ARGUMENT_DESCRIBED, "tag", _tool_with({"tag": text("Another.")}, needs=["tag"])),
    (ChangeKind.OUTPUT_ADDED, "", {**PETS, "outputSchema": {"type": "object"}}),
    (ChangeKind.TITLE, "", {**PETS, "title": "Pets"}),
    (ChangeKind.DESCRIPTION, "", {**PETS, "description": "Lists them."}),
    (ChangeKind.OTHER, "_meta", {**PETS, "_meta": {"a": 1}}),
    (
        ChangeKind.INPUT_CHANGED,
        "",
        {**PETS, "inputSchema": {**PETS["inputSchema"], "minProperties": 1}},
    ),
]


@pytest.mark.parametrize(("change", "place", "new"), ROWS, ids=lambda row: str(row)[:30])
def test_a_change_of_a_tool_is_reported_as_what_it_is(
    change: ChangeKind, place: str, new: dict[str, Any]
) -> None:
    assert _diff_changes(PETS, new) == [(change, place)]


def test_a_tool_that_came_and_one_that_went_are_reported() -> None:
    old, new = surface(PETS), surface(make_tool("add_pet", {"name": text()}))

    assert _changes(diff_listings(old, new)) == [
        (ChangeKind.TOOL_ADDED, ""),
        (ChangeKind.TOOL_REMOVED, ""),
    ]


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ({"readOnlyHint": True}, {"readOnlyHint": False}, ChangeKind.HINT_LOOSENED),
        ({"readOnlyHint": False}, {"readOnlyHint": True}, ChangeKind.HINT_TIGHTENED),
        ({"destructiveHint": False}, {"destructiveHint": True}, ChangeKind.HINT_LOOSENED),
        ({"idempotentHint": True}, {"idempotentHint": False}, ChangeKind.HINT_LOOSENED),
        ({"openWorldHint": True}, {"openWorldHint": False}, ChangeKind.HINT_TIGHTENED),
    ],
)
def test_a_hint_that_allows_more_breaks_the_permission_that_was_given(
    before: dict[str, bool], after: dict[str, bool], change: ChangeKind
) -> None:
    (tool_change,) = diff_listings(
        surface(make_tool("go", hints=before)), surface(make_tool("go", hints=after))
    ).changes

    assert tool_change.change is change
    assert (tool_change.meaning.references is CompatibilityClass.BREAKING) == (
        change is ChangeKind.HINT_LOOSENED
    )


def test_a_hint_that_says_what_held_anyway_changes_nothing_for_anybody() -> None:
    silent = make_tool("go")
    del silent["annotations"]["destructiveHint"]

    (tool_change,) = diff_listings(
        surface(silent), surface(make_tool("go", hints={"destructiveHint": True}))
    ).changes

    assert tool_change.change is ChangeKind.OTHER


def test_an_answer_that_promises_less_breaks_those_who_read_it() -> None:
    strict_output = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    loose_output = {"type": "object", "properties": {"id": {"type": "string"}}}

    changes_to_loose = _diff_changes(
        {**PETS, "outputSchema": strict_output}, {**PETS, "outputSchema": loose_output}
    )
    more = _diff_changes(
        {**PETS, "outputSchema": loose_output}, {**PETS, "outputSchema": strict_output}
    )
    changes_to_none = _diff_changes({**PETS, "outputSchema": strict_output}, PETS)

    assert (changes_to_loose, more) == (
        [(ChangeKind.OUTPUT_CHANGED, "")],
        [(ChangeKind.OUTPUT_NARROWED, "")],
    )
    assert changes_to_none == [(ChangeKind.OUTPUT_REMOVED, "")]


def _defining(definitions: dict[str, Any], holder: str = "$defs") -> dict[str, Any]:
    """Returns a tool with an argument whose schema uses definitions."""
    order = {"type": "object", "properties": {"id": NUMBER, "of": {"$ref": f"#/{holder}/Order"}}}
    schema = {
        "type": "object",
        "properties": {"order": {"$ref": f"#/{holder}/Order"}},
        holder: {"Order": order, **definitions},
    }
    return {"name": "send", "inputSchema": schema, "outputSchema": schema}


@pytest.mark.parametrize("holder", ["$defs", "definitions"])
def test_a_definition_that_nothing_leads_to_breaks_nobody(holder: str) -> None:
    old = _defining({"Left": {"$ref": f"#/{holder}/Behind"}, "Behind": text()}, holder)
    new = _defining({"Left": NUMBER, "Added": text()}, holder)

    assert _diff_changes(old, new) == _diff_changes(new, old) == []
    assert _diff_changes(old, _defining({}, holder)) == []


@pytest.mark.parametrize(
    "more",
    [
        {"title": {"$ref": "#/$defs/Made%7E01Up"}},
        {"a": {"items": {"$ref": "#/$defs/Behind"}}},
        {"b": {"$ref": "#named"}},
        {"c": {"$dynamicRef": "#named"}},
        {"d": {"$id": "https://a.example/b"}},
    ],
)
def test_a_definition_that_something_may_lead_to_breaks_as_before(more: dict[str, Any]) -> None:
    definitions = {"Behind": {"$ref": "#/$defs/Made~01Up"}}
    old, new = (_defining({"Made~1Up": kind, **definitions}) for kind in (text(), NUMBER))
    for item in (old, new):
        item["inputSchema"]["properties"] |= more

    assert (ChangeKind.INPUT_CHANGED, "") in _diff_changes(old, new)


@pytest.mark.parametrize("reference", ["#/$defs/Order", "#named"])
def test_what_a_schema_as_a_whole_leads_to_breaks_as_before(reference: str) -> None:
    def tool_referring_to(kind: dict[str, Any]) -> dict[str, Any]:
        order = {"$anchor": "named", "type": "object", "properties": {"id": kind}}
        root_schema = {"type": "object", "$ref": reference, "$defs": {"Order": order}}
        return {"name": "send", "inputSchema": root_schema, "outputSchema": root_schema}

    result = _diff_changes(tool_referring_to(text()), tool_referring_to(NUMBER))

    assert {change for change, _ in result} == {ChangeKind.INPUT_CHANGED, ChangeKind.OUTPUT_CHANGED}


def test_another_name_of_the_same_operation_is_a_renaming() -> None:
    old = surface(PETS, operations={"list_pets": "GET /pets"})
    new = surface(make_tool("pets", {"q": text()}), operations={"pets": "GET /pets"})

    diff = diff_listings(old, new)

    first = diff.changes[0]
    assert (first.change, first.before, first.after) == (
        ChangeKind.TOOL_RENAMED,
        "list_pets",
        "pets",
    )
    assert "same operation" in first.reason
    assert ChangeKind.TOOL_REMOVED not in [change.change for change in diff.changes]


def test_names_that_two_operations_have_swapped_break_who_calls_them() -> None:
    add, remove = make_tool("add_pet", {"id": text()}), make_tool("drop_pet", {"id": text()})
    old = surface(add, remove, operations={"add_pet": "PUT /a", "drop_pet": "DELETE /a"})
    new = surface(add, remove, operations={"add_pet": "DELETE /a", "drop_pet": "PUT /a"})

    tool_changes = [
        change
        for change in diff_listings(old, new).changes
        if change.change is ChangeKind.TOOL_RENAMED
    ]

    assert [(change.before, change.after) for change in tool_changes] == [
        ("drop_pet", "add_pet"),
        ("add_pet", "drop_pet"),
    ]


def test_a_name_that_another_operation_has_taken_over_is_another_tool() -> None:
    old = surface(PETS, operations={"list_pets": "GET /pets"})
    replacement = {**PETS, "description": "Drops all pets of the shelter."}
    operations = {"list_pets": "DELETE /pets", "list_pets_2": "GET /pets"}
    new = surface(replacement, {**PETS, "name": "list_pets_2"}, operations=operations)

    assert _changes(diff_listings(old, new)) == [
        (ChangeKind.TOOL_ADDED, ""),
        (ChangeKind.TOOL_RENAMED, ""),
    ]


def test_tools_of_different_operations_are_never_taken_for_one() -> None:
    old = surface(PETS, operations={"list_pets": "GET /pets"})
    new = surface({**PETS, "name": "pets"}, operations={"pets": "GET /other"})

    assert _changes(diff_listings(old, new)) == [
        (ChangeKind.TOOL_ADDED, ""),
        (ChangeKind.TOOL_REMOVED, ""),
    ]


def test_without_operations_only_what_is_the_same_but_for_its_name_is_a_renaming() -> None:
    renamed_listing = surface({**PETS, "name": "pets"})
    changed_listing = surface({**PETS, "name": "pets", "description": "Something."})

    assert _changes(diff_listings(surface(PETS), renamed_listing))[0][0] is ChangeKind.TOOL_RENAMED
    assert {
        change_kind for change_kind, _ in _changes(diff_listings(surface(PETS), changed_listing))
    } == {
        ChangeKind.TOOL_ADDED,
        ChangeKind.TOOL_REMOVED,
    }


def test_where_two_tools_are_alike_none_is_taken_for_the_other() -> None:
    old = surface(PETS, {**PETS, "name": "twin"})
    new = surface({**PETS, "name": "third"}, {**PETS, "name": "fourth"})

    assert ChangeKind.TOOL_RENAMED not in [
        change_kind for change_kind, _ in _changes(diff_listings(old, new))
    ]


def test_sizes_are_reported_of_the_list_and_of_each_tool_that_has_another() -> None:
    longer = {**PETS, "description": f"{PETS['description']}12345"}

    diff = diff_listings(surface(PETS), surface(longer))

    assert diff.bytes[1] - diff.bytes[0] == 5
    before, after = diff.sizes["list_pets"]
    assert after - before == 5


def test_every_change_has_its_meaning_and_breaking_ones_have_a_victim() -> None:
    assert MEANINGS.keys() == {*ChangeKind}
    safe_changes = [change for change, meaning in MEANINGS.items() if not meaning.is_breaking]
    assert ChangeKind.TOOL_ADDED in safe_changes
    assert ChangeKind.TOOL_REMOVED not in safe_changes


def test_markdown_keeps_what_a_server_says_in_code_spans() -> None:
    hostile_tool = make_tool(
        "go", description="`x` | <img src=x onerror=alert(1)> @everyone\n# Big"
    )

    output = diff_as_markdown(diff_listings(surface(make_tool("go")), surface(hostile_tool)))

    (row,) = [line for line in output.splitlines() if line.startswith("| `go`")]
    assert row.count(" | ") == 5
    assert "`` `x` \\| <img src=x onerror=alert(1)> @everyone # Big ``" in row
    assert not any(line.startswith("# ") for line in output.splitlines())


def test_markdown_of_ten_thousand_changes_fits_into_a_comment() -> None:
    tools = [make_tool(f"tool_{number}") for number in range(10_000)]

    markdown = diff_as_markdown(diff_listings(surface(*tools), surface()))
    come = diff_as_markdown(diff_listings(surface(), surface(*tools)))

    assert len(markdown) < 65_536
    assert len(come) < 65_536
    assert "more changes" in markdown


def test_text_marks_what_breaks_and_ends_with_the_totals() -> None:
    output = diff_as_text(
        diff_listings(surface(PETS), surface(_tool_with({}, needs=["tag", "limit"])))
    )

    assert " ! `limit`: an argument that must be given now [breaks callers]" in output
    assert output.endswith("(+8)\n")


NAMES = st.sampled_from(["one", "two", "three", "four"])
SCHEMAS = st.sampled_from(
    [
        text(),
        text("B."),
        NUMBER,
        {**NUMBER, "type": "number"},
        text(enum=["a"]),
        True,
        {},
        None,
        {"type": ["string", "null"]},
        {"enum": [[1], {"a": 1}]},
        {"properties": 7, "required": {}},
    ]
)
TOOLS = st.builds(
    lambda name, properties, needs, description: make_tool(
        name, properties, needs=needs, description=description
    ),
    NAMES,
    st.dictionaries(NAMES, SCHEMAS, max_size=3),
    st.lists(NAMES, max_size=2, unique=True),
    st.sampled_from(["", "A.", "B."]),
)
SURFACES = st.lists(TOOLS, max_size=4, unique_by=lambda tool: tool["name"]).map(
    lambda tools: surface(*tools)
)


@given(SURFACES)
def test_a_surface_does_not_differ_from_itself(listing: Any) -> None:
    diff = diff_listings(listing, listing)

    assert (diff.changes, diff.sizes) == ((), {})


@given(SURFACES, SURFACES)
def test_what_came_in_one_direction_went_in_the_other(old: Any, new: Any) -> None:
    diff, reverse_diff = diff_listings(old, new), diff_listings(new, old)

    def names(diff: ListingDiff, change: ChangeKind) -> set[str]:
        return {tool_change.tool for tool_change in diff.changes if tool_change.change is change}

    assert names(diff, ChangeKind.TOOL_ADDED) == names(reverse_diff, ChangeKind.TOOL_REMOVED)
    assert names(diff, ChangeKind.TOOL_REMOVED) == names(reverse_diff, ChangeKind.TOOL_ADDED)
    assert diff.bytes == reverse_diff.bytes[::-1]


@given(SURFACES, SURFACES)
def test_every_difference_can_be_written(old: Any, new: Any) -> None:
    diff = diff_listings(old, new)

    assert diff_as_text(diff).endswith("\n")
    assert diff_as_markdown(diff).startswith("## ")
    assert len(diff_as_json(diff)["changes"]) == len(diff.changes)


def test_a_default_that_was_true_and_is_1_is_another_one() -> None:
    old = make_tool("list_pets", {"deep": {"default": True}})
    new = make_tool("list_pets", {"deep": {"default": 1}})

    assert _diff_changes(old, new) == [(ChangeKind.ARGUMENT_DEFAULT, "deep")]


def test_a_default_inside_an_argument_counts_as_one_of_the_argument() -> None:
    def tool_with_default(default: int) -> dict[str, Any]:
        page = {"type": "object", "properties": {"default": {**NUMBER, "default": default}}}
        return make_tool("list_pets", {"pages": {"type": "array", "items": page}})

    result = _diff_changes(tool_with_default(1), tool_with_default(2))

    assert result == [(ChangeKind.ARGUMENT_DEFAULT, "pages")]


def test_a_description_inside_an_argument_describes_the_argument_otherwise() -> None:
    old, new = (
        make_tool("list_pets", {"page": {"type": "object", "properties": {"title": text(words)}}})
        for words in ("A title.", "The title.")
    )

    assert _diff_changes(old, new) == [(ChangeKind.ARGUMENT_DESCRIBED, "page")]


def test_an_argument_without_a_schema_can_be_required() -> None:
    old, new = make_tool("list_pets"), make_tool("list_pets", needs=["tag"])

    assert _diff_changes(old, new) == [(ChangeKind.ARGUMENT_REQUIRED, "tag")]


def _recursive_tool(**node: Any) -> dict[str, Any]:
    """Returns a tool with a recursive argument, whose definition also has the keywords `node`."""
    nodes = {"type": "array", "items": {"$ref": "#/$defs/Node"}}
    node = {"type": "object", "properties": {"nodes": nodes}, **node}
    tool = make_tool("list_pets", {"root": {"$ref": "#/$defs/Node"}})
    tool["inputSchema"]["$defs"] = {"Node": node}
    return tool


def test_another_description_of_a_definition_breaks_nobody() -> None:
    old, new = _recursive_tool(description="A."), _recursive_tool(description="B.")

    assert _diff_changes(old, new) == [(ChangeKind.OTHER, "inputSchema")]


@pytest.mark.parametrize("more", [{"minProperties": 1}, {"default": {}}])
def test_other_values_or_defaults_of_a_definition_break_callers(more: dict[str, Any]) -> None:
    old, new = _recursive_tool(), _recursive_tool(**more)

    assert _diff_changes(old, new) == [(ChangeKind.INPUT_CHANGED, "")]


def test_an_added_argument_with_a_definition_of_its_own_breaks_nobody() -> None:
    new = _recursive_tool()

    result = _diff_changes(make_tool("list_pets"), new)

    assert result == [(ChangeKind.ARGUMENT_ADDED, "root")]
    new["inputSchema"]["$defs"]["Node"]["$anchor"] = "node"
    assert (ChangeKind.INPUT_CHANGED, "") in _diff_changes(make_tool("list_pets"), new)


@pytest.mark.parametrize("depth", [250, 450])
def test_schemas_nested_deeper_than_python_calls_are_compared(depth: int) -> None:
    def nested_tool(kind: dict[str, Any]) -> dict[str, Any]:
        for _ in range(depth):
            kind = {"type": "object", "properties": {"a": kind}}
        return make_tool("list_pets", {"deep": kind})

    result = _diff_changes(nested_tool(text()), nested_tool(NUMBER))

    assert result == [(ChangeKind.ARGUMENT_RETYPED, "deep")]
