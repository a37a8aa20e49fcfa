"""The tool `schema`: an index of everything, all about one stream, or its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp_adapter.reading.asking import ask, typed
from mcp_adapter.reading.legend import legend
from mcp_adapter.reading.results import told
from mcp_adapter.reading.sources import SOURCE, label, picked
from mcp_adapter.runtime.hooks import Call, Json, Result

ROWS = 20
"""How many rows are told in detail; the index has every stream all the same."""

CONNECTIONS = 300
"""How many connections of a connector are named."""

Row = Mapping[str, Json]

_SCOPE = (
    "the schema of a whole grant is not given in full. Call schema for the compact index, then "
    'schema(stream, connection_id, detail: "full").'
)


async def schema(call: Call) -> Result:
    """What can be read, in as much detail as is asked for."""
    stream, connection_id = call.arguments.get("stream"), call.arguments.get("connection_id")
    full = call.arguments.get("detail") == "full"
    if full and not stream:
        return typed("stream_required", _SCOPE, retry_with="stream")
    detail = "full" if full else None
    body = await ask(call, "/v1/schema", stream=stream, connection_id=connection_id, detail=detail)
    rows = [row for group in body["data"]["connectors"] for row in group["streams"]]
    if not stream:
        return _index(rows)
    return _full(rows) if full else _scoped(stream, rows)


def _index(rows: Sequence[Row]) -> Result:
    """Every stream by connector, with a few rows in detail."""
    groups = _by_connector(rows)
    connectors = [
        {
            "connector_key": key,
            "streams": _names(group, "stream"),
            "connections": _names(group, "connection_id")[:CONNECTIONS],
            "total": len(_names(group, "connection_id")),
        }
        for key, group in groups.items()
    ]
    detailed = [_row(row) for row in rows[:ROWS]]
    document = {
        "view": "compact",
        "connectors": connectors,
        "rows": detailed,
        "total_rows": len(rows),
        "truncated": len(rows) > len(detailed),
    }
    granted = len(_names(rows, "connection_id"))
    lines = [f"{granted} connections of {len(groups)} connectors are granted; their streams:"]
    lines += [_line(one) for one in connectors]
    lines.append(f"{len(detailed)} of {len(rows)} rows are told in detail below.")
    lines.append("Next: schema(stream) tells the fields, with flags:")
    return _result(document, *lines)


def _scoped(stream: str, rows: Sequence[Row]) -> Result:
    """All rows of one stream; what they have in common by connector is told once in the text."""
    groups = _by_connector(rows)
    shown = rows[:ROWS]
    document = {
        "view": "stream",
        "connectors": _grouped(shown),
        "total_rows": len(rows),
        "truncated": len(rows) > len(shown),
    }
    lines = [f"The stream {stream}, as {len(rows)} granted connections have it:"]
    for group in groups.values():
        lines += _summary(group)
    return _result(document, *lines)


def _full(rows: Sequence[Row]) -> Result:
    """One row with its JSON Schema."""
    document = {"view": "full", "connectors": _grouped(rows)}
    lines = [line for row in rows for line in _summary([row])]
    return _result(document, *lines)


def _result(document: Mapping[str, Json], *lines: str) -> Result:
    return told({"data": document}, *lines, legend())


def _summary(rows: Sequence[Row]) -> list[str]:
    """What the rows of one connector can be asked; it is the same for all of its connections."""
    first = rows[0]
    aggregate = first["aggregate"]
    asked = (
        ("connection_id", _listed([label(row) for row in rows[:CONNECTIONS]])),
        ("fields", " ".join(_field(one) for one in first["fields"])),
        ("always there", _listed(first["identity"])),
        ("projection", "fields" if first["projection"] else "none"),
        ("sort", _listed([one["name"] for one in first["fields"] if "s" in one["flags"]])),
        ("count", _listed(first["count"])),
        ("expand", _listed(first["expand"])),
        ("search", _listed(first["search"])),
        ("aggregate", f"{_listed(aggregate['functions'])} of {_listed(aggregate['fields'])}"),
        ("group_by", _listed(aggregate["group_by"])),
    )
    head = f"- connector_key {first['connector_key']}, stream {first['stream']}"
    return [head, *(f"  {name}: {words}" for name, words in asked)]


def _field(one: Mapping[str, Json]) -> str:
    return f"{one['name']}:{one['type']}[{one['flags']}]"


def _line(connector: Mapping[str, Json]) -> str:
    streams, connections = _listed(connector["streams"]), connector["connections"]
    cut = f", … {connector['total']} in all" if connector["total"] > len(connections) else ""
    return f"- {connector['connector_key']}: {streams} (connections: {_listed(connections)}{cut})"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _row(row: Row) -> dict[str, Json]:
    return picked(row, ("stream", *SOURCE, "records"))


def _names(rows: Sequence[Row], key: str) -> list[str]:
    """The values of a key, each once."""
    return list(dict.fromkeys(row[key] for row in rows))


def _by_connector(rows: Sequence[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["connector_key"], []).append(row)
    return groups


def _grouped(rows: Sequence[Row]) -> list[dict[str, Json]]:
    """The rows as a document has them: each once, at its connector."""
    return [{"connector_key": key, "streams": group} for key, group in _by_connector(rows).items()]
