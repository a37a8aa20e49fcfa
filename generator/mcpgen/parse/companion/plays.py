"""Answers described as data: the acts of a tool, one after the other."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.companion import Input
from mcpgen.ir.play import Act, Asking, Deed, Question
from mcpgen.ir.source import Json, texts_in
from mcpgen.parse.companion.forms import tell_unaskable
from mcpgen.parse.companion.keys import (
    FLAG,
    LEVEL,
    LONGEST_WAIT,
    MAPPING,
    MEDIA_TYPE,
    NAME,
    POSITIVE,
    REASON,
    URI,
    Key,
    Keys,
    Kind,
    number,
    text,
)
from mcpgen.parse.companion.reader import Reader, as_text
from mcpgen.parse.near import nearest
from mcpgen.parse.node import Node


def _is_base64(given: Json) -> bool:
    try:
        return bool(base64.b64decode(given, validate=True))
    except (binascii.Error, ValueError):
        return False


_DATA = text((_is_base64, "bytes in base64"))
_BYTES = text((_is_base64, "bytes in base64"), needed=True)
_NUMBER = Key(Kind.ANY, False, lambda found: type(found) in (int, float), "a number")
_DONE = Key(Kind.ANY, True, lambda found: type(found) in (int, float), "a number")
_TRUE = Key(Kind.FLAG, False, lambda found: found is True, "true")

ACTS: Mapping[Deed, Key | Keys] = {
    Deed.TEXT: text(),
    Deed.IMAGE: {"data": _BYTES, "type": text(MEDIA_TYPE, needed=True)},
    Deed.AUDIO: {"data": _BYTES, "type": text(MEDIA_TYPE, needed=True)},
    Deed.RESOURCE: {
        "uri": text(URI, needed=True),
        "type": text(MEDIA_TYPE),
        "text": text(),
        "data": _DATA,
    },
    Deed.LINK: {
        "uri": text(URI, needed=True),
        "name": text(REASON, needed=True),
        "title": text(REASON),
        "description": text(REASON),
        "type": text(MEDIA_TYPE),
    },
    Deed.STRUCTURED: MAPPING,
    Deed.PROGRESS: {"done": _DONE, "total": _NUMBER, "message": text()},
    Deed.LOG: {"text": text(REASON, needed=True), "level": text(LEVEL), "logger": text(REASON)},
    Deed.WAIT: number(LONGEST_WAIT),
    Deed.ASK: MAPPING,
    Deed.CLOSE: _TRUE,
    Deed.FAIL: text(REASON),
}
"""The acts: what a value alone must be, or the members."""

QUESTION: Keys = {
    "message": text(REASON),
    "form": MAPPING,
    "sample": text(REASON),
    "roots": _TRUE,
    "most_tokens": number(POSITIVE),
    "optional": FLAG,
}
_OF_WAY: Mapping[Asking, tuple[str, ...]] = {
    Asking.FORM: ("form", "message", "optional"),
    Asking.SAMPLE: ("sample", "most_tokens", "optional"),
    Asking.ROOTS: ("roots", "optional"),
}
"""The keys of a question, by how it is asked."""

TOKENS = 1000
"""How many tokens the client's model may write unless the question says otherwise."""

_PLACEHOLDER = re.compile(r"\$(\$?)\{([^{}]*)\}")


def play_of(reader: Reader, node: Node | None, inputs: Iterable[Input]) -> tuple[Act, ...]:
    """The acts under `answer`, without what is wrong with them, which is told; none where the tool
    is not answered so. `inputs` are the arguments whose values its texts may show."""
    if node is None:
        return ()
    if not reader.sound(node, "answer", Key(Kind.LIST, False, bool, "at least one act")):
        return ()
    acts = [_act(reader, element) for element in node.elements()]
    found = tuple(act for act in acts if act is not None)
    _tell_unknown(reader, found, node, [one.name for one in inputs])
    return found


