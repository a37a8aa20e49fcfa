"""The kinds of fact about the announced tools, each with the function that judges it.

A judge gives what was expected, what was seen and the tool; what the host does about it and whether
that is a failure is the fact's to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.tools_list import header_problem
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.schemas import schema_problem
from mcpgen.conformance.strict_json import Json

Seen = Iterator[tuple[str, str, str]]
"""What was expected, what was seen, and the tool (`""` for the server)."""

Judge = Callable[[Mapping[str, Json], CheckContext], Seen]

SERVER_NAME = "s" * 14
"""A server's name as long as all hosts allow: hosts put it before the tool's."""


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def tool_name(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Names that do not match, or are too long once the host has put the server's before them."""
    pattern, longest = limits.get("pattern"), limits.get("max")
    for tool in visit.tools:
        own = tool["name"]
        name = limits.get("template", "{tool}").format(server=SERVER_NAME, tool=own)
        told = f" as `{name}`" if name != own else ""
        if pattern and not _pattern(pattern).fullmatch(name):
            yield f"a name that matches `{pattern}`", printable(own) + told, own
        elif longest and len(name) > longest:
            yield f"a name of at most {longest} characters", f"{len(name)} characters{told}", own


def check_argument_names(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Argument names that do not match; nested ones, too, unless only the `top` counts."""
    pattern = _pattern(limits["pattern"])
    for tool, found in zip(visit.tools, visit.features, strict=True):
        for key, top in found.keys:
            if (top or not limits.get("top")) and not pattern.fullmatch(key):
                yield f"argument names that match `{pattern.pattern}`", printable(key), tool["name"]


def tool_count(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """More tools than the host takes."""
    if len(visit.tools) > limits["max"]:
        yield f"at most {limits['max']} tools", f"{len(visit.tools)} tools", ""


def check_descriptions(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Descriptions that are missing, empty or too long."""
    for tool in visit.tools:
        text = tool.get("description")
        if text is None and limits.get("present"):
            yield "a description", "none", tool["name"]
        elif text == "" and limits.get("not_empty"):
            yield "a description that is not empty, or none", "an empty one", tool["name"]
        elif isinstance(text, str) and (problem := too_long(text, limits)):
            yield f"a description of at most {problem[0]}", problem[1], tool["name"]


def too_long(text: str, limits: Mapping[str, Json]) -> tuple[str, str] | None:
    """The limit and the length of a text beyond it, both in words."""
    measured = {
        "max_chars": (len(text), "characters"),
        "max_bytes": (len(text.encode("utf-8", "replace")), "bytes"),
        "max_tokens": (len(text) // 4, "tokens, at four characters each"),
    }
    for limit, (length, unit) in measured.items():
        if limit in limits and length > limits[limit]:
            return f"{limits[limit]:,} {unit}", f"{length:,} {unit}"
    return None


def root(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Marks at the root of the schema that the host refuses."""
    refused = frozenset(limits["refuses"])
    for tool, found in zip(visit.tools, visit.features, strict=True):
        for mark in sorted(refused & found.root):
            yield f"no {_called(mark)} at the root of the schema", _called(mark), tool["name"]


def check_schema(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Marks anywhere in the schema that the host refuses, or loses although nothing tells them."""
    refused = frozenset(limits.get("refuses", ()))
    lost = frozenset(limits.get("loses", ()))
    kept = frozenset(limits["keeps"]) | HARMLESS if "keeps" in limits else None
    for tool, found in zip(visit.tools, visit.features, strict=True):
        for mark in refused & found.marks.keys():
            yield f"no {_called(mark)}", f"at `{found.marks[mark] or '/'}`", tool["name"]
        gone = found.lost.keys() & lost if kept is None else found.lost.keys() - kept
        for mark in sorted(key for key in gone if not key.startswith("x-")):
            expected = f"no {_called(mark)}, or its value in the description, too"
            yield expected, f"at `{found.lost[mark] or '/'}`", tool["name"]


HARMLESS = frozenset({"$schema", "$id", "$comment", "title", "examples", "deprecated", "readOnly"})
"""Keywords whose loss changes nothing about what a model may send."""

SPELLED = {
    "type-list": "list of types",
    "type-missing": "schema without a type",
    "branch-untyped": "alternative without a type",
    "boolean-schema": "schema that is just true or false",
    "enum-not-string": "enumeration of anything but strings",
    "enum-mixed": "enumeration of mixed types",
    "recursion": "schema that refers back to itself",
    "external-ref": "reference to another document",
    "additional-schema": "`additionalProperties` with a schema",
    "default-beside-anyOf": "`default` beside `anyOf`",
    "open-root": "arguments beyond those announced",
    "root-not-object": "type but object",
}
"""The marks that are not keywords, in words."""


@cache
def _called(mark: str) -> str:
    return SPELLED.get(mark) or f"`{printable(mark, 40)}`"


def size(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Schemas that are too deep or too large."""
    for tool, found in zip(visit.tools, visit.features, strict=True):
        counted = {
            "depth": (found.depth, "levels of values in values"),
            "properties": (found.properties, "properties"),
            "enum": (found.enum, "enumerated values"),
            "chars": (found.chars, "characters in names and enumerated values"),
        }
        for limit, (count, unit) in counted.items():
            if limit in limits and count > limits[limit]:
                yield f"at most {limits[limit]:,} {unit}", f"{count:,}", tool["name"]


def dialect(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Schemas that are not valid in the dialect the host reads them in."""
    name = limits["dialect"].rpartition("json-schema.org/")[2].removesuffix("/schema")
    for tool in visit.tools:
        found = tool.get("inputSchema")
        if isinstance(found, dict):
            problem = schema_problem({**found, "$schema": limits["dialect"]})
            if problem:
                yield f"a schema that is valid as JSON Schema {name}", problem, tool["name"]


def check_hints(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Missing titles and hints; `one_of` are pairs of which one must be there as it is."""
    pairs = limits.get("one_of", ())
    for tool in visit.tools:
        given = tool.get("annotations")
        found = given if isinstance(given, dict) else {}
        missing = [
            hint for hint in limits.get("hints", ()) if not isinstance(found.get(hint), bool)
        ]
        if limits.get("title") and not (tool.get("title") or found.get("title")):
            missing.append("title")
        if missing:
            yield "a title and hints that say it all", f"no {', '.join(missing)}", tool["name"]
        if pairs and not any(found.get(hint) is value for hint, value in pairs):
            said = " or ".join(f"`{hint}: {str(value).lower()}`" for hint, value in pairs)
            yield said, printable(found), tool["name"]


def output_schema(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Tools that do not announce what they answer."""
    for tool in visit.tools:
        if not isinstance(tool.get("outputSchema"), dict):
            yield "an `outputSchema`", "none", tool["name"]


def mirrored_header(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Arguments whose `x-mcp-header` is not valid."""
    for tool in visit.tools:
        if problem := header_problem(tool):
            yield "`x-mcp-header` is a unique token on a scalar argument", problem, tool["name"]
