"""Sends an order to the supplier, whose system speaks XML: `POST /parts/orders`."""

from workshop_mcp._runtime.tool import Argument, Body, Element, Hints, Route, Tool

TOOL = Tool(
    name="order_parts",
    title="",
    description="Sends an order to the supplier, whose system speaks XML.",
    route=Route(
        "POST",
        "/parts/orders",
        security=(("staff_key",), ("staff_token",)),
        accept="*/*",
        body=Body(
            "application/xml",
            required=True,
            xml={
                "": Element(
                    "order",
                    namespace="https://supplier.example/orders",
                    like="SupplierOrder",
                ),
                "SupplierOrder": Element(
                    fields={
                        "number": Element(node="attribute"),
                        "deliver_to": Element(fields={"street": Element(), "town": Element()}),
                        "lines": Element(
                            each=Element(
                                "line",
                                fields={"sku": Element(node="attribute"), "count": Element()},
                            ),
                            wrapped=True,
                        ),
                        "urgent": Element(),
                    },
                ),
            },
        ),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "number",
            "body",
            {"type": "string", "description": "Number of the order."},
            required=True,
        ),
        Argument(
            "deliver_to_street",
            "body",
            {"type": "string", "description": "Street and number."},
            required=True,
            to=("deliver_to", "street"),
        ),
        Argument(
            "deliver_to_town",
            "body",
            {"type": "string", "description": "Town."},
            to=("deliver_to", "town"),
        ),
        Argument(
            "lines",
            "body",
            {
                "type": "string",
                "description": "What is ordered. JSON: `[{sku: string, count: integer >= 1}]`.",
            },
            text="json",
            check={
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["sku", "count"],
                    "properties": {
                        "sku": {"type": "string"},
                        "count": {"type": "integer", "minimum": 1},
                    },
                },
            },
        ),
        Argument(
            "urgent",
            "body",
            {"type": "boolean", "description": "Whether it has to come tomorrow."},
        ),
    ),
)
