"""Names of definitions."""

import re


def _body(*references):
    parts = [{"$ref": reference} for reference in references]
    return {"requestBody": {"content": {"application/json": {"schema": {"anyOf": parts}}}}}


def test_components_keep_their_names_and_only_used_ones_stay(parse_document, document):
    components = {"schemas": {"Pet": {"type": "object"}, "Unused": {"type": "object"}}}

    result = parse_document(document(_body("#/components/schemas/Pet"), components=components))

    assert list(result.api.definitions) == ["Pet"]


def test_illegal_characters_are_replaced(parse_document, document):
    name = "Pet<List of `x`>/ü"
    reference = "#/components/schemas/" + name.replace("/", "~1")
    components = {"schemas": {name: {"type": "object"}}}

    result = parse_document(document(_body(reference), components=components))

    (definition_name,) = result.api.definitions
    assert re.fullmatch(r"[A-Za-z0-9_.-]+", definition_name)
    assert definition_name == "Pet_List_of_x"


def test_the_first_document_keeps_its_name_when_another_is_reached_first(parse_document, document):
    other_documents = {"shop.json": {"components": {"schemas": {"Pet": {"type": "string"}}}}}
    components = {"schemas": {"Pet": {"type": "object"}}}
    operation = _body("shop.json#/components/schemas/Pet", "#/components/schemas/Pet")

    result = parse_document(document(operation, components=components), other_documents)

    types = {name: definition.json["type"] for name, definition in result.api.definitions.items()}
    assert types == {"shop_Pet": "string", "Pet": "object"}
    assert result.names == ["renamed-definition"]


def test_names_that_become_the_same_get_numbers(parse_document, document):
    components = {"schemas": {"A B": {"type": "object"}, "A_B": {"type": "string"}}}
    operation = _body("#/components/schemas/A_B", "#/components/schemas/A B")

    result = parse_document(document(operation, components=components))

    assert sorted(result.api.definitions) == ["A_B", "A_B_2"]


def test_a_schema_deep_inside_is_named_after_its_place(parse_document, document):
    components = {"schemas": {"Pet": {"properties": {"owner": {"type": "object"}}}}}
    operation = _body("#/components/schemas/Pet/properties/owner")

    result = parse_document(document(operation, components=components))

    assert list(result.api.definitions) == ["Pet_owner"]
