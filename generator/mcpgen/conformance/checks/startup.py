"""Checks that need more than an address: whoever starts the server makes them."""

from __future__ import annotations

from mcpgen.conformance.checks.check_def import SpecPage, page

_PAGE = SpecPage("Tools", page("2026-07-28", "server/tools"), profile="trial")

STARTS = _PAGE.must(
    "trial-starts",
    "The built server starts and answers `/healthz`.",
    "",
    "A project that does not start is of no use, however well it reads.",
    "Read the last lines of its output in the report; the cause is usually a hook that fails on "
    "import or a package that is not installed.",
)

REQUEST_ARRIVES = _PAGE.must(
    "trial-request-arrives",
    "A call of a tool sends the request of its scenario to the API.",
    "",
    "The right arguments in the wrong place are the error that no schema finds.",
    "If a hook replaces the tool on purpose, declare it in `Hooks(tools={...})` by name: hooked tools "
    "are exempt. Otherwise this is a fault of the generator: please report it.",
)

CHECKS = (STARTS, REQUEST_ARRIVES)
