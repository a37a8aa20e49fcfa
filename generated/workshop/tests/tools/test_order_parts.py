"""`order_parts` sends `POST /parts/orders`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("order_parts", {"number": "A & B-7", "deliver_to_street": "Mill Lane 3"})

    assert sent.line == "POST /parts/orders"
    assert sent.xml == (
        '<order xmlns="https://supplier.example/orders" number="A &amp; '
        'B-7"><deliver_to><street>Mill Lane 3</street></deliver_to></order>'
    )


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "order_parts",
        {
            "number": "A & B-7",
            "deliver_to_street": "Mill Lane 3",
            "deliver_to_town": "sample",
            "lines": '[{"sku":"SPK-2","count":4}]',
            "urgent": True,
        },
    )

    assert sent.line == "POST /parts/orders"
    assert sent.xml == (
        '<order xmlns="https://supplier.example/orders" number="A &amp; '
        'B-7"><deliver_to><street>Mill Lane '
        "3</street><town>sample</town></deliver_to><lines><line "
        'sku="SPK-2"><count>4</count></line></lines><urgent>true</urgent></order>'
    )
