"""Reports and servers for several test modules."""

from __future__ import annotations

import os
from typing import Any

from base_server import ConformingServer, tool

from mcpgen.conformance import TABLE, CheckOutcome, CheckStatus, Measurement, Report

HOSTILE = (
    "</script><script>document.title = 'owned'</script>",
    "<img src=x onerror=\"document.title = 'owned'\">",
    "\" onmouseover=\"document.title = 'owned'",
    "</pre></details></style><svg onload=\"document.title = 'owned'\">",
    "<!--",
    "]]>",
    "javascript:document.title = 'owned'",
    "&lt;b&gt; ${7*7} {{7*7}} ` ``` | ~~~ @everyone #1 ![x](http://127.0.0.1:9/x)",
    "\x1b[31mred\x07\x00 \u202egnp.exe \ud800 \ufeff",
)
"""Texts that attack HTML, Markdown, terminals and templates."""

PING = TABLE["ping-answers"]
NAME = TABLE["universal-tool-name"]
FLAT = TABLE["universal-flat"]

SMALL = Report(
    "http://127.0.0.1:1/mcp",
    (
        CheckOutcome(PING, CheckStatus.PASSED, revision="2025-06-18", profiles=("protocol",)),
        CheckOutcome(
            NAME, CheckStatus.WARNING, "a short name", "getPet", "getPet", "", ("universal",)
        ),
        CheckOutcome(
            PING, CheckStatus.FAILED, "an answer", "HTTP 500", "", "2025-03-26", ("protocol",)
        ),
        CheckOutcome(
            PING, CheckStatus.FAILED, "an answer", "HTTP 500", "", "2025-11-25", ("protocol",)
        ),
        CheckOutcome(
            FLAT, CheckStatus.KNOWN, "a scalar", "an object", "getPet", "", ("universal",)
        ),
        CheckOutcome(
            PING, CheckStatus.NOT_APPLICABLE, revision="2024-11-05", profiles=("protocol",)
        ),
    ),
    ("2025-03-26", "2025-06-18", "2025-11-25"),
    ("2 of 3 tools were not called",),
    1.25,
    (tool("getPet", {}, []),),
    (
        Measurement(
            *("tools/list", "2025-11-25", 12.0, 20, 1.5, 2.0, 6.0, 7.0),
            buckets=((1.0, 0), (3.0, 15), (10.0, 5), (float("inf"), 0)),
        ),
    ),
)
"""A report with one outcome of each status, a tool and a measurement."""


def hostile_report() -> Report:
    """A report with hostile text in every member."""
    outcomes = []
    tools: list[dict[str, Any]] = []
    for text in HOSTILE:
        outcomes.append(
            CheckOutcome(NAME, CheckStatus.FAILED, text, text, text, "", ("universal",))
        )
        outcomes.append(CheckOutcome(FLAT, CheckStatus.WARNING, text, text, text))
        tools.append(
            {"name": text, "title": text, "description": text, "inputSchema": {text: text}}
        )
    return Report(HOSTILE[0], tuple(outcomes), ("2025-06-18",), HOSTILE, 0.5, tuple(tools))


class Sloppy(ConformingServer):
    """A server with an error for `ping` and an invalid tool name."""

    def __init__(self) -> None:
        super().__init__()
        self.tools.append(tool("getPet", {}, []))

    def result(self, message: Any, request: Any) -> dict[str, Any]:
        """An error for `ping`."""
        if message["method"] == "ping":
            return self.unknown_method("ping")
        return super().result(message, request)


class Mortal(ConformingServer):
    """A server that ends on `ping`."""

    def result(self, message: Any, request: Any) -> dict[str, Any]:
        """The end, for `ping`."""
        if message["method"] == "ping":
            print("cannot ping", flush=True)
            os._exit(7)
        return super().result(message, request)
