"""The read adapter as an operator starts it, with its own archive."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.examples.project_process import ServerEndpoint, serving

from mcpgen.conformance import CheckOptions, CheckStatus, as_text, check
from mcpgen.conformance.targets.command import free_port

PROFILES = (
    *("mcp-2025-03-26", "mcp-2025-06-18", "mcp-2025-11-25", "mcp-2026-07-28"),
    *("universal", "experience-workspace", "security"),
)
NO_HTTPS = "workspace-https"
"""What stands in front of the server brings it."""

CLIENT = {"id": "mcp-adapter", "secret": "sample-secret"}


@pytest.fixture(scope="module")
def adapter() -> Iterator[ServerEndpoint]:
    """The adapter without a configured archive."""
    settings = {f"caller_introspection_client_{name}": text for name, text in CLIENT.items()}
    with serving("mcp_adapter", "", port=str(free_port()), **settings) as front:
        yield front


def with_grant(front: ServerEndpoint, grant: str) -> ServerEndpoint:
    """The adapter with the credentials of a grant's holder."""
    return front.showing(Authorization=f"Bearer {grant}")


def test_it_brings_an_archive_where_it_is_told_of_none(adapter: ServerEndpoint) -> None:
    result = with_grant(adapter, "grant_sample_two").call("search", query="lighthouse", limit=3)

    assert len(result["structuredContent"]["results"]) == 3


def test_the_adapter_with_its_archive_breaks_no_check(adapter: ServerEndpoint) -> None:
    show = {"Authorization": "Bearer grant_sample_many"}
    options = CheckOptions(profiles=PROFILES, headers=show, active=True, deadline=120)

    report = check(adapter.origin + adapter.path, options)

    failed_checks = {o.check.id for o in report.outcomes if o.status is CheckStatus.FAILED}
    warned_checks = {o.check.id for o in report.outcomes if o.status is CheckStatus.WARNING}
    assert failed_checks == set(), as_text(report)
    assert warned_checks <= {NO_HTTPS}, as_text(report)


def test_nobody_who_may_do_more_than_read_is_let_in(adapter: ServerEndpoint) -> None:
    for bearer in ("owner_sample", "control_sample", "0f8e1f0c52a94f0e"):
        assert with_grant(adapter, bearer).post("tools/list").status_code == 403


def test_a_bearer_that_the_archive_does_not_know_is_not_let_in(adapter: ServerEndpoint) -> None:
    assert with_grant(adapter, "grant_of_nobody").post("tools/list").status_code == 401
