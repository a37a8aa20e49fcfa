"""openapi-spec-validator: findings as warnings, in bounded time, without network."""

import json

import pytest

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.parse import parse
from mcpgen.parse.validate import CHEAP_CHARACTERS, drop_repeated_findings, validate

LARGE = {"x-padding": "a" * CHEAP_CHARACTERS}


def _validate(source, mode="always", cache=None):
    diagnostics = Diagnostics()
    phrase = validate(source, diagnostics, mode=mode, cache=cache)
    return phrase, list(diagnostics)


def test_a_valid_document_has_no_findings(source, document):
    tree = document({"responses": {"200": {"description": "d"}}})

    assert _validate(source(tree)) == ("validated in full", [])


def test_findings_are_warnings_at_their_place(source, document):
    responses = {"200": {"description": "d"}}
    tree = document({"operationId": 5, "responses": responses}, version="3.0.3")

    _, result = _validate(source(tree))

    assert [item.severity for item in result] == [Severity.WARNING]
    assert result[0].at.pointer == "/paths/~1a/get/operationId"


def test_findings_about_schemas_stand_in_the_document_of_the_schema(source, document):
    content = {"application/json": {"schema": {"$ref": "s.json#/x"}}}
    operation = {"responses": {"200": {"description": "d", "content": content}}}
    tree = document(operation, version="3.0.3")

    _, result = _validate(
        source(tree, {"s.json": {"x": {"properties": {"a": {"required": True}}}}})
    )

    assert [(item.at.file, item.at.pointer) for item in result] == [
        ("s.json", "/x/properties/a/required")
    ]


def test_parameters_of_paths_and_repeated_ids_are_left_to_findings_with_more_detail(
    source, document
):
    responses = {"200": {"description": "d"}}
    paths = {f"/{path}": {"get": {"operationId": "a", "responses": responses}} for path in "bc"}

    _, result = _validate(source(document(paths=paths | {"/c/{d}": paths["/b"]})))

    assert result == []


def test_a_value_outside_a_union_is_reported_with_the_reason_and_not_the_value(source, document):
    wrong = {"200": {"description": "d", "content": {"a/b": {"schema": {"type": 5}}}}}

    _, result = _validate(source(document({"responses": wrong}, version="3.0.3")))

    assert result[-1].message.startswith("5 is not one of ")
    assert result[-1].at.pointer.endswith("/schema/type")


def test_many_findings_are_counted_and_long_ones_cut(source, document):
    responses = {"200": {"description": ["long " * 200]}}
    paths = {f"/{number}": {"get": {"responses": responses}} for number in range(120)}

    _, result = _validate(source(document(paths=paths, version="3.0.3")))

    assert len(result) == 101
    assert "20 more places" in result[-1].message
    assert max(len(item.message) for item in result) <= 240


def test_a_failure_of_the_validator_is_a_note(source, document):
    tree = document({"responses": {"200": {"$ref": "#/components/responses/gone"}}})

    phrase, result = _validate(source(tree))

    assert phrase == "validated until a reference that leads nowhere"
    assert result[-1].message.endswith("the reference `#/components/responses/gone` leads nowhere")
    assert result[-1].severity is Severity.NOTE
    assert result[-1].code.name == "unfinished-validation"


def test_a_mistake_that_parsing_reports_is_reported_once(source, document):
    responses = {"200": {"description": "d"}}
    parameter = {"name": "q", "in": "query", "schema": {"type": "string", "minLength": "x"}}
    absent = {"$ref": "#/components/parameters/absent"}
    trees = [
        document({"parameters": parameters, "responses": responses})
        for parameters in ([parameter], [absent])
    ]

    names = []
    for tree in trees:
        diagnostics = Diagnostics()
        validate(source(tree), diagnostics, mode="always", cache=None)
        parse(source(tree), diagnostics)
        drop_repeated_findings(diagnostics)
        names.append([diagnostic.code.name for diagnostic in diagnostics])

    assert names[0] == ["malformed-schema"]
    assert "dangling-reference" in names[1]
    assert "unfinished-validation" not in names[1]


