"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class FindVarietiesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    species: str
    sown_in: Annotated[int | None, Field(ge=1, le=12)] = None


class AddVarietyArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    species: str
    sown_in: list[int] | None = None
    origin: str | None = None
    parents: str | None = None
    null_fields: list[Literal["origin"]] | None = None


class BorrowSeedsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    variety: Annotated[int, Field(ge=1)]
    grams: Annotated[float, Field(gt=0.0)]
    until: str | None = None
    garden_soil: Literal["clay", "loam", "sand"] | None = None
    garden_metres: Annotated[float | None, Field(ge=0.0)] = None
    null_fields: list[Literal["until"]] | None = None


class CancelLoanArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    variety: Annotated[int, Field(ge=1)]
    member: str
