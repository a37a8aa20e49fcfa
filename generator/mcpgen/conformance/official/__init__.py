"""The official conformance suite as a second opinion, in the words of our report."""

from mcpgen.conformance.official.node import Unavailable
from mcpgen.conformance.official.opinion import Offer, opinions
from mcpgen.conformance.official.scenarios import CHECKS, REVISIONS, VERSION

__all__ = ["CHECKS", "REVISIONS", "VERSION", "Offer", "Unavailable", "opinions"]
