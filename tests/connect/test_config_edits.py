"""Entries in configuration files: byte-level cases per format, and adding then removing gives the same bytes."""

from __future__ import annotations

import json
import tomllib
from types import ModuleType
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.pipeline.connect import json_config, toml_config, yaml_config
from mcpgen.pipeline.connect.errors import ConfigUnusable

KEY = "servers"
ENTRY = {"command": "python", "args": ["-m", "a"], "env": {"KEY": "${KEY}"}}

JSON_ADDED = {
    "no container": (
        '{\n    "a": 1\n}\n',
        '{\n    "a": 1,\n    "servers": {\n        "new": {\n            "b": 2\n        }\n    }\n}\n',
    ),
    "an empty object": (
        "{}\n",
        '{\n  "servers": {\n    "new": {\n      "b": 2\n    }\n  }\n}\n',
    ),
    "an empty container": (
        '{\n  "servers": {}\n}',
        '{\n  "servers": {"new": {\n    "b": 2\n  }}\n}',
    ),
    "one line": ('{"servers":{"x":{}}}', '{"servers":{"x":{}, "new": { "b": 2 }}}'),
    "a comment behind the last entry": (
        '{\n  "servers": {\n    "x": 1 // note\n    // more\n  }\n}',
        '{\n  "servers": {\n    "x": 1, // note\n    "new": {\n      "b": 2\n    }\n    // more\n  }\n}',
    ),
    "a comma behind the last entry": (
        '{\n\t"servers": {\n\t\t"x": 1,\n\t},\n}',
        '{\n\t"servers": {\n\t\t"x": 1,\n\t\t"new": {\n\t\t\t"b": 2\n\t\t},\n\t},\n}',
    ),
    "Windows line breaks": (
        '{\r\n  "servers": {\r\n    "x": 1\r\n  }\r\n}\r\n',
        '{\r\n  "servers": {\r\n    "x": 1,\r\n    "new": {\r\n      "b": 2\r\n    }\r\n  }\r\n}\r\n',
    ),
}
TOML_ADDED = {
    "other tables": (
        'model = "o" # mine\n\n[servers.x]\nurl = "u"\n',
        'model = "o" # mine\n\n[servers.x]\nurl = "u"\n\n[servers.new]\nb = 2\n',
    ),
    "no final line break": ("a = 1", "a = 1\n\n[servers.new]\nb = 2"),
    "nothing": ("", "[servers.new]\nb = 2\n"),
}
YAML_ADDED = {
    "other keys": (
        "servers:\n    x:\n        a: 1  # mine\n\n# models\nmodel: o\n",
        'servers:\n    x:\n        a: 1  # mine\n    "new":\n      b: 2\n\n# models\nmodel: o\n',
    ),
    "no container": ("model: o", 'model: o\nservers:\n  "new":\n    b: 2'),
    "a comment alone": ("# mine\n", '# mine\nservers:\n  "new":\n    b: 2\n'),
}
ADDED = [
    pytest.param(editor, before, after, id=f"{editor.__name__.rpartition('.')[2]}: {name}")
    for editor, cases in (
        (json_config, JSON_ADDED),
        (toml_config, TOML_ADDED),
        (yaml_config, YAML_ADDED),
    )
    for name, (before, after) in cases.items()
]


@pytest.mark.parametrize(("editor", "before", "after"), ADDED)
def test_an_added_entry_changes_no_other_byte_and_is_removed_again(
    editor: ModuleType, before: str, after: str
) -> None:
    edited_text = editor.set_entry(before, KEY, "new", {"b": 2})

    assert edited_text == after
    assert editor.set_entry(edited_text, KEY, "new", {"b": 2}) == edited_text
    assert editor.remove_entry(edited_text, KEY, "new") == (
        before if before.strip() else before.strip()
    )


REPLACED = [
    (
        json_config,
        '{\n  "servers": {\n    "x": {"a": 1}, // note\n    "y": 2\n  }\n}',
        '{\n  "servers": {\n    "x": {\n      "b": 2\n    }, // note\n    "y": 2\n  }\n}',
    ),
    (
        toml_config,
        '[servers.x]\na = 1 # old\n# next\n[servers.x.env]\nA = "1"\n\n[z]\n',
        "[servers.x]\nb = 2\n# next\n\n\n[z]\n",
    ),
    (
        yaml_config,
        "servers:\n  x:\n    a: 1\n    # of x\n    c: |\n      text\n  y: 2\n",
        'servers:\n  "x":\n    b: 2\n  y: 2\n',
    ),
]


@pytest.mark.parametrize(("editor", "before", "after"), REPLACED)
def test_an_entry_with_other_values_is_replaced_in_place(
    editor: ModuleType, before: str, after: str
) -> None:
    assert editor.set_entry(before, KEY, "x", {"b": 2}) == after


REMOVED = [
    (json_config, '{"servers": {"x": 1, "y": 2}}', '{"servers": {"y": 2}}'),
    (
        json_config,
        '{"servers": {\n  "y": 2, // y\n  "x": 1 }}',
        '{"servers": {\n  "y": 2 // y\n   }}',
    ),
    (
        json_config,
        '{\n  "servers": {\n    // x\n    "x": 1\n  }\n}',
        '{\n  "servers": {\n    // x\n  }\n}',
    ),
    (toml_config, "[servers.x]\na = 1\n[[servers.x.t]]\n[y]\n", "[y]\n"),
    (toml_config, 'a = """\n[servers.x]\n"""\n[servers."x"]\n', 'a = """\n[servers.x]\n"""\n'),
    (yaml_config, "servers:\n  y: 1\n  # x\n  x: {a: 1}\n", "servers:\n  y: 1\n  # x\n"),
]


