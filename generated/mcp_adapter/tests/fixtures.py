"""The archive that the scenarios read, in the place of the resource server."""

from collections.abc import Mapping
from typing import Any

from mcpgen_runtime.testing import INTROSPECTION
from starlette.applications import Starlette

from mcp_adapter.resource.app import create


def archive(values: Mapping[str, Any]) -> Starlette:
    """The sample archive, which tells about bearers where the tests have that asked."""
    return create(introspection=INTROSPECTION)
