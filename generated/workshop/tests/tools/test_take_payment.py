"""`take_payment` sends `POST /payments`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("take_payment", {"repair": 31, "amount": 48.5, "method": "cash"})

    assert sent.line == "POST /payments"
    assert sent.form == [("repair", "31"), ("amount", "48.5"), ("method", "cash")]


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "take_payment",
        {"repair": 31, "amount": 48.5, "method": "cash", "receipt": True, "vouchers": ["sample"]},
    )

    assert sent.line == "POST /payments"
    assert sent.form == [
        ("repair", "31"),
        ("amount", "48.5"),
        ("method", "cash"),
        ("receipt", "true"),
        ("vouchers", "sample"),
    ]
