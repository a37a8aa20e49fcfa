"""Every turn of the host's client gets the tools quickly, in a shape that the client can use."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from typing import Any

import httpx2
from docs.examples.pressroom import Site
from tests.examples.pressroom.conftest import PressroomLauncher
from tests.examples.pressroom.host import APPLICATION, HELLO, ChatHost
from tests.examples.project_process import PATIENCE, ServerEndpoint

from mcpgen.conformance.targets.command import free_port

SCALARS = {"string", "integer", "number", "boolean"}


def test_the_handshake_is_done_as_the_host_does_it(editor: ServerEndpoint) -> None:
    host = ChatHost(editor)

    opening, initialized_response, tools = host.open()

    assert opening["protocolVersion"] == "2025-03-26"
    assert opening["serverInfo"]["name"] == "pressroom"
    assert "tools" in opening["capabilities"]
    assert (initialized_response.status_code, initialized_response.content) == (202, b"")
    assert len(tools) == 5


def test_every_turn_of_a_chat_opens_it_anew(editor: ServerEndpoint) -> None:
    turns = [ChatHost(editor).open()[2] for _ in range(3)]

    assert turns[0] == turns[1] == turns[2]


def test_there_is_no_session_to_keep_or_to_end(editor: ServerEndpoint) -> None:
    host = ChatHost(editor)
    host.open()

    response = editor.request("DELETE", headers={"Mcp-Session-Id": "none"})

    assert host.session == ""
    assert response.status_code == 405


def test_the_first_response_of_a_stream_is_the_answer(editor: ServerEndpoint) -> None:
    host = ChatHost(editor)

    host.open()

    assert all(kind.startswith("text/event-stream") for kind in host.content_types)


def test_opening_and_listing_ask_nobody(press: PressroomLauncher, editor: ServerEndpoint) -> None:
    editor.tools()
    before = len(press.api.requests) + len(press.login.requests)

    ChatHost(editor).open()

    assert len(press.api.requests) + len(press.login.requests) == before


def test_arguments_are_flat_scalars_with_descriptions(editor: ServerEndpoint) -> None:
    tools = editor.tools()

    assert all(tool["description"] for tool in tools.values())
    arguments = [item for tool in tools.values() for item in _properties(tool)]
    assert len(arguments) == 9
    assert all(item["type"] in SCALARS and item["description"] for item in arguments)


def _properties(tool: dict[str, Any]) -> list[dict[str, Any]]:
    return list(tool["inputSchema"].get("properties", {}).values())


def test_names_are_short_words(editor: ServerEndpoint) -> None:
    names = {"list_pages", "get_page", "save_page", "start_publication", "get_publication"}

    assert editor.tools().keys() == names


def test_names_have_room_for_the_prefix_of_the_host(editor: ServerEndpoint) -> None:
    names = [f"mcp__pressroom__{name}" for name in editor.tools()]

    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)


def test_what_needs_nobodys_approval_says_so(editor: ServerEndpoint) -> None:
    hints = {name: tool["annotations"] for name, tool in editor.tools().items()}

    free = {
        name
        for name, annotations in hints.items()
        if annotations.get("readOnlyHint") or annotations.get("destructiveHint") is False
    }
    assert hints.keys() - free == {"start_publication"}


def test_a_result_is_one_block_of_text(editor: ServerEndpoint) -> None:
    result = ChatHost(editor).call("get_page", page="spring-fair")

    (block,) = result["content"]
    assert result["isError"] is False
    assert block["type"] == "text"
    assert json.loads(block["text"])["title"] == "Spring fair"


def test_what_fails_is_a_result_that_says_why(editor: ServerEndpoint) -> None:
    result = ChatHost(editor).call("get_page", page="winter-fair")

    (block,) = result["content"]
    assert result["isError"] is True
    assert "There is no winter-fair" in block["text"]


def test_an_address_and_headers_are_all_that_a_host_needs(desk: ServerEndpoint, token: str) -> None:
    registration: dict[str, Any] = {
        "type": "http",
        "url": f"{desk.origin}{desk.path}",
        "headers": {"Authorization": f"Bearer {token}", "X-Of-The-Host": "anything"},
    }

    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    with httpx2.Client(headers=registration["headers"], timeout=120, verify=False) as client:
        response = client.post(registration["url"], json=hello)

    assert response.status_code == 200
    assert response.json()["result"]["protocolVersion"] == "2025-03-26"


def test_a_page_is_saved_and_read(editor: ServerEndpoint, site: Site) -> None:
    saved_page = editor.call_json("save_page", page="opening", title="Opening", text="At nine.")

    assert saved_page == {"id": "opening", "title": "Opening", "section": "news"}
    page = site.page("opening")
    assert page is not None
    assert page["text"] == "At nine."
    assert saved_page in editor.call_json("list_pages", section="news")


def test_long_work_is_started_and_looked_at(editor: ServerEndpoint) -> None:
    publication = editor.call_json("start_publication", section="news")

    assert publication["state"] == "running"
    deadline = time.monotonic() + PATIENCE
    result = editor.call_json("get_publication", publication=publication["id"])
    while result["state"] == "running" and time.monotonic() < deadline:
        result = editor.call_json("get_publication", publication=publication["id"])
    assert result["state"] == "done"
    assert "spring-fair" in result["pages"]


def test_a_call_ends_before_the_host_gives_up(press: PressroomLauncher, token: str) -> None:
    with press.server(limit_call_seconds="1") as front:
        host = ChatHost(front.showing(Authorization=f"Bearer {token}"))

        result = host.call("get_page", page="stuck")

    assert result["isError"] is True
    assert "took longer than 1 s" in result["content"][0]["text"]


def test_the_checklist_of_the_host_is_kept(press: PressroomLauncher) -> None:
    tokens = {
        "GOOD": press.token(),
        "EXPIRED": press.token(exp=1),
        "FOREIGN": press.token(aud="https://elsewhere.example"),
    }
    command = (sys.executable, "-m", "mcpgen", "check", "--format", "json")
    options = ("--profile", "experience-workspace,security", "--trusted-domain", "127.0.0.1")
    lines = ("--bearer-env", "GOOD", "--header", f"x-api-key:{APPLICATION}")
    wrong = ("--refused-token", "expired=EXPIRED", "--refused-token", "audience=FOREIGN")

    port = str(free_port())
    with press.server(port=port, public_url=f"http://127.0.0.1:{port}") as front:
        completed = subprocess.run(
            (*command, *options, *lines, *wrong, f"{front.origin}{front.path}"),
            env=os.environ | tokens,
            capture_output=True,
            text=True,
            timeout=120,
        )

    report = json.loads(completed.stdout)["report"]
    assert report["counts"]["failed"] == 0, completed.stdout
    assert report["counts"]["warning"] == 1, "it is not at a public address"
    words = {profile["word"]: profile["counts"] for profile in report["profiles"]}
    assert words["experience-workspace"]["passed"] > 30
    assert words["security"]["passed"] > 10