@pytest.mark.parametrize("scheme", ["http", "https", "file", "ftp", "x-unheard-of", ""])
def test_nothing_is_fetched_but_what_was_read(source, document, scheme, tmp_path, monkeypatch):
    _validate(source(document()))  # The validator reads its own schemas at its first use.
    requests = []
    monkeypatch.setattr("urllib.request.urlopen", lambda *args, **kwargs: requests.append(args))
    monkeypatch.setattr("jsonschema_path.retrievers.urlopen", lambda *args: requests.append(args))
    secret = tmp_path / "secret.json"
    secret.write_text('{"a": {"type": "thing"}}')
    reference = f"{scheme}://localhost{secret}#/a" if scheme else f"{secret}#/a"
    content = {"application/json": {"schema": {"$ref": reference}}}
    tree = document({"responses": {"200": {"description": "d", "content": content}}})

    _, result = _validate(source(tree))

    assert requests == []
    assert [item.code.name for item in result] == ["unfinished-validation"]


def test_small_documents_are_always_validated_and_large_ones_skipped(source, document, tmp_path):
    small, large = source(document()), source(document() | LARGE)

    assert _validate(small, "auto", tmp_path)[0] == "validated in full"
    assert _validate(large, "auto", tmp_path)[0] == (
        "validation skipped (150 kB; --strict runs it)"
    )
    assert _validate(small, "never", tmp_path) == ("validation skipped", [])
    assert list(tmp_path.iterdir()) == []


def test_a_full_run_on_a_large_document_is_remembered(source, document, tmp_path):
    cache = tmp_path / "new" / "cache"
    large = source(document({"responses": {"200": {}}}, version="3.0.3") | LARGE)

    _, full_findings = _validate(large, "always", cache)
    phrase, cached_findings = _validate(large, "auto", cache)

    assert phrase == "validated in full (from the cache)"
    assert cached_findings == full_findings
    assert len(full_findings) >= 1


def test_the_result_of_another_document_is_not_taken_from_the_cache(source, document, tmp_path):
    _validate(source(document() | LARGE), "always", tmp_path)

    phrase, _ = _validate(source(document() | LARGE | {"x-other": 1}), "auto", tmp_path)

    assert phrase.startswith("validation skipped")


@pytest.mark.parametrize(
    "corrupt",
    [
        "",
        "{",
        "[]",
        '"\ud800"',
        '{"format": 0}',
        '{"format": 2, "findings": [{"key": 5}], "more": 0, "failure": ""}',
        '{"format": 2, "findings": [null], "more": 0, "failure": ""}',
        '{"format": 2, "findings": 5, "more": 0, "failure": ""}',
        "[" * 100_000,
    ],
)
def test_a_corrupt_memory_is_ignored_and_written_anew(source, document, tmp_path, corrupt):
    large = source(document() | LARGE)
    _validate(large, "always", tmp_path)
    (cache_file,) = tmp_path.iterdir()
    cache_file.write_bytes(corrupt.encode("utf-8", "surrogatepass"))

    phrase, _ = _validate(large, "auto", tmp_path)
    _validate(large, "always", tmp_path)

    assert phrase.startswith("validation skipped")
    assert json.loads(cache_file.read_text())["format"] == 2
    assert list(tmp_path.iterdir()) == [cache_file]


def test_a_folder_that_cannot_be_made_keeps_nothing_and_does_no_harm(source, document, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")

    phrase, _ = _validate(source(document() | LARGE), "always", blocked)

    assert phrase == "validated in full"
    assert blocked.read_text() == "not a folder"


def test_a_swagger_document_is_validated_by_its_own_rules(source, swagger):
    wrong = {"parameters": [{"name": "a", "in": "query"}], "responses": {}}

    phrase, result = _validate(source(swagger(wrong)))

    assert phrase == "validated in full"
    assert {item.code.name for item in result} == {"specification-violation"}
    assert all(item.at.pointer.startswith("/paths/~1a/post") for item in result)


def test_a_file_in_a_swagger_response_is_no_violation(source, swagger):
    response = {"description": "d", "schema": {"type": "file"}}

    assert _validate(source(swagger({"responses": {"200": response}}))) == (
        "validated in full",
        [],
    )


def test_a_file_in_a_swagger_response_is_not_mistaken_for_a_form_field(source, swagger):
    field = {"name": "f", "in": "formData", "type": "file"}
    response = {"description": "d", "schema": {"type": "file"}}
    upload = {
        "consumes": ["multipart/form-data"],
        "parameters": [field],
        "responses": {"200": response, "201": response},
    }

    assert _validate(source(swagger(upload))) == ("validated in full", [])


def test_documents_above_the_first_one_are_found_by_the_validator(source, swagger):
    response = {"description": "d", "schema": {"$ref": "../../common/Error.json"}}
    tree = swagger({"responses": {"200": response}})

    phrase, result = _validate(source(tree, {"../../common/Error.json": {"type": "object"}}))

    assert (phrase, result) == ("validated in full", [])
