"""What requirements say in words that leave no doubt: names, arguments, codes, limits, with places.

Found by fixed patterns, with and without back-ticks; what a pattern is not sure of is left out. Only
three kinds bind the author: exact lists of tools, names that tools/list SHALL NOT have, and
arguments that tools SHALL or SHALL NOT advertise. The others go into the draft of `mcpgen bind`.
"""

from __future__ import annotations

from mcpgen.openspec.lower.extraction import arguments, protocol, tools
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Facts, sentences_of
from mcpgen.openspec.model.requirements import Requirements

__all__ = ["Fact", "FactKind", "Facts", "facts_of"]


def facts_of(requirements: Requirements) -> Facts:
    """The facts of a text, in its order."""
    sentences = sentences_of(requirements)
    named = tools.extract_tool_facts(sentences)
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
    """What tells facts apart: two patterns may find the same in one sentence."""
    return fact.kind, fact.names, fact.tools, fact.phrases, id(fact.sentence)
