"""Checks a saved `tools/list` without a server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from math import inf

from mcpgen.conformance import revisions as r
from mcpgen.conformance import strict_json
from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import Report
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.probe import Probe, ProbeRequest
from mcpgen.conformance.profiles import parse_profiles
from mcpgen.conformance.run import announced_tools, outcomes_of
from mcpgen.conformance.selection import select_checks
from mcpgen.conformance.strict_json import Json

Pages = tuple[dict[str, Json], ...]


def check_list(
    text: str,
    options: CheckOptions = CheckOptions(),  # noqa: B008 - it is immutable
    *,
    target: str = "saved tools/list",
) -> Report:
    """Makes the checks that need no server, on the tools in `text`.

    `text` is JSON: a list of tools, a result of `tools/list`, a JSON-RPC response, or a list of
    pages. Raises ValueError for other texts and for unknown profiles. The report's notes count the
    omitted checks.
    """
    started = time.monotonic()
    pages = pages_of(text)
    revisions = _revisions(options, pages)
    saved = CheckTarget(SavedListing(pages, revisions), options)
    candidates = [
        selected for selected in select_checks(options) if selected.revision in ("", *revisions)
    ]
    # The tools are the same in every revision: what is made once is made in one of them.
    selection = [
        replace(selected, among=()) for selected in candidates if selected.rule.listing_only
    ]
    outcomes = tuple(outcomes_of(selection, saved, options))
    omitted = len(
        {selected.check.id for selected in candidates}
        - {selected.check.id for selected in selection}
    )
    notes = tuple(_notes(omitted, pages))
    tools = announced_tools(saved)
    report = Report(target, outcomes, notes=notes, tools=tools, judged_as=revisions)
    return replace(report, seconds=time.monotonic() - started)


def _notes(omitted: int, pages: Pages) -> Iterator[str]:
    if omitted:
        yield f"{omitted} checks that need a running server were left out"
    if pages[-1].get("nextCursor") is not None:
        yield "the saved list says that there is one more page; its tools were not judged"


def pages_of(text: str) -> Pages:
    """The pages of a saved list as results of `tools/list`. Raises ValueError."""
    value = strict_json.loads(text.removeprefix("\ufeff").encode("utf-8", "replace"))
    if isinstance(value, list) and not any(_is_page(item) for item in value):
        return ({"tools": value},)
    pages = tuple(_saved_page(item) for item in (value if isinstance(value, list) else [value]))
    return tuple(_linked(pages))


def _is_page(value: Json) -> bool:
    return isinstance(value, dict) and "name" not in value and bool({"tools", "result"} & {*value})


def _saved_page(value: Json) -> dict[str, Json]:
    result = value.get("result", value) if isinstance(value, dict) else value
    if not isinstance(result, dict) or "tools" not in result:
        raise ValueError("neither a list of tools nor the answer to `tools/list`")
    return result


def _linked(pages: Pages) -> Iterator[dict[str, Json]]:
    """The pages with cursors from one page to the next; the last page is unchanged."""
    last = len(pages) - 1
    for number, page in enumerate(pages):
        yield page if number == last else {**page, "nextCursor": str(number + 1)}


def _revisions(options: CheckOptions, pages: Pages) -> tuple[str, ...]:
    """The revisions to check: those of the profiles, plus the revision of the list's shape for
    profiles without revisions.
    """
    profiles = parse_profiles(options.profiles)
    revisions = {revision for profile in profiles for revision in profile.revisions}
    if not all(profile.revisions for profile in profiles):
        modern = any("resultType" in page for page in pages)
        revisions.add((r.MODERN if modern else r.LEGACY)[-1])
    return tuple(revision for revision in r.ALL if revision in revisions)


class SavedListing(Probe):
    """A probe that answers from a saved list, in the revisions `spoken`."""

    def __init__(self, pages: Pages, supported: tuple[str, ...]) -> None:
        super().__init__("http://saved.invalid/", timeout=1, deadline=inf, max_bytes=1)
        self._pages = pages
        self._spoken = supported

    def send(self, sending: ProbeRequest) -> HttpExchange:
        """The answer to an opening request or `tools/list`, without a network."""
        message = json.loads(sending.body)
        response = {"jsonrpc": "2.0", "id": message.get("id"), **self._answer(message)}
        return HttpExchange(200, {"content-type": "application/json"}, messages=(response,))

    def _answer(self, message: dict[str, Json]) -> dict[str, Json]:
        params = message.get("params", {})
        if message["method"] != "tools/list":
            version = params.get("protocolVersion")
            opening: dict[str, Json] = {
                "protocolVersion": version if version in self._spoken else self._spoken[0],
                "supportedVersions": list(self._spoken),
                "capabilities": {"tools": {}},
            }
            return {"result": opening}
        numbers = {"0": 0} | {
            str(page.get("nextCursor")): n for n, page in enumerate(self._pages, 1)
        }
        number = numbers[str(params.get("cursor", "0"))]
        if number < len(self._pages):
            return {"result": self._pages[number]}
        return {"error": {"code": r.INVALID_PARAMS, "message": "this page was not saved"}}
