"""A document with hostile text yields the same code structure as a document with harmless text."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest
import yaml
from emit_servers import AT, argument, server, tool
from markdown_it import MarkdownIt

from mcpgen.config import Config
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.literal import format_source
from mcpgen.ir.api import ApiSecurityScheme, Place, SchemeKind, Style
from mcpgen.ir.builtin_tools import ConfirmationSpec, DocsSpec, ScriptSpec
from mcpgen.ir.policy import OptInSpec, Policy, TokenExchange
from mcpgen.ir.server import (
    BodyPlan,
    ConstantSpec,
    DiscoverySpec,
    ElementSpec,
    ExpectedRequest,
    HintsSpec,
    MissingTool,
    PartSpec,
    RouteSpec,
    Server,
    StubResponse,
    TextForm,
    ToolScenario,
    Toolset,
)

HARMLESS = "word"

PAYLOADS = [
    '"""\nimport os\n"""',
    "'''\nimport os\n'''",
    '"',
    "'",
    "\\",
    "ends in a backslash\\",
    '\\"',
    '"\\',
    "\nimport os\n",
    "\r\nimport os\r",
    "\x0cimport os",
    "{{ 7 * 7 }}",
    "{% for x in y %}",
    "{# comment",
    "${7}",
    "${{ github.token }}",
    "{7*7!r:>{9}}",
    "%(name)s %s",
    "\u2028import os\u2029",
    "\x00",
    "\x85import os",
    "\u202eevil\u2066",
    "\u200b\ufeff\U000e0041",
    "\ud800",
    "# noqa",
    "*/ -->",
    "]]> <![CDATA[",
    "<script>alert(1)</script> <img src=x onerror=y> <!-- x",
    "[a](javascript:x) ![b](http://c) <http://d> [e]: f http://g www.h.com",
    "| a | b |\n| - | - |",
    "`code` ``more`` ```\nfence",
    "# heading\n- list\n1. one\n> quote\n===\n---",
    'key = "x"\n[table]\n',
    "a: b\n- c\n...\n---\n&x *x !!python/object",
    "FROM scratch\nRUN id",
    "$(id) `id` ; id && id | id > x",
    "] = (x, y",
    "), __import__('os').system('id'), (",
    "x" * 300,
    "x y " * 100,
    "漢字 é 🚀 " * 30,
    "\t \t",
]


def hostile(word: str) -> tuple[Server, Config]:
    """Returns a server with `word` at every place for free text of a document."""
    schema = {
        "type": "string",
        "description": word,
        "default": word,
        "pattern": word,
        "format": word,
        "enum": [word, f"{word} "],
        "examples": [word, {word: [word]}],
    }
    array_schema = {
        "type": "array",
        "items": {"type": "string", "enum": [word]},
        "description": word,
    }
    arguments = (
        argument("a", schema, Place.PATH, required=True, target=(word,), style=Style.SIMPLE),
        argument("b", schema, Place.QUERY, target=(word, word), content=word, check={word: word}),
        argument("c", array_schema, Place.HEADER, target=(word,)),
        argument("d", array_schema, Place.COOKIE, target=(word,)),
        argument(
            "e", schema, Place.BODY, target=(word,), text=TextForm.JSON, check={"const": word}
        ),
        argument("f", array_schema, Place.BODY, target=(), nulls={"a": (word, word)}),
    )
    body = BodyPlan(
        word,
        True,
        {"$ref": f"#/$defs/{word}", word: [word]},
        {
            word: PartSpec(
                word,
                needs=(word,),
                xml=ElementSpec(word, fields={word: ElementSpec(namespace=word)}),
            )
        },
        {"": ElementSpec(like=word), word: ElementSpec(word, each=ElementSpec(word))},
    )
    pairs = ExpectedRequest(
        "POST", f"/{word}", {f"x-{word}": word}, {word: word}, ((word, word),), "a/form"
    )
    requests = (
        pairs,
        ExpectedRequest("POST", word, {}, {}, {word: [word, {word: word}]}, "application/json"),
        ExpectedRequest("POST", word, {}, {}, word, "application/json"),
        ExpectedRequest("POST", word, {}, {}, word, "text/plain"),
        ExpectedRequest("POST", word, {}, {}, word, f"{word}/json"),
    )
    scenarios = tuple(
        ToolScenario(
            f"scenario_{number}", {"a": word}, request, StubResponse(200, word, {word: word})
        )
        for number, request in enumerate(requests)
    )
    say = tool(
        "say",
        *arguments,
        title=word,
        description=word,
        constants=(
            ConstantSpec(Place.BODY, (word,), word),
            ConstantSpec(Place.QUERY, (word,), {word: 1}),
        ),
        route=RouteSpec("POST", word, ((word, word), ()), accept=word, base_url=word, body=body),
        hints=HintsSpec(False, True, False, True),
        operation=f"POST {word}",
        output={"type": "object", "title": word, "properties": {word: {"description": word}}},
        scenarios=scenarios,
        definitions=(word,),
    )
    schemes = tuple(
        ApiSecurityScheme(f"{kind.value}{word}", kind, AT, Place.HEADER, word, word, (word,), word)
        for kind in (SchemeKind.API_KEY, SchemeKind.MUTUAL_TLS)
    )
    result = server(
        say,
        tool("quiet"),
        title=word,
        version=word,
        instructions=word,
        upstream=word,
        security_schemes=schemes,
        definitions={word: {"description": word, "properties": {word: {"const": word}}}},
        missing=(MissingTool(f"GET {word}", word, AT),),
        policy=rights(word),
        forwarded_credential=TokenExchange(word, (word, word), (word,), (word,)),
        toolsets=(Toolset("some", ("quiet",), word),),
        discovery=DiscoverySpec(
            tool("search_tools", description=word),
            tool("describe_tool"),
            tool("call_read_tool"),
            tool("call_write_tool"),
            {word: ("say", "quiet")},
            {word: word},
        ),
        script=ScriptSpec(tool("do", description=word), "db", {"words": {"say": "say"}}),
        docs=DocsSpec(tool("docs", description=word), {"words": ("say", "quiet")}),
        elicit=tool("elicit", description=word),
        sessions=True,
        confirmation=ConfirmationSpec(("say", "quiet"), allows_unconfirmed=True),
    )
    return result, Config(spec=f"{word}.yaml")


def rights(word: str) -> Policy:
    """Returns a policy with `word` at every place for free text of a document or `mcpgen.toml`."""
    return Policy(
        authentication=AuthenticationConfig(
            issuer=word,
            jwks_url=word,
            audience=word,
            introspection_url=word,
            algorithms=(word,),
            key_header=word,
            scope_claim=word,
            role_claim=word,
            operator_roles=(word,),
            path_claims={word: word},
            owner_prefixes=(word,),
            owner_claims={word: word},
        ),
        scopes={"say": (word, word), "quiet": (word,)},
        roles={"quiet": (word, word)},
        known_scopes=(word,),
        known_roles=(word,),
        step_up=True,
        features=(OptInSpec(word, ("quiet",), ("model",)),),
    )


def texts(word: str) -> dict[str, str]:
    """Returns the text of every file with words of the document, by path."""
    project = emit(*hostile(word), Diagnostics())
    return {file.path: file.text for file in project.files if "/_runtime/" not in file.path}


def shape(text: str) -> list[str]:
    """Returns the node types and loaded names of a module, without string values."""
    return [
        (
            node.id
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            else str(type(node))
        )
        for node in ast.walk(ast.parse(text))
    ]


def skeleton(value: object) -> object:
    """Returns the structure of a JSON value, without its strings."""
    if isinstance(value, dict):
        return [skeleton(child) for child in value.values()]
    if isinstance(value, list):
        return [skeleton(child) for child in value]
    return type(value).__name__


def tokens(text: str) -> Iterator[str]:
    """Yields the token types of a Markdown file, without text and line breaks."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token.type
        yield from (child.type for child in token.children or () if child.type != "text")


