"""`register_bicycle` sends `POST /bicycles`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "register_bicycle",
        {"frame_number": "KX-20441", "owner_name": "Ines Marlow"},
    )

    assert sent.line == "POST /bicycles"
    assert sent.json == {
        "frame_number": "KX-20441",
        "owner": {"name": "Ines Marlow"},
        "kind": "bicycle",
    }


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "register_bicycle",
        {
            "frame_number": "KX-20441",
            "brand": "sample",
            "year": 1900,
            "tags": ["sample"],
            "lock_code": "0420",
            "owner_name": "Ines Marlow",
            "owner_phone": "sample",
            "owner_address_street": "Quay 4",
            "owner_address_city": "Gullhaven",
        },
    )

    assert sent.line == "POST /bicycles"
    assert sent.json == {
        "frame_number": "KX-20441",
        "brand": "sample",
        "year": 1900,
        "tags": ["sample"],
        "lock_code": "0420",
        "owner": {
            "name": "Ines Marlow",
            "phone": "sample",
            "address": {"street": "Quay 4", "city": "Gullhaven"},
        },
        "kind": "bicycle",
    }


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "register_bicycle",
        {
            "frame_number": "KX-20441",
            "brand": "Kestrel",
            "year": 2021,
            "tags": ["cargo"],
            "owner_name": "Ines Marlow",
            "owner_address_street": "Quay 4",
            "owner_address_city": "Gullhaven",
        },
    )

    assert sent.line == "POST /bicycles"
    assert sent.json == {
        "frame_number": "KX-20441",
        "brand": "Kestrel",
        "year": 2021,
        "tags": ["cargo"],
        "owner": {"name": "Ines Marlow", "address": {"street": "Quay 4", "city": "Gullhaven"}},
        "kind": "bicycle",
    }
