"""References between files: followed references, refused references, and no other file opened."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.ir.source import Source
from mcpgen.read import limits, read

HEAD = "openapi: 3.1.0\n"


def attempt(spec: Path, **options: Any) -> tuple[Source | None, Diagnostics]:
    """Source and findings for a path."""
    diagnostics = Diagnostics()
    return read(str(spec), diagnostics, **options), diagnostics


def schema(reference: str) -> str:
    """A document with one schema, a reference to `reference`."""
    return f"{HEAD}components:\n  schemas:\n    A:\n      $ref: {reference!r}\n"


def test_files_are_loaded_in_order_and_once(writes: Any) -> None:
    folder = writes(
        {
            "api.yaml": HEAD + "x: {$ref: 'b/one.yaml#/A'}\ny: {$ref: ./two.json}\n",
            "b/one.yaml": "A: {$ref: 'deep/three.yaml'}\nB: {$ref: ../two.json#/x}\n",
            "b/deep/three.yaml": "{$ref: '../../api.yaml#/x'}\n",
            "two.json": '{"$ref": "#/x", "x": {"$ref": "b/one.yaml"}}',
        }
    )

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert not list(diagnostics)
    assert list(source.documents) == ["", "b/one.yaml", "two.json", "b/deep/three.yaml"]
    assert all(key == document.key for key, document in source.documents.items())
    assert source.documents["two.json"].name == (folder / "two.json").as_posix()


def test_names_of_referenced_files_are_relative_to_the_current_folder(
    writes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = writes({"api.yaml": schema("s/a.yaml"), "s/a.yaml": "type: string"})
    monkeypatch.chdir(folder.parent)

    source, _ = attempt(Path("spec/api.yaml"))

    assert source is not None
    assert [document.name for document in source.documents.values()] == [
        "spec/api.yaml",
        "spec/s/a.yaml",
    ]


def test_the_digest_covers_reached_files(writes: Any) -> None:
    folder = writes({"api.yaml": schema("a.yaml"), "a.yaml": "type: string"})

    before, _ = attempt(folder / "api.yaml")
    (folder / "a.yaml").write_text("type: integer")
    after, _ = attempt(folder / "api.yaml")

    assert before
    assert after
    assert before.sha256 != after.sha256
    assert before.root.sha256 == after.root.sha256


def test_the_file_part_is_percent_decoded(writes: Any) -> None:
    folder = writes({"api.yaml": schema("a%20b%C3%A4.yaml#/x"), "a bä.yaml": "x: {}"})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert not list(diagnostics)
    assert "a bä.yaml" in source.documents


@pytest.mark.parametrize(
    "text",
    [
        "$ref: >-\n  other.yaml\n",
        "$ref:\n  other.yaml\n",
        '"\\x24ref": other.yaml\n',
        '"\\u0024ref": other.yaml\n',
        "$ref: # a comment\n  other.yaml\n",
        "$ref:\n  # a comment\n  # and another\n  'other.yaml'\n",
        "'$ref' : other.yaml\n",
        "{$ref: other.yaml}\n",
        "&a $ref: other.yaml\n",
        "$ref: !!str other.yaml\n",
    ],
)
def test_a_reference_is_found_however_it_is_written(text: str, writes: Any) -> None:
    indented_text = "".join(f"  {line}\n" for line in text.splitlines())
    folder = writes({"api.yaml": f"{HEAD}x:\n{indented_text}", "other.yaml": "a: 1"})

    source, _ = attempt(folder / "api.yaml")

    assert source is not None
    assert "other.yaml" in source.documents


DATA = {
    "example": "example: {$ref: other.yaml}",
    "default": "default: {$ref: other.yaml}",
    "enum": "enum: [{$ref: other.yaml}]",
    "const": "const: {a: {$ref: other.yaml}}",
    "examples of a schema": "examples: [{$ref: other.yaml}]",
    "value of an example": "examples: {one: {value: {$ref: other.yaml}}}",
    "payload of an example in 2.0": "examples: {application/json: {a: {$ref: other.yaml}}}",
    "number": "$ref: 5",
    "local": "$ref: '#/other.yaml'",
    "empty": "$ref: ''",
    "schema name that looks like a file": "discriminator: {mapping: {a: 'missing.yaml'}}",
    "name in a mapping": "discriminator: {mapping: {a: 'schemas/other'}}",
    "extension that shows code": "x-code: {$ref: other.sh}",
}


@pytest.mark.parametrize("name", DATA)
def test_data_and_names_are_not_followed(name: str, writes: Any) -> None:
    folder = writes({"api.yaml": f"{HEAD}x:\n  {DATA[name]}\n", "other.yaml": "a: 1"})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert list(source.documents) == [""]
    assert not diagnostics.failed


FOLLOWED = {
    "property named example": "properties: {example: {$ref: other.yaml}}",
    "property named default": "properties: {default: {$ref: other.yaml}}",
    "property named examples": "properties: {examples: {$ref: other.yaml}}",
    "default response": "responses: {default: {$ref: other.yaml}}",
    "example that is a reference": "examples: {one: {$ref: other.yaml}}",
    "all examples": "examples: {$ref: other.yaml}",
    "mapping of a discriminator": "discriminator: {mapping: {a: 'other.yaml'}}",
    "mapping with a pointer": "discriminator: {mapping: {a: 'other.yaml#/A'}}",
    "mapping as JSON": 'discriminator: {"mapping" : {"a": "#/x", "b": "other.yaml"}}',
    "mapping with an escape": r'discriminator: {"mapping": {"a": "other\x2eyaml"}} # .yaml',
    "item of a list": "allOf: [{type: object}, {$ref: other.yaml}]",
    "extension": "x-parts: {a: {$ref: other.yaml}}",
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_is_meant_as_a_reference_is_followed(name: str, writes: Any) -> None:
    folder = writes({"api.yaml": f"{HEAD}x:\n  {FOLLOWED[name]}\n", "other.yaml": "a: 1"})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert not list(diagnostics)
    assert list(source.documents) == ["", "other.yaml"]


def test_a_default_response_in_a_file_of_responses_is_followed(writes: Any) -> None:
    folder = writes(
        {
            "api.yaml": HEAD + "paths: {/a: {get: {responses: {$ref: responses.yaml}}}}\n",
            "responses.yaml": "default: {$ref: other.yaml}",
            "other.yaml": "description: x",
        }
    )

    source, _ = attempt(folder / "api.yaml")

    assert source is not None
    assert "other.yaml" in source.documents


REFUSED = {
    "http://localhost:1/a.yaml": "remote-reference",
    "HTTPS://example.com/a.yaml#/x": "remote-reference",
    "file:///etc/passwd": "remote-reference",
    "file:secret.yaml": "remote-reference",
    "//localhost/a.yaml": "remote-reference",
    "C:/secret.yaml": "remote-reference",
    "javascript:alert(1)": "remote-reference",
    "/etc/passwd": "outside-reference",
    "../secret.yaml": "outside-reference",
    "a/../../secret.yaml": "outside-reference",
    "..%2fsecret.yaml": "outside-reference",
    "%2e%2e/secret.yaml": "outside-reference",
    "%2Fetc/passwd": "outside-reference",
    "link.yaml": "outside-reference",
    "linked/secret.yaml": "outside-reference",
    "..\\secret.yaml": "unusable-reference",
    "..%5csecret.yaml": "unusable-reference",
    "a%00.yaml": "unusable-reference",
    "a%0a.yaml": "unusable-reference",
    "a%ff.yaml": "unusable-reference",
    "a.yaml?x=1": "unusable-reference",
    "./a:b.yaml": "unusable-reference",
    "missing.yaml": "missing-reference",
    "api.yaml/b.yaml": "missing-reference",
    "%252e%252e/secret.yaml": "missing-reference",
    "sub": "unreadable-reference",
    ".": "unreadable-reference",
    "pipe": "unreadable-reference",
    "n" * 300 + ".yaml": "unreadable-reference",
}


@pytest.fixture
def accesses() -> Iterator[list[str]]:
    """Paths opened and connections tried while the test runs."""
    names: list[str] = []
    active = [True]

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if active and (event == "open" or event.startswith("socket.")):
            names.append(str(arguments[0]))

    sys.addaudithook(watch)
    yield names
    active.clear()


@pytest.mark.parametrize("reference", REFUSED)
def test_what_is_not_a_file_inside_the_folder_is_refused_unopened(
    reference: str, writes: Any, accesses: list[str]
) -> None:
    folder = writes({"api.yaml": schema(reference), "sub/x.yaml": "a: 1", "../secret.yaml": "a: 1"})
    (folder / "link.yaml").symlink_to("../secret.yaml")
    (folder / "linked").symlink_to("..")
    os.mkfifo(folder / "pipe")
    accesses.clear()

    source, diagnostics = attempt(folder / "api.yaml")

    (finding,) = diagnostics
    assert source is not None
    assert list(source.documents) == [""]
    assert finding.code.name == REFUSED[reference]
    assert finding.at.path == ("components", "schemas", "A", "$ref")
    assert finding.severity is Severity.ERROR
    assert [Path(path).name for path in accesses] == ["api.yaml"]


def test_the_watch_of_these_tests_sees_opened_files_and_sockets(
    accesses: list[str], tmp_path: Path
) -> None:
    (tmp_path / "x").write_text("")
    with socket.socket() as connection:
        connection.connect_ex(("127.0.0.1", 1))

    assert len(accesses) >= 2


def test_a_link_that_stays_inside_is_followed(writes: Any) -> None:
    folder = writes({"api.yaml": schema("link.yaml"), "real.yaml": "a: 1"})
    (folder / "link.yaml").symlink_to("real.yaml")

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert not list(diagnostics)
    assert "link.yaml" in source.documents


def test_a_wider_folder_can_be_allowed(writes: Any) -> None:
    folder = writes({"a/api.yaml": schema("../common/x.yaml"), "common/x.yaml": "a: 1"})

    source, diagnostics = attempt(folder / "a" / "api.yaml", root=str(folder))

    assert source is not None
    assert not list(diagnostics)
    assert list(source.documents) == ["", "../common/x.yaml"]
    assert source.documents["../common/x.yaml"].name == f"{folder.as_posix()}/common/x.yaml"


def test_a_wider_folder_is_a_border_too(writes: Any) -> None:
    folder = writes({"a/api.yaml": schema("../../secret.yaml"), "../secret.yaml": "a: 1"})

    _, diagnostics = attempt(folder / "a" / "api.yaml", root=str(folder))

    (finding,) = diagnostics
    assert finding.code.name == "outside-reference"
    assert f"`{folder}`" in finding.message


def test_a_folder_with_the_same_beginning_is_not_inside(writes: Any) -> None:
    folder = writes({"a/api.yaml": schema("../ab/x.yaml"), "ab/x.yaml": "a: 1"})

    _, diagnostics = attempt(folder / "a" / "api.yaml", root=str(folder / "a"))

    assert [diagnostic.code.name for diagnostic in diagnostics] == ["outside-reference"]


def test_standard_input_has_no_files_beside_it() -> None:
    diagnostics = Diagnostics()

    source = read("-", diagnostics, stdin=schema("other.yaml").encode())

    assert source is not None
    assert [diagnostic.code.name for diagnostic in diagnostics] == ["reference-from-stdin"]


def test_a_fault_in_a_reached_file_is_reported_there_once(writes: Any) -> None:
    files = {"api.yaml": HEAD + "x: {$ref: b.yaml}\ny: {$ref: b.yaml}\n", "b.yaml": "a: [1\n"}
    folder = writes(files)

    source, diagnostics = attempt(folder / "api.yaml")

    fault, *references = diagnostics.sorted()[::-1]
    assert source is not None
    assert (fault.code.name, fault.severity) == ("broken-yaml", Severity.WARNING)
    assert (fault.at.file, fault.at.line) == (f"{folder.as_posix()}/b.yaml", 2)
    assert [reference.at.pointer for reference in references] == ["/y/$ref", "/x/$ref"]
    assert {reference.code.name for reference in references} == {"unreadable-reference"}
    assert {reference.severity for reference in references} == {Severity.ERROR}
    assert "line 2, column 1" in references[0].message


def test_a_missing_file_in_an_extension_is_only_a_warning(writes: Any) -> None:
    folder = writes({"api.yaml": HEAD + "x-parts: {$ref: nope.yaml}\n"})

    _, diagnostics = attempt(folder / "api.yaml")

    assert [diagnostic.severity for diagnostic in diagnostics] == [Severity.WARNING]


def test_the_number_of_files_is_bounded(writes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DOCUMENTS", 10)
    files = {f"f{n}.yaml": f"$ref: f{n + 1}.yaml" for n in range(50)}
    folder = writes({"api.yaml": schema("f0.yaml"), **files})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert len(source.documents) == 10
    assert [diagnostic.code.name for diagnostic in diagnostics] == ["too-many-files"]


def test_the_bytes_of_all_files_are_bounded(writes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOTAL_BYTES", 1000)
    files = {f"f{n}.yaml": f"$ref: f{n + 1}.yaml\n" + "#" * 300 for n in range(50)}
    folder = writes({"api.yaml": schema("f0.yaml"), **files})

    source, diagnostics = attempt(folder / "api.yaml")

    assert source is not None
    assert len(source.documents) == 3
    assert [diagnostic.code.name for diagnostic in diagnostics] == ["total-too-large"]


def test_a_reached_file_over_the_budget_is_reported(
    writes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FILE_BYTES", 500)
    folder = writes({"api.yaml": schema("big.yaml"), "big.yaml": "#" * 1000})

    _, diagnostics = attempt(folder / "api.yaml")

    (finding,) = diagnostics
    assert finding.code.name == "file-too-large"
    assert finding.at.file.endswith("big.yaml")
