"""A tree that is changed without changing the one it was made from."""

from __future__ import annotations

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.read.json_values import kind_name
from mcpgen.read.overlay.jsonpath import Found


class Origin:
    """Where a value was written. What is below it was written below that place, but for the keys in
    `below`, which were changed, moved or removed."""

    __slots__ = ("at", "below")

    def __init__(self, at: Location, below: dict[str, Origin] | None = None) -> None:
        self.at = at
        self.below = below or {}

    def of(self, location: Location) -> Location:
        """Where the value at the location's path in the changed tree was written."""
        origin, path = self, location.path
        for index, key in enumerate(path):
            if key not in origin.below:
                return Location(origin.at.file, (*origin.at.path, *path[index:]))
            origin = origin.below[key]
        return origin.at

    def into(self, key: str) -> Origin:
        """The origin of a child, for changing."""
        return self.below.setdefault(key, Origin(self.at / key))

    def copy(self, key: str) -> Origin:
        """The origin of a child, for use in another place."""
        return self.below[key].clone() if key in self.below else Origin(self.at / key)

    def clone(self) -> Origin:
        """The same, for use in another place."""
        return Origin(self.at, {key: child.clone() for key, child in self.below.items()})

    def close_gap(self, index: int, length: int, why: Location) -> None:
        """The elements behind `index` of a list of that length move up, because of `why`."""
        for each in range(index, length - 1):
            self.below[str(each)] = self.copy(str(each + 1))
        self.below[str(length - 1)] = Origin(why)


class OverlayMismatch(ValueError):
    """A change that cannot be made: the path to the part of it that does not fit, and why."""

    def __init__(self, path: tuple[str, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


class CowTree:
    """A tree and where its values were written.

    Containers are copied before their first change, as YAML's aliases let one container stand in
    several places.
    """

    def __init__(self, root: Json, at: Location) -> None:
        self.root = root
        self.origin = Origin(at)
        self._own: dict[int, Json] = {}

    def get(self, path: Found) -> Json:
        """The value at a path that exists."""
        value = self.root
        for key in path:
            value = value[key]
        return value

    def shared(self, path: Found) -> Json:
        """The value at a path, to stand in other places too: what comes to change it there, or
        here, changes a copy."""
        self._own.clear()
        return self.get(path)

    def origin_of(self, path: Found) -> Origin:
        """The origin of the value at a path, for use in another place."""
        origin = self.origin
        for key in path:
            origin = origin.copy(str(key))
        return origin

    def merge(self, path: Found, value: Json, origin: Origin) -> None:
        """Merges a value that was written at `origin` into the one at a path. Raises Unfit."""
        old = self.get(path)
        _require_fit(old, value, ())
        target = self._thawed(path) if isinstance(old, dict | list) else None
        into = self._into(path)
        if isinstance(target, dict):
            self._merge(target, into, value, origin)
        elif isinstance(target, list):
            _append(target, into, value, origin)
        else:
            self._put(path, value)
            into.at, into.below = origin.at, {}

    def remove(self, path: Found, why: Location) -> None:
        """Takes the value at a path out of the container it stands in, because of `why`."""
        *above, key = path
        container, origin = self._thawed(tuple(above)), self._into(tuple(above))
        if isinstance(container, list):
            origin.close_gap(int(key), len(container), why)
        else:
            origin.below[str(key)] = Origin(why)
        del container[key]

    def _merge(
        self, target: dict[str, Json], into: Origin, value: dict[str, Json], origin: Origin
    ) -> None:
        for key, new in value.items():
            old = target.get(key)
            if isinstance(old, dict) and isinstance(new, dict):
                target[key] = self._owned(old)
                self._merge(target[key], into.into(key), new, origin.copy(key))
            elif isinstance(old, list):
                target[key] = self._owned(old)
                _append(target[key], into.into(key), new, origin.copy(key))
            else:
                target[key] = new
                into.below[key] = origin.copy(key)

    def _put(self, path: Found, value: Json) -> None:
        if path:
            self._thawed(path[:-1])[path[-1]] = value
        else:
            self.root = value

    def _into(self, path: Found) -> Origin:
        origin = self.origin
        for key in path:
            origin = origin.into(str(key))
        return origin

    def _thawed(self, path: Found) -> Json:
        """The container at a path, which may be changed from now on."""
        self.root = self._owned(self.root)
        value = self.root
        for key in path:
            value[key] = self._owned(value[key])
            value = value[key]
        return value

    def _owned(self, value: Json) -> Json:
        """A copy of a container, or itself if it is one that was made here."""
        if id(value) in self._own:
            return value
        copy = value.copy()
        self._own[id(copy)] = copy
        return copy


def _append(target: list[Json], into: Origin, value: Json, origin: Origin) -> None:
    """Adds the elements of a list to another, or the one value that is no list."""
    if not isinstance(value, list):
        into.below[str(len(target))] = origin
        target.append(value)
        return
    for index, element in enumerate(value):
        into.below[str(len(target))] = origin.copy(str(index))
        target.append(element)


def _require_fit(old: Json, new: Json, path: tuple[str, ...]) -> None:
    """Raises Unfit if a value cannot be merged into another. What is empty takes every value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in new.keys() & old.keys():
            _require_fit(old[key], new[key], (*path, key))
    elif old is None or (isinstance(old, list) and (not path or isinstance(new, list))):
        return
    elif isinstance(old, dict | list) or isinstance(new, dict | list):
        raise OverlayMismatch(path, f"{kind_name(new)} does not fit {kind_name(old)}")
