"""The fixtures of the companion: what is there before a scenario begins."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.openspec.companion.keys import (
    ANY,
    FUNCTION,
    HEADER_NAME,
    HEADER_VALUE,
    HTTP_STATUS,
    LIST,
    MAPPING,
    METHOD,
    NAME,
    QUERY_NAME,
    ROUTE,
    VARIABLE,
    VARIABLE_VALUE,
    number_key,
    text_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, read_text
from mcpgen.openspec.model.companion import Fixture, FixtureExchange
from mcpgen.parse.node import Node

KEYS = {
    "description": text_key(),
    "environment": MAPPING,
    "headers": MAPPING,
    "upstream": LIST,
    "app": text_key(FUNCTION),
    "values": MAPPING,
}
EXCHANGE = {
    "method": text_key(METHOD, needed=True),
    "path": text_key(ROUTE, needed=True),
    "query": MAPPING,
    "status": number_key(HTTP_STATUS),
    "headers": MAPPING,
    "body": ANY,
}
OK = 200


def fixtures_of(reader: CompanionReader, node: Node | None) -> tuple[Fixture, ...]:
    """The fixtures under `fixtures`, in the order written."""
    named = reader.named(node, "fixtures", NAME)
    return tuple(_fixture(reader, name, member) for name, member in named)


def _fixture(reader: CompanionReader, name: str, node: Node) -> Fixture:
    owner = f"the fixture `{name}`"
    found = reader.members(node, owner, KEYS)
    reader.only_one(node, owner, ("upstream", "app"))
    listed = found["upstream"].elements() if "upstream" in found else ()
    exchanges = [_exchange(reader, element) for element in listed]
    values: Mapping[str, Node] = dict(found["values"].members()) if "values" in found else {}
    return Fixture(
        name=name,
        description=read_text(found, "description"),
        environment=reader.pairs(found.get("environment"), VARIABLE, VARIABLE_VALUE),
        headers=reader.pairs(found.get("headers"), HEADER_NAME, HEADER_VALUE),
        exchanges=tuple(one for one in exchanges if one is not None),
        app=read_text(found, "app"),
        values={key: value.value for key, value in values.items()},
        at=node.at,
    )


def _exchange(reader: CompanionReader, node: Node) -> FixtureExchange | None:
    found = reader.members(node, "an answer of the upstream", EXCHANGE)
    if not {"method", "path"} <= found.keys():
        return None
    return FixtureExchange(
        method=read_text(found, "method"),
        path=read_text(found, "path"),
        query=reader.pairs(found.get("query"), QUERY_NAME, VARIABLE_VALUE),
        status=int(found["status"].value) if "status" in found else OK,
        headers=reader.pairs(found.get("headers"), HEADER_NAME, HEADER_VALUE),
        body=found["body"].value if "body" in found else None,
        at=node.at,
    )
