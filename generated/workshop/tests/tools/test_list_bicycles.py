"""`list_bicycles` sends `GET /bicycles`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_bicycles", {})

    assert sent.line == "GET /bicycles"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "list_bicycles",
        {
            "status": ["waiting"],
            "tag": ["sample"],
            "years": [1, 1],
            "filter_brand": "Kestrel",
            "filter_wheel_size": 27.5,
            "near": '{"lat":1,"lon":1}',
            "limit": 25,
            "cursor": "sample",
            "x_request_id": "sample",
            "locale": "en",
        },
    )

    assert sent.line == (
        "GET /bicycles?status=waiting&tag=sample&years=1%7C1&filter%5Bbrand%5D=Kestrel&"
        "filter%5Bwheel_size%5D=27.5&near=%7B%22lat%22%3A1%2C%22lon%22%3A1%7D&limit=25&"
        "cursor=sample"
    )
    assert sent.headers["x-request-id"] == "sample"
    assert sent.cookies == {"locale": "en"}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "list_bicycles",
        {
            "status": ["waiting", "ready"],
            "tag": ["cargo", "electric"],
            "years": [1998, 2012],
            "near": '{"lat":54.3,"lon":10.1}',
            "x_request_id": "visit-4711",
        },
    )

    assert sent.line == (
        "GET /bicycles?status=waiting,ready&tag=cargo&tag=electric&years=1998%7C2012&"
        "near=%7B%22lat%22%3A54.3%2C%22lon%22%3A10.1%7D"
    )
    assert sent.headers["x-request-id"] == "visit-4711"
