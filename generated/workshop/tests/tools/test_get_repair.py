"""`get_repair` sends `GET /repairs/{repair_id}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_repair", {"repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6"})

    assert sent.line == "GET /repairs/3fa85f64-5717-4562-b3fc-2c963f66afa6"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "get_repair",
        {"repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "if_none_match": "sample"},
    )

    assert sent.line == "GET /repairs/3fa85f64-5717-4562-b3fc-2c963f66afa6"
    assert sent.headers["if-none-match"] == "sample"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("get_repair", {"repair_id": "6f1c9a4e-5a1b-4c55-9d0e-0a8f5f0f7b11"})

    assert sent.line == "GET /repairs/6f1c9a4e-5a1b-4c55-9d0e-0a8f5f0f7b11"
