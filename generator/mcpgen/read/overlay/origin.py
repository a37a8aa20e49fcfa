"""Where the values of a changed tree were written."""

from __future__ import annotations

from mcpgen.diagnostics import Location


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
