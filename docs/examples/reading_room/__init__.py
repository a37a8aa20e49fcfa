"""The Reading Room: knowledge bases, documents, agents and chats of workspaces, in SQLite."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from docs.examples.example import Example, caller_key
from docs.examples.reading_room.api import TOKEN, create, furnish
from docs.examples.reading_room.library import Library


def start(folder: Path, stack: ExitStack) -> Example:
    """The library in `folder`, filled at the first start, and a key of the workspace `harbour`."""
    library = Library(str(folder / "reading-room.sqlite"))
    stack.callback(library.close)
    if not library.rows("select * from workspaces"):
        with library.transaction():
            furnish(library)
    key = "rr_ada_0123456789abcdef"
    path = {"workspaceId": "harbour"}
    settings = {
        "service_token": TOKEN,
        "caller_keys": caller_key(key, scopes=["read", "write"], path=path),
        "expose": "chat",
        "chat_service": "echo",
    }
    return Example(
        project="reading-room",
        app=create(library),
        base="/api/v1",
        settings=lambda _: settings,
        path="/api/v1/workspaces/harbour/mcp",
        headers={"Authorization": f"Bearer {key}"},
        tool="create_knowledge_base",
        arguments={
            "name": "Pilot notes",
            "embeddingServiceId": "letters-26",
            "chunkingServiceId": "paragraphs",
        },
    )
