"""The rules of a server apply to resources and completions as to calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx2
import pytest
from tests.runtime.conftest import Client, Serving, WireUpstream
from tests.runtime.resource_server import TOOLS, all_features, pets
from tests.runtime.test_audit import audit
from tests.runtime.test_rate_limits import limits

from mcpgen_runtime.auth.scopes import HiddenScopes, Roles, Scopes
from mcpgen_runtime.caller import Caller, scope_with_caller
from mcpgen_runtime.limits.rate_limits import Rates
from mcpgen_runtime.server.asgi import Asgi, Receive, Scope, Send
from mcpgen_runtime.server.middleware import Middleware

pytestmark = pytest.mark.anyio

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
MODERN = "2026-07-28"
PET, PHOTO = "shop://pets/7", "shop://pets/7/photo"
TEMPLATE = {"type": "ref/resource", "uri": "shop://pets/{petId}"}
TYPED = {"name": "petId", "value": "14"}


class Scoped(Middleware):
    """Believes the header `X-Scopes`."""

    def gate(self, app: Asgi) -> Asgi:
        """Takes the caller's scopes from a header."""

        async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
            scopes = dict(scope["headers"]).get(b"x-scopes", b"").decode().split()
            caller = Caller("ada", scopes=frozenset(scopes), credential="shown")
            await app(scope_with_caller(scope, caller), receive, send)

        return app_with_caller


