"""For each check an example: what breaks it, and what meets it."""

from mcpgen.conformance.examples import (
    features,
    handshake,
    hosts,
    messages,
    runs,
    security,
    tools,
    transport,
)
from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    **handshake.EXAMPLES,
    **transport.EXAMPLES,
    **messages.EXAMPLES,
    **tools.EXAMPLES,
    **features.EXAMPLES,
    **security.EXAMPLES,
    **hosts.EXAMPLES,
    **runs.EXAMPLES,
}
"""The example of each check, by its id."""

__all__ = ["EXAMPLES", "Example"]
