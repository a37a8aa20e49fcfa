"""Copy-on-write tree for overlays, with the origin of every value."""

from __future__ import annotations

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.read.overlay.jsonpath import TreePath
from mcpgen.read.yaml_scalars import kind_name


class Origin:
    """Location where a value was written. Members were written below `at`, except the keys in
    `below`, which an overlay changed, moved or removed."""

    __slots__ = ("at", "below")

    def __init__(self, at: Location, below: dict[str, Origin] | None = None) -> None:
        self.at = at
        self.below = below or {}

    def of(self, location: Location) -> Location:
        """Location where the value at a path of the changed tree was written."""
        origin, path = self, location.path
        for index, key in enumerate(path):
            if key not in origin.below:
                return Location(origin.at.file, (*origin.at.path, *path[index:]))
            origin = origin.below[key]
        return origin.at

    def child_for_change(self, key: str) -> Origin:
        """Origin of a member, created if needed."""
        return self.below.setdefault(key, Origin(self.at / key))

    def copy(self, key: str) -> Origin:
        """Origin of a member, for use at another path."""
        return self.below[key].clone() if key in self.below else Origin(self.at / key)

    def clone(self) -> Origin:
        """Deep copy, for use at another path."""
        return Origin(self.at, {key: child.clone() for key, child in self.below.items()})

    def close_gap(self, index: int, length: int, why: Location) -> None:
        """Moves the origins after `index` up by one in a list of `length` items; `why` is the
        removal."""
        for position in range(index, length - 1):
            self.below[str(position)] = self.copy(str(position + 1))
        self.below[str(length - 1)] = Origin(why)


class OverlayMismatch(ValueError):
    """A change that does not fit the tree: the path inside the change, the reason, and the hint."""

    def __init__(self, path: tuple[str, ...], reason: str, hint: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason
        self.hint = hint


class CowTree:
    """A tree with origins. Containers are copied before their first change, since YAML aliases let
    one container appear at several paths."""

    def __init__(self, root: Json, at: Location) -> None:
        self.root = root
        self.origin = Origin(at)
        self._own: dict[int, Json] = {}

    def get(self, path: TreePath) -> Json:
        """Value at an existing path."""
        value = self.root
        for key in path:
            value = value[key]
        return value

    def get_shared(self, path: TreePath) -> Json:
        """Value at an existing path, for insertion at another path; later changes at either path
        copy first."""
        self._own.clear()
        return self.get(path)

    def origin_of(self, path: TreePath) -> Origin:
        """Origin of the value at a path, for use at another path."""
        origin = self.origin
        for key in path:
            origin = origin.copy(str(key))
        return origin

    def merge(self, path: TreePath, value: Json, origin: Origin) -> None:
        """Merges a value written at `origin` into the value at a path. Raises OverlayMismatch."""
        old = self.get(path)
        _require_fit(old, value, (), is_root=not path)
        target = self._mutable(path) if isinstance(old, dict | list) else None
        child_for_change = self._origin_for_change(path)
        if isinstance(target, dict):
            self._merge(target, child_for_change, value, origin)
        elif isinstance(target, list):
            _append(target, child_for_change, value, origin)
        else:
            self._put(path, value)
            child_for_change.at, child_for_change.below = origin.at, {}

    def remove(self, path: TreePath, why: Location) -> None:
        """Removes the value at a path; `why` is the location of the action."""
        *above, key = path
        container, origin = self._mutable(tuple(above)), self._origin_for_change(tuple(above))
        if isinstance(container, list):
            origin.close_gap(int(key), len(container), why)
        else:
            origin.below[str(key)] = Origin(why)
        del container[key]

    def _merge(
        self,
        target: dict[str, Json],
        child_for_change: Origin,
        value: dict[str, Json],
        origin: Origin,
    ) -> None:
        for key, new in value.items():
            old = target.get(key)
            if isinstance(old, dict) and isinstance(new, dict):
                target[key] = self._own_copy(old)
                self._merge(
                    target[key], child_for_change.child_for_change(key), new, origin.copy(key)
                )
            elif isinstance(old, list):
                target[key] = self._own_copy(old)
                _append(target[key], child_for_change.child_for_change(key), new, origin.copy(key))
            else:
                target[key] = new
                child_for_change.below[key] = origin.copy(key)

    def _put(self, path: TreePath, value: Json) -> None:
        if path:
            self._mutable(path[:-1])[path[-1]] = value
        else:
            self.root = value

    def _origin_for_change(self, path: TreePath) -> Origin:
        origin = self.origin
        for key in path:
            origin = origin.child_for_change(str(key))
        return origin

    def _mutable(self, path: TreePath) -> Json:
        """Container at a path, copied if needed."""
        self.root = self._own_copy(self.root)
        value = self.root
        for key in path:
            value[key] = self._own_copy(value[key])
            value = value[key]
        return value

    def _own_copy(self, value: Json) -> Json:
        """Copy of a container; the container itself if copied before."""
        if id(value) in self._own:
            return value
        copy = value.copy()
        self._own[id(copy)] = copy
        return copy


def _append(target: list[Json], child_for_change: Origin, value: Json, origin: Origin) -> None:
    """Appends the items of a list, or a single value."""
    if not isinstance(value, list):
        child_for_change.below[str(len(target))] = origin
        target.append(value)
        return
    for index, element in enumerate(value):
        child_for_change.below[str(len(target))] = origin.copy(str(index))
        target.append(element)


def _require_fit(old: Json, new: Json, path: tuple[str, ...], *, is_root: bool = False) -> None:
    """Raises OverlayMismatch if a value cannot be merged into another. Null takes every value.

    `path`: path of `new` in the update. `is_root`: `old` is the whole document.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in new.keys() & old.keys():
            _require_fit(old[key], new[key], (*path, key))
    elif old is None or (isinstance(old, list) and (not path or isinstance(new, list))):
        return
    elif isinstance(old, dict | list) or isinstance(new, dict | list):
        hint = "write a value of the same type"
        if path:
            hint += ", or remove the old value in an earlier action"
        elif not is_root:
            # After an earlier action has removed the target, this action cannot select the target.
            hint += (
                ", or remove the old value and write the new value by an `update` of the mapping "
                "or list around the target"
            )
        raise OverlayMismatch(path, f"{kind_name(new)} does not fit {kind_name(old)}", hint)
