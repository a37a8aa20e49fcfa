"""The fixtures of the companion: what is there before a scenario begins."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.ir.companion import Exchange, Fixture
from mcpgen.parse.companion.keys import (
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
    number,
    text,
)
from mcpgen.parse.companion.reader import Reader, as_text
from mcpgen.parse.node import Node

KEYS = {
    "description": text(),
    "environment": MAPPING,
    "headers": MAPPING,
    "upstream": LIST,
    "app": text(FUNCTION),
    "values": MAPPING,
}
EXCHANGE = {
    "method": text(METHOD, needed=True),
    "path": text(ROUTE, needed=True),
    "query": MAPPING,
    "status": number(HTTP_STATUS),
    "headers": MAPPING,
    "body": ANY,
}
OK = 200


def fixtures_of(reader: Reader, node: Node | None) -> tuple[Fixture, ...]:
    """The fixtures under `fixtures`, in the order written."""
    named = reader.named(node, "fixtures", NAME)
    return tuple(_fixture(reader, name, member) for name, member in named)


def _fixture(reader: Reader, name: str, node: Node) -> Fixture:
    owner = f"the fixture `{name}`"
    found = reader.members(node, owner, KEYS)
    reader.only_one(node, owner, ("upstream", "app"))
    listed = found["upstream"].elements() if "upstream" in found else ()
    exchanges = [_exchange(reader, element) for element in listed]
    values: Mapping[str, Node] = dict(found["values"].members()) if "values" in found else {}
    return Fixture(
        name=name,
        description=as_text(found, "description"),
        environment=reader.pairs(found.get("environment"), VARIABLE, VARIABLE_VALUE),
        headers=reader.pairs(found.get("headers"), HEADER_NAME, HEADER_VALUE),
        exchanges=tuple(one for one in exchanges if one is not None),
        app=as_text(found, "app"),
        values={key: value.value for key, value in values.items()},
        at=node.at,
    )


def _exchange(reader: Reader, node: Node) -> Exchange | None:
    found = reader.members(node, "an answer of the upstream", EXCHANGE)
    if not {"method", "path"} <= found.keys():
        return None
    return Exchange(
        method=as_text(found, "method"),
        path=as_text(found, "path"),
        query=reader.pairs(found.get("query"), QUERY_NAME, VARIABLE_VALUE),
        status=int(found["status"].value) if "status" in found else OK,
        headers=reader.pairs(found.get("headers"), HEADER_NAME, HEADER_VALUE),
        body=found["body"].value if "body" in found else None,
        at=node.at,
    )
