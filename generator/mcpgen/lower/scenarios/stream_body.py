"""An answer that comes item by item, as an upstream writes it."""

from __future__ import annotations

from mcpgen.ir.source import Json
from mcpgen.lower.response_schemas import EVENTS
from mcpgen.lower.scenarios.parameter_styles import compact_json, scalar_text


def stream_body(media_type: str, item: Json) -> str:
    """A stream of one item: an event, a record of a sequence, or a line."""
    essence = media_type.partition(";")[0].strip().lower()
    if essence == EVENTS:
        event = item if isinstance(item, dict) else {"data": item}
        lines = [f"{name}: {_line(value)}\n" for name, value in event.items() if name != "data"]
        return f"{''.join(lines)}data: {_line(event.get('data', 'sample'))}\n\n"
    mark = "\x1e" if essence.endswith("json-seq") else ""
    return f"{mark}{compact_json(item)}\n"


def _line(value: Json) -> str:
    """A value on one line."""
    written = scalar_text(value)
    return written if len(written.splitlines()) == 1 else compact_json(value)
