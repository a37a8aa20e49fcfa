"""A document whose every string is an attack gives a project that differs only in data."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_inert_output import is_inert
from typer.testing import CliRunner

from mcpgen.cli.app import app
from mcpgen.config import Config
from mcpgen.config.tables.tool_schemas import ApiModels, ApiSchemas
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.ir.project import Project
from mcpgen.ir.server import Server
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.read import read

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\u3164\ufeff"
    "\U000e0000-\U000e01ef]"
)
"""Characters that a reader does not see, or that a terminal obeys."""

MARK = "¤"
"""Where a payload goes; every free string of the document has one."""

TAME = "word"

PAYLOADS = {
    "triple double quotes": '"""\nimport os  # ',
    "triple single quotes": "'''\nimport os  # ",
    "quote and bracket": '")\nimport os\n("',
    "trailing backslash": "\\",
    "escaped quote": '\\"',
    "newline": "\nimport os\n",
    "carriage return": "\rimport os\r",
    "template expression": "{{ cycler.__init__.__globals__ }}",
    "template statement": "{% set x = 1 %}",
    "template comment": "{# x #}",
    "f-string": "{__import__('os')}",
    "shell": "$(touch x) `touch x` ${HOME}",
    "line separators": "\u2028import os\u2029\x85import os",
    "bidi and zero width": "\u202e\u200b\ufeff",
    "markup": "--> ]]> */ </script> <b>|</b> # ",
    "traversal": "../../../x",
    "terminal": "\x1b]52;c;cHduZWQ=\x07\x1b[2J\x9b31m\x9d0;x\x9c\r",
    "workflow commands": "\n::stop-commands::x\n  ::error file=a.py,line=1::y\n##[error]z\r::add-mask::a",
    "link": " [click](http://evil.example) <http://evil.example> ![x](http://evil.example/x.png) ",
    "tags and selectors": "\U000e0041\U000e0101\u3164\u00ad\u2066",
}

SCHEMA_WORDS = {
    "title": MARK,
    "description": f"About {MARK} it.",
    "x-python-import": {"module": "os", "name": MARK},
    "customTypePath": "os.system",
    "customBasePath": "os.system",
    f"x-{MARK}": MARK,
}

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": f"Pets {MARK}",
        "version": f"1.0 {MARK}",
        "summary": MARK,
        "description": f"All. {MARK}",
        "termsOfService": MARK,
        "contact": {"name": MARK, "url": MARK, "email": MARK},
        "license": {"name": MARK, "identifier": MARK},
    },
    "servers": [{"url": "https://api.example.com/v1", "description": MARK}],
    "tags": [{"name": MARK, "description": MARK, "externalDocs": {"url": MARK}}],
    "externalDocs": {"url": MARK, "description": MARK},
    "paths": {
        "/pets/{id}": {
            "summary": MARK,
            "put": {
                "operationId": f"storePet {MARK}",
                "summary": f"Store {MARK}",
                "description": f"Stores a pet. {MARK}",
                "tags": [MARK],
                "externalDocs": {"url": MARK, "description": MARK},
                f"x-{MARK}": {MARK: MARK},
                "x-codegen-imports": MARK,
                "parameters": [
                    {
                        "name": "id",
                        "in": "path",
                        "required": True,
                        "description": MARK,
                        "schema": {"type": "string", "example": "one"},
                    },
                    {
                        "name": f"page {MARK}",
                        "in": "query",
                        "description": f"Page {MARK}",
                        "schema": {
                            "type": "string",
                            "enum": ["first", f"last{MARK}"],
                            "default": f"last{MARK}",
                            **SCHEMA_WORDS,
                        },
                    },
                    {
                        "name": f"filter[{MARK}]",
                        "in": "query",
                        "schema": {"type": "array", "items": {"type": "string", **SCHEMA_WORDS}},
                    },
                ],
                "requestBody": {
                    "description": MARK,
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {"$ref": "#/components/schemas/Pet"},
                            "examples": {MARK: {"summary": MARK, "value": {"name": f"Rex{MARK}"}}},
                        }
                    },
                },
                "responses": {
                    "200": {
                        "description": MARK,
                        "headers": {f"X-{TAME}": {"description": MARK}},
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Pet"},
                                "examples": {MARK: {"summary": MARK, "description": MARK}},
                            }
                        },
                        "links": {MARK: {"operationId": MARK, "description": MARK}},
                    },
                    "default": {"description": MARK},
                },
                "security": [{"key": []}],
            },
        }
    },
    "components": {
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": MARK}
        },
        "schemas": {
            "Pet": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "examples": [f"Rex{MARK}"], **SCHEMA_WORDS},
                    f"nick {MARK}": {"type": "string", "default": MARK, **SCHEMA_WORDS},
                    "address": {
                        "type": "object",
                        "properties": {f"street {MARK}": {"type": "string", **SCHEMA_WORDS}},
                    },
                    "visits": {
                        "type": "array",
                        "description": MARK,
                        "items": {
                            "type": "object",
                            "properties": {f"vet {MARK}": {"type": "string", "enum": [MARK]}},
                            **SCHEMA_WORDS,
                        },
                    },
                },
                **SCHEMA_WORDS,
            }
        },
    },
}

