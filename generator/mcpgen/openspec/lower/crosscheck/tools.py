"""The tools and arguments of the companion against the sentences of the text that bind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.model.companion import Companion, DeclaredTool

_QUOTED = 100


def check_surface(companion: Companion, facts: Facts, diagnostics: Diagnostics) -> None:
    """Tells of tools that are missing, forbidden or beyond an exact list, and of arguments."""
    _check_exact(companion, facts, diagnostics)
    _check_forbidden(companion, facts, diagnostics)
    for fact in facts.of(FactKind.FORBIDDEN_ARGUMENT, FactKind.ARGUMENT):
        if fact.demanded:
            _check_arguments(companion, fact, diagnostics)


def matches_name(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is one of the patterns, in which `*` stands for any letters."""
    plain = (pattern.replace("[", "[[]").replace("?", "[?]") for pattern in patterns)
    return any(fnmatchcase(name, pattern) for pattern in plain)


def _check_exact(companion: Companion, facts: Facts, diagnostics: Diagnostics) -> None:
    lists = list(facts.of(FactKind.EXACT_TOOLS))
    if not lists:
        return
    first = lists[0]
    others = [fact for fact in lists if set(fact.names) != set(first.names)]
    for other in others:
        diagnostics.add(codes.CONTRADICTING_LISTS, other.at, where=_where(first.at))
    if others:
        return
    declared = {tool.name for tool in companion.tools}
    missing = [name for name in first.names if name not in declared]
    for name in missing:
        diagnostics.add(codes.UNDECLARED_TOOL, first.at, name=name)
    for tool in companion.tools:
        if tool.name not in first.names:
            diagnostics.add(
                codes.TOOL_BEYOND_LIST,
                tool.at,
                severity=None,
                name=tool.name,
                **_describe_fact(first),
            )


def _check_forbidden(companion: Companion, facts: Facts, diagnostics: Diagnostics) -> None:
    glossary = {_folded(phrase): names for phrase, names in companion.glossary.items()}
    for fact in facts.of(FactKind.FORBIDDEN_TOOLS):
        patterns = list(fact.names)
        for phrase in fact.phrases:
            if _folded(phrase) in glossary:
                patterns += glossary[_folded(phrase)]
            else:
                diagnostics.add(codes.UNKNOWN_PHRASE, fact.at, phrase=phrase)
        for tool in companion.tools:
            if matches_name(tool.name, patterns):
                diagnostics.add(
                    codes.FORBIDDEN_TOOL,
                    tool.at,
                    severity=None,
                    name=tool.name,
                    **_describe_fact(fact),
                )


def _check_arguments(companion: Companion, fact: Fact, diagnostics: Diagnostics) -> None:
    for tool in _concerned(companion.tools, fact.tools):
        places = {one.name: one.at for one in tool.inputs or ()}
        for name in fact.names:
            facts = {"name": name, "tool": tool.name, **_describe_fact(fact)}
            if fact.kind is FactKind.FORBIDDEN_ARGUMENT and name in places:
                diagnostics.add(codes.FORBIDDEN_ARGUMENT, places[name], severity=None, **facts)
            elif fact.kind is FactKind.ARGUMENT and name not in places:
                diagnostics.add(codes.MISSING_ARGUMENT, tool.at, severity=None, **facts)


def _concerned(tools: Sequence[DeclaredTool], names: Sequence[str]) -> Iterator[DeclaredTool]:
    """The tools that a sentence is about, without those whose arguments are the operation's own."""
    return (tool for tool in tools if tool.inputs is not None and (not names or tool.name in names))


def _describe_fact(fact: Fact) -> Mapping[str, str]:
    """What the text says and where, as messages tell it."""
    quote = fact.sentence.text[fact.span[0] : fact.span[1]].strip()
    short = quote if len(quote) <= _QUOTED else quote[: _QUOTED - 1] + "…"
    return {"quote": f"“{short}”", "where": _where(fact.at)}


def _where(at: Location) -> str:
    return f"{at.file}:{at.line}" if at.line else at.file


def _folded(phrase: str) -> str:
    """A phrase without case, hyphens and plural, as texts vary them."""
    return " ".join(phrase.lower().replace("-", " ").split()).removesuffix("s")
