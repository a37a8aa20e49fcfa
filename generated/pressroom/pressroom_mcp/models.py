"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class ListPagesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    section: str | None = None
    limit: Annotated[int | None, Field(ge=1, le=100)] = None


class GetPageArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    page: str


class SavePageArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    page: str
    title: Annotated[str, Field(max_length=200)]
    text: str
    section: str | None = None


class StartPublicationArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    section: str


class GetPublicationArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    publication: str
