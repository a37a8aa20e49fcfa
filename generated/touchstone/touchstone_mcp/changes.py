"""Which calls of the Touchstone change which resources."""

from touchstone_mcp._runtime.resources.subscriptions import ResourceSubscriptions
from touchstone_mcp.resources import RESOURCES
from touchstone_mcp.settings import Settings


def changes(settings: Settings) -> ResourceSubscriptions:
    """Notifies subscribers of changes by handlers, if this process sees all calls."""
    return ResourceSubscriptions(
        RESOURCES,
        {},
        alone=settings.workers == 1 and not settings.several_instances,
    )
