"""`borrow_seeds` sends `POST /varieties/{variety}/loans`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("borrow_seeds", {"variety": 1, "grams": 2.5})

    assert sent.line == "POST /varieties/1/loans"
    assert sent.json == {"grams": 2.5}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "borrow_seeds",
        {
            "variety": 1,
            "grams": 2.5,
            "until": "2027-10-01",
            "garden_soil": "clay",
            "garden_metres": 1,
        },
    )

    assert sent.line == "POST /varieties/1/loans"
    assert sent.json == {
        "grams": 2.5,
        "until": "2027-10-01",
        "garden": {"soil": "clay", "metres": 1},
    }


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("borrow_seeds", {"variety": 88, "grams": 2.5})

    assert sent.line == "POST /varieties/88/loans"
    assert sent.json == {"grams": 2.5}
