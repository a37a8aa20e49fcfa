"""Code that mcpgen 0.2.0 generated runs with this runtime."""

from __future__ import annotations

import importlib

import pytest

from mcpgen_runtime import tool_parts
from mcpgen_runtime.upstream.credentials import SecurityScheme
from mcpgen_runtime.upstream.exchange import UpstreamRequest


@pytest.mark.parametrize("name", ["Constant", "Element", "Page", "Part"])
def test_parts_of_declarations_are_imported_from_their_former_module(name: str) -> None:
    tool = importlib.import_module("mcpgen_runtime.tool")

    assert getattr(tool, name) is getattr(tool_parts, name)


def test_another_name_of_the_former_module_is_an_error() -> None:
    tool = importlib.import_module("mcpgen_runtime.tool")

    with pytest.raises(AttributeError, match="has no attribute 'Unknown'"):
        _ = tool.Unknown


def test_a_key_in_a_header_is_declared_with_its_place() -> None:
    scheme = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")

    request = scheme.add(UpstreamRequest("GET", "/"), ("secret",))

    assert request.headers == (("X-Key", "secret"),)
