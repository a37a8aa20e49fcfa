"""Servers with every optional part of the runtime, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcpgen_runtime.elicitation.rounds import open_questions
from mcpgen_runtime.extensions import INSTALLED
from mcpgen_runtime.fast_path.fast_path import open_fast_path
from mcpgen_runtime.server import app
from mcpgen_runtime.server.feature import Feature, ToolView, feature_registry
from mcpgen_runtime.server.list_pages import paged_lists
from mcpgen_runtime.upstream.forms import form_bodies
from mcpgen_runtime.upstream.general_operation import general_operations
from mcpgen_runtime.upstream.oauth_client import ClientCredentialsTokens
from mcpgen_runtime.upstream.other_result import other_results
from mcpgen_runtime.upstream.stream_response import streamed_responses
from mcpgen_runtime.upstream.xml import xml_bodies
from mcpgen_runtime.validation.cost import bounded_validation
from mcpgen_runtime.validation.definitions import shared_schemas
from mcpgen_runtime.validation.output import validated_output

EXTENSIONS = (
    bounded_validation,
    form_bodies,
    general_operations,
    other_results,
    paged_lists,
    shared_schemas,
    streamed_responses,
    validated_output,
    xml_bodies,
)

# Tests create some operations without a server, so the extensions are installed here.
for install in EXTENSIONS:
    install(INSTALLED)


def create_app(
    *arguments: Any,
    surface: ToolView | None = None,
    offers: Sequence[Feature] = (),
    **more: Any,
) -> app.App:
    """Calls `app.create_app` with every optional part; `more` overrides."""
    parts = {
        "extensions": EXTENSIONS,
        "fast_path": open_fast_path,
        "registry": feature_registry(surface=surface, offers=offers),
        "questions": open_questions,
        "tokens": ClientCredentialsTokens,
    }
    return app.create_app(*arguments, **{**parts, **more})
