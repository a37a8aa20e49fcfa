"""What somebody sends, read into what the registry knows; every mistake in it is told at once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from docs.examples.agent_registry.cards import ADDED, capabilities_of
from docs.examples.agent_registry.domain import (
    HTTP,
    INTERVAL,
    MCP,
    Agent,
    Capability,
    Endpoint,
    Liveness,
    Sought,
)
from docs.examples.agent_registry.schemas import problems

SECONDS = {
    Liveness.PERSISTENT: "heartbeatIntervalSeconds",
    Liveness.EPHEMERAL: "ttlSeconds",
}
"""The member that says how long a sign of life counts, by model."""

MAX_PAGE_SIZE = 100
"""Entries of a page."""

MAX_TAGS = 20
"""Tags that are looked for at a time."""

_COUNT = re.compile(r"[0-9]{1,6}")


class Rejected(Exception):
    """Why something is not taken, in a sentence for each mistake."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("; ".join(sentences))
        self.problems = sentences


def agent_of(body: bytes) -> Agent:
    """The agent that `POST /agents` registers. Raises Rejected."""
    tree = _json(body)
    _require("NewAgent", tree)
    return Agent(
        _new_id(),
        tree["name"],
        tree.get("description", ""),
        tuple(_capability(each) for each in tree.get("capabilities", [])),
        tuple(_endpoint(each) for each in tree["endpoints"]),
    )


def server_of(body: bytes) -> Agent:
    """The agent that `POST /mcp/servers` registers. Raises Rejected."""
    tree = _json(body)
    if not isinstance(tree, dict) or tree.keys() != {"serverCard"}:
        raise Rejected("the body is an object with the member serverCard alone")
    card = tree["serverCard"]
    _require("ServerCard", card)
    if own := sorted(ADDED & card.keys()):
        raise Rejected(f"$.{own[0]}: only a registry says this of a server")
    endpoint = Endpoint(
        _new_id(),
        "streamable-http",
        HTTP,
        MCP,
        card["endpoints"]["streamableHttp"],
        Liveness.PERSISTENT,
        INTERVAL,
        card,
    )
    return Agent(
        _new_id(),
        card["serverInfo"].get("title") or card["serverInfo"]["name"],
        card.get("instructions", ""),
        tuple(capabilities_of(card)),
        (endpoint,),
    )


def sought(query: Mapping[str, str]) -> Sought:
    """What the query of a list asks for. Raises Rejected."""
    live = query.get("live", "true")
    if live not in ("true", "false"):
        raise Rejected("live: true or false")
    tags = tuple({tag: None for tag in query.get("tags", "").split(",") if tag})
    if len(tags) > MAX_TAGS:
        raise Rejected(f"tags: at most {MAX_TAGS}")
    return Sought(
        query.get("name", ""),
        query.get("capability", ""),
        tags,
        query.get("protocol", ""),
        query.get("transport", ""),
        live == "true",
        _number(query, "page", 1, 100_000),
        _number(query, "pageSize", 20, MAX_PAGE_SIZE),
    )


def _number(query: Mapping[str, str], name: str, default: int, most: int) -> int:
    text = query.get(name, str(default))
    if not _COUNT.fullmatch(text) or not 1 <= int(text) <= most:
        raise Rejected(f"{name}: a whole number from 1 to {most}")
    return int(text)


def _json(body: bytes) -> Any:
    """The JSON of a body; none that could not be shown again, or not be kept. Raises Rejected."""
    try:
        tree = json.loads(body, parse_constant=_refuse)
        json.dumps(tree, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise Rejected("the body is no JSON that can be kept") from error
    return tree


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _require(schema: str, tree: Any) -> None:
    if found := list(problems(schema, tree)):
        raise Rejected(*found[:20])


def _capability(tree: Mapping[str, Any]) -> Capability:
    return Capability(tree["name"], tree.get("description", ""), tuple(tree.get("tags", ())))


def _endpoint(tree: Mapping[str, Any]) -> Endpoint:
    model = Liveness(tree["livenessModel"])
    member = SECONDS[model]
    if member not in tree:
        raise Rejected(f"an endpoint that is {model} says its {member}")
    return Endpoint(
        _new_id(),
        tree["name"],
        tree["transport"],
        tree["protocol"],
        tree["address"],
        model,
        tree[member],
    )


def _new_id() -> str:
    return uuid4().hex
