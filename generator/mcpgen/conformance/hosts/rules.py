"""The checks of one host, made from the host's facts.

Each function of a kind of fact yields the expectation, the observation and the tool; the fact
supplies the consequence and the severity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from mcpgen.conformance import revisions
from mcpgen.conformance.calls import ToolCall
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import CheckDef
from mcpgen.conformance.checks.predicates import blocks, is_text_block, private
from mcpgen.conformance.checks.run_checks import HOST_CHECKS
from mcpgen.conformance.checks.tools_list import header_problem
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.hosts.facts import ADVICE, HostFact, facts
from mcpgen.conformance.model import Finding
from mcpgen.conformance.profiles import PROFILES, Profile, ProfileKind
from mcpgen.conformance.schemas import schema_problem
from mcpgen.conformance.strict_json import Json

Violations = Iterator[tuple[str, str, str]]
"""Expectation, observation and tool (`""` for the server)."""

FactCheck = Callable[[Mapping[str, Json], CheckContext], Violations]

SERVER_NAME = "s" * 14
"""The assumed server name; hosts put the name before the tool's name.

With 14 characters, a tool name of 40 characters (the longest that `build` chooses) stays within the
limit of every host: `mcp__{server}__{tool}` has 61 of 64 characters in Experience Workspace,
`mcp_{server}_{tool}` 59 of 63 in Gemini CLI, `{server}{tool}` 54 of 59 in Cursor.
"""

HARMLESS = frozenset({"$schema", "$id", "$comment", "title", "examples", "deprecated", "readOnly"})
"""Keywords without effect on the valid arguments."""

MARK_WORDS = {
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
    "open-root": "acceptance of arguments that are not announced",
    "root-not-object": "type other than `object`",
}
"""Features of a schema that have no keyword (`ToolFeatures.marks`), in words."""

REQUEST_NAMES = {
    "opening": "`initialize` or `server/discover`",
    "discover": "`server/discover`",
    "list": "`tools/list`",
    "call": "`tools/call`",
}
"""The requests that a time limit is about."""


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def check_tool_names(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Tool names that do not match, or are too long behind the server's name."""
    pattern, longest = limits.get("pattern"), limits.get("max")
    for tool in context.tools:
        own = tool["name"]
        name = limits.get("template", "{tool}").format(server=SERVER_NAME, tool=own)
        prefixed = f" as `{name}`" if name != own else ""
        if pattern and not _pattern(pattern).fullmatch(name):
            yield f"a name that matches `{pattern}`", printable(own) + prefixed, own
        elif longest and len(name) > longest:
            yield f"a name of at most {longest} characters", f"{len(name)} characters{prefixed}", own


