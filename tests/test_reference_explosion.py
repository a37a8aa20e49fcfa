"""Schemas with exponentially many reference paths end in a finding within seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.reference_explosion import DOCUMENTS

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120
"""Far more than all of them take; a validator that runs on has to be killed."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The result of each document's build, by the document's name."""
    folder = str(tmp_path_factory.mktemp("tangled"))
    command = [sys.executable, "-m", "tests.reference_explosion", folder]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=SECONDS)
    return json.loads(told.stdout)


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
