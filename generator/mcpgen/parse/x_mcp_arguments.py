"""What authors tell mcpgen about single arguments: `x-mcp: {arguments: {…}}`."""

from __future__ import annotations

import re

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ArgumentExtension
from mcpgen.parse.context import ParseContext
from mcpgen.parse.extension_keys import read_members, read_typed
from mcpgen.parse.node import Node, format_value, value_as_json

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


def arguments(scope: ParseContext, node: Node) -> dict[str, ArgumentExtension]:
    """What is said of each argument, by the name that the tool announces."""
    found: dict[str, ArgumentExtension] = {}
    for name, member in node.members():
        if read_typed(scope, member, f"arguments.{name}", dict) is None:
            continue
        told = read_members(scope, member, f"arguments.{format_value(name)}", _KEYS)
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


def _malformed(scope: ParseContext, node: Node, name: str, expected: str, actual: object) -> None:
    scope.fail(
        codes.MALFORMED_EXTENSION,
        node,
        key=f"arguments.{format_value(name)}",
        expected=expected,
        actual=f"`{format_value(value_as_json(actual))}`",
    )
