"""What broken servers are made of, and the register of them.

`related` names the checks that cannot but fail together with the intended one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from base_server import Asked, BrokenServer, tool


@dataclass(frozen=True)
class Animal:
    """A broken server and the check that must catch it, with the options it takes to see it and
    the host name it is asked by. `warned` tells that the check never does more than warn."""

    check: str
    make: type[BrokenServer]
    related: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    host: str = "127.0.0.1"
    warned: bool = False


ANIMALS: list[Animal] = []


def breaks(
    check: str, *related: str, host: str = "127.0.0.1", warned: bool = False, **options: Any
) -> Callable[[type[BrokenServer]], type[BrokenServer]]:
    """Registers a server class as the animal of a check; `options` are those of the run."""

    def register(make: type[BrokenServer]) -> type[BrokenServer]:
        ANIMALS.append(Animal(check, make, related, options, host, warned))
        return make

    return register


class Mangled(BrokenServer):
    """A server whose results are changed on their way out."""

    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        """The result that is sent in place of the right one."""
        return result

    def result(self, message: Any, asked: Asked | None) -> dict[str, Any]:
        """The mangled result; the modern one is mangled after it was stamped."""
        result = super().result(message, asked)
        return result if asked is None else self.mangle(message["method"], dict(result), False)

    def modern_result(self, message: Any) -> dict[str, Any]:
        """The mangled modern result."""
        return self.mangle(message["method"], super().modern_result(message), True)


class OneTool(BrokenServer):
    """A server with one more tool, which has the defect."""

    def __init__(self) -> None:
        super().__init__()
        self.tools.append(tool("extra", {}, []) | self.extra())

    def extra(self) -> dict[str, Any]:
        """What the tool has instead of the usual."""
        return {}


def with_tool(
    check: str, name: str, changes: dict[str, Any], *related: str, **options: Any
) -> None:
    """Registers a server whose one more tool differs in this from a correct one."""
    make = type(name, (OneTool,), {"extra": lambda self: changes})
    breaks(check, *related, **options)(make)


TEXT = {"type": "string", "description": "A text."}


def taking(**properties: Any) -> dict[str, Any]:
    """An input schema with these optional properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
    }
