"""Abilities and limits of scripts at the hosted service."""

from __future__ import annotations

import json
from typing import Any

import pytest
from docs.examples.launchpad import KEY, Platform
from tests.examples.launchpad.conftest import LaunchpadLauncher, with_key_of
from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint


def failure(front: ServerEndpoint, script: str) -> str:
    """The error text of a failing script."""
    result = front.call("do", script=script)
    assert result["isError"] is True, result
    return str(result["content"][0]["text"])


def test_the_tool_for_scripts_has_one_argument(admin: ServerEndpoint) -> None:
    tool = admin.tools()["do"]

    schema = tool["inputSchema"]
    assert schema["type"] == "object"
    assert schema["required"] == ["script"]
    assert schema["properties"].keys() == {"script"}
    assert schema["properties"]["script"]["type"] == "string"
    assert schema["properties"]["script"]["description"]
    assert "TypeScript" in tool["description"]


@pytest.mark.parametrize(
    "script",
    ["db.Businesses.list()", "db.businesses.list({})", "return await db.businesses.list()"],
)
def test_the_value_of_a_script_is_one_block_of_json(pad: ServerEndpoint, script: str) -> None:
    result = with_key_of(pad, "bob").call("do", script=script)

    (block,) = result["content"]
    assert block["type"] == "text"
    assert block["text"].startswith('[{"id":"biz_123","name":"Acme Corp"}')
    assert not result.get("isError")


def test_one_script_does_what_many_calls_would(api: LocalApi, admin: ServerEndpoint) -> None:
    before = len(api.requests)
    script = """
        const found: { id: string; name: string }[] = await db.businesses.list({ name: "a" });
        const each = await Promise.all(found.map(({ id }) => db.businesses.get({ id })));
        each.map((one) => one.name).sort()
    """

    names = admin.call_json("do", script=script)

    assert {"Acme Corp", "Bright Bakery"} <= set(names)
    assert len(api.requests) - before == 1 + len(names)


def test_a_script_changes_what_a_call_would_change(
    admin: ServerEndpoint, platform: Platform
) -> None:
    business = admin.call_json("do", script='db.businesses.create({ name: "Cedar Cycles" })')

    assert business in platform.businesses()


def test_an_error_tells_where_in_the_script_it_is(admin: ServerEndpoint) -> None:
    script = "const one: any = undefined;\n\nconst x = one.name;\nx"

    text = failure(admin, script)

    message, place = text.split("\n")
    assert message.startswith("Error: Cannot read propert")
    assert place == "  at line 3:15"


def test_what_the_api_refuses_can_be_caught_in_the_script(admin: ServerEndpoint) -> None:
    script = """
        try {
            return await db.businesses.get({ id: "biz_404" });
        } catch (refusal) {
            return refusal.message;
        }
    """

    assert "There is no such business" in admin.call_json("do", script=script)


def test_arguments_in_a_script_are_checked_like_any_other(
    api: LocalApi, admin: ServerEndpoint
) -> None:
    before = len(api.requests)

    text = failure(admin, 'db.businesses.get({ id: "../workers/greeter" })')

    assert text.startswith("Error: ")
    assert text.endswith("  at line 1:15")
    assert len(api.requests) == before


def test_a_script_may_no_more_than_its_caller(api: LocalApi, pad: ServerEndpoint) -> None:
    script = 'db.workers.adminDeploy({ name: "teller", script: "export default {}" })'
    before = len(api.requests)

    text = failure(with_key_of(pad, "bob"), script)

    assert text.startswith("Error: ")
    assert len(api.requests) == before
    assert with_key_of(pad, "ada").call_json("do", script=script)["deployedBy"] == "ada"


def test_a_script_that_does_not_end_is_ended(launch: LaunchpadLauncher) -> None:
    with launch.server(limits="off", script_seconds="1") as front:
        bob = with_key_of(front, "bob")

        text = failure(bob, "for (;;) {}")

        assert "longer than 1 second" in text
        assert bob.call_json("do", script="1 + 1") == 2


