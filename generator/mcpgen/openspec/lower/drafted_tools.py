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
    r"(?P<how>that|which|to|for (?:AI )?agents to|for|returning|wrapping)(?: enables? (?:users|clients|agents) to)? "
    r"(?P<what>[^.]+)"
)
_VERB = {"returning": "Returns", "wrapping": "Wraps", "for": "For"}
_MAX_DESCRIPTION = 300
_NO_PURPOSE = r"(?:accept|also|always|be|fail|forward|have|include|never|not|NOT|only|reject|require|support|take|use|validate)"
_PURPOSES = (
    rf"^(?:The |the )?(?:MCP )?(?:tool )?TOOL(?: MCP)?(?: tool)? (?:SHALL|MUST|shall|must) (?P<what>(?!{_NO_PURPOSE}\b)[a-z]+ [^.]+)",
    r"TOOL(?: ?\([^()]*\))?(?: (?:—|–|--|-)|:) (?P<what>(?!each\b|and\b|or\b)[a-z][\w'-]* [\w`'-]+ [^.;—]+)",
    r"TOOL \((?P<what>[a-z]+ [a-z]+ [a-z]+[^()`=→]*)\)",
    r"TOOL ?(?:工具)?[，：] ?(?P<what>可?[\u4e00-\u9fff][^。；]+)",
)
"""Clauses about the purpose of a tool, best first; TOOL is its name in back-ticks."""


def inputs_of(name: str, facts: Facts) -> Mapping[str, Mapping[str, Json]]:
    """Returns the argument schemas of a tool, by argument name.

    The default type is `string`. Arguments forbidden by the text are left out. A sentence about all
    tools is about the tools that its file names: `facts` may be those of several capabilities.
    """
    files = {
        fact.at.file for fact in facts.of(FactKind.EXACT_TOOLS, FactKind.TOOL) if name in fact.names
    }

    def concerns_tool(fact: Fact) -> bool:
        return name in fact.tools or (not fact.tools and fact.at.file in files)

    concerned = sorted(
        (
            fact
            for fact in facts.of(FactKind.ARGUMENT, FactKind.CALL)
            if concerns_tool(fact) and (fact.tools or fact.kind is FactKind.ARGUMENT)
        ),
        # A body declares arguments, a step has examples.
        key=lambda fact: fact.sentence.step > 0,
    )
    forbidden = {
        argument
        for fact in facts.of(FactKind.FORBIDDEN_ARGUMENT)
        if concerns_tool(fact)
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
    """Returns the purpose of a tool as a sentence of the text, `""` without one.

    A clause about this tool alone goes before a clause behind a list of tools.
    """
    for fact in facts.of(FactKind.TOOL):
        if fact.names == (name,) and not fact.sentence.step and (purpose := _purpose(fact)):
            return purpose
    sentences = dict.fromkeys(
        fact.sentence.text
        for fact in facts.of(FactKind.TOOL, FactKind.EXACT_TOOLS, FactKind.ARGUMENT)
        if name in (*fact.names, *fact.tools) and not fact.sentence.step
    )
    tool = rf"`{re.escape(name)}(?:\([^`]*\))?`"
    for pattern in _PURPOSES:
        for sentence in sentences:
            match = re.search(pattern.replace("TOOL", tool), sentence)
            if match and (phrase := _phrase(match["what"])):
                return _as_sentence(phrase)
    return ""


def _purpose(fact: Fact) -> str:
    """Returns the clause behind a tool's name as a sentence: `that queries X` gives `Queries X.`"""
    start = max(0, fact.span[0] - 1)
    match = _DOES.match(fact.sentence.text, start)
    if match is None:
        return ""
    phrase = _phrase(match["what"])
    lead = _VERB.get(match["how"])
    return _as_sentence(f"{lead} {phrase}" if lead else phrase)


def _phrase(text: str) -> str:
    """Returns a clause without back-ticks, and without a signature, which is in the arguments already."""
    return " ".join(re.split(r":\s*`?\w+\(", text)[0].replace("`", "").split())


def _as_sentence(phrase: str) -> str:
    sentence = phrase[:1].upper() + phrase[1:]
    short = (
        sentence
        if len(sentence) <= _MAX_DESCRIPTION
        else f"{sentence[:_MAX_DESCRIPTION].rpartition(' ')[0]} …"
    )
    end = "。" if re.search(r"[\u4e00-\u9fff]$", short) else "."
    return f"{short.rstrip(' ,;:')}{end}"


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
