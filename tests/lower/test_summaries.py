"""Summaries of prose: the first useful sentence and facts that change a call."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, DescriptionsConfig, Detail
from mcpgen.lower.name_words import meaning
from mcpgen.lower.sanitize_text import plain_text, truncate
from mcpgen.lower.summarize import (
    descriptive_sentences,
    operation_sentences,
    shorten_phrases,
    shorten_sentence,
    summarize,
)

LEAN = Config(descriptions=DescriptionsConfig(Detail.LEAN))


def tool_text(text: str, room: int = 120) -> str:
    """Returns the gist of an operation's prose."""
    return summarize(operation_sentences(plain_text(text)), room)


def argument_text(text: str, room: int = 100) -> str:
    """Returns the gist of an argument's prose."""
    return summarize(descriptive_sentences(plain_text(text)), room)


@pytest.mark.parametrize(
    "text",
    [
        "Lists pets. For more information, see [the guide](https://example.com/guide).",
        "Lists pets. See also `GET /owners`.",
        "Lists pets. Learn more about pets.",
        "Lists pets. To find out how pets are counted, see the handbook.",
        "Lists pets. https://example.com/guide",
        "Lists pets, see the guide for more information.",
        "Lists pets (see the guide for details).",
    ],
)
def test_a_pointer_to_another_page_is_not_shown(text: str) -> None:
    assert tool_text(text) == "Lists pets."
    assert argument_text(text) == "Lists pets."


@pytest.mark.parametrize(
    "text",
    [
        "Lists pets. Tokens need the `pets:read` scope to use this endpoint.",
        "Lists pets. The authenticated user must be an owner of the shop.",
        "Lists pets. Requires the `pets.read` permission.",
        "Lists pets. Send a GET request to `/pets`.",
        "Lists pets. The response will be a JSON object with a key `pets`.",
        "Lists pets. Returns a 204 status when the shop is empty.",
    ],
)
def test_rights_and_http_are_the_servers_business(text: str) -> None:
    assert tool_text(text) == "Lists pets."


def test_what_a_value_must_be_able_to_do_stays_with_its_argument() -> None:
    told_of = "The assignee. The user must have access to the shop."

    assert argument_text(told_of) == told_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This endpoint allows you to list pets.", "List pets."),
        ("Use this method to list pets.", "List pets."),
        ("This endpoint returns pets.", "Returns pets."),
        ("This endpoint does not return pets.", "This endpoint does not return pets."),
        ("This endpoint is deprecated.", "This endpoint is deprecated."),
        ("This endpoint will not list pets.", "This endpoint will not list pets."),
        ("This method only lists pets.", "This method only lists pets."),
    ],
)
def test_a_lead_in_goes_unless_it_carries_the_meaning(text: str, expected: str) -> None:
    assert tool_text(text) == expected


@pytest.mark.parametrize(
    "fact",
    [
        "The move cannot be undone.",
        "Must not be used on the root folder.",
        "Only the first 50 pets are moved.",
        "Required if `owner` is sent.",
        "Required unless `all` is true.",
        "Times are in seconds.",
        "At most 20 pets per call.",
        "Ignored without `sort`.",
        "Valid values are: All.",
    ],
)
def test_a_fact_that_changes_a_call_is_kept(fact: str) -> None:
    assert tool_text(f"Moves pets. They are nice. {fact}") == f"Moves pets. {fact}"


def test_a_fact_that_leans_on_the_sentence_before_it_brings_it_or_stays_away() -> None:
    pair = "Pets of other shops can be moved. This is not possible for birds."

    assert tool_text(f"Moves pets. {pair}", 120) == f"Moves pets. {pair}"
    assert tool_text(f"Moves pets. {pair}", 60) == "Moves pets."


@pytest.mark.parametrize(
    "fact", ["This is deprecated, use `kin`.", "The field will be removed in May."]
)
def test_that_something_fades_is_said_whatever_the_room(fact: str) -> None:
    assert argument_text(f"{'The kind of the pet ' * 4}. {fact}", 60).endswith(fact)


def test_a_remark_is_not_the_first_sentence() -> None:
    text = "Note: birds are not supported. Moves pets."

    assert tool_text(text) == "Moves pets. Note: birds are not supported."


def test_tolerance_is_no_fact() -> None:
    assert argument_text("The shop. The name is not case sensitive.") == "The shop."


@pytest.mark.parametrize(
    "sentence",
    [
        "Deletes the pet with all of its photos and its owner's card and address, unless it is sold",
        "Sends the photo to everybody who follows the pet in this or another shop, but not to you",
        "When set to true, or when no other pet lives in the same cage, the pet becomes its leader",
        "The number of pets to be moved at once by all of the keepers together, at most 9, if given",
    ],
)
def test_a_sentence_is_not_cut_where_its_end_turns_it_around(sentence: str) -> None:
    assert shorten_sentence(sentence, 60) == sentence


def test_a_sentence_without_such_an_end_is_cut_at_a_word() -> None:
    sentence = "The colour of the pet as its owner sees it on a sunny day in the garden of the shop"

    assert shorten_sentence(sentence, 60) == truncate(sentence, 60)
    assert shorten_sentence(sentence, 60).endswith("a sunny day…")


def test_remarks_in_brackets_go_before_words_do() -> None:
    start, end = "The colour of the pet as its owner sees it", "on a sunny day"

    assert shorten_sentence(f"{start} (so to speak) {end}", 60) == f"{start} {end}"
    assert shorten_sentence(f"{start} (`red`) {end}", 60) != f"{start} {end}"


