"""The straight line from a specification to a checked project; the one place that knows all stages."""

from mcpgen.pipeline.building import build
from mcpgen.pipeline.checking import check, check_project, check_server, has_project, is_url
from mcpgen.pipeline.eject import eject, project_of
from mcpgen.pipeline.linting import linted
from mcpgen.pipeline.outcome import Options, Outcome, Places, Status
from mcpgen.pipeline.scaffold import new
from mcpgen.pipeline.surfaces import Seen, seen
from mcpgen.pipeline.targets import Kind, Unreadable
from mcpgen.pipeline.understand import cache_folder

__all__ = [
    "Kind",
    "Options",
    "Outcome",
    "Places",
    "Seen",
    "Status",
    "Unreadable",
    "build",
    "cache_folder",
    "check",
    "check_project",
    "check_server",
    "eject",
    "has_project",
    "is_url",
    "linted",
    "new",
    "project_of",
    "seen",
]
