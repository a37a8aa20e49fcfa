"""Every request that a generated server sends is one the document allows, says an independent jury."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.oracle.documents import SMALL, own, real, swagger
from tests.oracle.oracle_process import OracleProcess
from tests.oracle.prism import prism
from tests.oracle.project import Built, built
from tests.oracle.recorder import Recorded
from tests.oracle.verdicts import judged, readable
from tests.thorough import keep

pytestmark = pytest.mark.anyio

OWN = own()
REAL = real(SMALL)
OLD = swagger()
ORDER = (
    b'<order xmlns="https://supplier.example/orders" number="1"><deliver_to><street>s</street>'
    b'</deliver_to><lines><line sku="a"><count>%b</count></line></lines></order>'
)


async def test_a_wrong_request_is_found(judges: OracleProcess) -> None:
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


@pytest.mark.parametrize(
    ("path", "media_type", "body", "is_right"),
    [
        (
            "orders",
            "application/xml",
            b'<order number="1"><deliver_to><street>s</street></deliver_to></order>',
            False,
        ),
        ("orders", "application/xml", ORDER % b"4", True),
        ("orders", "application/xml", ORDER % b"0", False),
        (
            "orders",
            "application/xml",
            ORDER.replace(b"<line ", b"<row ").replace(b"</line>", b"</row>") % b"4",
            False,
        ),
        ("import", "application/x-ndjson", b'{"sku":"a","count":1}\n{"sku":"b","count":2}\n', True),
        ("import", "application/x-ndjson", b'{"sku":"a","count":1}\n{"sku":"b"}\n', False),
    ],
)
async def test_a_wrong_body_is_found(
    judges: OracleProcess, path: str, media_type: str, body: bytes, is_right: bool
) -> None:
    judges.open(OWN["workshop"])
    headers = (("Content-Type", media_type),)
    url = "https://eu.workshop.example"
    sent = Recorded("POST", url, f"/api/parts/{path}", headers, body, signed=False)

    (faults,) = judges.judge([sent])

    assert bool(faults) is not is_right


async def test_a_wrong_request_of_2_0_is_found(judges: OracleProcess, tmp_path: Path) -> None:
    project = built(OLD["nursery"])
    assert isinstance(project, Built)
    judges.open(readable(project, tmp_path))

    def request(query: str) -> Recorded:
        return Recorded(
            "GET", "https://nursery.example", f"/v4/plants?{query}", (), b"", signed=False
        )

    verdicts = judges.judge(
        [request("tags=a&tags=b&page=1"), request("page=1"), request("tags=a&page=501")]
    )

    assert [[fault.kind for fault in faults] for faults in verdicts] == [
        [],
        ["MissingRequiredParameter"],
        ["InvalidParameter"],
    ]


@pytest.mark.parametrize("name", OWN)
async def test_our_documents(name: str, judges: OracleProcess, tmp_path: Path) -> None:
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
async def test_our_documents_of_2_0(name: str, judges: OracleProcess, tmp_path: Path) -> None:
    project = built(OLD[name])
    assert isinstance(project, Built)

    verdict = await judged(project, judges, tmp_path, draws=4, most_tools=100)

    assert not verdict.wrong, "\n".join(map(str, verdict.wrong))
    assert not verdict.silent
    assert not verdict.unjudged
    assert not verdict.withheld
    assert verdict.tools == verdict.operations
    assert verdict.valid >= verdict.calls / 2


@pytest.mark.parametrize(
    "name",
    keep(
        REAL,
        {"petstore-v2", "param-styles-v31", "security-v31", "cafe-v32"},
        "repeats the judgement on more documents; `test_our_documents` draws more calls per tool",
    ),
)
async def test_real_documents(name: str, judges: OracleProcess, tmp_path: Path) -> None:
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
