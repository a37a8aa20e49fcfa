"""Search finds tools for questions in the users' own words."""

from __future__ import annotations

import pytest

from mcpgen_runtime.search.index import SearchEntry, ToolSearch
from mcpgen_runtime.search.phrases import replace_phrases
from mcpgen_runtime.search.stemming import split_words, stem_word
from mcpgen_runtime.search.vocabulary import correct_spelling

SHOP = (
    SearchEntry("list_orders", "List all orders", "", "GET", "/orders", ("orders",)),
    SearchEntry("create_order", "Place an order", "", "POST", "/orders", ("orders",)),
    SearchEntry("get_order", "Show an order", "", "GET", "/orders/{id}", ("orders",)),
    SearchEntry("put_order", "Replace an order", "", "PUT", "/orders/{id}", ("orders",)),
    SearchEntry("delete_order", "Delete an order", "", "DELETE", "/orders/{id}", ("orders",)),
    SearchEntry("list_order_items", "List items of an order", "", "GET", "/orders/{id}/items"),
    SearchEntry("refund_payment", "Refund a payment", "", "POST", "/payments/{id}/refund"),
    SearchEntry("list_payments", "List payments", "", "GET", "/payments"),
    SearchEntry("list_policies", "List return policies", "", "GET", "/policies"),
    SearchEntry("assign_reviewer", "Assign a reviewer", "", "POST", "/reviews/{id}/reviewers"),
    SearchEntry(
        "patch_parcel", "", "Changes a parcel", "PATCH", "/parcels/{id}", (), ("state lost",)
    ),
    SearchEntry(
        "list_warehouses", "List warehouses", "<p>Where <b>goods</b> are.</p>", "GET", "/w"
    ),
)
SEARCH = ToolSearch(SHOP)


def first(question: str) -> str:
    """Returns the name of the best match."""
    return SHOP[SEARCH.best(question, 1)[0]].name


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("show me all orders", "list_orders"),
        ("orders", "list_orders"),
        ("add a new order", "create_order"),
        ("fetch one order", "get_order"),
        ("change an order", "put_order"),
        ("get rid of an order", "delete_order"),
        ("remove order", "delete_order"),
        ("what is in the items of an order?", "list_order_items"),
        ("refund a payment", "refund_payment"),
        ("refunding payments", "refund_payment"),
        ("which payments are there", "list_payments"),
        ("return policy", "list_policies"),
        ("ask somebody for a review", "assign_reviewer"),
        ("mark a parcel as lost", "patch_parcel"),
        ("where are the goods", "list_warehouses"),
        ("throw an order away", "delete_order"),
        ("how do I refund a payment", "refund_payment"),
        ("can you list every order", "list_orders"),
        ("show an order", "get_order"),
        ("new order", "create_order"),
        ("orderitems", "list_order_items"),
        ("somebody paid", "list_payments"),
    ],
)
def test_a_question_in_any_words_finds_the_tool_first(question: str, name: str) -> None:
    text = first(question)

    assert text == name


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("list paymnets", "list_payments"),
        ("lst of warehoses", "list_warehouses"),
        ("return polciies", "list_policies"),
        ("refnud", "refund_payment"),
        ("warehoosess", "list_warehouses"),
    ],
)
def test_a_slip_of_the_keys_is_forgiven(question: str, name: str) -> None:
    text = first(question)

    assert text == name


def test_nothing_is_found_for_words_that_no_tool_has() -> None:
    result = SEARCH.best("xylophone zebra", 5)

    assert result == []


@pytest.mark.parametrize("question", ["", "   ", "?!", "the of and", "\x00", "a" * 5000])
def test_a_question_that_says_nothing_is_answered(question: str) -> None:
    result = SEARCH.best(question, 5)

    assert len(result) <= 5


def test_only_those_are_found_among_which_is_searched() -> None:
    positions = {1, 7}

    result = SEARCH.best("orders and payments", 10, positions.__contains__)

    assert set(result) == positions


def test_the_same_is_found_by_every_index_of_the_same_tools() -> None:
    second_search = ToolSearch(SHOP)

    assert [second_search.best(entry.title, 12) for entry in SHOP] == [
        SEARCH.best(entry.title, 12) for entry in SHOP
    ]


def test_an_index_of_nothing_finds_nothing() -> None:
    assert ToolSearch(()).best("anything", 5) == []


@pytest.mark.parametrize(
    "forms",
    [
        ("merge", "merges", "merged", "merging"),
        ("policy", "policies"),
        ("branch", "branches"),
        ("run", "runs", "running"),
        ("authorize", "authorise", "authorization", "authorised"),
        ("create", "created", "creating", "creation"),
        ("deploy", "deploys", "deployment", "deployments"),
        ("migrate", "migrating", "migration"),
        ("validate", "validated", "validation"),
        ("user", "users"),
        ("send", "sends", "sent"),
        ("write", "wrote", "written"),
        ("child", "children"),
        ("status",),
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    stems = {stem_word(form) for form in forms}

    assert len(stems) == 1


def test_different_words_keep_different_stems() -> None:
    words = ["user", "use", "access", "process", "comment", "command", "section", "session", "news"]

    assert len({stem_word(word) for word in words}) == len(words)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("log a user out everywhere", "logout a user everywhere"),
        ("turn off the light", "disable the light"),
        ("bring my file back", "restore my file"),
        ("get rid of k8s pods", "delete kubernetes pods"),
        ("log files of last week", "log files of last week"),
        ("sort it out some day", "sort it out some day"),
    ],
)
def test_what_is_said_in_several_words_is_put_in_one(phrase: str, expected: str) -> None:
    assert " ".join(replace_phrases(phrase.split())) == expected


def test_names_of_every_style_are_read_as_words() -> None:
    assert split_words("listCoreV1NamespacedPod") == split_words("list_core_v1_namespaced_pod")
    assert split_words("HTTPServer/users/{userId}") == ["http", "server", "users", "user", "id"]


def test_a_word_is_taken_for_the_most_used_of_its_neighbors() -> None:
    word_counts = {"order": 9, "border": 2, "older": 1, "repository": 4}

    assert correct_spelling("oder", word_counts)[0] == "order"
    assert correct_spelling("repo", word_counts) == ("repository",)
    assert correct_spelling("xyz", word_counts) == ()
