"""What a frozen value is: a dataclass for which Python compiles nothing when it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

Value = TypeVar("Value")

_FRESH: Any = object()
"""Stands for a default that is made anew for every value."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(declared: type[Value]) -> type[Value]:
    """The class as `dataclass(frozen=True, slots=True)` makes it, without what that compiles.

    A build loads three hundred, and Python writes eight methods for each: a tenth of a second. Here
    fields are compared, hashed and shown by functions over their names, and `__init__` is written
    when the first value is made.
    """
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(declared)
    compared = values_of([each.name for each in fields(made) if each.compare])
    shown = tuple(each.name for each in fields(made) if each.repr)
    kept = tuple(each.name for each in fields(made))

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        made.__init__ = _written(made)
        made.__init__(self, *values, **named)

    def __eq__(self: Any, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return bool(compared(self) == compared(other))

    def __hash__(self: Any) -> int:
        return hash(compared(self))

    def __repr__(self: Any) -> str:
        told = ", ".join([f"{name}={getattr(self, name)!r}" for name in shown])
        return f"{self.__class__.__qualname__}({told})"

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, name) for name in kept]

    def __setstate__(self: Any, state: list[Any]) -> None:
        for name, value in zip(kept, state, strict=True):
            object.__setattr__(self, name, value)

    for method in (__init__, __eq__, __hash__, __repr__, __getstate__, __setstate__):
        setattr(made, method.__name__, method)
    made.__setattr__, made.__delattr__ = _refused, _refused
    kind: type[Value] = made
    return kind


def values_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of these attributes, a tuple however many they are; names may be dotted."""
    if len(names) > 1:
        return attrgetter(*names)
    getters = [attrgetter(name) for name in names]
    return lambda value: tuple([get(value) for get in getters])


def _refused(self: object, name: str, value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _written(made: Any) -> Callable[..., None]:
    """The `__init__` of a class: out of the names of its fields, which are Python's own already."""
    scope: dict[str, Any] = {"_FRESH": _FRESH}
    given, lines = ["self"], []
    for each in fields(made):
        if not each.init:
            continue
        name = value = each.name
        if each.default is not MISSING:
            scope[f"_default_{name}"] = each.default
            given.append(f"{name}=_default_{name}")
        elif each.default_factory is not MISSING:
            scope[f"_make_{name}"] = each.default_factory
            given.append(f"{name}=_FRESH")
            value = f"_make_{name}() if {name} is _FRESH else {name}"
        else:
            given.append(name)
        scope[f"_set_{name}"] = getattr(made, name).__set__
        lines.append(f"    _set_{name}(self, {value})")
    lines += ["    self.__post_init__()"] if hasattr(made, "__post_init__") else []
    exec("\n".join([f"def __init__({', '.join(given)}):", *(lines or ["    pass"])]), scope)
    written: Callable[..., None] = scope["__init__"]
    written.__qualname__ = f"{made.__qualname__}.__init__"
    return written
