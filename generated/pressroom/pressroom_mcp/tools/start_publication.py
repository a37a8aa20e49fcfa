"""Start to publish a section: `POST /publications`."""

from pressroom_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="start_publication",
    title="Start to publish a section",
    description=(
        "Start to publish a section. Begins to bring all saved pages of a section to the site, and "
        "answers at once. It takes minutes; ask for the publication to see how far it is."
    ),
    route=Route("POST", "/publications", body=Body("application/json", required=True)),
    hints=Hints(read_only=False, destructive=True, idempotent=False),
    arguments=(
        Argument(
            "section",
            "body",
            {
                "type": "string",
                "pattern": "^[a-z][a-z0-9-]{0,39}$",
                "description": "Section to publish. Pattern: `^[a-z][a-z0-9-]{0,39}$`.",
            },
            required=True,
        ),
    ),
)
