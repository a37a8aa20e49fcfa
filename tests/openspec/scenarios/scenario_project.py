"""A small server with scenarios, its project on disk, and a runner of the project's tests."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.forkserver import own_tests

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.emit import emit
from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import ArgumentSpec, HintsSpec, RouteSpec, Server, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundRequirement,
    BoundScenario,
    BoundScenarios,
    BoundStep,
)
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    Fixture,
    FixtureExchange,
    ScenarioAction,
)

AT = Location("specs/shelf/spec.md", line=7)


def tool(name: str, path: str, *arguments: ArgumentSpec) -> ToolSpec:
    """Returns a read-only tool."""
    return ToolSpec(
        name=name,
        module=name,
        title="",
        description=f"What `{name}` does.",
        arguments=arguments,
        constants=(),
        route=RouteSpec("GET", path, ()),
        hints=HintsSpec(True, False, True, True),
        operation=f"GET {path}",
        at=AT,
    )


LIMIT = ArgumentSpec(
    "limit", {"type": "integer", "description": "How many."}, False, Place.QUERY, ("limit",), AT,
    Style.FORM,
)  # fmt: skip
BOOK_ID = ArgumentSpec(
    "book_id", {"type": "string", "description": "Which."}, True, Place.PATH, ("id",), AT,
    Style.SIMPLE,
)  # fmt: skip

TOOLS = (tool("list_books", "/books", LIMIT), tool("get_book", "/books/{id}", BOOK_ID))

BOOKS = {"books": [{"id": "a", "title": "Ants"}, {"id": "b", "title": "Bees"}], "next": "c2"}

SHELF = Fixture(
    name="shelf",
    description="A shelf with two books.",
    environment={},
    headers={},
    exchanges=(
        FixtureExchange("GET", "/books", {"limit": "9"}, 500, {}, {"error": "too many"}, AT),
        FixtureExchange("GET", "/books", {}, 200, {"X-Shelf": "one"}, BOOKS, AT),
        FixtureExchange("GET", "/books/*", {}, 200, {}, BOOKS["books"][0], AT),
    ),
    app="",
    values={},
    at=AT,
)


def server(*scenarios: BoundScenario, fixtures: tuple[Fixture, ...] = (SHELF,)) -> Server:
    """Returns a server with a single requirement and the given scenarios."""
    requirement = BoundRequirement(
        "The shelf SHALL be read", "the_shelf_shall_be_read", scenarios, AT
    )
    return Server(
        slug="shelf",
        package="shelf_mcp",
        title="Shelf",
        version="1.0.0",
        instructions="",
        upstream="https://shelf.example.com",
        tools=TOOLS,
        security_schemes=(),
        definitions={},
        bound_scenarios=BoundScenarios((requirement,), fixtures),
    )


def make_scenario(test: str, *steps: BoundStep, **more: object) -> BoundScenario:
    """Returns a scenario whose action is `list_books`."""
    bound_scenario = BoundScenario(
        name=test.replace("_", " ").capitalize(),
        test=test,
        text="\n".join(f"- {step.text}" for step in steps),
        digest="0123456789ab",
        given=("shelf",),
        actions=(call("list_books", {"limit": 2}),),
        steps=steps,
        at=AT,
    )
    return replace(bound_scenario, **more)  # type: ignore[arg-type]


def when_step(number: int = 1, text: str = "WHEN a client calls `list_books`") -> BoundStep:
    """Returns a step established by the action."""
    return BoundStep(number, text, Binding.PREMISE, AT)


def then_step(number: int, text: str, *assertions: Assertion, **more: object) -> BoundStep:
    """Returns a step with assertions; pending without assertions."""
    binding = Binding.ASSERTED if assertions else Binding.PENDING
    bound_step = BoundStep(number, f"THEN {text}", binding, AT, assertions)
    return replace(bound_step, **more)  # type: ignore[arg-type]


def call(name: str, arguments: Json, **more: object) -> ScenarioAction:
    """Returns a tool call."""
    return replace(ScenarioAction(ActionKind.CALL, name, arguments, AT), **more)  # type: ignore[arg-type]


def claim(subject: AssertionTarget, name: str = "", call: int = 0, **claims: Json) -> Assertion:
    """Returns an assertion of a companion."""
    return Assertion(subject, name, claims, AT, call)


def write_project(server: Server, folder: Path) -> Path:
    """Writes the project of a server to disk."""
    diagnostics = Diagnostics()
    project = emit(server, Config(), diagnostics)
    assert not diagnostics.sorted()
    for file in project.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8", newline="\n")
    return folder


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest for the scenarios of a project."""
    return own_tests(folder, "-q", "-p", "no:cacheprovider", "tests/scenarios", *options)


def run_scenarios(folder: Path) -> tuple[subprocess.CompletedProcess[str], Mapping[str, Any]]:
    """Runs the scenarios; returns the process and matrix rows by scenario name."""
    path = folder / "matrix.json"
    completed = run(folder, f"--matrix={path}")
    assert path.exists(), completed.stdout + completed.stderr
    rows = json.loads(path.read_text("utf-8"))["scenarios"]
    return completed, {row["scenario"]: row for row in rows}
