"""`SourceText`: text that is safe in a generated file. Templates can print nothing else.

A document's text becomes `SourceText` only through a function below; each function names the kinds
of file for which its result is safe. `SourceText(...)` is called nowhere else; a test checks this rule.
"""

from __future__ import annotations

import json as _json
import keyword
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import dedent

from mcpgen.emit.escape import collapse_to_line, double_quote, replace_invisible, truncate_words
from mcpgen.emit.literal import LINE_LENGTH, Value, format_source, printed, width
from mcpgen.ir.source import Json

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
_NUMBERS = re.compile(r"([0-9]+)")
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_IMAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]*")
_URL_PATH = re.compile(r"/|(/[A-Za-z0-9._~{}-]+)+")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>#|~&$]|:(?=//)|(?<=www)\.|^[-+=]")
"""Characters with a meaning in GitHub Flavored Markdown: `://` and `www.` begin links; `-`, `+` and `=` at
the start begin a list or underline a heading."""
_MARKDOWN_LIMIT = 200
"""Maximum characters of a line of Markdown from a document, before escapes: a heading or a cell."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """Safe source text."""

    text: str

    def __str__(self) -> str:
        return self.text


def literal(value: Value, *, indent: int = 0, before: int = 0, after: int = 0) -> SourceText:
    """A Python literal or call in black's layout; see `literal.printed` for the columns."""
    return SourceText(printed(value, indent=indent, before=before, after=after))


def assertion(actual: Value, expected: Json) -> SourceText:
    """The expression behind `assert` in a function's body: `actual` equals `expected`. `is` compares
    True, False and None."""
    operator = " is " if expected is None or isinstance(expected, bool) else " == "
    actual_source = printed(actual)
    before = len("assert ") + width(actual_source + operator)
    expected_lines = printed(expected, indent=4, before=before).split("\n")
    source = actual_source + operator + "\n".join(expected_lines)
    if "\n" not in actual_source and 4 + before + width(expected_lines[0]) <= LINE_LENGTH:
        return SourceText(source)
    # Black also breaks `actual`, or wraps both sides in parentheses.
    function = format_source(f"def test() -> None:\n    assert {source}\n")
    return SourceText(function.partition("assert ")[2].rstrip("\n"))


def docstring(text: str, *, indent: int = 0) -> SourceText:
    """The text of a single-line docstring in Python, shortened to fit the line, with a full stop at the
    end. `"` becomes `'` and a backslash `/`, so the text needs no escapes."""
    line = collapse_to_line(text).replace("\\", "/").replace('"', "'")
    # 7: six quotes and the full stop.
    return SourceText(truncate_words(line, LINE_LENGTH - indent - 7).rstrip(" .") + ".")


def block(text: str, *, indent: int = 0) -> SourceText:
    """The lines of a docstring in Python, dedented, with tabs expanded to 4 columns. Backslashes and
    triple quotes are escaped, and invisible characters become spaces."""
    lines = dedent(text.expandtabs(4)).strip("\n").splitlines()
    shown = [replace_invisible(line).rstrip().replace("\\", "\\\\") for line in lines]
    kept = dedent("\n".join(shown)).replace('"""', '\\"\\"\\"').splitlines()
    pad = " " * indent
    return SourceText("\n".join(f"{pad}{line}" if line else "" for line in kept))


def comment(text: str, *, indent: int = 0) -> SourceText:
    """The text of a single-line comment in Python, shortened to fit the line."""
    return SourceText(truncate_words(collapse_to_line(text), LINE_LENGTH - indent - 2))


def identifier(name: str) -> SourceText:
    """A name in Python code. Raises ValueError unless `name` is an identifier and not a keyword."""
    if not _IDENTIFIER.fullmatch(name) or keyword.iskeyword(name):
        raise ValueError(f"{name!r} is not an identifier")
    return SourceText(name)


def integer(number: int) -> SourceText:
    """A whole number, in any file."""
    return SourceText(str(int(number)))


def imports(module: str, names: tuple[str, ...]) -> SourceText:
    """An import of `names` from `module`, sorted as isort does and laid out as black does. Raises
    ValueError for a module or a name that is not an identifier."""
    if not _DOTTED.fullmatch(module):
        raise ValueError(f"{module!r} is not a module")
    ordered = [identifier(name).text for name in sorted(names, key=_isort_key)]
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= LINE_LENGTH:
        return SourceText(line)
    return SourceText(f"from {module} import (\n" + "".join(f"    {n},\n" for n in ordered) + ")")


