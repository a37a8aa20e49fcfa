"""Takes a bicycle into the books, with its owner: `POST /bicycles`."""

from workshop_mcp._runtime.tool import Argument, Body, Constant, Hints, Route, Tool

TOOL = Tool(
    name="register_bicycle",
    title="",
    description="Takes a bicycle into the books, with its owner.",
    route=Route(
        "POST",
        "/bicycles",
        security=(("staff_key",), ("staff_token",)),
        body=Body("application/json", required=True, check={"$ref": "#/$defs/Bicycle"}),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "frame_number",
            "body",
            {"type": "string", "description": "Number stamped into the frame."},
            required=True,
        ),
        Argument("brand", "body", {"type": "string", "description": "Brand on the frame."}),
        Argument(
            "year",
            "body",
            {
                "type": "integer",
                "minimum": 1900,
                "maximum": 2100,
                "description": "Year of build. 1900 to 2100.",
            },
        ),
        Argument(
            "tags",
            "body",
            {
                "type": "array",
                "items": {"type": "string"},
                "uniqueItems": True,
                "description": "Words to find it by. Each at most once.",
            },
        ),
        Argument(
            "lock_code",
            "body",
            {
                "type": "string",
                "pattern": "^[0-9]{4}$",
                "description": "Code of its lock; never shown again. Pattern: `^[0-9]{4}$`.",
            },
        ),
        Argument(
            "owner_name",
            "body",
            {"type": "string", "description": "Name of the owner."},
            required=True,
            to=("owner", "name"),
        ),
        Argument(
            "owner_phone",
            "body",
            {"type": "string", "description": "Number to call when it is ready."},
            to=("owner", "phone"),
        ),
        Argument(
            "owner_address_street",
            "body",
            {
                "type": "string",
                "description": "Street and number. Required if `owner.address` is sent.",
            },
            to=("owner", "address", "street"),
        ),
        Argument(
            "owner_address_city",
            "body",
            {"type": "string", "description": "Town or city. Required if `owner.address` is sent."},
            to=("owner", "address", "city"),
        ),
    ),
    constants=(Constant("body", ("kind",), "bicycle"),),
)
