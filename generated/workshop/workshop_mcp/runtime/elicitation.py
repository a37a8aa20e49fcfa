"""What a server may ask of a client, and what it may be answered.

https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from mcp_types import (
    ClientCapabilities,
    CreateMessageRequest,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitationCapability,
    ElicitRequest,
    ElicitResult,
    ListRootsRequest,
    ListRootsResult,
)
from pydantic import BaseModel

from .elicitation_schema import TRICKS, flaws
from .tool import Json

LONGEST_MESSAGE = 8000
"""How many characters a message to a user has at most."""

_REQUESTS: Mapping[str, type[BaseModel]] = {
    "elicitation/create": ElicitRequest,
    "sampling/createMessage": CreateMessageRequest,
    "roots/list": ListRootsRequest,
}
"""The SDK's models of the requests that a question may be."""


@dataclass(frozen=True)
class Reply:
    """What a user did with a question: `accept`ed it, with the `content` of the form; `decline`d, or
    `cancel`led without a choice."""

    action: Literal["accept", "decline", "cancel"]
    content: Mapping[str, Json] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        """Whether the user said yes, or filled in the form."""
        return self.action == "accept"


@dataclass(frozen=True)
class Question:
    """One request of a server to a client. `schema` is what the form of an accepted answer meets.

    `key` is its name among the questions of a call; without one it is numbered. `early` takes an
    answer that comes with a call before it was asked for, from clients that know the question.
    """

    method: Literal["elicitation/create", "sampling/createMessage", "roots/list"]
    params: Mapping[str, Json]
    needs: Mapping[str, Json]
    schema: Mapping[str, Json] | None = None
    key: str = ""
    early: bool = False

    @classmethod
    def form(
        cls,
        message: str,
        schema: Mapping[str, Json],
        *,
        key: str = "",
        early: bool = False,
        meta: Mapping[str, Json] | None = None,
    ) -> Question:
        """A form of flat fields; `meta` is what the client may know beside. Raises `ValueError` for a
        schema that MCP does not let ask, and a message that is too long."""
        if found := flaws(schema):
            raise ValueError("a form cannot be made of this schema: " + "; ".join(found))
        asked = {"mode": "form", "message": _bounded(message), "requestedSchema": dict(schema)}
        asked |= {"_meta": dict(meta)} if meta else {}
        return cls("elicitation/create", asked, {"elicitation": {"form": {}}}, schema, key, early)

    @classmethod
    def visit(cls, message: str, url: str, id: str, *, key: str = "") -> Question:
        """The wish that the user opens a URL; `id` is the one that the server knows it by. Raises
        `ValueError` for one that is neither `https` nor on this machine."""
        parts = urlsplit(url)
        local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if not parts.hostname or not (
            parts.scheme == "https" or (local and parts.scheme == "http")
        ):
            raise ValueError("users are only sent to URLs that begin with https://")
        asked = {"mode": "url", "message": _bounded(message), "url": url, "elicitationId": id}
        return cls("elicitation/create", asked, {"elicitation": {"url": {}}}, None, key)

    @classmethod
    def sampling(
        cls, messages: Sequence[Mapping[str, Json]], max_tokens: int, *, key: str = "", **more: Json
    ) -> Question:
        """The wish that the client's model goes on from messages; `more` are members of the request
        by their names in MCP. Clients need not be able to since 2026-07-28."""
        asked = {"messages": [dict(each) for each in messages], "maxTokens": max_tokens, **more}
        needs: dict[str, Json] = {"tools": {}} if asked.get("tools") else {}
        return cls("sampling/createMessage", asked, {"sampling": needs}, None, key)

    @classmethod
    def roots(cls, *, key: str = "") -> Question:
        """Which folders the client works in. Clients need not say so since 2026-07-28."""
        return cls("roots/list", {}, {"roots": {}}, None, key)

    @property
    def request(self) -> BaseModel:
        """The request in the form of the SDK."""
        params = {"params": dict(self.params)} if self.params else {}
        return _REQUESTS[self.method].model_validate({"method": self.method, **params})

    @property
    def wire(self) -> dict[str, Any]:
        """The request as it stands in a result of revision 2026-07-28, which has no ids of URLs."""
        written = self.request.model_dump(by_alias=True, mode="json", exclude_none=True)
        written.get("params", {}).pop("elicitationId", None)
        return written

    @property
    def answer(self) -> type[BaseModel]:
        """The SDK's model of an answer."""
        if self.method == "elicitation/create":
            return ElicitResult
        if self.method == "roots/list":
            return ListRootsResult
        return CreateMessageResultWithTools if self.params.get("tools") else CreateMessageResult

    @property
    def digest(self) -> str:
        """What tells it from other questions."""
        text = json.dumps([self.method, self.params], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def fits(self, capabilities: ClientCapabilities | None) -> bool:
        """Whether a client has declared that it can be asked this."""
        if capabilities is None:
            return False
        if self.method == "elicitation/create":
            return _elicits(capabilities.elicitation, str(self.params["mode"]))
        if self.method == "roots/list":
            return capabilities.roots is not None
        sampling = capabilities.sampling
        return sampling is not None and (sampling.tools is not None or not self.params.get("tools"))


def _elicits(declared: ElicitationCapability | None, mode: str) -> bool:
    """Whether a client asks its user in a mode; one that names none knows forms."""
    if declared is None:
        return False
    if mode == "url":
        return declared.url is not None
    return declared.form is not None or declared.url is None


def _bounded(message: Any) -> str:
    """A message as a user may be shown it."""
    if not isinstance(message, str) or not message.strip():
        raise ValueError("a question needs a message")
    if len(message) > LONGEST_MESSAGE:
        raise ValueError(f"a message to a user has at most {LONGEST_MESSAGE} characters")
    return TRICKS.sub("\ufffd", message)
