"""Whether a value has one of the types a schema names."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.ir.source import Json

_CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


def has_type(value: Json, types: Sequence[str]) -> bool:
    """Whether `value` has one of `types`; whole numbers are integers, however written."""
    return any(_is(value, name) for name in types)


def _is(value: Json, name: str) -> bool:
    if name in _CLASSES:
        return isinstance(value, _CLASSES[name])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return name == "number" or isinstance(value, int) or value.is_integer()
