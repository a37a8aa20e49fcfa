"""The official conformance suite as a second opinion, in the words of our report."""

from mcpgen.conformance.official.capabilities import Capabilities, offer
from mcpgen.conformance.official.integrate import second_opinion
from mcpgen.conformance.official.node import SuiteUnavailable, suite
from mcpgen.conformance.official.results import opinions, outcomes
from mcpgen.conformance.official.scenarios import CHECKS, REVISIONS, VERSION

__all__ = [
    "CHECKS",
    "REVISIONS",
    "VERSION",
    "Capabilities",
    "SuiteUnavailable",
    "offer",
    "opinions",
    "outcomes",
    "second_opinion",
    "suite",
]
