"""Extracts facts from requirements: names, arguments, codes and limits, with positions.

Fixed patterns match text with and without back-ticks; uncertain matches are dropped. Only three
kinds bind the author: exact tool lists, names tools/list SHALL NOT have, and arguments tools SHALL
or SHALL NOT advertise. All other kinds feed the draft of `mcpgen bind`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mcpgen.openspec.lower.extraction import arguments, signatures, tools
from mcpgen.openspec.lower.extraction.calls import SNAKE
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Facts, Sentence, sentences_of
from mcpgen.openspec.model.requirements import Requirements

__all__ = ["Fact", "FactKind", "Facts", "facts_of", "facts_of_all"]

_CODE = rf"({SNAKE}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"
_ERRORS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (FactKind.ERROR_CODE, rf"(?<![\w.]){_CODE}`? (?:errors?\b|error code\b)"),
        (FactKind.ERROR_CODE, rf"\b(?:error|code|errors) (?:code )?(?:of |is )?`{_CODE}`"),
        (FactKind.ERROR_CODE, rf"\btyped `{_CODE}` (?=[1-5]\d\d\b)"),
        (FactKind.HINT, r"\b(retry_with|next_step|next_tool|retry_after)`?:\s*\"([^\"`]+)\""),
    )
)
"""Patterns per kind: the first group is the name, the second the value of a hint how to retry."""


def facts_of(requirements: Requirements, elsewhere: Sequence[str] = ()) -> Facts:
    """Returns the facts of a text, in text order.

    `elsewhere` are the tools of other capabilities of the same server: calls of these tools are read,
    but `Facts.tools` stays the tools that this text names.
    """
    sentences = sentences_of(requirements)
    tool_facts = tools.extract_tool_facts(
        sentences, f"{requirements.capability} {requirements.title} {requirements.purpose}"
    )
    names = tuple(dict.fromkeys((*tools.known_tool_names(tool_facts), *elsewhere)))
    facts = [
        *tool_facts,
        *arguments.extract_argument_facts(sentences, names),
        *signatures.extract_declared_arguments(requirements, sentences, names),
        *_error_facts(sentences),
    ]
    order = {id(sentence): number for number, sentence in enumerate(sentences)}
    facts = list({_fact_identity(fact): fact for fact in reversed(facts)}.values())
    facts = [fact for fact in facts if not _is_repeated(fact, facts)]
    facts.sort(key=lambda fact: (order[id(fact.sentence)], fact.span))
    return Facts(tuple(facts))


def facts_of_all(texts: Sequence[Requirements], declared: Sequence[str] = ()) -> list[Facts]:
    """Returns the facts of the capabilities of a server; a text is read with the tools of all texts.

    `declared` are the tools of companions.
    """
    own = [facts_of(text) for text in texts]
    if len(own) == 1:
        return own
    names = (name for facts in own for name in facts.tools)
    every = tuple(dict.fromkeys((*names, *declared)))
    return [
        facts_of(text, every) if set(every) - set(facts.tools) else facts
        for text, facts in zip(texts, own, strict=True)
    ]


def _error_facts(sentences: Sequence[Sentence]) -> Iterator[Fact]:
    """Yields the codes of errors and the hints how to retry, each once per sentence."""
    for sentence in sentences:
        keys = set()
        for kind, pattern in _ERRORS:
            for match in pattern.finditer(sentence.text):
                name = match[1]
                values = {name: match[2]} if kind is FactKind.HINT else {}
                if (kind, name) not in keys:
                    keys.add((kind, name))
                    yield Fact(kind, (name,), sentence, match.span(), values=values)


def _fact_identity(fact: Fact) -> tuple[object, ...]:
    """Returns the identity of a fact: two patterns may match the same fact in a sentence."""
    return fact.kind, fact.names, fact.tools, fact.phrases, id(fact.sentence)


def _is_repeated(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Returns whether a fact in the same sentence gives the arguments, and this fact no schema."""
    if fact.kind is not FactKind.ARGUMENT or fact.demanded or any(fact.schemas.values()):
        return False
    return any(
        candidate is not fact
        and candidate.sentence is fact.sentence
        and candidate.tools == fact.tools
        and candidate.kind in (FactKind.ARGUMENT, FactKind.CALL)
        and set(fact.names) < set(candidate.names)
        for candidate in facts
    )
