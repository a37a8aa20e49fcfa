"""Requirements and a companion with attacks in every string; all strings stay data."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.test_hostile_spec import MARK, PAYLOADS, TAME, fill_marks, parse_module, shape

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.ir.project import Project
from mcpgen.lower import lower
from mcpgen.openspec.load import bind_scenarios
from mcpgen.pipeline.load_spec import load_spec
from mcpgen.pipeline.result import BuildOptions, PhaseTimer

SPEC = f"""# Notes {MARK}

## Purpose

Reads the notes of a small office {MARK} for its people, and it never changes a note of theirs.

## Requirements

### Requirement: Few tools {MARK}

The server SHALL list exactly `read` and `count` as its tools. {MARK}

#### Scenario: Client lists {MARK}

- **GIVEN** {MARK} is there
- **WHEN** a client calls `read` {MARK}
- **THEN** the result has {MARK}
- **AND** {MARK}
"""

COMPANION: dict[str, Any] = {
    "mcpgen": 1,
    "title": f"Notes {MARK}",
    "instructions": f"Reads notes. {MARK}",
    "tools": {
        "read": {
            "title": MARK,
            "description": f"Reads {MARK} notes.",
            "input": {
                "shelf": {
                    "type": "string",
                    "required": True,
                    "description": MARK,
                    "title": MARK,
                    "examples": [MARK],
                },
                "most": {"type": "string", "default": MARK, "enum": [MARK, "b"]},
            },
            "output": {
                "type": "object",
                "description": MARK,
                "properties": {f"p{MARK}": {"type": "string", "default": MARK}},
            },
        },
        "count": {
            "description": MARK,
            "conditions": {"$defs": {"x": {"description": MARK}}},
            "answer": [
                {
                    "ask": {
                        "which": {
                            "message": "Which?",
                            "form": {
                                "type": "object",
                                "properties": {f"p{MARK}": {"type": "string", "title": MARK}},
                            },
                        }
                    }
                },
                {"structured": {f"s{MARK}": "${which.action}"}},
                {"log": {"text": "Counted", "logger": MARK}},
            ],
        },
    },
    "glossary": {f"odd {MARK}": ["*odd*"]},
    "fixtures": {
        "some": {
            "description": MARK,
            "values": {f"v{MARK}": MARK},
            "upstream": [{"method": "GET", "path": "/x", "status": 200, "body": {MARK: MARK}}],
        }
    },
    "scenarios": {
        f"Client lists {MARK}": {
            "given": "some",
            "call": {"tool": "read", "arguments": {"shelf": MARK}},
            "then": [
                {"step": 3, "assert": [{"text": {"contains": MARK}}]},
                {"step": 4, "manual": f"Because {MARK}"},
            ],
        }
    },
}

ONE_LINE = {
    name: payload for name, payload in PAYLOADS.items() if len(f"a{payload}b".splitlines()) == 1
}
"""Payloads without line breaks, so requirements stay the same with every payload."""


def project_of(spec: str, companion: dict[str, Any], folder: Path) -> Project | None:
    """Returns the project of requirements, None after an error."""
    (folder / "spec.md").write_text(spec, "utf-8", newline="")
    (folder / "mcp.yaml").write_text(json.dumps(companion), "utf-8")
    diagnostics = Diagnostics()
    path = (folder / "spec.md").as_posix()
    loaded_spec = load_spec(
        path, BuildOptions(capability="notes"), None, PhaseTimer(None), diagnostics
    )
    if loaded_spec.api is None or diagnostics.failed:
        return None
    server = bind_scenarios(
        lower(loaded_spec.api, Config(), diagnostics), loaded_spec.capabilities, diagnostics
    )
    return None if diagnostics.failed else emit(server, Config(), diagnostics)


def shapes(project: Project) -> list[list[str]]:
    """Returns the shape of every module, in path order; file names depend on the requirements."""
    return [shape_of(file.text) for file in project.files if file.path.endswith(".py")]


@cache
def shape_of(text: str) -> list[str]:
    """Returns the shape of a module; cached, because runtime modules repeat in every project."""
    return shape(parse_module(text))


@cache
def imports_of(text: str) -> frozenset[str]:
    """Returns the modules imported by a module."""
    return frozenset(
        alias.name if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(parse_module(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    )


def imported_modules(project: Project) -> set[str]:
    """Returns all modules imported by the files of a project."""
    modules = [file.text for file in project.files if file.path.endswith(".py")]
    return set().union(*map(imports_of, modules))


@pytest.fixture(scope="module")
def harmless_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Returns the project of the same requirements with harmless strings."""
    folder = tmp_path_factory.mktemp("tame")
    project = project_of(fill_marks(SPEC, TAME), fill_marks(COMPANION, TAME), folder)
    assert project is not None
    return project


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_an_attack_in_every_string_of_the_companion_changes_no_module_s_shape(
    payload: str, harmless_project: Project, tmp_path: Path
) -> None:
    companion = fill_marks(COMPANION, payload)
    # Bindings are found by scenario name, and `${HOME}` in a binding is a saved value.
    companion["scenarios"] = {
        fill_marks(name, TAME): fill_marks(binding, payload.replace("${HOME}", "$HOME"))
        for name, binding in COMPANION["scenarios"].items()
    }

    project = project_of(fill_marks(SPEC, TAME), companion, tmp_path)

    assert project is not None
    assert shapes(project) == shapes(harmless_project)


