"""`cancel_loan` sends `DELETE /varieties/{variety}/loans`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("cancel_loan", {"variety": 1, "member": "000000000A"})

    assert sent.line == "DELETE /varieties/1/loans?member=000000000A"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("cancel_loan", {"variety": 88, "member": "004217733K"})

    assert sent.line == "DELETE /varieties/88/loans?member=004217733K"