REFUSABLE: dict[str, tuple[str | int, ...]] = {
    "path": ("paths",),
    "path parameter": ("paths", "/pets/{id}", "put", "parameters", 0, "name"),
    "place of a parameter": ("paths", "/pets/{id}", "put", "parameters", 1, "in"),
    "server URL": ("servers", 0, "url"),
    "media type": ("paths", "/pets/{id}", "put", "requestBody", "content"),
    "type of a schema": ("components", "schemas", "Pet", "properties", "name", "type"),
    "pattern": ("components", "schemas", "Pet", "properties", "name", "pattern"),
    "name of an API key's header": ("components", "securitySchemes", "key", "name"),
    "id of a security scheme": ("components", "securitySchemes"),
    "name of a definition": ("components", "schemas"),
}
"""Strings that mean something to HTTP or JSON Schema, where an attack may also be refused."""

CONFIG = Config(api_models=ApiModels(ApiSchemas.ALL))

DECLARED = {"Tool", "Route", "Body", "Hints", "Argument", "Constant"}
"""All that a tool's module may call."""


def build_document(document: dict[str, Any], folder: Path) -> tuple[Server, Project] | None:
    """Server and project of a document; None if findings stop the build."""
    path = folder / "openapi.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics)
    api = None if source is None else parse(source, diagnostics)
    if api is None or diagnostics.failed:
        return None
    server = lower(api, CONFIG, diagnostics)
    return None if diagnostics.failed else (server, emit(server, CONFIG, diagnostics))


def fill_marks(value: Any, payload: str) -> Any:
    """The document with `payload` at every mark, in keys and values."""
    if isinstance(value, dict):
        return {
            key.replace(MARK, payload): fill_marks(child, payload) for key, child in value.items()
        }
    if isinstance(value, list):
        return [fill_marks(child, payload) for child in value]
    return value.replace(MARK, payload) if isinstance(value, str) else value


def attack(place: tuple[str | int, ...], payload: str) -> dict[str, Any]:
    """The tame document with the string at `place` (or the only key there) attacked."""
    document: dict[str, Any] = json.loads(json.dumps(fill_marks(DOCUMENT, TAME)))
    parent: Any = document
    for step in place[:-1]:
        parent = parent[step]
    last = place[-1]
    old = parent.get(last, "^a") if isinstance(parent, dict) else parent[last]
    if isinstance(old, dict):
        parent[last] = {f"{key}{payload}": child for key, child in old.items()}
    else:
        parent[last] = f"{old}{payload}"
    return document


def modules(server: Server, project: Project) -> dict[str, ast.Module]:
    """Parsed Python files by a name without the tool's name."""
    (tool,) = server.tools
    return {
        file.path.replace(server.package, "package").replace(tool.module, "tool"): parse_module(
            file.text
        )
        for file in project.files
        if file.path.endswith(".py")
    }


@cache
def parse_module(text: str) -> ast.Module:
    """A parsed module, cached, since runtime modules are the same in every project."""
    return ast.parse(text)


def shape(module: ast.Module) -> list[str]:
    """Types of all nodes in order, types of constants, and names of called functions."""
    texts = []
    for node in ast.walk(module):
        texts.append(type(node).__name__)
        if isinstance(node, ast.Constant):
            texts.append(type(node.value).__name__)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts.append(node.func.id)
    return texts


def pairs() -> Iterator[Any]:
    """Places with payloads: each payload at two places, each place with three payloads."""
    repeated_mark = pytest.mark.thorough(
        "repeats the proof with other pairs of a place and a payload"
    )
    for row, (place_name, place) in enumerate(REFUSABLE.items()):
        for column, (payload_name, payload) in enumerate(PAYLOADS.items()):
            is_kept = (row - column) % 5 == 0
            yield pytest.param(
                place,
                payload,
                id=f"{place_name}-{payload_name}",
                marks=() if is_kept else repeated_mark,
            )


