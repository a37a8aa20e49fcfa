"""What a scenario of the companion does."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.companion import Action, Doing
from mcpgen.parse.companion.keys import (
    ANY,
    FILE,
    HEADER_NAME,
    HEADER_VALUE,
    LIST,
    MAPPING,
    METHOD,
    MODULE,
    PATH,
    PLACEHOLDER,
    REASON,
    REVISION,
    TARGET,
    VARIABLE,
    VARIABLE_VALUE,
    Keys,
    Kind,
    text,
)
from mcpgen.parse.companion.reader import Reader, as_text
from mcpgen.parse.node import Node

_SPOKEN: Keys = {"headers": MAPPING, "version": text(REVISION), "save": MAPPING}
KEYS: Mapping[Doing, Keys] = {
    Doing.CALL: {"tool": text(REASON, needed=True), "arguments": MAPPING, **_SPOKEN},
    Doing.REQUEST: {"method": text(REASON, needed=True), "params": MAPPING, **_SPOKEN},
    Doing.HTTP: {
        "method": text(METHOD, needed=True),
        "path": text(TARGET),
        "body": ANY,
        "headers": MAPPING,
        "save": MAPPING,
    },
    Doing.COMMAND: {
        "module": text(MODULE, needed=True),
        "arguments": LIST,
        "environment": MAPPING,
    },
}
"""What each action but `file`, which is a text alone, may say."""

PARTS: Mapping[Doing, tuple[str, str]] = {
    Doing.CALL: ("tool", "arguments"),
    Doing.REQUEST: ("method", "params"),
    Doing.HTTP: ("method", "body"),
    Doing.COMMAND: ("module", "arguments"),
}
"""The keys that an action's name and its value stand under."""

SEVERAL = "do"
NAMES = (*(doing.value for doing in Doing), SEVERAL)
"""The keys under which a scenario says what it does."""


def actions_of(reader: Reader, node: Node, owner: str) -> tuple[Action, ...]:
    """The actions of a scenario, in the order in which they are made."""
    reader.only_one(node, owner, NAMES)
    key = next((key for key in NAMES if node.has(key)), None)
    if key is None:
        return ()
    if key != SEVERAL:
        found = [_action(reader, Doing(key), node.child(key))]
    elif type(node.get(key)) is not list:
        reader.wrong_type(node.child(key), key, Kind.LIST)
        found = []
    else:
        found = [_listed(reader, element) for element in node.child(key).elements()]
    return tuple(action for action in found if action is not None)


def _listed(reader: Reader, node: Node) -> Action | None:
    """One action of a list: a mapping with one key."""
    kinds = {doing.value: MAPPING for doing in KEYS} | {Doing.FILE.value: text()}
    found = reader.members(node, "an action", kinds)
    if type(node.value) is dict and not any(node.has(key) for key in kinds):
        reader.tell(codes.MISSING_COMPANION_KEY, node, owner="an action", key=Doing.CALL.value)
    reader.only_one(node, "an action", kinds)
    key = next(iter(found), None)
    return _action(reader, Doing(key), found[key]) if key else None


def _action(reader: Reader, doing: Doing, node: Node) -> Action | None:
    if doing is Doing.FILE:
        sound = reader.sound(node, doing.value, text(FILE))
        return Action(doing, node.value, None, node.at) if sound else None
    found = reader.members(node, f"`{doing.value}`", KEYS[doing])
    named, valued = PARTS[doing]
    value = found[valued].value if valued in found else None
    if doing is Doing.COMMAND:
        value = _words(reader, found.get(valued))
    if named not in found:
        return None
    return Action(
        doing=doing,
        name=as_text(found, named),
        value=value,
        at=node.at,
        path=as_text(found, "path"),
        headers=reader.pairs(found.get("headers"), HEADER_NAME, HEADER_VALUE),
        environment=reader.pairs(found.get("environment"), VARIABLE, VARIABLE_VALUE),
        version=as_text(found, "version"),
        save=reader.pairs(found.get("save"), PLACEHOLDER, PATH),
    )


def _words(reader: Reader, node: Node | None) -> list[str]:
    """The arguments on a command line."""
    listed = node.elements() if node else ()
    return [
        str(word.value) for word in listed if reader.sound(word, "arguments", text(VARIABLE_VALUE))
    ]
