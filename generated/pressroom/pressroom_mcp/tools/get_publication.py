"""Look at a publication: `GET /publications/{publication}`."""

from pressroom_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_publication",
    title="Look at a publication",
    description=(
        "Look at a publication. How far a publication is, and which pages it has brought to the "
        "site."
    ),
    route=Route("GET", "/publications/{publication}"),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "publication",
            "path",
            {
                "type": "string",
                "pattern": "^p-[0-9]{1,9}$",
                "description": "ID of the publication. Pattern: `^p-[0-9]{1,9}$`.",
            },
            required=True,
            style="simple",
        ),
    ),
)
