"""A selector of a parent tag also selects the subtags."""

from mcpgen.config import Config, Selection, Selector
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import ApiDescription, Operation, Tag
from mcpgen.ir.source import Dialect
from mcpgen.lower.selectors import select_operations

AT = Location("api.yaml")


def _operation(path: str, *tags: str) -> Operation:
    return Operation("", "GET", path, (), None, (), (), (), AT, tags=tags)


def test_a_tag_stands_for_those_below_it() -> None:
    operations = (_operation("/lion", "lion"), _operation("/cat", "cat"), _operation("/dog", "dog"))
    tags = (Tag("cat", AT), Tag("lion", AT, parent="cat"), Tag("dog", AT))
    api = ApiDescription("A", "1", "", Dialect.OPENAPI_3_2, (), operations, {}, {}, AT, (), tags)
    diagnostics = Diagnostics()

    config = Config(selection=Selection(include=(Selector(tag="cat"),)))
    kept = select_operations(api, config, diagnostics)

    assert kept == operations[:2]
    assert not list(diagnostics)
