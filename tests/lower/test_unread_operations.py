"""Unreadable operations without a wanted tool."""

import pytest

from mcpgen.config import Config, Selection, Selector
from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiDescription, MissingTool, Operation
from mcpgen.ir.source import Dialect
from mcpgen.lower import lower

AT = Location("api.yaml")
READ = Operation("ok", "GET", "/ok", (), None, (), (), (), AT, tags=("fine",))
WITH_FACTS = MissingTool("POST /bad#x", "because", AT, "makeBad", ("odd",))
HIDDEN = MissingTool("POST /bad", "because", AT, "makeBad", (), hidden=True)
BARE = MissingTool("POST /bad", "because", AT)
PATH_ALONE = MissingTool("/bad", "because", AT)


def _lowered(
    missing: MissingTool, include: list[Selector], exclude: list[Selector]
) -> tuple[list[str], list[str]]:
    diagnostics = Diagnostics()
    diagnostics.add(codes.DANGLING_REFERENCE, AT, reference="#/x", reason="because")
    api = ApiDescription("A", "1", "", Dialect.OPENAPI_3_1, (), (READ,), {}, {}, AT, (missing,))
    config = Config(selection=Selection(tuple(include), tuple(exclude)))
    server = lower(api, config, diagnostics)
    errors = [
        diagnostic.code.name for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR
    ]
    return [diagnostic.operation for diagnostic in server.missing], errors


@pytest.mark.parametrize(
    ("missing", "include", "exclude"),
    [
        (WITH_FACTS, [], [Selector(path="/bad")]),
        (WITH_FACTS, [], [Selector(operation="makeBad")]),
        (WITH_FACTS, [], [Selector(operation="POST /bad#x")]),
        (WITH_FACTS, [], [Selector(tag="odd", method="POST")]),
        (WITH_FACTS, [Selector(tag="fine")], []),
        (HIDDEN, [], []),
        (BARE, [], [Selector(method="post")]),
        (BARE, [], [Selector(operation="POST /bad")]),
        (PATH_ALONE, [], [Selector(path="/b*")]),
        (PATH_ALONE, [Selector(path="/ok")], []),
    ],
)
def test_one_that_is_left_out_stops_no_build(
    missing: MissingTool, include: list[Selector], exclude: list[Selector]
) -> None:
    assert _lowered(missing, include, exclude) == ([], [])


@pytest.mark.parametrize(
    ("missing", "include", "exclude"),
    [
        (WITH_FACTS, [], []),
        (WITH_FACTS, [], [Selector(tag="fine", path="/bad"), Selector(path="/ok")]),
        (WITH_FACTS, [Selector(path="/bad"), Selector(tag="fine")], []),
        (BARE, [Selector(tag="fine")], []),
        (PATH_ALONE, [], [Selector(path="/bad", method="GET")]),
    ],
)
def test_one_that_is_or_may_be_wanted_does(
    missing: MissingTool, include: list[Selector], exclude: list[Selector]
) -> None:
    operations, errors = _lowered(missing, include, exclude)

    assert operations == [missing.operation]
    assert "dangling-reference" in errors
