"""What bounds documentation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from .settings import ServerSettings


class DocsSettings(ServerSettings):
    """The size of what is told at once."""

    docs_bytes: Annotated[int, Field(ge=1000)] = 8000
    """How large an answer of documentation may be."""
