"""Whether a value is what an argument announces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

import jsonschema_rs

from mcpgen.ir.source import Json


def is_announced(schema: Mapping[str, Json], value: Json) -> bool:
    """Whether a value meets an announced schema. Arguments that only their descriptions tell apart
    ask the same about the same, which is answered once."""
    asked = {keyword: part for keyword, part in schema.items() if keyword != "description"}
    return _meets(json.dumps(asked), json.dumps(value))


@lru_cache(maxsize=4_096)
def _meets(schema: str, value: str) -> bool:
    return jsonschema_rs.is_valid(json.loads(schema), json.loads(value))
