"""`add_photo` sends `POST /repairs/{repair_id}/photos`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "add_photo",
        {"repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "photo": "c2FtcGxl"},
    )

    assert sent.line == "POST /repairs/3fa85f64-5717-4562-b3fc-2c963f66afa6/photos"
    assert sent.parts == [("photo", "image/jpeg", "photo", "c2FtcGxl")]


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "add_photo",
        {
            "repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
            "photo": "c2FtcGxl",
            "photo_filename": 'a "sample" ü.txt',
            "photo_content_type": "image/jpeg",
            "caption": "sample",
            "place_bay": 1,
            "place_lamp": True,
        },
    )

    assert sent.line == "POST /repairs/3fa85f64-5717-4562-b3fc-2c963f66afa6/photos"
    assert sent.parts == [
        ("photo", "image/jpeg", 'a "sample" ü.txt', "c2FtcGxl"),
        ("caption", "", "", "sample"),
        ("place", "application/json", "", '{"bay":1,"lamp":true}'),
    ]


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "add_photo",
        {
            "repair_id": "6f1c9a4e-5a1b-4c55-9d0e-0a8f5f0f7b11",
            "photo": "c2FtcGxl",
            "photo_filename": 'a "sample" ü.txt',
            "photo_content_type": "image/jpeg",
        },
    )

    assert sent.line == "POST /repairs/6f1c9a4e-5a1b-4c55-9d0e-0a8f5f0f7b11/photos"
    assert sent.parts == [("photo", "image/jpeg", 'a "sample" ü.txt', "c2FtcGxl")]
