"""Base classes and the registry of broken servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from base_server import ConformingServer, ReceivedRequest, tool


@dataclass(frozen=True)
class BrokenCase:
    """A broken server and the check that must fail on the server.

    `related` are checks that fail for the same defect; `options` are options of the run, `host` the
    host name of the URL. `warned`: the check warns, because its violations are never failures.
    """

    check: str
    make: type[ConformingServer]
    related: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    host: str = "127.0.0.1"
    warned: bool = False


BROKEN_CASES: list[BrokenCase] = []


def breaks(
    check: str, *related_checks: str, host: str = "127.0.0.1", warned: bool = False, **options: Any
) -> Callable[[type[ConformingServer]], type[ConformingServer]]:
    """Registers a server class that violates the check `check`; `options` are options of the run."""

    def register(make: type[ConformingServer]) -> type[ConformingServer]:
        BROKEN_CASES.append(BrokenCase(check, make, related_checks, options, host, warned))
        return make

    return register


class Mangled(ConformingServer):
    """A server whose results are changed before they are sent."""

    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        """The changed result; the default changes nothing."""
        return result

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        """The result of a legacy revision, changed by `mangle`."""
        result = super().result(message, request)
        return result if request is None else self.mangle(message["method"], dict(result), False)

    def modern_result(self, message: Any) -> dict[str, Any]:
        """The result of a modern revision, changed by `mangle` after `_meta` was added."""
        return self.mangle(message["method"], super().modern_result(message), True)


class OneTool(ConformingServer):
    """A server with an additional tool that has the defect."""

    def __init__(self) -> None:
        super().__init__()
        self.tools.append(tool("extra", {}, []) | self.extra())

    def extra(self) -> dict[str, Any]:
        """The members of the tool that replace the usual ones."""
        return {}


def with_tool(
    check: str, name: str, changes: dict[str, Any], *related_checks: str, **options: Any
) -> None:
    """Registers a server with an additional tool; `changes` replace members of the tool."""
    make = type(name, (OneTool,), {"extra": lambda self: changes})
    breaks(check, *related_checks, **options)(make)


TEXT = {"type": "string", "description": "A text."}


def taking(**properties: Any) -> dict[str, Any]:
    """An input schema with these properties, all optional."""
    return {
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
    }
