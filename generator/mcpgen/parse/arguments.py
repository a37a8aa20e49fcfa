"""What authors tell mcpgen about single arguments: `x-mcp: {arguments: {…}}`."""

from __future__ import annotations

import re

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ArgumentExtension
from mcpgen.parse.node import Node, shown, spelled
from mcpgen.parse.scope import Scope
from mcpgen.parse.told import members, typed

_KEYS: dict[str, type] = {
    "description": str,
    "fixed": object,
    "default": object,
    "setting": str,
    "hidden": bool,
    "header": str,
}
_VALUED = ("fixed", "default", "setting")
_SETTING = re.compile(r"(?=.{1,40}\Z)[a-z][a-z0-9]*(_[a-z0-9]+)*")


def arguments(scope: Scope, node: Node) -> dict[str, ArgumentExtension]:
    """What is said of each argument, by the name that the tool announces."""
    found: dict[str, ArgumentExtension] = {}
    for name, member in node.members():
        if typed(scope, member, f"arguments.{name}", dict) is None:
            continue
        told = members(scope, member, f"arguments.{shown(name)}", _KEYS)
        valued = [key for key in _VALUED if key in told]
        if len(valued) > 1:
            _malformed(scope, member, name, "only one of `fixed`, `default` and `setting`", valued)
        elif told.get("setting") and not _SETTING.fullmatch(told["setting"]):
            expected = "a lower-case name such as `account_id`"
            _malformed(scope, member.child("setting"), name, expected, told["setting"])
        else:
            found[name] = ArgumentExtension(
                member.at, **told | {"hidden": bool(told.get("hidden"))}
            )
    return found


def _malformed(scope: Scope, node: Node, name: str, expected: str, actual: object) -> None:
    scope.fail(
        codes.MALFORMED_EXTENSION,
        node,
        key=f"arguments.{shown(name)}",
        expected=expected,
        actual=f"`{shown(spelled(actual))}`",
    )
