"""Tags and the tag hierarchy."""


def _tags(parse_document, document, *tags):
    return parse_document(document(version="3.2.0", tags=list(tags)))


def test_a_tag_says_what_it_is_and_where_it_belongs(parse_document, document):
    tag = {"name": "b", "summary": "B.", "description": "Bs.", "kind": "nav", "parent": "a"}

    result = _tags(parse_document, document, {"name": "a"}, tag)

    first, second = result.api.tags
    assert (first.name, first.parent) == ("a", "")
    assert (second.summary, second.description, second.kind) == ("B.", "Bs.", "nav")
    assert second.parent == "a"
    assert result.findings == []


def test_a_parent_that_is_not_declared_is_reported(parse_document, document):
    result = _tags(parse_document, document, {"name": "animals"}, {"name": "b", "parent": "animal"})

    assert [tag.parent for tag in result.api.tags] == ["", ""]
    assert result.names == ["ignored-value"]
    assert "animals" in result.finding.message
    assert result.finding.at.pointer == "/tags/1/parent"


def test_a_tag_is_not_its_own_ancestor(parse_document, document):
    circle = [{"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}]

    result = _tags(parse_document, document, *circle, {"name": "c", "parent": "c"})

    assert [tag.parent for tag in result.api.tags] == ["", "", ""]
    assert result.names == ["ignored-value"] * 3


def test_a_server_may_have_a_name(parse_document, document):
    servers = [{"url": "https://e.com", "name": "production"}]

    result = parse_document(document(version="3.2.0", servers=servers))

    assert [server.name for server in result.api.servers] == ["production"]
