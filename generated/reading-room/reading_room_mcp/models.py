"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class ListKnowledgeBasesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CreateKnowledgeBaseArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=80, min_length=1)]
    chunkingServiceId: Annotated[str, Field(min_length=1)]
    embeddingServiceId: Annotated[str, Field(min_length=1)]
    description: Annotated[str | None, Field(max_length=500)] = None
    rerankingServiceId: Annotated[str | None, Field(min_length=1)] = None
    language: str | None = None
    attach: bool | None = None
    vectorCollection: str | None = None


class DeleteKnowledgeBaseArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    knowledgeBaseId: Annotated[str, Field(max_length=100, min_length=1)]


class SearchKbArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    knowledgeBaseId: Annotated[str, Field(max_length=100, min_length=1)]
    text: Annotated[str | None, Field(max_length=2000, min_length=1)] = None
    vector: Annotated[list[float] | None, Field(max_length=26, min_length=26)] = None
    topK: Annotated[int | None, Field(ge=1, le=50)] = None
    hybrid: bool | None = None
    rerank: bool | None = None


class ListDocumentsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    knowledgeBaseId: Annotated[str, Field(max_length=100, min_length=1)]
    limit: Annotated[int | None, Field(ge=1, le=200)] = None


class IngestTextArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    knowledgeBaseId: Annotated[str, Field(max_length=100, min_length=1)]
    text: Annotated[str, Field(max_length=100000, min_length=1)]
    sourceFilename: Annotated[str | None, Field(max_length=200, min_length=1)] = None
    sourceDocId: Annotated[str | None, Field(max_length=200, min_length=1)] = None
    metadata: str | None = None
    overwriteOnNameConflict: bool | None = None


class DeleteDocumentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    knowledgeBaseId: Annotated[str, Field(max_length=100, min_length=1)]
    documentId: Annotated[str, Field(max_length=100, min_length=1)]


class ListAgentsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class GetAgentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agentId: Annotated[str, Field(max_length=100, min_length=1)]


class ListChatsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agentId: Annotated[str, Field(max_length=100, min_length=1)]


class ChatSendArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agentId: Annotated[str, Field(max_length=100, min_length=1)]
    chatId: Annotated[str, Field(max_length=100, min_length=1)]
    content: Annotated[str, Field(max_length=20000, min_length=1)]


class RunAgentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agentId: Annotated[str, Field(max_length=100, min_length=1)]
    content: Annotated[str, Field(max_length=20000, min_length=1)]
    conversationId: Annotated[str | None, Field(max_length=100, min_length=1)] = None
    title: Annotated[str | None, Field(max_length=120, min_length=1)] = None


class ListChatMessagesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    chatId: Annotated[str, Field(max_length=100, min_length=1)]
