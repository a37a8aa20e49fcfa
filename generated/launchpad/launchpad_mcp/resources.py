"""What clients of the Launchpad API read by URI."""

from launchpad_mcp._runtime.resources.completion_values import ListedValues
from launchpad_mcp._runtime.resources.resources import Resource, Resources

RESOURCES = Resources(
    (
        Resource(
            "launchpad://businesses",
            "businesses",
            description=(
                "The businesses that customers run on the platform, in the order in which they "
                "came."
            ),
            mime_type="application/json",
            tool="businesses_list",
        ),
        Resource(
            "launchpad://businesses/{id}",
            "business",
            description="One business, by its id.",
            mime_type="application/json",
            tool="businesses_get",
            complete={"id": ListedValues("businesses_list", "id")},
        ),
    ),
)
