"""Opens the probe of a target: a URL, or a command after `stdio:`."""

from __future__ import annotations

import time

from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.stdio_probe import StdioProbe, StdioRun, is_stdio, stdio_words


def open_probe(target: str, options: CheckOptions) -> Probe:
    """A probe for a URL, or for the server that a command such as `stdio:python -m server` starts.

    Raises UnusableTarget for a command that cannot be started.
    """
    if is_stdio(target):
        ends = time.monotonic() + options.deadline
        words = stdio_words(target)
        return StdioProbe(StdioRun(words, options.timeout, ends, options.max_bytes))
    return Probe(
        target,
        timeout=options.timeout,
        deadline=options.deadline,
        max_bytes=options.max_bytes,
        event_bytes=options.event_bytes,
    )
