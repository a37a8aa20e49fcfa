"""Tools as the text describes them: description and arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.model.companion import DeclaredTool, Input

_ARGUMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}")
_TOOL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_DOES = re.compile(
    r"(?:`[^`]*`|tools?)(?: (?:MCP|curl|read|write|debug))*(?: tools?)?(?: in `[^`]*`)?(?: \([^)]*\))?,? "
    r"(?P<how>that|which|to|for (?:AI )?agents to|for|returning)(?: enables? (?:users|clients|agents) to)? "
    r"(?P<what>[^.]+)"
)
_VERB = {"returning": "Returns", "for": "For"}
_MAX_DESCRIPTION = 300


def inputs_of(name: str, facts: Facts) -> Mapping[str, Mapping[str, Json]]:
    """Returns the argument schemas of a tool, by argument name.

    The default type is `string`. Arguments forbidden by the text are left out.
    """
    concerned = sorted(
        (
            fact
            for fact in facts.of(FactKind.ARGUMENT, FactKind.CALL)
            if name in fact.tools or (not fact.tools and fact.kind is FactKind.ARGUMENT)
        ),
        # A body declares arguments, a step has examples.
        key=lambda fact: fact.sentence.step > 0,
    )
    forbidden = {
        argument
        for fact in facts.of(FactKind.FORBIDDEN_ARGUMENT)
        if not fact.tools or name in fact.tools
        for argument in fact.names
    }
    schemas: dict[str, dict[str, Json]] = {}
    for fact in concerned:
        for argument in fact.names:
            if argument in forbidden or not _ARGUMENT_NAME.fullmatch(argument):
                continue
            schema = schemas.setdefault(argument, {})
            if not schema:
                schema |= fact.schemas.get(argument, {})
            if argument in fact.required:
                schema["required"] = True
    return {argument: {"type": "string"} | schema for argument, schema in schemas.items()}


def description_of(name: str, facts: Facts) -> str:
    """Returns the purpose of a tool as a sentence of the text, `""` without one."""
    for fact in facts.of(FactKind.TOOL):
        if fact.names == (name,) and not fact.sentence.step and (purpose := _purpose(fact)):
            return purpose
    return ""


def _purpose(fact: Fact) -> str:
    """Returns the clause behind a tool's name as a sentence: `that queries X` gives `Queries X.`"""
    start = max(0, fact.span[0] - 1)
    match = _DOES.match(fact.sentence.text, start)
    if match is None:
        return ""
    # A signature behind the purpose is in the arguments already.
    phrase = re.split(r":\s*`?\w+\(", match["what"])[0]
    phrase = " ".join(phrase.replace("`", "").split())
    lead = _VERB.get(match["how"])
    sentence = f"{lead} {phrase}" if lead else phrase[:1].upper() + phrase[1:]
    short = (
        sentence
        if len(sentence) <= _MAX_DESCRIPTION
        else f"{sentence[:_MAX_DESCRIPTION].rpartition(' ')[0]} …"
    )
    return f"{short.rstrip(' ,;:')}."


def drafted_tools(names: Iterable[str], facts: Facts) -> Iterator[DeclaredTool]:
    """Yields tools as the text describes the tools; leaves out names that hosts refuse."""
    for name in names:
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
        yield DeclaredTool(
            name=name,
            title="",
            description=description_of(name, facts),
            annotations={},
            inputs=inputs,
            output=None,
            upstream=None,
            at=fact.at,
            guessed=True,
        )
