"""Documents without operations, and dialects with a parser."""

from mcpgen.diagnostics import Severity
from mcpgen.ir.source import Dialect
from mcpgen.parse import OPENAPI_RULES


def test_documents_of_both_versions_are_parsed(parse_document, document):
    results = [parse_document(document({}, version=version)) for version in ("3.0.3", "3.1.0")]

    assert [result.operation.key for result in results] == ["GET /a", "GET /a"]
    assert [result.findings for result in results] == [[], []]


def test_a_document_without_paths_has_nothing_to_build(parse_document):
    result = parse_document({"openapi": "3.1.0", "info": {"title": "A", "version": "1"}})

    assert result.result is None
    assert result.names == ["nothing-to-build"]
    assert "no `paths`" in result.finding.message


def test_a_document_with_empty_paths_has_nothing_to_build(parse_document, document):
    result = parse_document(document(paths={}))

    assert result.result is None
    assert result.finding.at.pointer == "/paths"


def test_paths_without_operations_are_nothing_to_build(parse_document, document):
    result = parse_document(document(paths={"/a": {"summary": "nothing here"}, "x-note": {}}))

    assert result.result is None
    assert result.names == ["nothing-to-build"]


def test_paths_that_are_no_mapping_are_an_error_with_their_place(parse_document, document):
    result = parse_document(document(paths=["/a"]))

    assert result.result is None
    assert result.finding.severity is Severity.ERROR
    assert result.finding.at.pointer == "/paths"
    assert "a list" in result.finding.message


def test_webhooks_and_callbacks_are_counted_in_one_note(parse_document, document):
    operation = {"callbacks": {"paid": {}, "failed": {}}}

    result = parse_document(document(operation, webhooks={"news": {"post": {}}}))

    assert result.finding.severity is Severity.NOTE
    assert "1 webhook and 2 callbacks" in result.finding.message


def test_the_title_may_be_a_number(parse_document, document):
    result = parse_document(document() | {"info": {"title": 7, "version": 1.5}})

    assert (result.api.title, result.api.version) == ("7", "1.5")
    assert result.findings == []


def test_every_dialect_of_a_description_has_a_parser():
    assert {*OPENAPI_RULES, Dialect.SWAGGER_2_0, Dialect.OPENSPEC} == set(Dialect)