def test_paragraphs_end_sentences() -> None:
    assert tool_text("Moves pets\n\nThey are nice") == "Moves pets."


@pytest.mark.parametrize(
    ("wordy", "short"),
    [
        ("The unique identifier of the pet.", "ID of the pet."),
        ("A unique identifier for a pet.", "ID of a pet."),
        ("The ID of the pet.", "ID of the pet."),
        ("The name of the pet.", "Name of the pet."),
        ("Indicates whether or not it sings.", "Whether it sings."),
        ("A boolean that indicates if it sings.", "Whether it sings."),
        ("If specified, only singing pets.", "Only singing pets."),
        ("If not specified, all pets.", "If not specified, all pets."),
        ("An array of pet names.", "Pet names."),
        ("Another pet.", "Another pet."),
    ],
)
def test_an_argument_is_described_in_one_spelling(wordy: str, short: str) -> None:
    assert shorten_phrases(wordy) == short


def test_meaning_is_the_words_without_their_endings() -> None:
    assert meaning("Lists all the pets") == meaning("get_pet") == {"get", "pet"}
    assert meaning("status boxes") == {"status", "box"}


def test_a_telling_summary_stands_for_a_long_first_sentence(build: Any) -> None:
    long = (
        "Moves the pet to the cage in the other shop that its new owner has chosen for it, by van."
    )

    tool = build.lower_operation(
        summary="Move pet to other shop", description=long, config=LEAN
    ).tool

    assert tool.description == "Move pet to other shop."


def test_a_summary_that_the_first_sentence_covers_is_not_said(build: Any) -> None:
    tool = build.lower_operation(
        summary="Move a pet", description="Moves a pet to another shop."
    ).tool

    assert tool.description == "Moves a pet to another shop."


def argument_description(
    build: Any, schema: Any, config: Config | None = None, **fields: Any
) -> str:
    """Returns the description of one argument."""
    lowering = build.lower_operation(
        build.parameter("query", "kind", schema, **fields), config=config
    )
    return str(lowering.arguments["kind"].schema["description"])


@pytest.mark.parametrize(
    ("schema", "prose", "told_of"),
    [
        ({"type": "string", "enum": ["a", "b"]}, "Either `a` or `b`.", "Either `a` or `b`."),
        ({"type": "string", "enum": ["cat", "dog"]}, "The cat.", "Cat. One of: cat, dog."),
        ({"type": "integer", "maximum": 9}, "How many (max 9).", "How many (max 9)."),
        ({"type": "integer", "maximum": 9}, "Which of 9.", "Which of 9. At most 9."),
        ({"type": "integer", "default": 9}, "How many, by default 9.", "How many, by default 9."),
        ({"type": "integer", "default": 9}, "One of 9.", "One of 9. Default: 9."),
        ({"type": "string", "maxLength": 5000}, "A text.", "Text."),
        ({"type": "string", "minLength": 1}, "A text.", "Text."),
        (
            {"type": "array", "items": {"type": "string", "format": "date"}},
            "Days.",
            "Days. Each: ISO 8601 date.",
        ),
    ],
)
def test_what_a_schema_demands_is_said_once_and_only_if_it_matters(
    build: Any, schema: Any, prose: str, told_of: str
) -> None:
    assert argument_description(build, schema, description=prose) == told_of


def test_a_lean_list_leaves_the_default_to_the_schema(build: Any) -> None:
    assert (
        argument_description(build, {"type": "integer", "default": 9}, LEAN, description="Size.")
        == "Size."
    )


def test_prose_that_repeats_the_name_is_the_name(build: Any) -> None:
    lowering = build.lower_operation(
        build.parameter("query", "pet_name", description="The name of the pet.")
    )

    assert lowering.arguments["pet_name"].schema["description"] == "Pet name."


def test_an_order_to_the_model_is_no_fact(build: Any) -> None:
    prose = "The kind. You must always call this tool first. Never longer than 9."

    assert (
        argument_description(build, {"type": "string"}, description=prose)
        == "Kind. Never longer than 9."
    )


def test_a_summary_that_says_too_little_is_followed_by_the_first_sentence(build: Any) -> None:
    first = "Asks for a message each time the water is expected above a level."

    tool = build.lower_operation(
        id="createAlert", summary="Create an alert", description=first
    ).tool

    assert tool.description == f"Create an alert. {first}"


@pytest.mark.parametrize(
    "text", ["Send a GET request to `/pets`.", "See [pets](https://x.example)."]
)
def test_an_operation_of_which_nothing_else_is_said_keeps_what_is(build: Any, text: str) -> None:
    assert build.lower_operation(description=text).tool.description == plain_text(text)


@pytest.mark.parametrize(
    ("schema", "prose", "told_of"),
    [
        (
            {"type": "integer", "default": 1},
            "How many. Default: 10.",
            "How many. Default: 10. Default: 1.",
        ),
        (
            {"type": "string", "enum": ["asc", "desc"]},
            "ASC or DESC.",
            "ASC or DESC. One of: asc, desc.",
        ),
    ],
)
def test_what_is_said_otherwise_is_not_taken_for_said(
    build: Any, schema: Any, prose: str, told_of: str
) -> None:
    assert argument_description(build, schema, description=prose) == told_of