def _act(reader: Reader, node: Node) -> Act | None:
    owner = "an act of `answer`"
    keys = {deed.value: Key(Kind.ANY) for deed in Deed}
    found = reader.members(node, owner, keys)
    if node.value == {}:
        reader.illegal(node, "answer", "acts, each with one key")
    if not reader.only_one(node, owner, keys) or len(found) != 1:
        return None
    ((name, member),) = found.items()
    deed = Deed(name)
    told = ACTS[deed]
    if isinstance(told, Key):
        if not reader.sound(member, name, told):
            return None
        asked = _questions(reader, member) if deed is Deed.ASK else ()
        return Act(deed, None if asked else member.value, node.at, asked)
    return _with_members(reader, node, deed, reader.members(member, f"`{name}`", told))


def _with_members(reader: Reader, node: Node, deed: Deed, found: Mapping[str, Node]) -> Act | None:
    """An act that has members; None, with an error told, where it needs what it has not."""
    if any(key.needed and name not in found for name, key in _members(deed).items()):
        return None
    if deed is Deed.RESOURCE and len({"text", "data"} & found.keys()) != 1:
        reader.illegal(node, "resource", "its `text` or its `data`, one of them")
        return None
    return Act(deed, {name: member.value for name, member in found.items()}, node.at)


def _members(deed: Deed) -> Keys:
    told = ACTS[deed]
    return {} if isinstance(told, Key) else told


def _questions(reader: Reader, node: Node) -> tuple[Question, ...]:
    """What is asked at once, by the names that the answers get."""
    if not node.value:
        reader.illegal(node, "ask", "questions by name")
    asked = [_question(reader, name, one) for name, one in reader.named(node, "ask", NAME)]
    return tuple(one for one in asked if one is not None)


def _question(reader: Reader, name: str, node: Node) -> Question | None:
    owner = f"the question `{name}`"
    found = reader.members(node, owner, QUESTION)
    ways = [way for way in Asking if way.value in found]
    if type(node.value) is dict and not any(node.has(way) for way in Asking):
        reader.illegal(node, name, "one of `form`, `sample` and `roots`")
    if not reader.only_one(node, owner, Asking) or len(ways) != 1:
        return None
    (way,) = ways
    for key in [key for key in found if key not in _OF_WAY[way]]:
        reader.unknown_key(found[key], owner, key, _OF_WAY[way])
    if way is Asking.FORM and "message" not in found:
        if not node.has("message"):
            reader.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key="message")
        return None
    if way is Asking.FORM and tell_unaskable(reader, found["form"]):
        return None
    return Question(
        name=name,
        asking=way,
        value=found[way].value,
        at=node.at,
        message=as_text(found, "message"),
        most_tokens=found["most_tokens"].value if "most_tokens" in found else TOKENS,
        optional="optional" in found and bool(found["optional"].value),
    )


def _tell_unknown(reader: Reader, acts: tuple[Act, ...], node: Node, arguments: list[str]) -> None:
    """Tells of placeholders that stand for nothing that is known when they are shown, and of answers
    that have the name of an argument."""
    known = dict.fromkeys(arguments)
    for act in acts:
        for name in placeholders(act.texts()):
            if name not in known and name.partition(".")[0] not in known:
                hint = nearest(name, known) or "name an argument, or what was asked before"
                facts: dict[str, Any] = {"name": name, "nearest": hint}
                reader.diagnostics.add(codes.UNKNOWN_PLACEHOLDER, act.at, **facts)
        for one in act.questions:
            if one.name in known:
                must = "a name that no argument and no other question has"
                reader.illegal(Node(None, node.document, one.at.path), "ask", must, one.name)
            known[one.name] = None


def placeholders(value: Json) -> Iterator[str]:
    """The names between `${` and `}` in the texts of a value; `$${` is no placeholder."""
    for each in texts_in(value):
        yield from (found[2] for found in _PLACEHOLDER.finditer(each) if not found[1])
