"""What a run knows of its target: the revisions it speaks, its tools, the calls made."""

from __future__ import annotations

from functools import cached_property

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import ToolCall, make_calls, plan_bad_calls, plan_good_calls
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.hosts.features import ToolFeatures, tool_features
from mcpgen.conformance.model import Measurement, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.paged_lists import PagedList, TimedTuple, read_list
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.strict_json import Json


class CheckContext:
    """The target in one revision, as a check function gets it.

    Listings and calls are made once and remembered, their failures too. `sibling` gives the target
    in another revision; `idle_method` is a method that changes nothing; `measurements` are those
    made so far, in any revision.
    """

    def __init__(self, session: ProbeSession, target: CheckTarget) -> None:
        self.session = session
        self.in_revision = target.in_revision
        self.idle_method = "server/discover" if session.modern else "ping"
        self.options = session.options
        self.modern = session.modern
        self.revision = session.revision
        self.measurements = target.measurements
        self._walks: dict[str, PagedList | PrerequisiteMissing | NotApplicable] = {}

    @property
    def listing(self) -> PagedList:
        """The first walk through `tools/list`. Raises Unmet or NotDeclared."""
        return self.paged_list("tools/list")

    def paged_list(self, method: str) -> PagedList:
        """The first walk through a list, by its method. Raises Unmet or NotDeclared."""
        if method not in self._walks:
            self._walks[method] = _walk(self.session, method)
        found = self._walks[method]
        if isinstance(found, Exception):
            raise found
        return found

    @cached_property
    def tools(self) -> TimedTuple[dict[str, Json]]:
        """The announced tools. Raises Unmet or NotDeclared."""
        return self.listing.tools

    @cached_property
    def features(self) -> list[ToolFeatures]:
        """What the input schema of each tool is made of, in the order of the tools."""
        return [tool_features(tool) for tool in self.tools]

    @cached_property
    def calls(self) -> list[ToolCall]:
        """Every allowed tool called with good arguments, in order of the list."""
        self.session.open()
        return make_calls(self.session, plan_good_calls(self.tools, self.options))

    @cached_property
    def bad_calls(self) -> list[ToolCall]:
        """The first tools called with arguments that break their schema."""
        self.session.open()
        return make_calls(self.session, plan_bad_calls(self.tools, self.options))


class CheckTarget:
    """A server under test, in every revision. `measurements` grow as checks make them."""

    def __init__(self, probe: Probe, options: CheckOptions) -> None:
        self._probe = probe
        self._options = options
        self._visits: dict[str, CheckContext] = {}
        self.measurements: list[Measurement] = []

    def in_revision(self, revision: str) -> CheckContext:
        """The target in this revision; the same value each time."""
        if revision not in self._visits:
            self._visits[revision] = CheckContext(
                ProbeSession(self._probe, revision, self._options), self
            )
        return self._visits[revision]

    @property
    def asks_for_credentials(self) -> bool:
        """Whether the server refuses to talk until it is given credentials (HTTP 401)."""
        return self.in_revision(r.MODERN[-1]).session.opening.status == 401

    @cached_property
    def supported_revisions(self) -> tuple[str, ...]:
        """The revisions the server agreed to, oldest first."""
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
