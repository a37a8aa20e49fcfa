"""Hints come from the method and from `x-mcp`."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, DescriptionsConfig, DestructiveScope
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import Extension
from mcpgen.ir.server import HintsSpec
from mcpgen.lower.hints import tool_hints
from mcpgen.openspec.model.companion import DeclaredTool

AT = Location("mcp.yaml")


@pytest.mark.parametrize(
    ("method", "read_only", "destructive", "idempotent"),
    [
        ("GET", True, False, True),
        ("HEAD", True, False, True),
        ("QUERY", True, False, True),
        ("PUT", False, True, True),
        ("PATCH", False, True, False),
        ("DELETE", False, True, True),
    ],
)
def test_the_method_decides(
    build: Any, method: str, read_only: bool, destructive: bool, idempotent: bool
) -> None:
    tool = build.lower_operation(method=method).tool

    assert tool.hints == HintsSpec(read_only, destructive, idempotent, True)


def test_a_post_that_adds_is_announced_as_destructive(build: Any) -> None:
    hints = build.lower_operation(method="POST").tool.hints

    assert hints.announced["destructiveHint"] is True
    assert not hints.changes_existing_data


def test_a_post_that_adds_is_additive_by_the_author_or_by_the_key(build: Any) -> None:
    removals = Config(descriptions=DescriptionsConfig(destructive=DestructiveScope.REMOVALS))

    by_author = build.lower_operation(
        method="POST", extension=Extension(destructive=False)
    ).tool.hints
    by_key = build.lower_operation(method="POST", config=removals).tool.hints

    assert by_author.announced["destructiveHint"] is False
    assert by_key.announced["destructiveHint"] is False


@pytest.mark.parametrize("identity", ["cancelOrder", "order_purge", "deleteMany"])
def test_a_post_that_removes_is_destructive(build: Any, identity: str) -> None:
    assert build.lower_operation(method="POST", id=identity).tool.hints.destructive


def test_the_author_wins(build: Any) -> None:
    extension = Extension(read_only=True, idempotent=False, open_world=False)

    tool = build.lower_operation(method="POST", extension=extension).tool

    assert tool.hints == HintsSpec(True, False, False, False)


def test_what_destroys_is_never_read_only(build: Any) -> None:
    lowering = build.lower_operation(extension=Extension(read_only=True, destructive=True))

    assert lowering.tool.hints.destructive
    assert not lowering.tool.hints.read_only
    (finding,) = [found for found in lowering.diagnostics if found.code.id == "MG371"]
    assert finding.hint.endswith("in the operation's `x-mcp`")


def test_contradicting_hints_of_a_declared_tool_are_reported_with_its_name(build: Any) -> None:
    declared = DeclaredTool("get_items", "", "", {}, None, None, None, AT)
    extension = Extension(read_only=True, destructive=True)
    diagnostics = Diagnostics()

    tool_hints(build.operation(extension=extension, declared=declared), False, diagnostics)

    (finding,) = diagnostics
    assert finding.message.startswith("`get_items` is marked")
    assert finding.hint.endswith("in the tool's entry in `mcp.yaml`")
