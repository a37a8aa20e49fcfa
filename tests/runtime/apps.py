"""Servers with every optional part of the runtime, for tests."""

from __future__ import annotations

from typing import Any

from mcpgen_runtime.fast_path.fast_path import open_fast_path
from mcpgen_runtime.server import app


def create_app(*arguments: Any, **more: Any) -> app.App:
    """As `app.create_app`, with the fast path unless `more` says otherwise."""
    return app.create_app(*arguments, **{"fast_path": open_fast_path, **more})
