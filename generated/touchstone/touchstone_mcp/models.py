"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class TestSimpleTextArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestImageContentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestAudioContentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestEmbeddedResourceArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestMultipleContentTypesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestErrorHandlingArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestToolWithLoggingArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestLoggingToolArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestToolWithProgressArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestReconnectionArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestSamplingArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    prompt: str


class TestElicitationArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    message: str


class TestElicitationSep1034DefaultsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestElicitationSep1330EnumsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class JsonSchema202012ToolArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str | None = None
    address: Any | None = None
    contactMethod: Literal["phone", "email"] | None = None
    phone: str | None = None
    email: str | None = None


class TestMirroredArgumentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    region: str


class TestMissingCapabilityArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestStreamingElicitationArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultElicitationArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultSamplingArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultListRootsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultRequestStateArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultMultipleInputsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultMultiRoundArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultTamperedStateArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TestInputRequiredResultCapabilitiesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TemplateDataArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str
