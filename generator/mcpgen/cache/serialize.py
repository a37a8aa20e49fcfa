"""Values as JSON and back, by the types that their classes declare: no text can become anything but
the frozen values named there."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Json = Any
"""A JSON value."""

Value = TypeVar("Value")

Turn = Callable[[Any], Any]
"""Turns a value into JSON, or JSON into a value."""


def encode(value: Any) -> Json:
    """A dataclass as JSON: the values of its fields, in their order."""
    return _turns(type(value))[0](value)


def decode(kind: type[Value], found: Json) -> Value:
    """The dataclass that JSON stands for, which is used up. Raises ValueError, TypeError, KeyError,
    IndexError or AttributeError for what stands for none."""
    turns: tuple[Turn, Turn] = _turns(kind)
    made: Value = turns[1](found)
    return made


def _same(value: Any) -> Any:
    return value


def _json(value: Any) -> Json:
    """A JSON value as it is; one that a tuple holds, as the pieces of a form, is marked."""
    return [1, value] if isinstance(value, tuple) else [0, value]


def _of_json(found: Json) -> Any:
    is_tuple, value = _items(found)
    return tuple(tuple(each) for each in _items(value)) if is_tuple else value


def _items(found: Any) -> Any:
    """The items of a list. Raises TypeError for anything else."""
    if not isinstance(found, list):
        raise TypeError("a list was kept here")
    return found


_KNOWN: dict[Any, tuple[Turn, Turn]] = {}


def _turns(kind: Any) -> tuple[Turn, Turn]:
    """How values of a declared type become JSON, and how they come back."""
    if kind not in _KNOWN:
        _KNOWN[kind] = _class_of(kind)
    return _KNOWN[kind]


def _class_of(kind: Any) -> tuple[Turn, Turn]:
    if isinstance(kind, type) and is_dataclass(kind):
        return _of_class(kind)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return str, kind
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (only,) = (each for each in inside if each is not type(None))
        write, read = _turns(only)
        if write is read:
            return _same, _same
        return (
            lambda value: None if value is None else write(value),
            lambda found: None if found is None else read(found),
        )
    if origin is tuple:
        write, read = _turns(inside[0])
        if write is read:
            return list, lambda found: tuple(_items(found))
        return (
            lambda value: [write(each) for each in value],
            lambda found: tuple([read(each) for each in _items(found)]),
        )
    if origin is Mapping:
        write, read = _turns(inside[1])
        if write is _json:
            return dict, _same
        return (
            lambda value: {key: write(each) for key, each in value.items()},
            lambda found: {key: read(each) for key, each in found.items()},
        )
    return (_json, _of_json) if kind is Any else (_same, _same)


def _of_class(kind: type) -> tuple[Turn, Turn]:
    """How the values of a dataclass become JSON, and how they come back."""
    names = tuple(each.name for each in fields(kind))

    @cache
    def parts() -> list[tuple[int, Turn, Turn]]:
        # Looked up when it is needed: a class may have itself as a part. Most parts are JSON as they
        # are, and are left alone.
        hints = get_type_hints(kind)
        turns = [(at, *_turns(hints[name])) for at, name in enumerate(names)]
        return [each for each in turns if each[1:] != (_same, _same)]

    def write(value: Any) -> Json:
        told = [getattr(value, name) for name in names]
        for at, turn, _ in parts():
            told[at] = turn(told[at])
        return told

    def read(found: Json) -> Any:
        if type(found) is not list or len(found) != len(names):
            raise ValueError(f"a {kind.__name__} has {len(names)} fields")
        for at, _, turn in parts():
            found[at] = turn(found[at])
        return kind(*found)

    return write, read
