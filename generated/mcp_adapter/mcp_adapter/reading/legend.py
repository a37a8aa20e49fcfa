"""The legend of the flags in the results of `schema`."""

from __future__ import annotations

from collections.abc import Mapping

LEGEND: Mapping[str, str] = {
    "name:type[flags]": "a field; any name may stand in `fields`, which narrows records to these",
    "f": 'filter: ["name operator value"] with = != > >= < <= or ~ (contains)',
    "s": 'sort: "name", or "-name" for the greatest first',
    "g": 'aggregate with group_by: "name"',
    "a": 'aggregate with function: "min" or "max" and field: "name"; of numbers also "sum", "avg"',
    "t": "search finds the words of this field",
}
"""By flag: the argument that the flag allows."""


def legend() -> str:
    """Returns the legend as text."""
    return "\n".join(["Legend:", *(f"  {flag} = {meaning}" for flag, meaning in LEGEND.items())])
