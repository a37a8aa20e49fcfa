"""The server of a handwritten project: small, correct, and with defects on request.

`python -m petstore_mcp` runs `main()` of this module. The text of the project's `__main__.py`
selects a defect.
"""

from __future__ import annotations

import json
import os
import threading
import urllib.parse
import urllib.request
from typing import Any

from base_server import ConformingServer, ReceivedRequest, Reply, serving, tool

MAIN = '''"""Serves the pets."""
import sys
sys.path[:0] = {paths!r}
from stub_project import main
main(defect={defect!r})
'''


class Pets(ConformingServer):
    """Server with two tools that call an API."""

    def __init__(self, defect: str) -> None:
        super().__init__()
        self.defect = defect
        number = {"type": "integer", "description": "Id of the pet."}
        name = {"type": "string", "description": "Name."}
        self.tools = [
            tool("get_pet", {"pet_id": number}, ["pet_id"]),
            tool("add_pet", {"name": name}, ["name"]),
        ]

    def answer(self, request: ReceivedRequest) -> Reply:
        """Health, or MCP."""
        if request.path == "/healthz":
            return Reply(200)
        reply = super().answer(request)
        if self.defect == "large event" and b'"tools/list"' in request.body:
            data = b"data: " + b" " * 1024 * 1024 + reply.body + b"\n\n"
            return Reply(reply.status, data, {"Content-Type": "text/event-stream"})
        return reply

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Asks the API."""
        path = "/pets" if name == "add_pet" else f"/pets/{arguments['pet_id']}"
        if self.defect == "wrong path":
            path = "/cats"
        body = json.dumps(arguments).encode() if name == "add_pet" else None
        url = os.environ["PETSTORE_UPSTREAM"] + path
        headers = {"X-Api-Key": os.environ["PETSTORE_API_KEY"]}
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
                return {"content": [{"type": "text", "text": answer.read().decode()}]}
        except OSError as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}


def main(defect: str) -> None:
    """Serves until the process is stopped."""
    if defect == "no start":
        raise SystemExit("the hook of get_pet cannot be imported")
    with serving(Pets(defect), int(os.environ["PETSTORE_PORT"])):
        threading.Event().wait()
