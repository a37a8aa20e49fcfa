"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class BusinessesListArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str | None, Field(max_length=80, min_length=1)] = None


class BusinessesCreateArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=80, min_length=1)]


class BusinessesGetArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str


class EventsListArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: Annotated[str | None, Field(max_length=60)] = None
    limit: Annotated[float | None, Field(ge=1.0, le=100.0, multiple_of=1.0)] = None


class AdminDeployWorkerArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    script: Annotated[str, Field(max_length=65536, min_length=1)]
