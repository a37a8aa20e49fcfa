"""Laws of reading YAML, for documents that hypothesis makes in every style, whole and damaged.

What is read is what was written, each value stands where the nodes of PyYAML's own composer do, which is
written in Python and shares nothing with the C parser and our composer, and whatever is done to a
text ends in a tree or in a finding with a place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import examples

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Json
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings
from mcpgen.read.positions import Positions

STYLES = ('"', "'", "|", ">")
DAMAGE = (
    *("\n", "  ", "\t", ":", ": ", "- ", "? ", "&x ", "*x", "<<: *x", "!x ", '"', "'", "|\n", "{"),
    *("}", "[", "]", ",", " #", "\n---\n", ".inf", "\x07", "\u2028", "a: 1\na: 2\n", "\\ud83d"),
)

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
# Without what YAML 1.1, which PyYAML writes, takes for line breaks.
characters = st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029")
texts = st.text(characters, max_size=12) | st.sampled_from(
    ["type", "string", "a b", "x: y", "- z", "# c", "1\n2\n"]
)
trees = st.recursive(
    scalars | texts,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(texts, below, max_size=4),
    max_leaves=25,
)
layouts: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([True, False, None]),
        "indent": st.integers(2, 6),
        "width": st.integers(10, 90),
        "allow_unicode": st.booleans(),
    }
)


class Writer(yaml.SafeDumper):
    """PyYAML's writer, told to use every style of text; plain only where YAML 1.1 and 1.2 agree."""


def styled(writer: Writer, text: str) -> yaml.ScalarNode:
    """The text in one of the styles."""
    style = None if text[:1].isalpha() else STYLES[len(text) % len(STYLES)]
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style)


Writer.add_representer(str, styled)


@st.composite
def written(draw: st.DrawFn) -> tuple[Json, str]:
    """A tree, in which one part may stand twice, and its text."""
    part = draw(trees)
    tree = {"first": part, "all": draw(trees), "again": part}
    return tree, yaml.dump(tree, Dumper=Writer, sort_keys=False, **draw(layouts))


def typed(value: Json) -> Json:
    """The value with its types and the order of its keys, for comparison."""
    if isinstance(value, dict):
        return [(key, typed(each)) for key, each in value.items()]
    if isinstance(value, list):
        return [typed(each) for each in value]
    return type(value), repr(value)


def nodes(node: Any, path: tuple[str, ...], mark: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every value below a node, with the mark of its key or, in a list, its own."""
    yield path, mark
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from nodes(value, (*path, key.value), key.start_mark)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from nodes(value, (*path, str(index)), value.start_mark)


@given(written())
@settings(max_examples=examples(30, 60))
def test_what_was_written_is_read(document_written: tuple[Json, str]) -> None:
    tree, text = document_written
    diagnostics = Diagnostics()

    found = load_document(text.encode(), "api.yaml", "", Findings(diagnostics))

    assert found is not None
    assert typed(found.tree) == typed(tree)
    assert not list(diagnostics)


@given(written())
@settings(max_examples=examples(30, 60))
def test_every_value_stands_where_another_composer_finds_it(
    document_written: tuple[Json, str],
) -> None:
    _, text = document_written
    read = load_document(text.encode(), "api.yaml", "", Findings(Diagnostics()))
    assert read is not None
    positions = Positions([read])
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)

    own = {path: mark for path, mark in nodes(root, (), root.start_mark) if path[:1] != ("again",)}

    found = {path: positions(Location("api.yaml", path)) for path in own}
    assert found == {path: (mark.line + 1, mark.column + 1) for path, mark in own.items()}


@given(written(), st.lists(st.tuples(st.sampled_from(DAMAGE), st.integers(0, 999)), max_size=4))
@settings(max_examples=examples(50, 100))
def test_a_damaged_text_ends_in_a_tree_or_a_finding_with_a_place(
    document_written: tuple[Json, str], damage: list[tuple[str, int]]
) -> None:
    _, text = document_written
    for wrong, place in damage:
        at = place * len(text) // 1000
        text = text[:at] + wrong + text[at:]
    diagnostics = Diagnostics()

    found = load_document(text.encode(), "api.yaml", "", Findings(diagnostics))

    findings = list(diagnostics)
    assert found is not None or findings
    places = [each.at for each in findings if each.code is not codes.EMPTY_FILE]
    assert all(1 <= at.line <= text.count("\n") + 1 and at.column >= 1 for at in places)
