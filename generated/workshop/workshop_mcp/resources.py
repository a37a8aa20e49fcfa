"""What clients of the Workshop API read by URI."""

from workshop_mcp._runtime.resources.completion_values import ListedValues
from workshop_mcp._runtime.resources.resources import Resource, Resources

RESOURCES = Resources(
    (
        Resource(
            "workshop://bicycles",
            "bicycles",
            description="Bicycles known to the workshop, newest first.",
            mime_type="application/json",
            tool="list_bicycles",
        ),
        Resource(
            "workshop://bicycles/{id}",
            "bicycle",
            description="One bicycle with its owner and its tags.",
            mime_type="application/json",
            tool="get_bicycle",
            complete={"id": ListedValues("list_bicycles", "bicycles.id")},
        ),
        Resource(
            "workshop://repairs/{repair_id}",
            "repair",
            description="One repair, its state and what it costs.",
            mime_type="application/json",
            tool="get_repair",
        ),
        Resource(
            "workshop://rules",
            "rules",
            title="Rules of the workshop",
            mime_type="text/markdown",
            file="prompts/rules.md",
            size=171,
            annotations={"audience": ["user", "assistant"]},
        ),
    ),
)
