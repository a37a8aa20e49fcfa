"""Servers of other authors as published on PyPI and npm: each violated MUST, looked at by hand.

`published.json` has the findings of one run per server with the default profiles. Each server ran in
a network namespace with loopback only, so no upstream API answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

TITLE = "## Published servers"
REASONS = {
    "origin-foreign-refused": "`initialize` or `ping` from `http://evil.example` gets a result. Servers that demand a token are less exposed; the MUST has no exception.",
    "batch-answered": "These servers agree to 2025-03-26 and refuse an array; all use the Python SDK, except supergateway, which answers the last request of an array alone.",
    "session-deleted-404": "The server ended the session on DELETE, and MUST answer its id with HTTP 404; the answer is 400.",
    "get-405-or-stream": "GET MUST get an event stream or HTTP 405; the answer is a page with HTTP 404.",
    "header-white-space": "RFC 9110: white space around a header value MUST be excluded before evaluation. The server compares session id and version with the spaces.",
    "unknown-method-32601": "A JSON-RPC request MUST get a JSON-RPC response; the answer is plain text.",
    "bad-arguments-refused": "Servers MUST validate tool inputs. The announced schema has `additionalProperties: false`, and an unknown argument is accepted.",
    "resource-templates-shape": "A template MUST construct URIs; `/search/{query}` expands to a path.",
    "resumed-stream-own": "Servers MUST NOT replay messages of another stream. The server's event store replays every later event of the session, whatever its stream.",
    "tool-result-every-revision": "A result has a block of the type `resource_link`, which came with 2025-06-18, in earlier revisions, too. mcp-proxy-ts serves the tools of everything.",
    "version-header-mismatch-32020": "Since 2026-07-28 a request without the header `MCP-Protocol-Version` MUST be rejected with HTTP 400; the server answers `server/discover`.",
    "auth-wrong-401": "Invalid tokens MUST receive HTTP 401. The server has Protected Resource Metadata, and answers a made-up token with a result.",
    "auth-metadata-shape": "RFC 9728, 3.3: `resource` MUST be identical to the address of the server; the metadata names the author's host wherever the server runs, so clients refuse the metadata.",
    "auth-challenge-present": "RFC 9110, 15.5.2: HTTP 401 MUST have `WWW-Authenticate`.",
    "speaks-mcp": "Only the first POST of the process is answered; every later request gets HTTP 500 with an empty body.",
}
"""Why the finding is right, by check id."""

_HEAD = f"""\
{TITLE}

{{count}} servers from PyPI and npm, each in its default configuration on loopback, without credentials of an API, with the profiles `protocol` and
`universal`. Measured on 2026-11-28, except {{earlier}} (2026-11-23, with fewer checks). Every violated MUST was compared by hand
with the server's answer and the sentence of the specification: {{findings}} findings in {{failing}} servers, none wrong. ea-playwright serves
HTTP+SSE, the transport of 2024-11-05, and could not be checked. Below the table, the number of servers with a finding is in parentheses.

| server | package | SDK | tools | revisions | warnings | violated MUST |
| --- | --- | --- | ---: | --- | ---: | --- |
"""


def published_rows() -> list[dict[str, Any]]:
    """The rows of `published.json`, by name of the server."""
    rows: list[dict[str, Any]] = json.loads(
        Path(__file__).with_name("published.json").read_text("utf-8")
    )
    return rows


def published_section() -> str:
    """The section of docs/other-servers.md."""
    rows = published_rows()
    findings = sum(len(row["failures"]) for row in rows)
    failing = sum(bool(row["failures"]) for row in rows)
    earlier = " and ".join(row["name"] for row in rows if not row.get("current"))
    head = _HEAD.format(count=len(rows), findings=findings, failing=failing, earlier=earlier)
    return "\n".join([head + "\n".join(map(_row, rows)), "", *_reasons(rows), ""])


def _row(row: Mapping[str, Any]) -> str:
    supported_revisions = row["revisions"]
    revisions = (
        f"{supported_revisions[0]} to {supported_revisions[-1]}" if supported_revisions else "–"
    )
    warnings = row["checks"].get("warning", 0)
    if_none = "–" if "passed" in row["checks"] else "no answer, so nothing was checked"
    failures = ", ".join(f"`{id}`" for id in row["failures"]) or if_none
    package = f"{row['package']} {row['version']} ({row['registry']})"
    sdk = row["sdk"] or "–"
    return f"| {row['name']} | {package} | {sdk} | {row['tools']} | {revisions} | {warnings} | {failures} |"


def _reasons(rows: list[dict[str, Any]]) -> Iterator[str]:
    for id, reason in REASONS.items():
        count = sum(id in row["failures"] for row in rows)
        answer_text = next(row["failures"][id]["saw"] for row in rows if id in row["failures"])
        yield f"* `{id}` ({count}): {reason} Seen: {truncate_answer(' '.join(answer_text.split()))}"


def truncate_answer(text: str) -> str:
    """The first 100 characters of a server's answer, for a line of Markdown."""
    short_text = text if len(text) <= 100 else f"{text[:100]}…"
    return short_text.replace("|", "\\|").replace("<", "&lt;")
