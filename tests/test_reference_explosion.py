"""Schemas with exponentially many reference paths end in a finding within seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpgen.pipeline import BuildOptions, build

Json = dict[str, Any]


def document(schemas: Json) -> Json:
    """A document with one operation that takes and returns the schema `N0`."""
    content = {"application/json": {"schema": reference_to(0)}}
    operation = {
        "operationId": "tie",
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "Tied", "content": content}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Knots", "version": "1"},
        "servers": [{"url": "https://knots.example.com"}],
        "paths": {"/knots": {"post": operation}},
        "components": {"schemas": schemas},
    }


def reference_to(number: int) -> Json:
    """A reference to the schema with this number."""
    return {"$ref": f"#/components/schemas/N{number}"}


def knot(keyword: str, wrap: Callable[[Json], Json], size: int = 60, width: int = 19) -> Json:
    """`size` schemas with `width` references per schema under a keyword."""
    return document(
        {
            f"N{number}": wrap(
                {
                    keyword: [
                        reference_to((7 * number + 3 * index + 1) % size) for index in range(width)
                    ]
                }
            )
            for number in range(size)
        }
    )


def ladder(step: Callable[[Json], Json], levels: int) -> Json:
    """`levels` schemas that each refer to the next; the last is a string."""
    steps = {f"N{number}": step(reference_to(number + 1)) for number in range(levels)}
    return document({**steps, f"N{levels}": {"type": "string"}})


def property_of(schema: Json) -> Json:
    """An object with one required property."""
    return {"type": "object", "required": ["a"], "properties": {"a": schema}}


def twice(keyword: str) -> Callable[[Json], Json]:
    """A function for `ladder`: two objects with a property of the next schema, under a keyword."""
    return lambda child: {keyword: [property_of(child) | {"title": item} for item in ("x", "y")]}


DOCUMENTS: dict[str, Json] = {
    "unions of unions": knot("oneOf", dict),
    "parts of parts": knot("allOf", dict),
    "unions inside objects": knot("oneOf", property_of),
    "parts inside objects": knot("allOf", property_of),
    "unions inside lists": knot("anyOf", lambda inner: {"items": inner, "minItems": 1}),
    "two alternatives at each level": ladder(twice("oneOf"), 35),
    "two parts at each level": ladder(twice("allOf"), 35),
    "a long way": ladder(lambda child: {"oneOf": [child, {"type": "integer"}]}, 3_000),
}


def main(folder: Path) -> None:
    """Builds each document and prints status and names of findings as JSON."""
    result = {}
    for name, tree in DOCUMENTS.items():
        spec = folder / "knots.json"
        spec.write_text(json.dumps(tree))
        outcome = build(str(spec), str(folder / name.replace(" ", "-")), BuildOptions(verify=False))
        names = sorted({diagnostic.code.name for diagnostic in outcome.diagnostics})
        result[name] = {"status": outcome.status.value, "findings": names}
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))


ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120
"""Far more than all of them take; a validator that runs on has to be killed."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The result of each document's build, by the document's name."""
    folder = str(tmp_path_factory.mktemp("tangled"))
    command = [sys.executable, "-m", "tests.test_reference_explosion", folder]
    completed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=SECONDS)
    return json.loads(completed.stdout)


@pytest.mark.repeated("tests/read/test_budgets.py holds the limits of each stage")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_tangled_document_is_built_in_bounded_time(name: str, outcomes: Any) -> None:
    assert outcomes[name]["status"] == "built"


@pytest.mark.repeated("tests/read/test_budgets.py holds the limits of each stage")
@pytest.mark.parametrize("name", ["unions of unions", "parts of parts", "a long way"])
def test_schemas_that_meet_on_one_value_too_often_allow_anything(name: str, outcomes: Any) -> None:
    assert "tangled-schema" in outcomes[name]["findings"]


@pytest.mark.repeated("tests/read/test_budgets.py holds the limits of each stage")
@pytest.mark.parametrize("name", ["two alternatives at each level", "two parts at each level"])
def test_a_value_that_nobody_can_judge_makes_no_scenario(name: str, outcomes: Any) -> None:
    assert "tangled-schema" not in outcomes[name]["findings"]
    assert "dropped-scenario" in outcomes[name]["findings"]
