"""What clients of the Touchstone read by URI."""

from touchstone_mcp._runtime.resources.resources import Resource, Resources

RESOURCES = Resources(
    (
        Resource(
            "test://static-text",
            "static-text",
            description="A text that never changes.",
            mime_type="text/plain",
            file="offers/static.txt",
            size=31,
        ),
        Resource(
            "test://static-binary",
            "static-binary",
            description="A picture of one point.",
            mime_type="image/png",
            file="offers/pixel.png",
            size=70,
        ),
        Resource(
            "test://watched-resource",
            "watched-resource",
            description="A text to subscribe to.",
            mime_type="text/plain",
            file="offers/watched.txt",
            size=34,
        ),
        Resource(
            "test://template/{id}/data",
            "template",
            description="The document of an id.",
            mime_type="application/json",
            tool="template_data",
        ),
    ),
    withheld=("template_data",),
)
