"""The oracle finds every request of a generated server valid."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.oracle.documents import SMALL, corpus_documents, own_documents, swagger
from tests.oracle.oracle_process import OracleProcess
from tests.oracle.prism import prism
from tests.oracle.project import BuiltServer, build_server
from tests.oracle.recorder import RecordedRequest
from tests.oracle.verdicts import judge_document, readable
from tests.thorough import keep

pytestmark = pytest.mark.anyio

OWN = own_documents()
REAL = corpus_documents(SMALL)
OLD = swagger()
ORDER = (
    b'<order xmlns="https://supplier.example/orders" number="1"><deliver_to><street>s</street>'
    b'</deliver_to><lines><line sku="a"><count>%b</count></line></lines></order>'
)


async def test_a_wrong_request_is_found(oracle: OracleProcess) -> None:
    oracle.open(OWN["tides"])
    right_request = RecordedRequest(
        "GET", "https://api.tides.example", "/v1/harbours", (("X-Api-Key", "k"),), b""
    )
    wrong_request = RecordedRequest(
        "GET", "https://api.tides.example", "/v1/harbors", (("X-Api-Key", "k"),), b""
    )
    unsigned_request = RecordedRequest("GET", "https://api.tides.example", "/v1/harbours", (), b"")

    verdicts = oracle.judge([right_request, wrong_request, unsigned_request])

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
    oracle: OracleProcess, path: str, media_type: str, body: bytes, is_right: bool
) -> None:
    oracle.open(OWN["workshop"])
    headers = (("Content-Type", media_type),)
    url = "https://eu.workshop.example"
    request = RecordedRequest("POST", url, f"/api/parts/{path}", headers, body, signed=False)

    (faults,) = oracle.judge([request])

    assert bool(faults) is not is_right


async def test_a_wrong_request_of_2_0_is_found(oracle: OracleProcess, tmp_path: Path) -> None:
    project = build_server(OLD["nursery"])
    assert isinstance(project, BuiltServer)
    oracle.open(readable(project, tmp_path))

    def request(query: str) -> RecordedRequest:
        return RecordedRequest(
            "GET", "https://nursery.example", f"/v4/plants?{query}", (), b"", signed=False
        )

    verdicts = oracle.judge(
        [request("tags=a&tags=b&page=1"), request("page=1"), request("tags=a&page=501")]
    )

    assert [[fault.kind for fault in faults] for faults in verdicts] == [
        [],
        ["MissingRequiredParameter"],
        ["InvalidParameter"],
    ]


@pytest.mark.parametrize(
    "name",
    keep(
        OWN,
        {*OWN} - {"workshop"},
        "repeats the judgment on one more document",
        {"agent-registry", "reading-room", "pressroom"},
    ),
)
async def test_our_documents(name: str, oracle: OracleProcess, tmp_path: Path) -> None:
    project = build_server(OWN[name])
    assert isinstance(project, BuiltServer)

    verdict = await judge_document(project, oracle, tmp_path, draws=8, most_tools=100)

    assert not verdict.wrong, "\n".join(map(str, verdict.wrong))
    assert not verdict.silent
    assert not verdict.unjudged
    assert not verdict.withheld
    assert verdict.tools == verdict.operations
    assert verdict.valid >= verdict.calls / 2


@pytest.mark.parametrize("name", OLD)
async def test_our_documents_of_2_0(name: str, oracle: OracleProcess, tmp_path: Path) -> None:
    project = build_server(OLD[name])
    assert isinstance(project, BuiltServer)

    verdict = await judge_document(project, oracle, tmp_path, draws=4, most_tools=100)

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
        {"param-styles-v31"},
        "repeats the judgment on more documents; `test_our_documents` draws more calls per tool",
        {"petstore-v2", "security-v31", "cafe-v32"},
    ),
)
async def test_real_documents(name: str, oracle: OracleProcess, tmp_path: Path) -> None:
    project = build_server(REAL[name])
    if not isinstance(project, BuiltServer):
        assert project.failed
        return

    verdict = await judge_document(project, oracle, tmp_path, draws=3, most_tools=15)

    assert not verdict.wrong, "\n".join(map(str, verdict.wrong))
    assert verdict.tools + verdict.missing == verdict.operations


def test_prism_finds_a_wrong_request(tmp_path: Path) -> None:
    def request(path: str, body: bytes) -> RecordedRequest:
        headers = (
            ("Host", "nursery.example"),
            ("Authorization", "Basic YTpi"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
        )
        return RecordedRequest("PUT", "https://nursery.example", f"/v4{path}", headers, body)

    with prism(OLD["nursery"], tmp_path) as second:
        valid_verdict = second.judge(request("/plants/iris/beds/1", b'{"when": "now"}'), "/v4")
        enum_verdict = second.judge(request("/plants/iris/beds/1", b'{"when": "never"}'), "/v4")
        path_verdict = second.judge(request("/plant/iris", b'{"when": "now"}'), "/v4")

    assert valid_verdict == ()
    assert [objection.code for objection in enum_verdict] == ["enum"]
    assert [objection.code for objection in path_verdict] == ["NO_PATH_MATCHED_ERROR"]
