"""Parts shared by several operations: parsed once, reported per operation."""

from mcpgen.diagnostics import Severity

BARE = {"name": "q", "in": "query"}
REFERENCE = {"$ref": "#/components/parameters/Q"}


def _api(parse_document, document, parameter, *lists, components=None, version="3.1.0"):
    """Returns an API with an operation per list of parameters."""
    paths = {
        f"/{index}": {"get": {"parameters": parameters}} for index, parameters in enumerate(lists)
    }
    shared = {"parameters": {"Q": parameter}, **(components or {})}
    return parse_document(document(paths=paths, components=shared, version=version))


def test_a_fault_of_a_shared_parameter_is_reported_for_every_operation(parse_document, document):
    result = _api(parse_document, document, BARE, [REFERENCE], [REFERENCE, REFERENCE], [REFERENCE])

    messages = [
        item.message for item in result.findings if item.code.name == "parameter-without-schema"
    ]
    assert len(messages) == 3
    assert all(f"GET /{index}" in message for index, message in enumerate(messages))


def test_a_shared_parameter_stands_where_each_operation_refers_to_it(parse_document, document):
    sound = BARE | {"schema": {"type": "string"}}

    result = _api(parse_document, document, sound, [REFERENCE], [REFERENCE])

    places = [operation.parameters[0].at.path for operation in result.api.operations]
    assert places == [("paths", f"/{index}", "get", "parameters", "0") for index in range(2)]


def test_words_beside_a_reference_are_of_that_operation_alone(parse_document, document):
    sound = BARE | {"schema": {"type": "string"}, "description": "All."}
    first = REFERENCE | {"description": "First."}
    second = REFERENCE | {"description": "Second."}

    result = _api(parse_document, document, sound, [first], [second], [REFERENCE])

    descriptions = [operation.parameters[0].description for operation in result.api.operations]
    assert descriptions == ["First.", "Second.", "All."]


def test_a_schema_that_only_an_unusable_operation_met_first_is_kept(parse_document, document):
    typed_parameter = BARE | {"schema": {"$ref": "#/components/schemas/Name"}}
    broken_parameter = {"name": "x", "in": "nowhere"}
    components = {"schemas": {"Name": {"type": "string"}}}

    result = _api(
        parse_document,
        document,
        typed_parameter,
        [REFERENCE, broken_parameter],
        [REFERENCE],
        components=components,
    )

    assert [operation.path for operation in result.api.operations] == ["/1"]
    assert list(result.api.definitions) == ["Name"]


def test_a_broken_reference_in_a_shared_response_is_reported_once_and_costs_no_operation(
    parse_document, document
):
    answer = {"content": {"application/json": {"schema": {"$ref": "#/nowhere"}}}, "description": ""}
    paths = {
        f"/{index}": {"get": {"responses": {"200": {"$ref": "#/components/responses/A"}}}}
        for index in range(3)
    }

    result = parse_document(document(paths=paths, components={"responses": {"A": answer}}))

    assert [operation.path for operation in result.api.operations] == ["/0", "/1", "/2"]
    assert result.finding.severity is Severity.WARNING
    assert result.finding.at.pointer.endswith("/responses/A/content/application~1json/schema/$ref")
