"""The official conformance suite as a second opinion, in the words of our report."""

from mcpgen.conformance.official.asking import second_opinion
from mcpgen.conformance.official.node import Unavailable, suite
from mcpgen.conformance.official.offering import Offer, offer
from mcpgen.conformance.official.opinion import opinions, outcomes
from mcpgen.conformance.official.scenarios import CHECKS, REVISIONS, VERSION

__all__ = [
    "CHECKS",
    "REVISIONS",
    "VERSION",
    "Offer",
    "Unavailable",
    "offer",
    "opinions",
    "outcomes",
    "second_opinion",
    "suite",
]
