"""`withdraw_agent` sends `DELETE /agents/{agent}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("withdraw_agent", {"agent": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})

    assert sent.line == "DELETE /agents/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("withdraw_agent", {"agent": "0a4d55a8d778e5022fab701977c5d840"})

    assert sent.line == "DELETE /agents/0a4d55a8d778e5022fab701977c5d840"
