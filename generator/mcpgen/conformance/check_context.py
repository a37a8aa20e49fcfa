"""State shared by the checks of one run: supported revisions, lists, calls."""

from __future__ import annotations

import time
from functools import cached_property

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import WORKERS, ToolCall, make_calls, plan_bad_calls, plan_good_calls
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.hosts.features import ToolFeatures, tool_features
from mcpgen.conformance.model import Measurement, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.paged_lists import PagedList, TimedTuple, read_list
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.strict_json import Json

SAMPLED_CALLS, SAMPLED_SECONDS = 12, 3.0
"""Limits of the calls in each revision. All tools are called in the newest revision only; a server
has one answer per kind of content in code for each revision, and 12 tools show most kinds.
"""

FEW_BAD_CALLS = 3
"""Calls with bad arguments in each revision but the newest, in which all tools are called."""


class CheckContext:
    """The target in one protocol revision; the argument of every judge.

    Lists and calls are made on first use and cached, failures included. `in_revision` gives the
    context of another revision, `idle_method` a method without side effects, `measurements` the
    measurements of all revisions so far. The checks of authorization keep the exchange of an opening
    request without credentials in `unauthorized`, and the metadata of the resource with their paths in
    `resource_metadata`.
    """

    def __init__(self, session: ProbeSession, target: CheckTarget) -> None:
        self.session = session
        self.in_revision = target.in_revision
        self.idle_method = "server/discover" if session.modern else "ping"
        self.options = session.options
        self.modern = session.modern
        self.revision = session.revision
        self.measurements = target.measurements
        self.unauthorized: HttpExchange | None = None
        self.resource_metadata: list[tuple[str, dict[str, Json]]] | None = None
        self._walks: dict[str, PagedList | PrerequisiteMissing | NotApplicable] = {}

    @property
    def listing(self) -> PagedList:
        """All pages of `tools/list`. Raises PrerequisiteMissing or NotApplicable."""
        return self.paged_list("tools/list")

    def paged_list(self, method: str) -> PagedList:
        """All pages of the list `method`. Raises PrerequisiteMissing or NotApplicable."""
        if method not in self._walks:
            self._walks[method] = _walk(self.session, method)
        pages = self._walks[method]
        if isinstance(pages, Exception):
            raise pages
        return pages

    @cached_property
    def tools(self) -> TimedTuple[dict[str, Json]]:
        """The announced tools. Raises PrerequisiteMissing or NotApplicable."""
        return self.listing.named_entries

    @cached_property
    def features(self) -> list[ToolFeatures]:
        """The features of each tool's `inputSchema`, in the order of `tools`."""
        return [tool_features(tool) for tool in self.tools]

    @cached_property
    def calls(self) -> list[ToolCall]:
        """Calls of every callable tool with good arguments, in list order."""
        self.session.open()
        return make_calls(self.session, plan_good_calls(self.tools, self.options))

    @cached_property
    def sampled_calls(self) -> list[ToolCall]:
        """Calls of the first callable tools with good arguments: at most `SAMPLED_CALLS`, and no
        further tools after `SAMPLED_SECONDS`.
        """
        self.session.open()
        plans = plan_good_calls(self.tools, self.options)[:SAMPLED_CALLS]
        calls: list[ToolCall] = []
        started = time.monotonic()
        while plans and (not calls or time.monotonic() - started < SAMPLED_SECONDS):
            calls += make_calls(self.session, plans[:WORKERS])
            plans = plans[WORKERS:]
        return calls

    @cached_property
    def bad_calls(self) -> list[ToolCall]:
        """Calls of the first callable tools with arguments that violate the schema."""
        self.session.open()
        return make_calls(self.session, plan_bad_calls(self.tools, self.options))

    @cached_property
    def few_bad_calls(self) -> list[ToolCall]:
        """The first `FEW_BAD_CALLS` of `bad_calls`."""
        self.session.open()
        return make_calls(self.session, plan_bad_calls(self.tools, self.options)[:FEW_BAD_CALLS])


class CheckTarget:
    """A server under test with one CheckContext for each revision. Checks append to `measurements`."""

    def __init__(self, probe: Probe, options: CheckOptions) -> None:
        self._probe = probe
        self._options = options
        self._visits: dict[str, CheckContext] = {}
        self.is_stdio = probe.is_stdio
        self.measurements: list[Measurement] = []

    def in_revision(self, revision: str) -> CheckContext:
        """The context of a revision; the same object for every call."""
        if revision not in self._visits:
            self._visits[revision] = CheckContext(
                ProbeSession(self._probe, revision, self._options), self
            )
        return self._visits[revision]

    @property
    def asks_for_credentials(self) -> bool:
        """True if the server answers HTTP 401 to `server/discover`."""
        return self.in_revision(r.MODERN[-1]).session.opening.status == 401

    @property
    def has_sent_bad_calls(self) -> bool:
        """True if a check has used `CheckContext.bad_calls` of a revision."""
        return any("bad_calls" in vars(context) for context in self._visits.values())

    @cached_property
    def supported_revisions(self) -> tuple[str, ...]:
        """Revisions that the server agreed to, oldest first."""
        newest = self.in_revision(r.MODERN[-1]).session
        first = self.in_revision(r.LEGACY[-1]).session
        if not newest.opening.messages and not first.opening.messages:
            return ()
        return tuple(
            revision for revision in r.ALL if self.in_revision(revision).session.is_supported
        )


def _walk(session: ProbeSession, method: str) -> PagedList | PrerequisiteMissing | NotApplicable:
    try:
        return read_list(session, method)
    except (PrerequisiteMissing, NotApplicable) as error:
        return error
