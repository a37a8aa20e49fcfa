"""The upstream of the scenarios: the sample archive in place of the resource server."""

from collections.abc import Mapping
from typing import Any

from mcpgen_runtime.testing import INTROSPECTION
from starlette.applications import Starlette

from mcp_adapter.resource.app import create


def archive(values: Mapping[str, Any]) -> Starlette:
    """Returns the sample archive, with token introspection at the path of the tests."""
    return create(introspection=INTROSPECTION)
