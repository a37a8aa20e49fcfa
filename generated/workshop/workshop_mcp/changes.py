"""Which calls of the Workshop API change which resources."""

from workshop_mcp.resources import RESOURCES
from workshop_mcp.runtime.changes import Changes, Touched
from workshop_mcp.settings import Settings

WRITERS: dict[str, tuple[Touched, ...]] = {
    "register_bicycle": (Touched("workshop://bicycles"),),
    "change_bicycle": (
        Touched("workshop://bicycles"),
        Touched("workshop://bicycles/{id}", {"id": "id"}),
    ),
    "delete_bicycle": (
        Touched("workshop://bicycles"),
        Touched("workshop://bicycles/{id}", {"id": "id"}),
    ),
    "name_bicycle": (
        Touched("workshop://bicycles"),
        Touched("workshop://bicycles/{id}", {"id": "id"}),
    ),
    "add_photo": (Touched("workshop://repairs/{repair_id}", {"repair_id": "repair_id"}),),
    "write_diary": (Touched("workshop://repairs/{repair_id}", {"repair_id": "repair_id"}),),
}
"""The tools whose calls change resources: those whose path is that of a resource, or below it."""


def changes(settings: Settings) -> Changes:
    """Tells of changes, as long as the process hears of all calls."""
    return Changes(
        RESOURCES,
        WRITERS,
        alone=settings.workers == 1 and not settings.several_instances,
    )
