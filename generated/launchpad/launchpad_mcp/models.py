"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class EventsListArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: Annotated[str | None, Field(max_length=60)] = None
    limit: Annotated[int | None, Field(ge=1, le=100)] = None


class AdminDeployWorkerArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    script: Annotated[str, Field(max_length=65536, min_length=1)]
