"""The checks of one host, made from its facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import ToolCall
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import CheckDef
from mcpgen.conformance.checks.predicates import blocks, is_text_block, private
from mcpgen.conformance.checks.tools_list import header_problem
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.hosts.facts import CHECKS, HostFact, facts
from mcpgen.conformance.model import Finding
from mcpgen.conformance.profiles import PROFILES, Profile, ProfileKind
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
            yield f"no {_mark_in_words(mark)} at the root of the schema", _mark_in_words(
                mark
            ), tool["name"]


def check_schema(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Marks anywhere in the schema that the host refuses, or loses although nothing tells them."""
    refused = frozenset(limits.get("refuses", ()))
    lost = frozenset(limits.get("loses", ()))
    kept = frozenset(limits["keeps"]) | HARMLESS if "keeps" in limits else None
    for tool, found in zip(visit.tools, visit.features, strict=True):
        for mark in refused & found.marks.keys():
            yield f"no {_mark_in_words(mark)}", f"at `{found.marks[mark] or '/'}`", tool["name"]
        gone = found.lost.keys() & lost if kept is None else found.lost.keys() - kept
        for mark in sorted(key for key in gone if not key.startswith("x-")):
            expected = f"no {_mark_in_words(mark)}, or its value in the description, too"
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
def _mark_in_words(mark: str) -> str:
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


def instructions_length(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Instructions of the server that are too long."""
    text = visit.talk.opened().get("instructions")
    if isinstance(text, str) and (problem := too_long(text, limits)):
        yield f"instructions of at most {problem[0]}", problem[1], ""


def result_size(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Results whose text is too long."""
    for call in visit.calls:
        text = "".join(block["text"] for block in blocks(call.result) if is_text_block(block))
        if problem := too_long(text, limits):
            yield f"a result of at most {problem[0]}", problem[1], call.name


def result_content(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Results with a kind of content block that the host does not know."""
    for call in visit.calls:
        for block in blocks(call.result):
            kind = block.get("type") if isinstance(block, dict) else None
            if isinstance(kind, str) and kind not in limits["knows"]:
                yield f"content of the types {', '.join(limits['knows'])}", kind, call.name


def accept_header(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """A server that refuses requests with the host's `Accept` header."""
    visit.talk.ready()
    wanted = {"Accept": limits["accept"]}
    exchange = visit.talk.send(visit.idle_method, identifier="accept", headers=wanted)
    if exchange.response("accept") is None:
        yield f"an answer to `Accept: {limits['accept']}`", str(exchange), ""


def https(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """A public address that is not encrypted."""
    url, hostname = visit.talk.probe.url, visit.talk.probe.hostname
    if url is not None and url.scheme != "https" and not private(hostname):
        yield "an https address", f"`{url.scheme}://{hostname}`", ""


def time(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Openings, lists and calls that take longer than the host waits."""
    for name, exchange, tool in _timed_exchanges(limits, visit):
        allowed = limits[name] * visit.options.pace
        if exchange.seconds > allowed:
            expected = f"{CALLED[name]} within {allowed:g} s"
            yield expected, f"{exchange.seconds:.1f} s", tool


CALLED = {
    "opening": "`initialize` or `server/discover`",
    "discover": "`server/discover`",
    "list": "`tools/list`",
    "call": "`tools/call`",
}
"""What the times of a fact are about."""


def _timed_exchanges(
    limits: Mapping[str, Json], visit: CheckContext
) -> Iterator[tuple[str, HttpExchange, str]]:
    """The exchanges that a fact limits: its kind, the exchange and the tool."""
    modern = visit.sibling(r.MODERN[-1]).talk
    if "opening" in limits:
        yield "opening", visit.talk.opening, ""
    if "discover" in limits:
        yield "discover", modern.opening, ""
    if "list" in limits:
        yield "list", visit.listing.first, ""
    calls: list[ToolCall] = visit.calls if "call" in limits else []
    yield from (("call", call.exchange, call.name) for call in calls)


STILL: Mapping[str, Judge] = {
    "tool-name": tool_name,
    "argument-name": check_argument_names,
    "tool-count": tool_count,
    "description": check_descriptions,
    "schema-root": root,
    "schema-keyword": check_schema,
    "schema-type": check_schema,
    "schema-reference": check_schema,
    "schema-size": size,
    "schema-dialect": dialect,
    "annotations": check_hints,
    "output-schema": output_schema,
    "mirrored-header": mirrored_header,
}
"""The judges that look at the announced tools only, by the kind of fact."""

LIVE: Mapping[str, Judge] = {
    "instructions": instructions_length,
    "accept": accept_header,
    "https": https,
    "time": time,
}
"""The judges that need a running server."""

CALLING: Mapping[str, Judge] = {
    "result-size": result_size,
    "result-content": result_content,
}
"""The judges that look at calls of tools."""

JUDGES: Mapping[str, Judge] = {**STILL, **LIVE, **CALLING}


@cache
def rules_of(profile: Profile) -> tuple[CheckDef, ...]:
    """One rule for each fact about the host of a profile, in the order of the facts. Experience
    Workspace has checks of its own for what its times mean."""
    own = {"time"} if profile.kind is ProfileKind.WORKSPACE else set()
    found = facts().get(profile.word, ())
    return tuple(_rule(fact) for fact in found if fact.check not in own)


def _rule(fact: HostFact) -> CheckDef:
    title = PROFILES[fact.host].title
    check = replace(
        CHECKS[fact.check],
        profile=fact.host,
        clause=f"{title}, read {fact.read}, confidence {fact.sure}",
        url=fact.url,
    )
    judge = JUDGES[fact.check]

    def judged(visit: CheckContext) -> Iterator[Finding]:
        for expected, saw, tool in judge(fact.limits, visit):
            told = f"{title}: {expected}; otherwise {fact.consequence}"
            yield Finding(told, saw, tool, warns=not fact.fails)

    return CheckDef(check, judged, calls=fact.check in CALLING, listing_only=fact.check in STILL)