def check_argument_names(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Argument names that do not match; nested ones too, unless `top` is set."""
    pattern = _pattern(limits["pattern"])
    for tool, features in zip(context.tools, context.features, strict=True):
        for key, top in features.keys:
            if (top or not limits.get("top")) and not pattern.fullmatch(key):
                yield f"argument names that match `{pattern.pattern}`", printable(key), tool["name"]


def check_tool_count(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """More tools than the host takes."""
    if len(context.tools) > limits["max"]:
        yield f"at most {limits['max']} tools", f"{len(context.tools)} tools", ""


def check_descriptions(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Missing, empty or too long descriptions."""
    for tool in context.tools:
        text = tool.get("description")
        if text is None and limits.get("present"):
            yield "a description", "none", tool["name"]
        elif text == "" and limits.get("not_empty"):
            yield "a description that is not empty, or none", "an empty one", tool["name"]
        elif isinstance(text, str) and (problem := too_long(text, limits)):
            yield f"a description of at most {problem[0]}", problem[1], tool["name"]


def too_long(text: str, limits: Mapping[str, Json]) -> tuple[str, str] | None:
    """Limit and length in words if `text` exceeds a limit, or None.

    Example: `("1,024 characters", "1,310 characters")`.
    """
    lengths = {
        "max_chars": (len(text), "characters"),
        "max_bytes": (len(text.encode("utf-8", "replace")), "bytes"),
        "max_tokens": (len(text) // 4, "tokens, at four characters each"),
    }
    for limit, (length, unit) in lengths.items():
        if limit in limits and length > limits[limit]:
            return f"{limits[limit]:,} {unit}", f"{length:,} {unit}"
    return None


def check_schema_root(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Marks at the schema's root that the host rejects."""
    refused = frozenset(limits["refuses"])
    for tool, features in zip(context.tools, context.features, strict=True):
        for mark in sorted(refused & features.root):
            yield f"no {_mark_in_words(mark)} at the root of the schema", _mark_in_words(
                mark
            ), tool["name"]


def check_schema(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Marks that the host rejects, and keywords that it drops although no description repeats their
    value."""
    refused = frozenset(limits.get("refuses", ()))
    dropped_keywords = frozenset(limits.get("loses", ()))
    keywords_kept = frozenset(limits["keeps"]) | HARMLESS if "keeps" in limits else None
    for tool, features in zip(context.tools, context.features, strict=True):
        for mark in refused & features.marks.keys():
            yield f"no {_mark_in_words(mark)}", f"at `{features.marks[mark] or '/'}`", tool["name"]
        lost_marks = (
            features.lost.keys() & dropped_keywords
            if keywords_kept is None
            else features.lost.keys() - keywords_kept
        )
        for mark in sorted(key for key in lost_marks if not key.startswith("x-")):
            expected = f"no {_mark_in_words(mark)}, or its value in the description, too"
            yield expected, f"at `{features.lost[mark] or '/'}`", tool["name"]


@cache
def _mark_in_words(mark: str) -> str:
    return MARK_WORDS.get(mark) or f"`{printable(mark, 40)}`"


def check_schema_size(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Too deep or too large schemas."""
    for tool, features in zip(context.tools, context.features, strict=True):
        counts = {
            "depth": (features.depth, "levels of values in values"),
            "properties": (features.properties, "properties"),
            "enum": (features.enum, "enumerated values"),
            "chars": (features.chars, "characters in names and enumerated values"),
        }
        for limit, (count, unit) in counts.items():
            if limit in limits and count > limits[limit]:
                yield f"at most {limits[limit]:,} {unit}", f"{count:,}", tool["name"]


def check_schema_dialect(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Schemas that are invalid in the host's dialect."""
    name = limits["dialect"].rpartition("json-schema.org/")[2].removesuffix("/schema")
    for tool in context.tools:
        schema = tool.get("inputSchema")
        if isinstance(schema, dict):
            problem = schema_problem({**schema, "$schema": limits["dialect"]})
            if problem:
                yield f"a schema that is valid as JSON Schema {name}", problem, tool["name"]


def check_hints(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Missing titles and hints; `one_of`: pairs of hint and value, of which one must be set."""
    pairs = limits.get("one_of", ())
    for tool in context.tools:
        declared = tool.get("annotations")
        annotations = declared if isinstance(declared, dict) else {}
        missing = [
            hint for hint in limits.get("hints", ()) if not isinstance(annotations.get(hint), bool)
        ]
        if limits.get("title") and not (tool.get("title") or annotations.get("title")):
            missing.append("title")
        if missing:
            yield _expected_annotations(limits), f"no {', '.join(missing)}", tool["name"]
        if pairs and not any(annotations.get(hint) is value for hint, value in pairs):
            expected = " or ".join(f"`{hint}: {str(value).lower()}`" for hint, value in pairs)
            yield expected, printable(annotations), tool["name"]


def _expected_annotations(limits: Mapping[str, Json]) -> str:
    hints = ", ".join(f"`{hint}`" for hint in limits.get("hints", ()))
    parts = ["a title"] if limits.get("title") else []
    parts += [f"true or false for each of the hints {hints}"] if hints else []
    return ", and ".join(parts)


def check_output_schemas(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Tools without an `outputSchema`."""
    for tool in context.tools:
        if not isinstance(tool.get("outputSchema"), dict):
            yield "an `outputSchema`", "none", tool["name"]


def check_mirrored_headers(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Arguments with an invalid `x-mcp-header`."""
    for tool in context.tools:
        if problem := header_problem(tool):
            yield "`x-mcp-header` is a unique token on a scalar argument", problem, tool["name"]


def check_instructions_length(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Too long server instructions."""
    text = context.session.opening_result().get("instructions")
    if isinstance(text, str) and (problem := too_long(text, limits)):
        yield f"instructions of at most {problem[0]}", problem[1], ""


def check_result_sizes(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Too long texts of results."""
    for call in context.calls:
        text = "".join(block["text"] for block in blocks(call.result) if is_text_block(block))
        if problem := too_long(text, limits):
            yield f"a result of at most {problem[0]}", problem[1], call.name


def check_result_content(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Content blocks of a kind that the host does not support."""
    for call in context.calls:
        for block in blocks(call.result):
            kind = block.get("type") if isinstance(block, dict) else None
            if isinstance(kind, str) and kind not in limits["knows"]:
                yield f"content of the types {', '.join(limits['knows'])}", kind, call.name


def check_accept_header(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """No answer to a request with the host's `Accept` header."""
    context.session.open()
    headers = {"Accept": limits["accept"]}
    exchange = context.session.send(context.idle_method, identifier="accept", headers=headers)
    if exchange.response("accept") is None:
        yield f"an answer to `Accept: {limits['accept']}`", str(exchange), ""


def check_https(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """A public URL without TLS."""
    url, hostname = context.session.probe.url, context.session.probe.hostname
    if url is not None and url.scheme != "https" and not private(hostname):
        yield "an https address", f"`{url.scheme}://{hostname}`", ""


def check_response_times(limits: Mapping[str, Json], context: CheckContext) -> Violations:
    """Openings, lists and calls beyond the host's timeouts."""
    for name, exchange, tool in _timed_exchanges(limits, context):
        allowed = limits[name] * context.options.pace
        if exchange.seconds > allowed:
            expected = f"{REQUEST_NAMES[name]} within {allowed:g} s"
            yield expected, f"{exchange.seconds:.1f} s", tool


def _timed_exchanges(
    limits: Mapping[str, Json], context: CheckContext
) -> Iterator[tuple[str, HttpExchange, str]]:
    """The exchanges that a fact limits: kind, exchange, tool."""
    modern = context.in_revision(revisions.MODERN[-1]).session
    if "opening" in limits:
        yield "opening", context.session.opening, ""
    if "discover" in limits:
        yield "discover", modern.opening, ""
    if "list" in limits:
        yield "list", context.listing.first, ""
    calls: list[ToolCall] = context.calls if "call" in limits else []
    yield from (("call", call.exchange, call.name) for call in calls)


LISTING_FACT_CHECKS: Mapping[str, FactCheck] = {
    "tool-name": check_tool_names,
    "argument-name": check_argument_names,
    "tool-count": check_tool_count,
    "description": check_descriptions,
    "schema-root": check_schema_root,
    "schema-keyword": check_schema,
    "schema-type": check_schema,
    "schema-reference": check_schema,
    "schema-size": check_schema_size,
    "schema-dialect": check_schema_dialect,
    "annotations": check_hints,
    "output-schema": check_output_schemas,
    "mirrored-header": check_mirrored_headers,
}
"""Checks of the announced tools, by kind of fact."""

LIVE_FACT_CHECKS: Mapping[str, FactCheck] = {
    "instructions": check_instructions_length,
    "accept": check_accept_header,
    "https": check_https,
    "time": check_response_times,
}
"""Checks that need a running server."""

CALL_FACT_CHECKS: Mapping[str, FactCheck] = {
    "result-size": check_result_sizes,
    "result-content": check_result_content,
}
"""Checks of calls of tools."""

FACT_CHECKS: Mapping[str, FactCheck] = {
    **LISTING_FACT_CHECKS,
    **LIVE_FACT_CHECKS,
    **CALL_FACT_CHECKS,
}


@cache
def is_advice(host: str, check: str) -> bool:
    """True if a host only advises against what a check (`host-output-schema`) finds."""
    of_kind = [fact.then for fact in facts().get(host, ()) if f"host-{fact.check}" == check]
    return bool(of_kind) and {*of_kind} == {ADVICE}


@cache
def rules_of(profile: Profile) -> tuple[CheckDef, ...]:
    """A rule per fact about the profile's host, in the order of the facts.

    Without facts about timeouts for the host Experience Workspace, which has checks of its own for
    them.
    """
    own_kinds = {"time"} if profile.kind is ProfileKind.WORKSPACE else set()
    host_facts = facts().get(profile.word, ())
    return tuple(_rule(fact) for fact in host_facts if fact.check not in own_kinds)


def _rule(fact: HostFact) -> CheckDef:
    title = PROFILES[fact.host].title
    check = replace(
        HOST_CHECKS[fact.check],
        profile=fact.host,
        clause=f"{title}, read {fact.read}, confidence {fact.sure}",
        url=fact.url,
    )
    check_fact = FACT_CHECKS[fact.check]

    def find_violations(context: CheckContext) -> Iterator[Finding]:
        for expected, saw, tool in check_fact(fact.limits, context):
            text = f"{title}: {expected}; otherwise {fact.consequence}"
            yield Finding(text, saw, tool, warns=not fact.fails)

    return CheckDef(
        check,
        find_violations,
        calls=fact.check in CALL_FACT_CHECKS,
        listing_only=fact.check in LISTING_FACT_CHECKS,
    )
