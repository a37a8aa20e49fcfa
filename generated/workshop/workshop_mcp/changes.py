"""Which calls of the Workshop API change which resources."""

from workshop_mcp._runtime.resources.subscriptions import ChangedResources, ResourceSubscriptions
from workshop_mcp.resources import RESOURCES
from workshop_mcp.settings import Settings

WRITERS: dict[str, tuple[ChangedResources, ...]] = {
    "register_bicycle": (ChangedResources("workshop://bicycles"),),
    "change_bicycle": (
        ChangedResources("workshop://bicycles"),
        ChangedResources("workshop://bicycles/{id}", {"id": "id"}),
    ),
    "delete_bicycle": (
        ChangedResources("workshop://bicycles"),
        ChangedResources("workshop://bicycles/{id}", {"id": "id"}),
    ),
    "name_bicycle": (
        ChangedResources("workshop://bicycles"),
        ChangedResources("workshop://bicycles/{id}", {"id": "id"}),
    ),
    "add_photo": (ChangedResources("workshop://repairs/{repair_id}", {"repair_id": "repair_id"}),),
    "write_diary": (
        ChangedResources("workshop://repairs/{repair_id}", {"repair_id": "repair_id"}),
    ),
}
"""The resources changed by each tool: a tool's path is the path of the resource, or below."""


def changes(settings: Settings) -> ResourceSubscriptions:
    """Notifies subscribers of changed resources, if this process sees all calls."""
    return ResourceSubscriptions(
        RESOURCES,
        WRITERS,
        alone=settings.workers == 1 and not settings.several_instances,
    )
