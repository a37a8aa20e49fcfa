"""Where in the documents a finding of the validator stands, which tells it only in part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpgen.ir.source import Json, Source
from mcpgen.parse.node import Path
from mcpgen.parse.pointer import step

Place = tuple[str, Path]
"""A document's key and a path in it."""

_NOWHERE: Place = ("", ())


class ValidatorPositions:
    """The places of findings, each taken from what the validator says of it.

    A finding about the document as a whole carries its path. One about a schema carries the path
    inside that schema, and values that are the very objects of our trees.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._objects: dict[int, Place] | None = None
        self._by_key: dict[str, list[tuple[Place, Json]]] = {}
        self._used: dict[tuple[Path, str], int] = {}

    def place(self, error: Any) -> Place:
        """The place of a finding; the root of the first document where it cannot be told."""
        path = tuple(str(key) for key in error.absolute_path)
        if error.instance is self._source.root.tree:
            return "", self._existing(path)
        for value in (error.instance, error.schema):
            if isinstance(value, dict | list) and id(value) in self._known():
                return self._known()[id(value)]
        return self._ending(path, error.instance) if path else _NOWHERE

    def _existing(self, path: Path) -> Path:
        """The longest beginning of a path that leads to something in the first document."""
        value = self._source.root.tree
        for index, key in enumerate(path):
            exists, value = step(value, key)
            if not exists:
                return path[:index]
        return path

    def _known(self) -> dict[int, Place]:
        """The place of every mapping and list, by identity."""
        if self._objects is None:
            self._objects = {}
            for place, value in self._values():
                if isinstance(value, dict | list):
                    self._objects.setdefault(id(value), place)
        return self._objects

    def _ending(self, path: Path, value: Json) -> Place:
        """The place whose path ends in `path` and which holds `value`. Of several, the first that
        no earlier finding has got, because the validator goes through a document in its order."""
        last = path[-1]
        if last not in self._by_key:
            self._by_key[last] = [each for each in self._values() if each[0][1][-1:] == (last,)]
        ending = [
            place
            for place, found in self._by_key[last]
            if place[1][-len(path) :] == path and type(found) is type(value) and found == value
        ]
        key = (path, repr(value))
        index = self._used.get(key, 0)
        self._used[key] = index + 1
        return ending[min(index, len(ending) - 1)] if ending else _NOWHERE

    def _values(self) -> Iterator[tuple[Place, Json]]:
        """Every value of every document, in document order."""
        for document in self._source.documents.values():
            pending: list[tuple[Path, Json]] = [((), document.tree)]
            while pending:
                path, value = pending.pop()
                yield (document.key, path), value
                if isinstance(value, dict):
                    children = [((*path, str(key)), child) for key, child in value.items()]
                elif isinstance(value, list):
                    children = [((*path, str(i)), child) for i, child in enumerate(value)]
                else:
                    continue
                pending.extend(reversed(children))
