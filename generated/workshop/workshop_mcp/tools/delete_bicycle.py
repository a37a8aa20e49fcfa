"""Removes a bicycle and its repairs for good: `DELETE /bicycles/{id}`."""

from workshop_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="delete_bicycle",
    title="",
    description="Removes a bicycle and its repairs for good.",
    route=Route(
        "DELETE",
        "/bicycles/{id}",
        security=(("staff_key",), ("staff_token",)),
        accept="*/*",
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=True),
    arguments=(
        Argument(
            "id",
            "path",
            {"type": "integer", "minimum": 1, "description": "ID of the bicycle. At least 1."},
            required=True,
            style="simple",
        ),
    ),
)
