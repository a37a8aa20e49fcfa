"""`SourceText`: the only type that templates can print."""

import ast
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import mcpgen.emit
from mcpgen.emit import code
from mcpgen.emit.code import SourceText
from mcpgen.emit.literal import NameExpr, SubscriptExpr, format_source
from mcpgen.emit.render import environment, render

TEXTS = st.text() | st.text("a'\"\\\n#`|<>[]()*_{}$-:/.~!&é\u2028\x00\ud800", max_size=40)


def test_code_is_made_in_one_module_only() -> None:
    folder = Path(mcpgen.emit.__file__).parent

    makers = {
        path.name
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "SourceText"
    }

    assert makers == {"code.py"}


@pytest.mark.parametrize("value", ["text", 1, None, ["list"], object()])
def test_a_template_refuses_to_print_what_is_not_code(value: object) -> None:
    template = environment().from_string("{{ value }}")

    with pytest.raises(TypeError, match="only Code can be printed"):
        template.render(value=value)


def test_a_template_prints_code_as_it_stands() -> None:
    template = environment().from_string("<{{ value }}>")

    assert template.render(value=SourceText("{{ x }}")) == "<{{ x }}>"


def test_a_template_that_asks_for_more_than_its_view_has_fails() -> None:
    @dataclass(frozen=True)
    class Nothing:
        """A view without fields."""

    with pytest.raises(TypeError, match="not StrictUndefined"):
        render("package/__init__.py", Nothing())


@given(TEXTS)
def test_a_docstring_is_one_string_that_black_leaves_alone(text: str) -> None:
    source = f'"""{code.docstring(text)}"""\n'

    (statement,) = ast.parse(source).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Constant)
    assert format_source(source) == source
    assert len(source) <= 101


@given(TEXTS)
def test_a_comment_is_one_line(text: str) -> None:
    source = f"# {code.comment(text)}\nx = 1\n"

    assert len(ast.parse(source).body) == 1
    assert source.count("\n") == 2


@given(TEXTS.filter(lambda text: text.isprintable() or text.isascii()))
def test_toml_and_yaml_read_a_string_back(text: str) -> None:
    assert tomllib.loads(f"key = {code.toml_string(text)}") == {"key": text}
    assert yaml.safe_load(f"key: {code.yaml_string(text)}") == {"key": text}


@given(TEXTS)
def test_toml_and_yaml_never_read_more_than_one_string(text: str) -> None:
    assert list(tomllib.loads(f"key = {code.toml_string(text)}")) == ["key"]
    assert list(yaml.safe_load(f"key: {code.yaml_string(text)}")) == ["key"]


@given(st.dictionaries(TEXTS, st.lists(TEXTS | st.integers())))
def test_json_reads_back(value: dict[str, list[object]]) -> None:
    assert json.loads(code.json(value).text) == value


@pytest.mark.parametrize("name", ["", "1a", "a-b", "class", "a b", "é", "a\n", 'a"', "a.b"])
def test_what_is_not_an_identifier_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not an identifier"):
        code.identifier(name)


@pytest.mark.parametrize("name", ["", "-rf", "a b", "a;b", "a$b", "a/b", "a\n", "é"])
def test_what_needs_quoting_is_no_slug(name: str) -> None:
    with pytest.raises(ValueError, match="is not a plain name"):
        code.slug(name)


def test_imports_are_sorted_as_isort_does() -> None:
    names = ("a10", "a2", "Tool", "HOOKS", "b", "Argument")

    assert (
        code.imports("pets.x", names).text == "from pets.x import HOOKS, Argument, Tool, a2, a10, b"
    )


def test_imports_too_wide_for_a_line_stand_one_per_line() -> None:
    names = tuple(f"update_the_name_of_pet_{letter}" for letter in "abcd")

    source = code.imports("pets.tools", names).text + "\n"

    assert source.startswith("from pets.tools import (\n    update_the_name_of_pet_a,\n")
    assert format_source(source) == source


def test_a_shell_command_survives_the_shell_yaml_and_the_workflow() -> None:
    command = yaml.safe_load(
        code.shell("mcpgen", "build", "a b'$(id)${{ github.token }}", "-o").text
    )

    assert "${{" not in command
    assert command == """mcpgen build 'a b'"'"'$(id)$''{{ github.token }}' -o"""


@pytest.mark.parametrize(
    ("actual", "expected", "source"),
    [
        (NameExpr("sent.json"), None, "sent.json is None"),
        (NameExpr("sent.json"), True, "sent.json is True"),
        (NameExpr("sent.json"), 1, "sent.json == 1"),
        (SubscriptExpr("sent.headers", ("a",)), "b", 'sent.headers["a"] == "b"'),
    ],
)
def test_an_assertion_compares_as_ruff_wants_it(
    actual: NameExpr, expected: object, source: str
) -> None:
    assert code.assertion(actual, expected).text == source


@pytest.mark.parametrize("wide", [1, 30, 62, 65, 70, 75, 78, 80, 81, 82, 83, 90, 120])
@pytest.mark.parametrize("key", [8, 40, 64, 66, 67, 68, 70, 80, 200])
def test_an_assertion_is_laid_out_as_black_does(wide: int, key: int) -> None:
    values = [
        "x" * wide,
        "xy z " * (wide // 4 + 1),
        {"a": "x" * wide},
        ["a", "x" * wide],
        [],
        True,
        None,
    ]
    actuals = [NameExpr("sent.line"), SubscriptExpr("sent.headers", ("k" * key,))]

    lines = [
        f"    assert {code.assertion(actual, value)}\n" for actual in actuals for value in values
    ]

    source = "def test() -> None:\n" + "".join(lines)
    assert format_source(source) == source
