"""Servers with every optional part of the runtime, for tests."""

from __future__ import annotations

from typing import Any

from mcpgen_runtime.fast_path.fast_path import open_fast_path
from mcpgen_runtime.server import app
from mcpgen_runtime.upstream.body import register_encoders
from mcpgen_runtime.upstream.forms import form_encoder
from mcpgen_runtime.upstream.oauth_client import ClientCredentialsTokens
from mcpgen_runtime.upstream.xml import xml_encoder

ENCODERS = (form_encoder, xml_encoder)

# Tests create some operations without a server, so the encoders are registered here.
register_encoders(ENCODERS)


def create_app(*arguments: Any, **more: Any) -> app.App:
    """Calls `app.create_app` with every optional part; `more` overrides."""
    parts = {
        "fast_path": open_fast_path,
        "encoders": ENCODERS,
        "tokens": ClientCredentialsTokens,
    }
    return app.create_app(*arguments, **{**parts, **more})
