"""Books a payment for a repair: `POST /payments`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="take_payment",
    title="",
    description="Books a payment for a repair.",
    route=Route(
        "POST",
        "/payments",
        security=(("till",),),
        base_url="https://pay.workshop.example",
        body=Body("application/x-www-form-urlencoded", required=True),
        trusted=True,
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "repair",
            "body",
            {"type": "integer", "minimum": 1, "description": "ID of the repair. At least 1."},
            required=True,
        ),
        Argument(
            "amount",
            "body",
            {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "Amount in euro. More than 0.",
            },
            required=True,
        ),
        Argument(
            "method",
            "body",
            {
                "type": "string",
                "enum": ["cash", "card", "voucher"],
                "description": "How it was paid. One of: cash, card, voucher.",
            },
            required=True,
        ),
        Argument(
            "receipt",
            "body",
            {
                "type": "boolean",
                "default": True,
                "description": "Whether to print a receipt. Default: true.",
            },
        ),
        Argument(
            "vouchers",
            "body",
            {
                "type": "array",
                "items": {"type": "string"},
                "description": "Numbers of the vouchers, if any.",
            },
        ),
    ),
)
