"""Resources and resource templates."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import (
    annotations_problem,
    contents_problem,
    is_uri,
    texts_problem,
)
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.message_schemas import asks_client
from mcpgen.conformance.model import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.strict_json import Json

_PAGE = SpecPage("Resources", spec_url("2025-11-25", "server/resources"), r.ALL)
_LEGACY = SpecPage("Resources", spec_url("2025-11-25", "server/resources"), r.LEGACY)
RESOURCES_READ = 8
"""Number of resources that are read in each revision."""

TEMPLATES_READ = 2
"""Number of templates that are expanded and read in each revision."""

VARIABLE = re.compile(r"\{\+?[A-Za-z0-9_]+\*?\}")
"""A simple or reserved expression of one variable, `{id}` or `{+path}` (RFC 6570 §3.2.2, §3.2.3)."""

UNKNOWN_URI = "nowhere:no-such-resource"
NOT_A_URI = "nosuchresource"
NOT_FOUND = -32002
"""The code for an unknown resource until 2025-11-25 (Resources, Error Handling)."""


def _check_resources_list_shape(context: CheckContext) -> Iterator[Finding]:
    yield from _check_entries(context, "resources/list", "uri")
    for entry in context.paged_list("resources/list").entries:
        size = entry.get("size", 0) if isinstance(entry, dict) else 0
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            yield Finding("`size` is a number of bytes", printable(size))


def _check_resource_templates_shape(context: CheckContext) -> Iterator[Finding]:
    yield from _check_entries(context, "resources/templates/list", "uriTemplate")


def _check_entries(context: CheckContext, method: str, address: str) -> Iterator[Finding]:
    """Violations of a list whose entries have a name and the URI member `address`."""
    listing = context.paged_list(method)
    for page in listing.pages:
        if not isinstance(page.get(listing.key), list):
            yield Finding(f"`{listing.key}` is a list", printable(page.get(listing.key)))
    for entry in listing.entries:
        if problem := _entry_problem(entry, address):
            yield Finding(f"an entry of `{method}` has a name and `{address}`", problem)


def _entry_problem(entry: Json, address: str) -> str:
    if not isinstance(entry, dict):
        return printable(entry)
    if problem := texts_problem(entry, ("name", address), ("title", "description", "mimeType")):
        return problem
    # A template that begins with an expression, such as `{+uri}`, can expand to any URI.
    begins_open = address == "uriTemplate" and entry[address].startswith("{")
    if not begins_open and not is_uri(entry[address]):
        return f"`{address}` is {printable(entry[address])!r}, which is no URI"
    return annotations_problem(entry.get("annotations", {}))


def uris(context: CheckContext) -> list[str]:
    """URIs of the listed resources, in order. Raises NotApplicable or PrerequisiteMissing."""
    entries = context.paged_list("resources/list").entries
    values = [entry.get("uri") for entry in entries if isinstance(entry, dict)]
    return [uri for uri in values if isinstance(uri, str)]


def _check_resource_uri_unique(context: CheckContext) -> Iterator[Finding]:
    for uri, count in Counter(uris(context)).items():
        if count > 1:
            yield Finding("each resource has a URI of its own", f"{count} resources are `{uri}`")


def _check_resource_read_shape(context: CheckContext) -> Iterator[Finding]:
    for uri in uris(context)[:RESOURCES_READ]:
        identifier = context.session.next_id()
        exchange = context.session.send("resources/read", {"uri": uri}, identifier=identifier)
        result = (exchange.response(identifier) or {}).get("result")
        if not isinstance(result, dict):
            # Resources, Error Handling: servers SHOULD return standard errors, -32603 included.
            warns = exchange.error is not None and exchange.code != r.METHOD_NOT_FOUND
            expected = f"`{uri}`, which is listed, can be read"
            yield Finding(expected, str(exchange), warns=warns)
            continue
        yield from _result_findings(context, uri, result)
    for uri, media_type in _expanded_templates(context).items():
        exchange = context.session.send("resources/read", {"uri": uri}, identifier=uri)
        result = (exchange.response(uri) or {}).get("result")
        if not isinstance(result, dict):
            continue  # The resource may not exist.
        yield from _result_findings(context, uri, result)
        contents = result.get("contents")
        for content in contents if isinstance(contents, list) else []:
            content_type = (
                content.get("mimeType", media_type) if isinstance(content, dict) else media_type
            )
            if media_type and content_type != media_type:
                expected = f"contents of `{uri}` of the type of its template, `{media_type}`"
                yield Finding(expected, printable(content_type), warns=True)


def _result_findings(
    context: CheckContext, uri: str, result: Mapping[str, Json]
) -> Iterator[Finding]:
    """Violations of a result of `resources/read`."""
    if asks_client(result, context.modern):
        return  # `input-requests-declared` judges the requests.
    contents = result.get("contents")
    if not isinstance(contents, list):
        yield Finding(f"`contents` of `{uri}` is a list", printable(contents))
        return
    for content in contents:
        if problem := contents_problem(content):
            yield Finding(f"contents of `{uri}` with a URI and a text or a blob", problem)
        elif not is_uri(content["uri"]):
            # The schema marks the member with `format: uri`, which validators may ignore.
            expected = f"contents of `{uri}` with an absolute URI"
            yield Finding(expected, printable(content["uri"]), warns=True)
    if context.modern and ("ttlMs" not in result or "cacheScope" not in result):
        yield Finding(f"`ttlMs` and `cacheScope` when `{uri}` is read", printable(result))


def _expanded_templates(context: CheckContext) -> dict[str, str]:
    """URIs of the first `TEMPLATES_READ` templates that have only expressions of `VARIABLE`, with 1
    for each variable, and the media type of the template or `""`."""
    try:
        templates = context.paged_list("resources/templates/list").entries
    except (NotApplicable, PrerequisiteMissing):
        return {}  # `resource-templates-shape` judges the list.
    media_types: dict[str, str] = {}
    for entry in templates:
        template = entry.get("uriTemplate") if isinstance(entry, dict) else None
        uri = VARIABLE.sub("1", template) if isinstance(template, str) else ""
        # An expression that is left, such as `{?q}` or `{a,b}`, would be sent as text.
        if is_uri(uri) and "{" not in uri:
            media_type = entry.get("mimeType")
            media_types[uri] = media_type if isinstance(media_type, str) else ""
    return dict(itertools.islice(media_types.items(), TEMPLATES_READ))


def _check_resource_unknown(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("resources")
    context.session.open()
    exchange = context.session.send("resources/read", {"uri": UNKNOWN_URI})
    code = r.INVALID_PARAMS if context.modern else NOT_FOUND
    if exchange.code != code:
        yield Finding(f"the error {code} for a resource that does not exist", str(exchange))
    # The text is no URI, so an error of any code is right.
    exchange = context.session.send("resources/read", {"uri": NOT_A_URI}, identifier="no-uri")
    if exchange.has_result("no-uri"):
        yield Finding(f"an error for `{NOT_A_URI}`, which is no URI", str(exchange))


def _check_resource_subscribe_answered(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("resources", "subscribe")
    context.session.open()
    uri = (uris(context) or [""])[0]
    if not uri:
        raise NotApplicable("listed resources")
    for method in ("resources/subscribe", "resources/unsubscribe"):
        exchange = context.session.send(method, {"uri": uri}, identifier=method)
        if not exchange.has_result(method):
            yield Finding(f"`{method}` is answered with a result", str(exchange))
        exchange = context.session.send(method, {}, identifier=f"{method} of nothing")
        if exchange.has_result(f"{method} of nothing"):
            yield Finding(f"an error for `{method}` without a URI", str(exchange), warns=True)


RULES = (
    _PAGE.must("resources-list-shape", "Listing Resources", _check_resources_list_shape),
    _PAGE.must("resource-templates-shape", "Resource Templates", _check_resource_templates_shape),
    _PAGE.should("resource-uri-unique", "Data Types, Resource", _check_resource_uri_unique),
    _PAGE.must("resource-read-shape", "Reading Resources", _check_resource_read_shape),
    _LEGACY.should("resource-unknown-refused", "Error Handling", _check_resource_unknown),
    SpecPage("Resources", spec_url("2026-07-28", "server/resources"), r.MODERN).must(
        "resource-unknown-32602", "Error Handling", _check_resource_unknown
    ),
    _LEGACY.must(
        "resource-subscribe-answered", "Subscriptions", _check_resource_subscribe_answered
    ),
)
