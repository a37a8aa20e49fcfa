"""Extracts facts from requirements: names, arguments, codes and limits, with positions.

Fixed patterns match text with and without back-ticks; uncertain matches are dropped. Only three
kinds bind the author: exact tool lists, names tools/list SHALL NOT have, and arguments tools SHALL
or SHALL NOT advertise. All other kinds feed the draft of `mcpgen bind`.
"""

from __future__ import annotations

from mcpgen.openspec.lower.extraction import arguments, protocol, tools
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Facts, sentences_of
from mcpgen.openspec.model.requirements import Requirements

__all__ = ["Fact", "FactKind", "Facts", "facts_of"]


def facts_of(requirements: Requirements) -> Facts:
    """Returns the facts of a text, in text order."""
    sentences = sentences_of(requirements)
    named = tools.extract_tool_facts(
        sentences, f"{requirements.capability} {requirements.title} {requirements.purpose}"
    )
    known = tools.known_tool_names(named)
    found = [
        *named,
        *arguments.extract_argument_facts(sentences, known),
        *protocol.extract_protocol_facts(sentences),
    ]
    order = {id(sentence): number for number, sentence in enumerate(sentences)}
    found = list({_key(fact): fact for fact in reversed(found)}.values())
    found.sort(key=lambda fact: (order[id(fact.sentence)], fact.span))
    return Facts(tuple(found))


def _key(fact: Fact) -> tuple[object, ...]:
    """Returns the identity of a fact: two patterns may match the same fact in a sentence."""
    return fact.kind, fact.names, fact.tools, fact.phrases, id(fact.sentence)
