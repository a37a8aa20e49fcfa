"""Checks that whoever asks for a run makes: does the command serve, does the baseline shrink?"""

from __future__ import annotations

from mcpgen.conformance.checks.check_def import SpecPage

_PAGE = SpecPage(
    "mcpgen check",
    "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports",
    profile="run",
)

COMMAND_SERVES = _PAGE.must(
    "command-serves",
    "The command given with `--run` starts a server that listens, and that lives through the checks.",
    "",
    "Without it there is nothing to check, and a server that ends under unusual requests can be ended "
    "by anybody.",
    "Read the last lines of its output in the report. Let it listen at the port in `PORT` or at "
    "`{port}` of the command, or name the URL at which it answers.",
)

BASELINE_SHRINKS = _PAGE.must(
    "baseline-shrinks",
    "Every finding that the baseline lists is still there.",
    "",
    "An entry that nobody needs hides the day on which the finding comes back.",
    "Remove the entry, or write the list anew with `--write-baseline FILE`.",
)

CHECKS = (COMMAND_SERVES, BASELINE_SHRINKS)
