"""Servers of real documents meet every rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.thorough import keep

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.server import Server, ToolSpec
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.read import read

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"
MAX_BYTES = 3_500_000
DOCUMENTS = sorted(
    path
    for path in CORPUS.glob("*.*")
    if path.suffix in (".json", ".yaml")
    and path.stem not in ("manifest", "README")
    and not re.search(r"-v2$|-v32$", path.stem)
    and path.stat().st_size < MAX_BYTES
)

if DOCUMENTS:

    @pytest.fixture(
        scope="module",
        params=keep(
            DOCUMENTS,
            {"stripe", "adyen-checkout-v31", "docker-engine", "museum", "security-v31"},
            "repeats the rules on more documents; the laws of test_laws.py draw documents at random",
            {"stripe"},
        ),
    )
    def server(request: Any) -> Iterator[Server]:
        """Returns the server of one document."""
        diagnostics = Diagnostics()
        source = read(str(request.param), diagnostics)
        api = parse(source, diagnostics) if source else None
        if api is None:
            assert diagnostics.failed
            yield Server("x", "x_mcp", "", "", "", "", (), (), {})
        else:
            yield lower(api, Config(keep_going=True), diagnostics)

    def test_its_announced_schemas_are_flat(
        server: Server, faults_of: Callable[[ToolSpec], list[str]]
    ) -> None:
        assert {tool.name: faults_of(tool) for tool in server.tools if faults_of(tool)} == {}

    def test_its_tool_names_are_legal_and_unique(server: Server) -> None:
        names = [tool.name for tool in server.tools]

        assert len(set(names)) == len(names)
        assert [n for n in names if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", n) or "__" in n] == []

    def test_its_checks_compile(server: Server) -> None:
        checks = [
            argument.check
            for tool in server.tools
            for argument in tool.arguments
            if argument.check is not None
        ]
        bodies = [tool.route.body for tool in server.tools if tool.route and tool.route.body]
        checks += [body.check for body in bodies if body.check is not None]

        jsonschema_rs.Draft202012Validator(
            {"items": {"allOf": [True, *checks]}, "$defs": server.definitions}
        )

    def test_most_of_its_tools_have_a_scenario(server: Server) -> None:
        tools_without_scenario = [tool.name for tool in server.tools if not tool.scenarios]

        assert len(tools_without_scenario) * 10 <= len(server.tools) + 5