def test_a_script_that_takes_too_much_memory_is_ended(admin: ServerEndpoint) -> None:
    text = failure(admin, "const all: unknown[] = []; for (;;) all.push(new Array(1e6).fill(0));")

    assert "memory" in text
    assert admin.call_json("do", script="1 + 1") == 2


@pytest.mark.parametrize(
    ("letters", "expected"), [(200_000, "200002 bytes"), (10_000_000, "the script wrote")]
)
def test_a_script_that_says_too_much_is_ended(
    admin: ServerEndpoint, letters: int, expected: str
) -> None:
    assert expected in failure(admin, f'"a".repeat({letters})')


ESCAPES = {
    "network": 'await fetch("{api}/v1/businesses")',
    "files": 'await Deno.readTextFile("/etc/hostname")',
    "environment": 'Deno.env.get("LAUNCHPAD_PLATFORM_KEY")',
    "programs": 'new Deno.Command("id").outputSync()',
    "modules": 'await import("https://launchpad.example/module.js")',
    "files as modules": 'await import("node:fs")',
    "the global object": 'new Function("return Deno.env.toObject()")()',
}


@pytest.mark.parametrize("way", ESCAPES)
def test_a_script_reaches_nothing_but_the_api(api: LocalApi, pad: ServerEndpoint, way: str) -> None:
    before = len(api.requests)

    text = failure(with_key_of(pad, "bob"), ESCAPES[way].replace("{api}", api.url))

    assert text.startswith("Error: ")
    assert KEY not in text
    assert len(api.requests) == before


def test_nothing_of_a_script_is_there_for_the_next_one(pad: ServerEndpoint) -> None:
    with_key_of(pad, "ada").call_json("do", script="globalThis.left = 'a secret'; 1")

    type_name = with_key_of(pad, "bob").call_json("do", script="typeof globalThis.left")

    assert type_name == "undefined"


def test_calls_of_a_script_are_counted_with_the_others(
    api: LocalApi, launch: LaunchpadLauncher
) -> None:
    script = """
        let done = 0;
        try {
            for (;;) { await db.events.list({ limit: 1 }); done++; }
        } catch { }
        done
    """
    with launch.server() as front:
        before = len(api.requests)
        result = with_key_of(front, "bob").call_json("do", script=script)
        refusal = with_key_of(front, "bob").post("tools/call", name="do", arguments={"script": "1"})

    assert 1 <= result <= 10
    assert len(api.requests) - before == result
    assert refusal.status_code == 429


def test_a_script_of_nobody_is_not_run(api: LocalApi, pad: ServerEndpoint) -> None:
    before = len(api.requests)
    script = {"script": "db.businesses.list()"}

    response = pad.post("tools/call", name="do", arguments=script)

    assert (response.status_code, response.json()["error"]["code"]) == (401, -32001)
    assert len(api.requests) == before


def markdown(front: ServerEndpoint, script: str) -> str:
    """The response to a request for documentation."""
    result: dict[str, Any] = front.call("do", script=script)
    (block,) = result["content"]
    assert not result.get("isError"), result
    return str(block["text"])


def test_documentation_is_markdown_with_an_index_first(pad: ServerEndpoint) -> None:
    index = markdown(with_key_of(pad, "bob"), "db.md")

    assert index.startswith("# ")
    assert all(module in index for module in ("businesses", "events"))


def test_documentation_of_a_module_tells_of_its_operations(pad: ServerEndpoint) -> None:
    page = markdown(with_key_of(pad, "bob"), "db.businesses.md")

    assert page.startswith("# ")
    for item in ("list", "get", "create", "`id`", "`name`", "await db.businesses.get("):
        assert item in page
    assert "Result: `{ id: string; name: string }[]`" in page


def test_documentation_is_asked_for_without_the_api(api: LocalApi, pad: ServerEndpoint) -> None:
    before = len(api.requests)

    assert len(markdown(with_key_of(pad, "bob"), "db.md").encode()) <= 8000
    assert len(api.requests) == before


def test_documentation_tells_nobody_of_what_they_may_not_call(pad: ServerEndpoint) -> None:
    pages = {item: json.dumps(markdown(with_key_of(pad, item), "db.md")) for item in ("ada", "bob")}

    assert "eploy" in pages["ada"]
    assert "eploy" not in pages["bob"]
