"""Every request that a generated server sends is one the document allows, says an independent jury."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.judge.documents import SMALL, own, real, swagger
from tests.judge.jury import Jury
from tests.judge.project import Built, built
from tests.judge.recorder import Recorded
from tests.judge.second import prism
from tests.judge.verdicts import judged

pytestmark = pytest.mark.anyio

OWN = own()
REAL = real(SMALL)
OLD = swagger()


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
    assert not verdict.unjudged
    assert not verdict.withheld
    assert verdict.tools == verdict.operations
    assert verdict.valid >= verdict.calls / 2


@pytest.mark.parametrize("name", OLD)
async def test_our_documents_of_2_0(name: str, judges: Jury, tmp_path: Path) -> None:
    project = built(OLD[name])
    assert isinstance(project, Built)

    verdict = await judged(project, judges, tmp_path, draws=4, most_tools=100)

    assert not verdict.wrong, "\n".join(map(str, verdict.wrong))
    assert not verdict.silent
    assert not verdict.unjudged
    assert not verdict.withheld
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


def test_prism_finds_a_wrong_request(tmp_path: Path) -> None:
    def request(path: str, body: bytes) -> Recorded:
        headers = (
            ("Host", "nursery.example"),
            ("Authorization", "Basic YTpi"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
        )
        return Recorded("PUT", "https://nursery.example", f"/v4{path}", headers, body)

    with prism(OLD["nursery"], tmp_path) as second:
        good = second.judge(request("/plants/iris/beds/1", b'{"when": "now"}'), "/v4")
        never = second.judge(request("/plants/iris/beds/1", b'{"when": "never"}'), "/v4")
        nowhere = second.judge(request("/plant/iris", b'{"when": "now"}'), "/v4")

    assert good == ()
    assert [each.code for each in never] == ["enum"]
    assert [each.code for each in nowhere] == ["NO_PATH_MATCHED_ERROR"]
