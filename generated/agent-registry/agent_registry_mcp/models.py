"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class DiscoverAgentsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str | None, Field(max_length=200)] = None
    capability: Annotated[str | None, Field(max_length=200)] = None
    tags: Annotated[list[str] | None, Field(max_length=20)] = None
    protocol: str | None = None
    transport: str | None = None
    live: bool | None = None
    page: Annotated[int | None, Field(ge=1, le=100000)] = None
    pageSize: Annotated[int | None, Field(ge=1, le=100)] = None


class RegisterAgentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=200, min_length=1)]
    description: Annotated[str | None, Field(max_length=10000)] = None
    capabilities: str | None = None
    endpoints: str


class GetAgentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: str


class WithdrawAgentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: str


class SendHeartbeatArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: str
    endpoint: str


class RenewEndpointArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: str
    endpoint: str


class ListServersArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str | None, Field(max_length=200)] = None
    capability: Annotated[str | None, Field(max_length=200)] = None
    tags: Annotated[list[str] | None, Field(max_length=20)] = None
    live: bool | None = None
    page: Annotated[int | None, Field(ge=1, le=100000)] = None
    pageSize: Annotated[int | None, Field(ge=1, le=100)] = None


class RegisterServerArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    serverCard_mcpVersion: str
    serverCard_serverInfo_name: Annotated[str, Field(max_length=200, min_length=1)]
    serverCard_serverInfo_title: str | None = None
    serverCard_serverInfo_version: str
    serverCard_endpoints_streamableHttp: Annotated[str, Field(max_length=2000)]
    serverCard_capabilities: str
    serverCard_tools: str | None = None
    serverCard_resources: str | None = None
    serverCard_prompts: str | None = None
    serverCard_instructions: str | None = None


class GetServerArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    server: str
