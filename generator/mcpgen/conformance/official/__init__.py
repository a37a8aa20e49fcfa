"""The official conformance suite as a second opinion, in the words of our report."""

from mcpgen.conformance.official.results import (
    Capabilities,
    opinions,
    outcomes,
    read_capabilities,
    second_opinion,
)
from mcpgen.conformance.official.runner import SuiteUnavailable, install_suite
from mcpgen.conformance.official.scenarios import CHECKS, REVISIONS, VERSION

__all__ = [
    "CHECKS",
    "REVISIONS",
    "VERSION",
    "Capabilities",
    "SuiteUnavailable",
    "install_suite",
    "opinions",
    "outcomes",
    "read_capabilities",
    "second_opinion",
]
