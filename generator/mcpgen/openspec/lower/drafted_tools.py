"""Tools as the text describes them: description, arguments and operation."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.model.companion import DeclaredTool, Input, UpstreamOperation

_ARGUMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}")
_TOOL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_DOES = re.compile(
    r"(?:`[^`]*`|tools?)(?: (?:MCP|curl|read|write|debug))*(?: tools?)?(?: in `[^`]*`)?(?: \([^)]*\))?,? "
    r"(?P<how>that|which|to|for (?:AI )?agents to|for|returning)(?: enables? (?:users|clients|agents) to)? "
    r"(?P<what>[^.]+)"
)
_VERB = {"returning": "Returns", "for": "For"}
_LONGEST = 300


def inputs_of(name: str, facts: Facts) -> Mapping[str, Mapping[str, Json]]:
    """Returns the argument schemas of a tool, by argument name.

    The default type is `string`. Arguments forbidden by the text are left out.
    """
    concerned = [
        fact
        for fact in facts.of(FactKind.ARGUMENT, FactKind.CALL)
        if name in fact.tools or (not fact.tools and fact.kind is FactKind.ARGUMENT)
    ]
    forbidden = {
        argument
        for fact in facts.of(FactKind.FORBIDDEN_ARGUMENT)
        if not fact.tools or name in fact.tools
        for argument in fact.names
    }
    found: dict[str, dict[str, Json]] = {}
    for fact in concerned:
        for argument in fact.names:
            if argument in forbidden or not _ARGUMENT_NAME.fullmatch(argument):
                continue
            schema = found.setdefault(argument, {})
            if not schema:
                schema |= fact.schemas.get(argument, {})
            if argument in fact.required:
                schema["required"] = True
    return {argument: {"type": "string"} | schema for argument, schema in found.items()}


def description_of(name: str, facts: Facts) -> str:
    """Returns what the text says that a tool does; else the words of the tool's name."""
    for fact in facts.of(FactKind.TOOL):
        if fact.names == (name,) and not fact.sentence.step and (said := _purpose(fact)):
            return said
    return " ".join(re.sub(r"[_-]+", " ", name).split())


def _purpose(fact: Fact) -> str:
    """Returns the clause behind a tool's name as a sentence: `that queries X` gives `Queries X.`"""
    start = max(0, fact.span[0] - 1)
    match = _DOES.match(fact.sentence.text, start)
    if match is None:
        return ""
    what = " ".join(match["what"].replace("`", "").split())
    lead = _VERB.get(match["how"])
    said = f"{lead} {what}" if lead else what[:1].upper() + what[1:]
    short = said if len(said) <= _LONGEST else f"{said[:_LONGEST].rpartition(' ')[0]} …"
    return f"{short.rstrip(' ,;:')}."


def drafted_tools(
    facts: Facts, upstream: Mapping[str, UpstreamOperation] | None = None
) -> tuple[DeclaredTool, ...]:
    """Returns the tools that the text names, as the text describes them.

    `upstream` are the operations behind tools, by tool name; such a tool takes the arguments of the
    operation. Names that hosts refuse are left out.
    """
    operations = upstream or {}
    tools = []
    for name in facts.tools:
        if not _TOOL_NAME.fullmatch(name):
            continue
        fact = next(
            fact for fact in facts.of(FactKind.EXACT_TOOLS, FactKind.TOOL) if name in fact.names
        )
        inputs = tuple(
            Input(
                argument,
                {key: value for key, value in schema.items() if key != "required"},
                schema.get("required") is True,
                fact.at,
            )
            for argument, schema in inputs_of(name, facts).items()
        )
        behind = operations.get(name)
        tools.append(
            DeclaredTool(
                name=name,
                title="",
                description=description_of(name, facts),
                annotations={},
                inputs=None if behind else inputs,
                output=None,
                upstream=behind,
                at=fact.at,
                guessed=True,
            )
        )
    return tuple(tools)