@pytest.mark.parametrize("payload", ONE_LINE.values(), ids=ONE_LINE.keys())
def test_an_attack_in_every_line_of_the_text_changes_no_module_s_shape(
    payload: str, harmless_project: Project, tmp_path: Path
) -> None:
    bare = {key: value for key, value in fill_marks(COMPANION, TAME).items() if key != "scenarios"}
    bare.pop("fixtures")
    expected_project = project_of(fill_marks(SPEC, TAME), bare, tmp_path)

    project = project_of(fill_marks(SPEC, payload), bare, tmp_path)

    assert expected_project is not None
    assert project is not None
    assert shapes(project) == shapes(expected_project)


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_an_attack_that_breaks_lines_of_the_text_brings_no_code_in(
    payload: str, harmless_project: Project, tmp_path: Path
) -> None:
    bare = {key: value for key, value in fill_marks(COMPANION, TAME).items() if key != "scenarios"}
    bare.pop("fixtures")

    project = project_of(fill_marks(SPEC, payload), bare, tmp_path)

    if payload == PAYLOADS["line separators"]:
        # OpenSpec sees no heading in a line with a line separator, and so no requirement.
        assert project is None
        return
    assert project is not None
    assert imported_modules(project) <= imported_modules(harmless_project)
    assert all(".." not in file.path and "\\" not in file.path for file in project.files)
    assert all(file.path.isascii() for file in project.files)


ODD_NAMES = (
    "class", "None", "import", "__init__", "conftest", "given", "../../etc/passwd", "con", "a" * 300,
    "Two words", "two words", "TWO-WORDS", "two words 2", "\U0001f600", "\U0001f601", "--", "123", "\u00df",
)  # fmt: skip


def test_names_that_python_or_a_disk_would_not_take_are_written_apart(tmp_path: Path) -> None:
    head = SPEC[: SPEC.index("### Requirement")].replace(MARK, "")
    demand = "\nThe server SHALL list exactly `read` and `count` as its tools.\n"
    scenarios = "".join(
        f"\n#### Scenario: {name}\n\n- **WHEN** a client lists tools\n- **THEN** it is good\n"
        for name in ODD_NAMES
    )
    parts = [f"\n### Requirement: {name}\n{demand}{scenarios}" for name in ODD_NAMES]
    bare = {key: value for key, value in fill_marks(COMPANION, TAME).items() if key != "scenarios"}
    bare.pop("fixtures")

    project = project_of(head + "".join(parts), bare, tmp_path)

    assert project is not None
    tests = [file for file in project.files if file.path.startswith("tests/scenarios/test_")]
    assert len({file.path.lower() for file in tests}) == len(ODD_NAMES)
    assert all(file.path.count("/") == 2 and ".." not in file.path for file in tests)
    for file in tests:
        function_defs = [
            node for node in ast.parse(file.text).body if isinstance(node, ast.AsyncFunctionDef)
        ]
        assert len({node.name for node in function_defs}) == len(ODD_NAMES)
