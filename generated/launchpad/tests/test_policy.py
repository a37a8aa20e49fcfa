"""Authentication and authorization of callers."""

import json

import pytest

from tests.auth_fixture import SCOPES, bearer
from tests.sample_calls import LEAST
from tests.support import Api


async def test_nobody_comes_in_without_a_credential(api: Api) -> None:
    answer = await api.post("tools/list", Authorization="")

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.json()["id"] == 1


async def test_nobody_comes_in_with_a_key_that_is_made_up(api: Api) -> None:
    answer = await api.post("tools/list", None, **bearer("made-up-by-the-tests"))

    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


async def test_the_probe_is_open(api: Api) -> None:
    assert await api.health() == 200


@pytest.mark.parametrize("tool", SCOPES)
async def test_a_call_without_its_scope_is_denied(api: Api, tool: str) -> None:
    call = {"name": tool, "arguments": LEAST.get(tool, {})}

    answer = await api.post("tools/call", call, **bearer("nobody-of-the-tests"))

    result = answer.json()["result"]
    envelope = json.loads(result["content"][0]["text"])
    assert result["isError"]
    assert envelope["outcome"] == "denied"
    assert envelope["code"] == "scope_required"
    assert envelope["required"] == SCOPES[tool][0]
    assert envelope["subjectScopes"] == []


@pytest.mark.parametrize("tool", [tool for tool in SCOPES if tool in LEAST])
async def test_a_call_with_exactly_its_scopes_is_made(api: Api, tool: str) -> None:
    api.upstream.requests.clear()

    await api.result(tool, LEAST[tool], **bearer(f"caller-of-{tool}"))

    assert len(api.upstream.requests) == 1
