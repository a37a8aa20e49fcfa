"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class SchemaArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    stream: str | None = None
    connection_id: str | None = None
    detail: Literal["compact", "full"] | None = None


class QueryRecordsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    stream: str
    connection_id: str | None = None
    fields: list[str] | None = None
    filter: list[str] | None = None
    sort: str | None = None
    limit: Annotated[int | None, Field(ge=1, le=100)] = None
    cursor: str | None = None
    changes_since: str | None = None
    count: bool | None = None
    expand: list[str] | None = None


class AggregateArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    stream: str
    function: Literal["count", "sum", "avg", "min", "max"]
    field: str | None = None
    group_by: str | None = None
    connection_id: str | None = None
    filter: list[str] | None = None
    limit: Annotated[int | None, Field(ge=1, le=100)] = None


class SearchArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str
    connection_id: str | None = None
    stream: str | None = None
    limit: Annotated[int | None, Field(ge=1, le=50)] = None
    cursor: str | None = None


class FetchArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str
    connection_id: str | None = None
    fields: list[str] | None = None
