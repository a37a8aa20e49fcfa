"""Every request that a generated server sends is one the document allows, says an independent jury."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.judge.documents import SMALL, own, real
from tests.judge.jury import Jury
from tests.judge.project import Built, built
from tests.judge.recorder import Recorded
from tests.judge.verdicts import judged

pytestmark = pytest.mark.anyio

OWN = own()
REAL = real(SMALL)


async def test_a_wrong_request_is_found(judges: Jury) -> None:
    judges.open(OWN["tides"])
    good = Recorded("GET", "https://api.tides.example", "/v1/harbours", (("X-Api-Key", "k"),), b"")
    bad = Recorded("GET", "https://api.tides.example", "/v1/harbors", (("X-Api-Key", "k"),), b"")
    unsigned = Recorded("GET", "https://api.tides.example", "/v1/harbours", (), b"")

    verdicts = judges.judge([good, bad, unsigned])

    assert [[fault.kind for fault in faults] for faults in verdicts] == [
        [],
        ["PathNotFound"],
        ["SecurityValidationError"],
    ]


@pytest.mark.parametrize("name", OWN)
async def test_our_documents(name: str, judges: Jury, tmp_path: Path) -> None:
    project = built(OWN[name])
    assert isinstance(project, Built)

    verdict = await judged(project, judges, tmp_path, draws=8, most_tools=100)

    assert not verdict.wrong, "\n".join(map(str, verdict.wrong))
    assert not verdict.silent
    assert verdict.tools == verdict.operations
    assert verdict.valid >= verdict.calls / 2


@pytest.mark.parametrize("name", REAL)
async def test_real_documents(name: str, judges: Jury, tmp_path: Path) -> None:
    project = built(REAL[name])
    if not isinstance(project, Built):
        assert project.failed
        return

    verdict = await judged(project, judges, tmp_path, draws=3, most_tools=15)

    assert not verdict.wrong, "\n".join(map(str, verdict.wrong))
    assert verdict.tools + verdict.missing == verdict.operations
