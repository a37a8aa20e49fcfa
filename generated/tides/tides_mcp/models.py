"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class ListHarboursArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    region: Literal["north", "bay", "south"] | None = None
    limit: Annotated[int | None, Field(ge=1, le=100)] = None


class GetTidesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    harbour: str
    date: str


class CreateAlertArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    harbour: str
    metres: Annotated[float, Field(ge=0.0)]
    notify_email: str
    notify_hours_before: Annotated[int | None, Field(ge=1, le=48)] = None