def _isort_key(name: str) -> tuple[bool, bool, list[str | int]]:
    """Constants first, then classes, then the rest; `a2` before `a10`. isort also ignores case inside a
    group, which changes the order of no names that generated code imports together."""
    natural = [int(part) if part.isdigit() else part for part in _NUMBERS.split(name)]
    return not name.isupper(), not name[0].isupper(), natural


def slug(name: str) -> SourceText:
    """A name in a path, a URL or a shell command. Raises ValueError for a name that needs quoting."""
    if not _SLUG.fullmatch(name):
        raise ValueError(f"{name!r} is not a plain name")
    return SourceText(name)


def action(repository: str, commit: str, tag: str) -> SourceText:
    """A GitHub action at a commit, with `tag` in a comment, as the value of `uses`. Raises
    ValueError unless `commit` has 40 hexadecimal digits."""
    if not _COMMIT.fullmatch(commit):
        raise ValueError(f"{commit!r} is not a commit")
    owner, _, name = repository.partition("/")
    return SourceText(f"{slug(owner)}/{slug(name)}@{commit} # {slug(tag)}")


def image(reference: str) -> SourceText:
    """The name of an image in a Dockerfile or in YAML. Raises ValueError for a name that needs
    quoting."""
    if not _IMAGE.fullmatch(reference):
        raise ValueError(f"{reference!r} is not the name of an image")
    return SourceText(reference)


def url_path(path: str) -> SourceText:
    """The path of an endpoint, in any file. Raises ValueError for a path that needs quoting in some
    file."""
    if not _URL_PATH.fullmatch(path):
        raise ValueError(f"{path!r} is not the path of an endpoint")
    return SourceText(path)


def toml_string(text: str) -> SourceText:
    """A TOML basic string, quotes included."""
    return SourceText(double_quote(text))


def toml_strings(texts: Iterable[str]) -> SourceText:
    """A TOML array of strings, brackets included."""
    return SourceText("[" + ", ".join(double_quote(text) for text in texts) + "]")


def yaml_string(text: str) -> SourceText:
    """A YAML double-quoted string, quotes included."""
    return SourceText(double_quote(text))


def json(value: Json) -> SourceText:
    """An indented JSON document, in ASCII."""
    return SourceText(_json.dumps(value, indent=2) + "\n")


def shell(*words: str) -> SourceText:
    """A shell command as a YAML string. Neither the shell nor the workflow expands any word. Runs of white
    space become one space."""
    # `shlex.quote` has put the word in single quotes: `''` ends and reopens the quotes inside `${{`, so
    # GitHub finds no expression, and the shell reads the same word.
    quoted = (shlex.quote(collapse_to_line(word)).replace("${{", "$''{{") for word in words)
    return yaml_string(" ".join(quoted))


def markdown(text: str, *, limit: int = _MARKDOWN_LIMIT) -> SourceText:
    """A line of Markdown that shows `text`, shortened to `limit` characters, for a heading, a cell of a
    table or running text. A number with a full stop at the start is not escaped: at the start of a line
    it would begin a list."""
    return SourceText(_MARKDOWN.sub(r"\\\g<0>", truncate_words(collapse_to_line(text), limit)))


def markdown_code(text: str) -> SourceText:
    """A Markdown code span on a single line, for a cell of a table."""
    line = collapse_to_line(text)
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    inside = f" {line} " if "`" in line or not line else line
    return SourceText(fence + inside.replace("|", r"\|") + fence)


def markdown_lines(text: str) -> SourceText:
    """The lines of a text as code spans, below each other in a cell of a table."""
    return SourceText("<br>".join(markdown_code(line).text for line in text.splitlines()))


def markdown_codes(texts: Sequence[str]) -> SourceText:
    """The first six texts as code spans, and the number of the others, for a cell of a table; `none`
    without a text."""
    shown = 6
    others = len(texts) - shown
    codes = ", ".join(markdown_code(text).text for text in texts[:shown])
    return SourceText(f"{codes} and {others} more" if others > 0 else codes or "none")