@pytest.fixture(scope="module")
def harmless_shapes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Shapes of all modules of the project without attacks."""
    result = build_document(fill_marks(DOCUMENT, TAME), tmp_path_factory.mktemp("tame"))
    assert result is not None
    return {name: shape(module) for name, module in modules(*result).items()}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_an_attack_in_every_free_string_changes_no_module_s_shape(
    payload: str, harmless_shapes: dict[str, list[str]], tmp_path: Path
) -> None:
    result = build_document(fill_marks(DOCUMENT, payload), tmp_path)

    assert result is not None
    attacked_shapes = {name: shape(module) for name, module in modules(*result).items()}
    assert attacked_shapes == harmless_shapes


@pytest.mark.parametrize(("place", "payload"), list(pairs()))
def test_an_attack_on_a_string_with_a_meaning_is_refused_or_stays_data(
    place: tuple[str | int, ...], payload: str, tmp_path: Path
) -> None:
    result = build_document(attack(place, payload), tmp_path)

    if result is not None:
        server, project = result
        calls = {
            node.func.id if isinstance(node.func, ast.Name) else ast.dump(node.func)
            for node in ast.walk(modules(server, project)["package/tools/tool.py"])
            if isinstance(node, ast.Call)
        }
        assert calls <= DECLARED
        route = server.tools[0].route
        assert route is not None
        assert not any("\n" in part or "\\" in part for part in route.path)
        assert all(".." not in file.path and "\\" not in file.path for file in project.files)


OUTPUTS = [
    ("build", "--no-verify", "--keep-going", "-v", "-o", "out"),
    ("build", "--no-verify", "--keep-going", "--check", "-o", "out"),
    ("build", "--no-verify", "--keep-going", "--format", "json", "-o", "out"),
    ("lint", "-v"),
    ("lint", "--format", "json"),
    ("lint", "--format", "sarif"),
    ("tools",),
    ("tools", "--format", "json"),
]
"""Commands that show words of a document."""

REPORTS = ("text", "json", "junit", "sarif", "markdown", "html")
"""The formats in which a report shows words of a server."""

LISTING: dict[str, Any] = {
    "tools": [
        {
            "name": f"store {MARK}",
            "title": MARK,
            "description": MARK,
            "inputSchema": {
                "type": f"object{MARK}",
                "properties": {f"a {MARK}": {"type": MARK, "enum": [MARK], "description": MARK}},
                "required": [MARK],
                "$ref": MARK,
                MARK: MARK,
            },
            "outputSchema": {"type": MARK, MARK: MARK},
            "annotations": {"title": MARK, "readOnlyHint": MARK},
            "icons": [{"src": MARK}],
            "execution": MARK,
            "_meta": {MARK: MARK},
            MARK: MARK,
        }
    ]
    * 2,
    "nextCursor": MARK,
}
"""A list of tools in which a server attacks at every place."""


def attacks() -> list[Any]:
    """Payloads that a terminal or a CI system interprets; the other payloads are `thorough`."""
    repeated_mark = pytest.mark.thorough(
        "repeats the proof with payloads that no reader of an output obeys"
    )
    names = ("terminal", "workflow commands")
    return [
        pytest.param(payload, id=payload_name, marks=() if payload_name in names else repeated_mark)
        for payload_name, payload in PAYLOADS.items()
    ]


def outputs(
    document: dict[str, Any], commands: Sequence[tuple[str, ...]], name: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The commands, each with its output about a document in the working directory."""
    Path(name).write_text(json.dumps(document), encoding="utf-8")
    for command in commands:
        result = CliRunner().invoke(app, [command[0], name, *command[1:]])
        assert result.exit_code in (0, 1, 2), (command, result.exception)
        yield command, result.stdout + result.stderr


def assert_inert(output: str, command: tuple[str, ...]) -> None:
    """Fails for a line that is a CI command, and for a terminal control character."""
    assert is_inert(output), (command, output)
    if "sarif" in command and output.startswith("{"):
        runs = json.loads(output)["runs"]
        texts = [result["message"]["text"] for run in runs for result in run["results"]]
        assert not any(re.search(r"(?<!\\)\[click\]\(", text) for text in texts)


@pytest.mark.parametrize("payload", attacks())
def test_an_attack_in_a_document_reaches_no_output(
    payload: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    document = fill_marks(DOCUMENT, payload)
    # An operation that cannot be built is named with its path.
    odd_operation = {"parameters": [{"name": payload, "in": "nowhere"}], "responses": {}}
    document["paths"] |= {
        f"/odd{payload}": {"get": odd_operation},
        f"/{{a}}{{a{payload}": {"get": odd_operation},
    }

    for command, output in outputs(document, OUTPUTS, "openapi.json"):
        assert_inert(output, command)

    for file in Path("out").rglob("*"):
        if file.is_file() and file.suffix != ".pyc":
            text = file.read_text(encoding="utf-8")
            assert not HIDDEN.search(text), file


@pytest.mark.parametrize("payload", attacks())
def test_an_attack_in_a_list_of_tools_reaches_no_output(
    payload: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands: list[tuple[str, ...]] = [("check", "--format", kind) for kind in REPORTS]
    commands += [("tools",), ("tools", "--format", "json"), ("tools", "--format", "html")]

    for command, output in outputs(fill_marks(LISTING, payload), commands, "listing.json"):
        assert_inert(output, command)


@pytest.mark.parametrize("payload", attacks())
@pytest.mark.parametrize("place", REFUSABLE.values(), ids=REFUSABLE.keys())
@pytest.mark.thorough("repeats the proof for strings with a meaning, one at a time")
def test_an_attack_on_a_string_with_a_meaning_reaches_no_output(
    place: tuple[str | int, ...], payload: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))

    for command, output in outputs(attack(place, payload), OUTPUTS, "openapi.json"):
        assert_inert(output, command)
