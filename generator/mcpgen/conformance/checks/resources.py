"""Resources, for servers that declare them."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, PrerequisiteMissing
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.predicates import (
    annotations_problem,
    contents_problem,
    is_uri,
    texts_problem,
)
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.strict_json import Json

_PAGE = SpecPage("Resources", page("2025-11-25", "server/resources"), r.ALL)
_LEGACY = SpecPage("Resources", page("2025-11-25", "server/resources"), r.LEGACY)
READ = 3
"""Resources that are read in each revision."""

STRANGE = "nowhere:no-such-resource"
NOT_FOUND = -32002


def _listed(visit: CheckContext) -> Iterator[Finding]:
    yield from _entries(visit, "resources/list", "uri")
    for entry in visit.walked("resources/list").entries:
        size = entry.get("size", 0) if isinstance(entry, dict) else 0
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            yield Finding("`size` is a number of bytes", printable(size))


def _templates(visit: CheckContext) -> Iterator[Finding]:
    yield from _entries(visit, "resources/templates/list", "uriTemplate")


def _entries(visit: CheckContext, method: str, address: str) -> Iterator[Finding]:
    """The violations of a list whose entries have a name and an address."""
    listing = visit.walked(method)
    for listed in listing.pages:
        if not isinstance(listed.get(listing.key), list):
            yield Finding(f"`{listing.key}` is a list", printable(listed.get(listing.key)))
    for entry in listing.entries:
        if problem := _entry_problem(entry, address):
            yield Finding(f"an entry of `{method}` has a name and `{address}`", problem)


def _entry_problem(entry: Json, address: str) -> str:
    if not isinstance(entry, dict):
        return printable(entry)
    if problem := texts_problem(entry, ("name", address), ("title", "description", "mimeType")):
        return problem
    if not is_uri(entry[address]):
        return f"`{address}` is {printable(entry[address])!r}, which is no URI"
    return annotations_problem(entry.get("annotations", {}))


def uris(visit: CheckContext) -> list[str]:
    """The URIs of the resources, in order. Raises NotDeclared or Unmet."""
    entries = visit.walked("resources/list").entries
    found = [entry.get("uri") for entry in entries if isinstance(entry, dict)]
    return [uri for uri in found if isinstance(uri, str)]


def _read(visit: CheckContext) -> Iterator[Finding]:
    for uri in uris(visit)[:READ]:
        identifier = visit.talk.next_id()
        exchange = visit.talk.send("resources/read", {"uri": uri}, identifier=identifier)
        try:
            result = visit.talk.result_of(exchange, identifier, "resources/read")
        except PrerequisiteMissing as error:
            yield Finding(f"`{uri}`, which is listed, can be read", error.finding.saw)
            continue
        contents = result.get("contents")
        if not isinstance(contents, list):
            yield Finding(f"`contents` of `{uri}` is a list", printable(contents))
            continue
        for one in contents:
            if problem := contents_problem(one):
                yield Finding(f"contents of `{uri}` with a URI and a text or a blob", problem)
        if visit.modern and ("ttlMs" not in result or "cacheScope" not in result):
            yield Finding(f"`ttlMs` and `cacheScope` when `{uri}` is read", printable(result))


def _unknown(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("resources")
    visit.talk.ready()
    exchange = visit.talk.send("resources/read", {"uri": STRANGE})
    wanted = r.INVALID_PARAMS if visit.modern else NOT_FOUND
    if exchange.code != wanted:
        yield Finding(f"the error {wanted} for a resource that does not exist", str(exchange))


def _subscribed(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("resources", "subscribe")
    visit.talk.ready()
    uri = (uris(visit) or [""])[0]
    if not uri:
        yield Finding("a resource to subscribe to", "the list is empty")
        return
    for method in ("resources/subscribe", "resources/unsubscribe"):
        exchange = visit.talk.send(method, {"uri": uri}, identifier=method)
        if exchange.response(method) is None or exchange.error:
            yield Finding(f"`{method}` is answered with an empty result", str(exchange))


RULES = (
    CheckDef(
        _PAGE.must(
            "resources-list-shape",
            "`resources/list` answers with a list of resources, each with a name and a URI.",
            "Listing Resources",
            "Clients show the name and read by the URI; one without either spoils the list.",
            "Check every resource against the Resource shape before you announce it.",
        ),
        _listed,
    ),
    CheckDef(
        _PAGE.must(
            "resource-templates-shape",
            "`resources/templates/list` answers with templates, each with a name and a URI template.",
            "Resource Templates",
            "Clients fill the template in (RFC 6570); without a scheme the result is no URI.",
            "Announce `uriTemplate` with a scheme, such as `notes:///{name}`.",
        ),
        _templates,
    ),
    CheckDef(
        _PAGE.must(
            "resource-read-shape",
            "A resource that is listed can be read; its contents have a URI and a text or base64.",
            "Reading Resources",
            "What is shown to the user and then cannot be opened is worse than not shown.",
            "Read every listed resource in a test; encode binary contents as base64.",
        ),
        _read,
    ),
    CheckDef(
        _PAGE.should(
            "resource-unknown-refused",
            "A resource that does not exist gets the error -32002, in 2026-07-28 -32602.",
            "Error Handling",
            "Empty contents would be taken for an empty file.",
            "Look the URI up first; answer with the error of the revision.",
        ),
        _unknown,
    ),
    CheckDef(
        _LEGACY.must(
            "resource-subscribe-answered",
            "A server that declares `subscribe` takes subscriptions and ends them.",
            "Subscriptions",
            "Clients trust the declaration and stop reading the resource of their own accord.",
            "Answer `resources/subscribe` and `resources/unsubscribe`, or do not declare it.",
        ),
        _subscribed,
    ),
)
