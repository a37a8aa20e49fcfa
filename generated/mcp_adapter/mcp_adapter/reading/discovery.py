"""The tool `schema`: an index of all streams, or the details or the JSON Schema of a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp_adapter.reading.legend import legend
from mcp_adapter.reading.resource_server import error_result, request_json
from mcp_adapter.reading.results import object_result
from mcp_adapter.reading.sources import SOURCE, label, select_keys
from mcp_adapter.runtime.hooks import Call, Json, Result

ROWS = 20
"""The most rows with details. The index has the name of every stream, also of the others."""

CONNECTIONS = 300
"""The most connections that are named for each connector."""

Row = Mapping[str, Json]
"""A stream of a connection."""

_STREAM_REQUIRED = (
    "the schema of a whole grant is not given in full. Call schema for the compact index, then "
    'schema(stream, connection_id, detail: "full").'
)


async def schema(call: Call) -> Result:
    """Returns what can be read, in the requested detail."""
    stream, connection_id = call.arguments.get("stream"), call.arguments.get("connection_id")
    full = call.arguments.get("detail") == "full"
    if full and not stream:
        return error_result("stream_required", _STREAM_REQUIRED, retry_with="stream")
    detail = "full" if full else None
    body = await request_json(
        call, "/v1/schema", stream=stream, connection_id=connection_id, detail=detail
    )
    rows = [row for group in body["data"]["connectors"] for row in group["streams"]]
    if not stream:
        return _index_result(rows)
    return _schema_result(rows) if full else _stream_result(stream, rows)


def _index_result(rows: Sequence[Row]) -> Result:
    """Returns every stream by connector, with details of the first `ROWS` rows."""
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
    lines += [_line(connector) for connector in connectors]
    lines.append(f"{len(detailed)} of {len(rows)} rows are told in detail below.")
    lines.append("Next: schema(stream) tells the fields, with flags:")
    return _document_result(document, *lines)


def _stream_result(stream: str, rows: Sequence[Row]) -> Result:
    """Returns the rows of a stream. The text has the details once for each connector."""
    groups = _by_connector(rows)
    shown = rows[:ROWS]
    document = {
        "view": "stream",
        "connectors": _connector_groups(shown),
        "total_rows": len(rows),
        "truncated": len(rows) > len(shown),
    }
    lines = [f"The stream {stream}, as {len(rows)} granted connections have it:"]
    for group in groups.values():
        lines += _summary(group)
    return _document_result(document, *lines)


def _schema_result(rows: Sequence[Row]) -> Result:
    """Returns the rows of a stream with their JSON Schema."""
    document = {"view": "full", "connectors": _connector_groups(rows)}
    lines = [line for row in rows for line in _summary([row])]
    return _document_result(document, *lines)


def _document_result(document: Mapping[str, Json], *lines: str) -> Result:
    return object_result({"data": document}, *lines, legend())


def _summary(rows: Sequence[Row]) -> list[str]:
    """Returns lines about the arguments that the rows of a connector accept. All connections of a
    connector accept the same arguments."""
    first = rows[0]
    aggregate = first["aggregate"]
    arguments = (
        ("connection_id", _join([label(row) for row in rows[:CONNECTIONS]])),
        ("fields", " ".join(_field(field) for field in first["fields"])),
        ("always there", _join(first["identity"])),
        ("projection", "fields" if first["projection"] else "none"),
        ("sort", _join([field["name"] for field in first["fields"] if "s" in field["flags"]])),
        ("count", _join(first["count"])),
        ("expand", _join(first["expand"])),
        ("search", _join(first["search"])),
        ("aggregate", f"{_join(aggregate['functions'])} of {_join(aggregate['fields'])}"),
        ("group_by", _join(aggregate["group_by"])),
    )
    head = f"- connector_key {first['connector_key']}, stream {first['stream']}"
    return [head, *(f"  {name}: {words}" for name, words in arguments)]


def _field(field: Mapping[str, Json]) -> str:
    return f"{field['name']}:{field['type']}[{field['flags']}]"


def _line(connector: Mapping[str, Json]) -> str:
    streams, connections = _join(connector["streams"]), connector["connections"]
    cut = f", … {connector['total']} in all" if connector["total"] > len(connections) else ""
    return f"- {connector['connector_key']}: {streams} (connections: {_join(connections)}{cut})"


def _join(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _row(row: Row) -> dict[str, Json]:
    return select_keys(row, ("stream", *SOURCE, "records"))


def _names(rows: Sequence[Row], key: str) -> list[str]:
    """Returns the distinct values of a key, in the order of the rows."""
    return list(dict.fromkeys(row[key] for row in rows))


def _by_connector(rows: Sequence[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["connector_key"], []).append(row)
    return groups


def _connector_groups(rows: Sequence[Row]) -> list[dict[str, Json]]:
    """Returns the rows by connector, as structured content."""
    return [{"connector_key": key, "streams": group} for key, group in _by_connector(rows).items()]
