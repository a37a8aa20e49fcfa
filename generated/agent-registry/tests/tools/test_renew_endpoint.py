"""`renew_endpoint` sends `POST /agents/{agent}/endpoints/{endpoint}/renew`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "renew_endpoint",
        {
            "agent": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "endpoint": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        },
    )

    assert sent.line == (
        "POST "
        "/agents/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/endpoints/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/renew"
    )


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "renew_endpoint",
        {
            "agent": "0a4d55a8d778e5022fab701977c5d840",
            "endpoint": "41ae043f5c4f8d2bd5ab8d2ba1cf1d09",
        },
    )

    assert sent.line == (
        "POST "
        "/agents/0a4d55a8d778e5022fab701977c5d840/endpoints/41ae043f5c4f8d2bd5ab8d2ba1cf1d09/renew"
    )
