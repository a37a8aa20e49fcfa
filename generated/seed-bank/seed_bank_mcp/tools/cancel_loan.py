"""Takes back a loan that was not yet picked up: `DELETE /varieties/{variety}/loans`."""

from seed_bank_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="cancel_loan",
    title="",
    description="Takes back a loan that was not yet picked up.",
    route=Route("DELETE", "/varieties/{variety}/loans", security=(("member",),), accept="*/*"),
    hints=Hints(read_only=False, destructive=True, idempotent=True),
    arguments=(
        Argument(
            "variety",
            "path",
            {"type": "integer", "minimum": 1, "description": "Number of the variety. At least 1."},
            required=True,
            style="simple",
        ),
        Argument(
            "member",
            "query",
            {
                "type": "string",
                "pattern": "^[0-9]{9}[A-Z]$",
                "description": (
                    "Number of the member, nine digits and a check letter. Pattern: "
                    "`^[0-9]{9}[A-Z]$`."
                ),
            },
            required=True,
            style="form",
            explode=True,
        ),
    ),
)
