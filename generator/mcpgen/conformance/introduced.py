"""Who a running server says it is, and all it announces, without judging anything."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.conformance.conversation import Conversation
from mcpgen.conformance.findings import NotDeclared, Unmet
from mcpgen.conformance.listing import LISTS, walk
from mcpgen.conformance.options import Options
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.revisions import LEGACY, META_SERVER, MODERN
from mcpgen.conformance.strict_json import Json
from mcpgen.conformance.target import Target
from mcpgen.frozen import frozen

Entry = Mapping[str, Json]


@frozen
class Introduction:
    """What a server says of itself in one revision. `lists` are the entries of all pages of each list,
    by the key that holds them in a page; a list that the server does not declare is empty."""

    revision: str
    identity: Entry
    capabilities: Entry
    instructions: str
    lists: Mapping[str, tuple[Entry, ...]]


_STANDARD = Options()


def introduced(url: str, options: Options = _STANDARD) -> Introduction:
    """What the server at `url` says in the newest revision with a handshake that it speaks; in one
    without, if there is no other.

    Raises Unmet, with what was expected and seen, for an address where no MCP server answers, and for
    a list that has no end or an entry that is no object: half a list would pass for a whole one.
    """
    probe = Probe(
        url, timeout=options.timeout, deadline=options.deadline, max_bytes=options.max_bytes
    )
    try:
        return _said(_spoken(Target(probe, options)))
    finally:
        probe.close()


def _spoken(target: Target) -> Conversation:
    """The conversation in the revision to be asked in. Raises Unmet where there is none."""
    newest = target.visit(LEGACY[-1]).talk
    for revision in (*reversed(LEGACY), *reversed(MODERN)):
        talk = target.visit(revision).talk
        if talk.spoken:
            return talk
        if newest.opening.status in (0, 401):
            # Nobody is there, or nobody without credentials: no other words will change that.
            break
    raise Unmet("an MCP server answers there", str(newest.opening))


def _said(talk: Conversation) -> Introduction:
    opened = talk.opened()
    identity = opened.get("serverInfo")
    if talk.modern:
        meta = opened.get("_meta")
        identity = meta.get(META_SERVER) if isinstance(meta, dict) else None
    capabilities = opened.get("capabilities")
    instructions = opened.get("instructions")
    if not isinstance(identity, dict) or not isinstance(capabilities, dict):
        raise Unmet("the server says who it is and what it can", str(talk.opening))
    return Introduction(
        talk.revision,
        identity,
        capabilities,
        instructions if isinstance(instructions, str) else "",
        {key: _entries(talk, method) for method, (_, key) in LISTS.items()},
    )


def _entries(talk: Conversation, method: str) -> tuple[Entry, ...]:
    try:
        found = walk(talk, method)
    except NotDeclared:
        return ()
    if found.problem is not None:
        raise Unmet(found.problem.expected, f"{found.problem.saw} ({method})")
    entries = tuple(entry for entry in found.entries if isinstance(entry, dict))
    if len(entries) < len(found.entries):
        raise Unmet("every entry of a list is an object", f"another value ({method})")
    return entries
