"""Extracts facts from requirements: names, arguments, codes and limits, with positions.

Fixed patterns match text with and without back-ticks; uncertain matches are dropped. Only three
kinds bind the author: exact tool lists, names tools/list SHALL NOT have, and arguments tools SHALL
or SHALL NOT advertise. All other kinds feed the draft of `mcpgen bind`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.openspec.lower.extraction import arguments, protocol, signatures, tools
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Facts, sentences_of
from mcpgen.openspec.model.requirements import Requirements

__all__ = ["Fact", "FactKind", "Facts", "facts_of", "facts_of_all"]


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
        *protocol.extract_protocol_facts(sentences),
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
