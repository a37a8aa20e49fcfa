"""`read` as the pipeline calls it: files, encodings, the first document, the dialect."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.source import Dialect, Source, Syntax
from mcpgen.read import limits, read

MINIMAL = "openapi: 3.1.0\ninfo: {title: Ä😀, version: '1'}\npaths: {}\n"


def names(diagnostics: Diagnostics) -> list[str]:
    """Names of the findings."""
    return [diagnostic.code.name for diagnostic in diagnostics]


def attempt(spec: Path | str, **options: Any) -> tuple[Source | None, Diagnostics]:
    """Source and findings for a path."""
    diagnostics = Diagnostics()
    return read(str(spec), diagnostics, **options), diagnostics


def test_a_document_is_read_with_its_text_and_digest(writes: Any) -> None:
    folder = writes({"api.yaml": MINIMAL})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert not list(diagnostics)
    assert source.root.key == ""
    assert source.root.name == (folder / "api.yaml").as_posix()
    assert source.root.text == MINIMAL
    assert source.root.syntax is Syntax.YAML
    assert source.root.tree["info"]["title"] == "Ä😀"
    assert len(source.sha256) == len(source.root.sha256) == 64
    assert dict(source.documents) == {"": source.root}


def test_the_digest_depends_on_the_content_alone(writes: Any, tmp_path: Path) -> None:
    folder = writes({"a.yaml": MINIMAL, "sub/b.yaml": MINIMAL, "c.yaml": MINIMAL + "\n"})

    first_source, second_source, third_source = (
        attempt(folder / name)[0] for name in ("a.yaml", "sub/b.yaml", "c.yaml")
    )

    assert first_source
    assert second_source
    assert third_source
    assert first_source.sha256 == second_source.sha256 != third_source.sha256


def test_standard_input_is_read_from_the_bytes_given() -> None:
    source, diagnostics = attempt("-", stdin=MINIMAL.encode())

    assert source is not None
    assert not list(diagnostics)
    assert source.root.name == "<stdin>"


@pytest.mark.parametrize(
    ("content", "syntax"),
    [
        ('{"openapi": "3.0.0"}', Syntax.JSON),
        ('\n  {\n"openapi": "3.0.0"}', Syntax.JSON),
        ("{openapi: 3.0.0}", Syntax.YAML),
        ("openapi: 3.0.0", Syntax.YAML),
    ],
)
def test_the_syntax_of_standard_input_is_detected_by_its_beginning(
    content: str, syntax: Syntax
) -> None:
    source, _ = attempt("-", stdin=content.encode())

    assert source is not None
    assert source.root.syntax is syntax


@pytest.mark.parametrize(
    "text",
    [
        MINIMAL,
        "# comment\n%YAML 1.2\n---\n" + MINIMAL,
        '\n"openapi": 3.0.0\ninfo: {title: A, version: "1"}\npaths: {}\n',
    ],
)
def test_yaml_under_the_name_of_json_is_read(text: str, writes: Any) -> None:
    source, diagnostics = attempt(writes({"api.json": text}) / "api.json")

    assert source is not None
    assert source.root.syntax is Syntax.YAML
    assert not diagnostics.failed


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_every_encoding_with_its_mark_gives_the_same_text(
    encoding: str, line_break: str, writes: Any
) -> None:
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    content = marks.get(encoding, b"") + MINIMAL.replace("\n", line_break).encode(encoding)
    folder = writes({"api.yaml": content})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert not list(diagnostics)
    assert source.root.text == MINIMAL


def test_bytes_that_are_no_text_are_placed(writes: Any) -> None:
    folder = writes({"api.yaml": "openapi: 3.0.0\r\nx: äö".encode() + b"\xe9!"})

    source, diagnostics = attempt(folder / "api.yaml")

    (finding,) = diagnostics
    assert source is None
    assert finding.code.name == "undecodable-text"
    assert (finding.at.line, finding.at.column) == (2, 6)


def test_half_a_utf_16_character_is_placed(writes: Any) -> None:
    folder = writes({"api.yaml": b"\xff\xfe" + "a: x\n".encode("utf-16-le") + b"\x00"})

    _, diagnostics = attempt(folder / "api.yaml")

    (finding,) = diagnostics
    assert finding.message == "the bytes from here on are not UTF-16 text"
    assert (finding.at.line, finding.at.column) == (2, 1)


def test_a_missing_file_has_its_own_code(tmp_path: Path) -> None:
    source, diagnostics = attempt(tmp_path / "nope.yaml")

    assert source is None
    assert names(diagnostics) == ["missing-file"]


@pytest.mark.parametrize("spec", ["a.yaml/b.yaml", "nul\0.yaml", "x" * 5000])
def test_a_path_that_cannot_exist_is_no_exception(spec: str, writes: Any) -> None:
    folder = writes({"a.yaml": MINIMAL})

    source, diagnostics = attempt(f"{folder}/{spec}")

    assert source is None
    assert names(diagnostics)[0] in ("missing-file", "unreadable-file")


def test_a_folder_is_not_a_document(tmp_path: Path) -> None:
    source, diagnostics = attempt(tmp_path)

    assert source is None
    assert names(diagnostics) == ["not-a-file"]


def test_a_file_that_may_not_be_read_is_reported(writes: Any) -> None:
    loop = writes({"api.yaml": MINIMAL}) / "loop.yaml"
    loop.symlink_to(loop)

    source, diagnostics = attempt(loop)

    assert source is None
    assert names(diagnostics) == ["unreadable-file"]


def test_a_file_over_the_budget_is_not_read(writes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 100)
    folder = writes({"api.yaml": MINIMAL + "#" * 100})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is None
    assert [diagnostic.message for diagnostic in diagnostics] == [
        "the file is larger than 100 bytes"
    ]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("- a\n- b\n", "a list"),
        ("just text\n", "a text"),
        ("12\n", "a number"),
        ("true\n", "a boolean"),
    ],
)
def test_a_root_that_is_no_mapping_is_reported(content: str, kind: str) -> None:
    source, diagnostics = attempt("-", stdin=content.encode())

    assert source is None
    assert [diagnostic.message for diagnostic in diagnostics] == [
        f"the document is {kind}, not a mapping"
    ]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# only this\n", b"\xef\xbb\xbf"])
def test_an_empty_document_is_reported(content: bytes) -> None:
    source, diagnostics = attempt("-", stdin=content)

    assert source is None
    assert names(diagnostics) == ["empty-file"]


@pytest.mark.parametrize(
    ("content", "dialect"),
    [
        ('swagger: "2.0"', Dialect.SWAGGER_2_0),
        ("swagger: 2.0", Dialect.SWAGGER_2_0),
        ("swagger: 2", Dialect.SWAGGER_2_0),
        ("openapi: 3.0", Dialect.OPENAPI_3_0),
        ("openapi: 3.0.4", Dialect.OPENAPI_3_0),
        ("openapi: 3.0.0-rc1", Dialect.OPENAPI_3_0),
        ("openapi: 3.1", Dialect.OPENAPI_3_1),
        ("openapi: ' 3.1.1 '", Dialect.OPENAPI_3_1),
        ("openapi: 3.2.0", Dialect.OPENAPI_3_2),
        ('{"openapi": 3.1}', Dialect.OPENAPI_3_1),
    ],
)
def test_the_dialect_is_detected_by_the_version(content: str, dialect: Dialect) -> None:
    source, diagnostics = attempt("-", stdin=content.encode())

    assert source is not None
    assert source.dialect is dialect
    assert not list(diagnostics)


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ("info: {}", "no-version", "no field `openapi`"),
        ("openapi: 4.0.0", "unknown-version", "`openapi: 4.0.0`"),
        ("openapi: 3.10.0", "unknown-version", "`openapi: 3.10.0`"),
        ("openapi: '2.0'", "unknown-version", "`openapi: 2.0`"),
        ("openapi: 3", "unknown-version", "`openapi: 3`"),
        ("openapi:", "unknown-version", "`openapi: NoneType`"),
        ("openapi: [3.0.0]", "unknown-version", "`openapi: list`"),
        ("openapi: true", "unknown-version", "`openapi: True`"),
        ("swagger: 3.0.0", "unknown-version", "`swagger: 3.0.0`"),
    ],
)
def test_a_version_that_is_missing_or_unknown_is_quoted(
    content: str, name: str, words: str
) -> None:
    source, diagnostics = attempt("-", stdin=content.encode())

    (finding,) = diagnostics
    assert source is None
    assert finding.code.name == name
    assert words in finding.message


def test_a_pipe_the_user_names_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, MINIMAL.encode())
    os.close(writing)

    source, diagnostics = attempt(f"/dev/fd/{reading}")

    os.close(reading)
    assert source is not None
    assert not list(diagnostics)