async def post_request(
    client: Client, method: str, revision: str = "2025-11-25", scopes: str = "", **params: Any
) -> dict[str, Any]:
    """Returns the answer to a raw request."""
    headers = {"mcp_protocol_version": revision, "X_Scopes": scopes, "X_Subject": "ada"}
    if revision == MODERN:
        meta = {
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {**params, "_meta": meta}
        headers["mcp_method"] = method
        if name := params.get("uri") or params.get("name"):
            headers["mcp_name"] = str(name)
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    response: httpx2.Response = await client.post(message, **headers)
    answer: dict[str, Any] = response.json()
    return answer


async def read(client: Client, uri: str, **more: str) -> dict[str, Any]:
    """Returns the answer to reading a resource."""
    return await post_request(client, "resources/read", uri=uri, **more)


def serve_pets(
    serving: Serving, upstream: WireUpstream, rules: Sequence[Middleware], **more: Any
) -> Any:
    """Returns a server of pets behind rules."""
    upstream.answer = pets
    return serving(
        *TOOLS,
        upstream=upstream.url,
        rules=rules,
        offers=all_features(withheld_names=("get_photo",)),
        **more,
    )


@pytest.mark.parametrize("revision", REVISIONS)
async def test_every_revision_lists_reads_gets_and_completes(
    serving: Serving, upstream: WireUpstream, revision: str
) -> None:
    requests: dict[str, dict[str, Any]] = {
        "resources/list": {},
        "resources/templates/list": {},
        "resources/read": {"uri": PET},
        "prompts/list": {},
        "prompts/get": {"name": "review", "arguments": {"petId": "7", "tone": "kind"}},
        "completion/complete": {"ref": TEMPLATE, "argument": TYPED},
    }
    async with serve_pets(serving, upstream, ()) as client:
        answers = {
            method: (await post_request(client, method, revision, **params))["result"]
            for method, params in requests.items()
        }

    modern = revision == MODERN
    assert [item["uri"] for item in answers["resources/list"]["resources"]] == ["shop://pets"]
    assert len(answers["resources/templates/list"]["resourceTemplates"]) == 3
    (contents,) = answers["resources/read"]["contents"]
    assert (contents["uri"], json.loads(contents["text"])) == (PET, {"asked": "/pets/7"})
    assert [item["name"] for item in answers["prompts/list"]["prompts"]] == ["review"]
    texts = [item["content"]["type"] for item in answers["prompts/get"]["messages"]]
    assert texts == ["text", "text", "resource"]
    assert answers["completion/complete"]["completion"]["total"] == 11
    assert {item.get("resultType") for item in answers.values()} == {"complete" if modern else None}
    assert ("ttlMs" in answers["resources/read"]) is modern


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_resource_needs_the_scope_of_its_tool(
    serving: Serving, upstream: WireUpstream, revision: str
) -> None:
    needed_scopes = {"get_pet": ("pets",), "list_pets": ("lists",), "get_photo": ("photos",)}
    ask: dict[str, Any] = {"ref": TEMPLATE, "argument": TYPED}
    async with serve_pets(serving, upstream, (Scoped(), Scopes(needed_scopes))) as client:
        denied_read = await read(client, PET, revision=revision)
        hidden_read = await read(client, PHOTO, revision=revision)
        text = await read(client, PET, revision=revision, scopes="pets")
        denied_completion = await post_request(
            client, "completion/complete", revision, "pets", **ask
        )
        allowed_completion = await post_request(
            client, "completion/complete", revision, "pets lists", **ask
        )

    for answer, scope, name in (
        (denied_read, "pets", "get_pet"),
        (hidden_read, "photos", "get_photo"),
    ):
        assert answer["error"]["code"] == -32600
        assert answer["error"]["data"]["required"] == scope
        assert name in answer["error"]["data"]["message"]
    assert json.loads(text["result"]["contents"][0]["text"]) == {"asked": "/pets/7"}
    assert denied_completion["error"]["code"] == -32600
    assert allowed_completion["result"]["completion"]["total"] == 11
    assert [request.target for request in upstream.requests] == ["/pets/7", "/pets"]


@pytest.mark.parametrize("rule", [HiddenScopes, Roles])
async def test_what_is_hidden_is_in_no_list_and_completes_nothing(
    serving: Serving, upstream: WireUpstream, rule: Any
) -> None:
    ask: dict[str, Any] = {"ref": TEMPLATE, "argument": TYPED}
    rules = (Scoped(), rule({"get_pet": ("pets",)}))
    async with serve_pets(serving, upstream, rules) as client:
        template_list = await post_request(client, "resources/templates/list")
        answer = await read(client, PET)
        missing_answer = await read(client, "shop://nothing/7")
        hidden_completion = await post_request(client, "completion/complete", **ask)
        unknown_completion = await post_request(
            client, "completion/complete", **{**ask, "ref": {**TEMPLATE, "uri": "shop://{x}"}}
        )
        prompt = await post_request(client, "prompts/get", name="review", arguments={"petId": "7"})

    uris = [template["uriTemplate"] for template in template_list["result"]["resourceTemplates"]]
    assert "shop://pets/{petId}" not in uris
    assert answer["error"]["code"] == missing_answer["error"]["code"] == -32002
    assert answer["error"]["message"] == missing_answer["error"]["message"]
    assert hidden_completion["error"]["message"].partition(":")[0] == "Unknown resource template"
    assert unknown_completion["error"]["message"].partition(":")[0] == "Unknown resource template"
    assert prompt["error"]["code"] == -32002
    assert upstream.requests == []


async def test_a_reading_counts_as_a_call_of_the_tool(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serve_pets(
        serving, upstream, limits(Rates(tools={"get_pet": "2/minute"}))
    ) as client:
        first = await read(client, PET)
        second = await client.call("get_pet", petId=7)
        third = await read(client, PET)
        list_answer = await read(client, "shop://pets")
        call_answer = await post_request(
            client, "tools/call", name="get_pet", arguments={"petId": 7}
        )

    assert "result" in first
    assert "isError" not in second or not second["isError"]
    assert third["error"]["code"] == 429
    assert call_answer["error"]["code"] == 429
    assert third["error"]["data"]["retryAfter"] == call_answer["error"]["data"]["retryAfter"]
    assert "result" in list_answer
    assert len(upstream.requests) == 3


async def test_where_every_message_counts_a_reading_counts_once(
    serving: Serving, upstream: WireUpstream
) -> None:
    rules = limits(Rates(subject="2/minute"), messages=True)
    async with serve_pets(serving, upstream, rules) as client:
        answers = [await read(client, PET) for _ in range(3)]

    assert ["result" in answer for answer in answers] == [True, True, False]


async def test_a_reading_is_an_event_of_its_tool(serving: Serving, upstream: WireUpstream) -> None:
    events: list[Any] = []
    rules = (Scoped(), audit(events), Scopes({"list_pets": ("lists",)}))
    async with serve_pets(serving, upstream, rules) as client:
        await read(client, PET)
        await read(client, "shop://pets/404")
        await read(client, "shop://pets")
        await read(client, "shop://nothing")
        await post_request(client, "completion/complete", ref=TEMPLATE, argument=TYPED)

    event_facts = [(event["tool"], event["outcome"], event["subject"]) for event in events]
    assert event_facts[0] == ("get_pet", "ok", "ada")
    assert [event[0] for event in event_facts] == ["get_pet", "get_pet", "list_pets", "list_pets"]
    assert [event[1] for event in event_facts[2:]] == ["denied", "denied"]
