"""`write_diary` sends `POST /repairs/{repair_id}/diary`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "write_diary",
        {"repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "body": "sample"},
    )

    assert sent.line == "POST /repairs/3fa85f64-5717-4562-b3fc-2c963f66afa6/diary"
    assert sent.text == "sample"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "write_diary",
        {
            "repair_id": "6f1c9a4e-5a1b-4c55-9d0e-0a8f5f0f7b11",
            "body": "The rear wheel is true again.",
        },
    )

    assert sent.line == "POST /repairs/6f1c9a4e-5a1b-4c55-9d0e-0a8f5f0f7b11/diary"
    assert sent.text == "The rear wheel is true again."
