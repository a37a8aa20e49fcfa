"""`order_repair` sends `POST /repairs`."""

from tests.support import Api


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "order_repair",
        {
            "bicycle_id": 12,
            "ready_by": "2026-04-02",
            "job_kind": "wheel",
            "job_position": "front",
            "job_spokes": 1,
            "lines": '[{"sku":"SPK-2","count":4,"note":"sample"}]',
            "labels": '{"key":"sample"}',
        },
    )

    assert sent.line == "POST /repairs"
    assert sent.json == {
        "bicycle_id": 12,
        "ready_by": "2026-04-02",
        "job": {"kind": "wheel", "position": "front", "spokes": 1},
        "lines": [{"sku": "SPK-2", "count": 4, "note": "sample"}],
        "labels": {"key": "sample"},
    }


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "order_repair",
        {
            "bicycle_id": 12,
            "ready_by": "2026-04-02",
            "job_kind": "wheel",
            "job_position": "front",
            "job_spokes": 4,
            "lines": '[{"sku":"SPK-2","count":4}]',
        },
    )

    assert sent.line == "POST /repairs"
    assert sent.json == {
        "bicycle_id": 12,
        "ready_by": "2026-04-02",
        "job": {"kind": "wheel", "position": "front", "spokes": 4},
        "lines": [{"sku": "SPK-2", "count": 4}],
    }
