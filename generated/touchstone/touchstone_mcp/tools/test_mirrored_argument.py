"""Takes a region that gateways can route by: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="test_mirrored_argument",
    title="",
    description="Takes a region that gateways can route by.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "region",
            "handler",
            {
                "type": "string",
                "description": "The region, such as `north`.",
                "x-mcp-header": "Region",
            },
            required=True,
        ),
    ),
    answer=DeclaredAnswer((Text("The call was made in ${region}."),)),
)