@pytest.mark.parametrize(("editor", "before", "after"), REMOVED)
def test_an_entry_of_the_user_is_removed_with_its_comma_and_lines(
    editor: ModuleType, before: str, after: str
) -> None:
    assert editor.remove_entry(before, KEY, "x") == after


REFUSED = [
    (json_config, '{\n  "servers": [],\n}', "line 2, column 14"),
    (json_config, '{\n  "a" 1\n}', "line 2, column 7"),
    (json_config, '{"a": 1} x', "line 1, column 10"),
    (json_config, '{\n"a": 1\n"b": 2}', "line 3, column 1"),
    (json_config, '{"a": tru}', "line 1, column 7"),
    (json_config, '{"servers": {"x": 1, "x": 2}}', "line 1, column 22"),
    (json_config, "[1]", "line 1, column 1"),
    (json_config, "{" + '"a": {' * 100_000, ""),
    (toml_config, "a = 1\nb = \n", "line 2, column 5"),
    (toml_config, "a = 1\nservers = {}\n", "line 2, column 1"),
    (toml_config, "servers = 1\n", "line 1, column 1"),
    (yaml_config, "a: 1\n b: 2\n", "line 2, column 3"),
    (yaml_config, "- 1\n", "line 1, column 1"),
    (yaml_config, "a: 1\nservers: {}\n", "line 2, column 10"),
]


@pytest.mark.parametrize(("editor", "text", "position"), REFUSED)
def test_a_text_that_cannot_be_changed_is_refused_with_line_and_column(
    editor: ModuleType, text: str, position: str
) -> None:
    with pytest.raises(ConfigUnusable) as error:
        editor.set_entry(text, KEY, "new", ENTRY)

    assert error.value.where == position


def test_tables_that_are_written_inline_are_left_to_the_user() -> None:
    with pytest.raises(ConfigUnusable, match="only you can change"):
        toml_config.remove_entry('[servers]\nx.url = "u"\n', KEY, "x")


NAMES = st.text(st.sampled_from("abxyz-"), min_size=1, max_size=3)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)
SPACES = st.sampled_from(
    ["", " ", "\n", "\r\n", "\n  ", "\t", "\n\n  ", "/* c */", " // c\n", "\n  // c\n "]
)


@st.composite
def json_texts(draw: Any) -> tuple[str, dict[str, Any]]:
    """A JSON text in any layout with comments and trailing commas, and its value."""

    def write(value: Any) -> str:
        if not isinstance(value, dict):
            return str(json.dumps(value, ensure_ascii=draw(st.booleans())))
        parts = [
            f"{draw(SPACES)}{json.dumps(key)}{draw(SPACES)}:{draw(SPACES)}{write(part)}{draw(SPACES)}"
            for key, part in value.items()
        ]
        comma = "," if parts and draw(st.booleans()) else ""
        return f"{{{','.join(parts)}{comma}{draw(SPACES)}}}"

    tree = draw(st.dictionaries(NAMES, VALUES, max_size=3))
    if draw(st.booleans()):
        tree[KEY] = draw(st.dictionaries(NAMES, VALUES, max_size=3))
    return draw(SPACES) + write(tree) + draw(SPACES), tree


@given(json_texts())
def test_adding_and_removing_gives_the_same_bytes_of_json(case: tuple[str, dict[str, Any]]) -> None:
    text, tree = case

    edited_text = json_config.set_entry(text, KEY, "new", ENTRY)

    root, _ = json_config._parse_json_config(edited_text)
    assert root.value == {**tree, KEY: {**tree.get(KEY, {}), "new": ENTRY}}
    assert json_config.remove_entry(edited_text, KEY, "new") == text


LINES = st.lists(
    st.sampled_from(
        [
            "# c",
            "",
            "a = 1",
            'b = """\n[c]\n"""',
            "[d]",
            "[servers.x]",
            '["servers".y.z]',
            "e = [\n 1,\n]",
            "[[f]]",
        ]
    ),
    max_size=6,
    unique_by=lambda line: line or id(line),
)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_adding_and_removing_gives_the_same_bytes_of_toml(
    lines: list[str], newline: str, is_ended: bool
) -> None:
    text = (
        newline.join([*lines, *([""] if is_ended else [])])
        .replace("\r\n", "\n")
        .replace("\n", newline)
    )
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return

    edited_text = toml_config.set_entry(text, KEY, "new", ENTRY)

    assert tomllib.loads(edited_text) == {**tree, KEY: {**tree.get(KEY, {}), "new": ENTRY}}
    assert toml_config.remove_entry(edited_text, KEY, "new") == text


BLOCKS = st.lists(
    st.sampled_from(
        [
            "# c",
            "",
            "a: 1",
            "b:\n  - 1",
            "c: |\n  text\n",
            "servers:\n  x:\n    d: 1\n  # e",
            "f: {g: 1} # h",
        ]
    ),
    max_size=5,
    unique_by=lambda line: line or id(line),
)


@given(BLOCKS, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_adding_and_removing_gives_the_same_bytes_of_yaml(
    blocks: list[str], newline: str, is_ended: bool
) -> None:
    text = "\n".join([*blocks, *([""] if is_ended else [])]).replace("\n", newline)
    tree = yaml.safe_load(text) or {}

    edited_text = yaml_config.set_entry(text, KEY, "new", ENTRY)

    assert yaml.safe_load(edited_text) == {**tree, KEY: {**tree.get(KEY, {}), "new": ENTRY}}
    assert yaml_config.remove_entry(edited_text, KEY, "new") == text