@cache
def laid_out(text: str) -> str:
    """Formats a module with black. Cached, since several payloads give equal modules."""
    return format_source(text)


@cache
def expected() -> dict[str, str]:
    """Project of a harmless document."""
    return texts(HARMLESS)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            payload,
            id=ascii(payload),
            marks=(
                pytest.mark.repeated("repeats the proof with other payloads") if number % 3 else ()
            ),
        )
        for number, payload in enumerate(PAYLOADS)
    ],
)
def hostile_files(request: pytest.FixtureRequest) -> dict[str, str]:
    """Project of a document with the payload everywhere."""
    return texts(request.param)


def test_the_files_are_the_same(hostile_files: dict[str, str]) -> None:
    assert sorted(hostile_files) == sorted(expected())


def python(files: dict[str, str]) -> dict[str, str]:
    """Returns the modules among the files."""
    return {path: text for path, text in files.items() if path.endswith(".py")}


def test_every_module_has_the_same_tree(hostile_files: dict[str, str]) -> None:
    for path, text in python(hostile_files).items():
        assert shape(text) == shape(expected()[path]), path


def test_every_module_is_as_black_leaves_it(hostile_files: dict[str, str]) -> None:
    for path, text in python(hostile_files).items():
        assert laid_out(text) == text, path


def test_nothing_invisible_stands_in_any_file(hostile_files: dict[str, str]) -> None:
    for path, text in hostile_files.items():
        invisible = {char for char in text if not char.isprintable()} - {"\n"}

        assert not invisible, path


def test_toml_has_the_same_structure(hostile_files: dict[str, str]) -> None:
    for path in ("pyproject.toml", "mcpgen.toml"):
        read = tomllib.loads(hostile_files[path])

        assert skeleton(read) == skeleton(tomllib.loads(expected()[path]))


def test_yaml_has_the_same_structure(hostile_files: dict[str, str]) -> None:
    path = ".github/workflows/mcpgen.yaml"

    assert skeleton(yaml.safe_load(hostile_files[path])) == skeleton(
        yaml.safe_load(expected()[path])
    )
    assert "${{" not in hostile_files[path]


def test_json_has_the_same_structure(hostile_files: dict[str, str]) -> None:
    path = "pets_mcp/schemas.json"

    assert skeleton(json.loads(hostile_files[path])) == skeleton(json.loads(expected()[path]))


def test_the_readme_has_the_same_tokens(hostile_files: dict[str, str]) -> None:
    assert list(tokens(hostile_files["README.md"])) == list(tokens(expected()["README.md"]))


def test_files_that_need_no_word_of_the_document_have_none(hostile_files: dict[str, str]) -> None:
    for path in (".gitignore", "pets_mcp/hooks.py"):
        assert hostile_files[path] == expected()[path]
    for path in ("Dockerfile", ".dockerignore", ".gitattributes"):
        header, _, text = hostile_files[path].partition("\n")
        assert re.fullmatch(
            r"# Generated by mcpgen( from object\.yaml)?; changes belong .*", header
        )
        assert text == expected()[path].partition("\n")[2]
