"""Add a photograph: `POST /repairs/{repair_id}/photos`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Part, Route, Tool

TOOL = Tool(
    name="add_photo",
    title="Add a photograph",
    description="Stores a photograph of the finished work beside the repair.",
    route=Route(
        "POST",
        "/repairs/{repair_id}/photos",
        security=(("staff_key",), ("staff_token",)),
        body=Body(
            "multipart/form-data",
            required=True,
            parts={"photo": Part("image/jpeg"), "place": Part("application/json")},
        ),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "repair_id",
            "path",
            {"type": "string", "format": "uuid", "description": "Repair id. UUID."},
            required=True,
            style="simple",
        ),
        Argument(
            "photo",
            "body",
            {"type": "string", "contentEncoding": "base64", "description": "Photograph. Base64."},
            required=True,
            text="base64",
        ),
        Argument(
            "photo_filename",
            "part",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 255,
                "description": "Name of the file `photo`.",
            },
            to=("photo", "filename"),
        ),
        Argument(
            "photo_content_type",
            "part",
            {
                "type": "string",
                "enum": ["image/jpeg", "image/png"],
                "default": "image/jpeg",
                "description": (
                    "Content type of the file `photo`. One of: image/jpeg, image/png. Default: "
                    "image/jpeg."
                ),
            },
            to=("photo", "type"),
        ),
        Argument(
            "caption",
            "body",
            {
                "type": "string",
                "maxLength": 200,
                "description": "What can be seen. At most 200 characters.",
            },
        ),
        Argument(
            "place_bay",
            "body",
            {
                "type": "integer",
                "minimum": 1,
                "description": "Number of the repair bay. At least 1.",
            },
            to=("place", "bay"),
        ),
        Argument(
            "place_lamp",
            "body",
            {"type": "boolean", "description": "Whether the lamp was on."},
            to=("place", "lamp"),
        ),
    ),
)
