"""Reads `answer` of a tool: the steps of a declared answer, and the schemas of forms."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Json, texts_in
from mcpgen.openspec.companion.keys import (
    BOUND,
    FLAG,
    LEVEL,
    MAPPING,
    MAX_WAIT,
    MEDIA_TYPE,
    NAME,
    POSITIVE,
    REASON,
    TRUE,
    URI,
    CompanionKey,
    CompanionType,
    Keys,
    number_key,
    text_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, read_text
from mcpgen.openspec.model.companion import Input
from mcpgen.openspec.model.declared_answer import (
    AnswerAct,
    AnswerActKind,
    AnswerQuestion,
    QuestionKind,
)
from mcpgen.parse.node import Node

_ROOT = frozenset({"$schema", "type", "properties", "required", "title", "description"})
_SHOWN = frozenset({"type", "title", "description", "default"})
_FIELDS = {
    "string": _SHOWN | {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "number": _SHOWN | {"minimum", "maximum"},
    "integer": _SHOWN | {"minimum", "maximum"},
    "boolean": _SHOWN,
    "array": _SHOWN | {"items", "minItems", "maxItems"},
}
"""Keywords allowed in a field, by the field's type."""


def report_unsupported_form(reader: CompanionReader, form: Node) -> bool:
    """Reports a schema unsupported by elicitation; returns whether any report was made."""
    if form.get("type") != "object":
        return _report(reader, form, "a form must have `type: object`")
    wrong = [keyword for keyword, _ in form.members() if keyword not in _ROOT]
    if wrong:
        return _report(reader, form.child(wrong[0]), f"a form must not have `{wrong[0]}`")
    fields = form.child("properties")
    if not isinstance(fields.value, dict) or not fields.value:
        return _report(reader, fields, "a form must have `properties`, its fields by name")
    faults = [_unaskable(reader, field) for _, field in fields.members()]
    required = form.get("required")
    if required is not None and not (
        isinstance(required, list) and all(name in fields.value for name in required)
    ):
        faults.append(
            _report(reader, form.child("required"), "`required` must list only fields of the form")
        )
    return any(faults)


def _unaskable(reader: CompanionReader, field: Node) -> bool:
    kind = field.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        kinds = ", ".join(f"`{name}`" for name in _FIELDS)
        return _report(reader, field, f"the type of a field must be one of {kinds}")
    for keyword, member in field.members():
        if keyword not in _FIELDS[kind]:
            return _report(reader, member, f"a field of the type {kind} must not have `{keyword}`")
    if kind == "array" and not {"enum", "anyOf"} & set(field.get("items") or {}):
        return _report(reader, field, "the items of a list must have `enum` or `anyOf`")
    return False


def _report(reader: CompanionReader, node: Node, reason: str) -> bool:
    reader.tell(codes.UNASKABLE_FORM, node, reason=reason)
    return True


def _is_base64(text: Json) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return False


_DATA = text_key((_is_base64, "bytes in base64"))
_BYTES = text_key((_is_base64, "bytes in base64"), needed=True)

ACTS: Mapping[AnswerActKind, CompanionKey | Keys] = {
    AnswerActKind.TEXT: text_key(),
    AnswerActKind.IMAGE: {"data": _BYTES, "type": text_key(MEDIA_TYPE, needed=True)},
    AnswerActKind.AUDIO: {"data": _BYTES, "type": text_key(MEDIA_TYPE, needed=True)},
    AnswerActKind.RESOURCE: {
        "uri": text_key(URI, needed=True),
        "type": text_key(MEDIA_TYPE),
        "text": text_key(),
        "data": _DATA,
    },
    AnswerActKind.LINK: {
        "uri": text_key(URI, needed=True),
        "name": text_key(REASON, needed=True),
        "title": text_key(REASON),
        "description": text_key(REASON),
        "type": text_key(MEDIA_TYPE),
    },
    AnswerActKind.STRUCTURED: MAPPING,
    AnswerActKind.PROGRESS: {
        "done": replace(BOUND, needed=True),
        "total": BOUND,
        "message": text_key(),
    },
    AnswerActKind.LOG: {
        "text": text_key(REASON, needed=True),
        "level": text_key(LEVEL),
        "logger": text_key(REASON),
    },
    AnswerActKind.WAIT: number_key(MAX_WAIT),
    AnswerActKind.ASK: MAPPING,
    AnswerActKind.CLOSE: TRUE,
    AnswerActKind.FAIL: text_key(REASON),
}
"""Types of the acts: a single value, or members."""

QUESTION: Keys = {
    "message": text_key(REASON).about("The question to the user, beside `form`."),
    "form": MAPPING.about("The schema of a flat form for the user."),
    "sample": text_key(REASON).about("A prompt for the client's model."),
    "roots": TRUE,
    "most_tokens": number_key(POSITIVE).about("Tokens that the model may write, 1000 without it."),
    "optional": FLAG.about("Whether the question is skipped if the client cannot be asked."),
}
KEYS_BY_KIND: Mapping[QuestionKind, tuple[str, ...]] = {
    QuestionKind.FORM: ("form", "message", "optional"),
    QuestionKind.SAMPLE: ("sample", "most_tokens", "optional"),
    QuestionKind.ROOTS: ("roots", "optional"),
}
"""Keys of a question, by kind."""

TOKENS = 1000
"""Default limit of tokens written by the client's model."""

_PLACEHOLDER = re.compile(r"\$(\$?)\{([^{}]*)\}")


def play_of(
    reader: CompanionReader, node: Node | None, inputs: Iterable[Input]
) -> tuple[AnswerAct, ...]:
    """Returns the valid acts under `answer`, and adds diagnostics for the rest.

    Empty if `node` is None. Texts may contain placeholders for `inputs`.
    """
    if node is None:
        return ()
    if not reader.sound(
        node, "answer", CompanionKey(CompanionType.LIST, False, bool, "at least one act")
    ):
        return ()
    acts = [_act(reader, element) for element in node.elements()]
    steps = tuple(act for act in acts if act is not None)
    _tell_unknown(reader, steps, node, [argument.name for argument in inputs])
    return steps


def _act(reader: CompanionReader, node: Node) -> AnswerAct | None:
    owner = "an act of `answer`"
    keys = {kind.value: CompanionKey(CompanionType.ANY) for kind in AnswerActKind}
    members = reader.members(node, owner, keys)
    if node.value == {}:
        reader.illegal(node, "answer", "acts, each with one key")
    if not reader.only_one(node, owner, keys) or len(members) != 1:
        return None
    ((name, member),) = members.items()
    kind = AnswerActKind(name)
    allowed_keys = ACTS[kind]
    if isinstance(allowed_keys, CompanionKey):
        if not reader.sound(member, name, allowed_keys):
            return None
        questions = _questions(reader, member) if kind is AnswerActKind.ASK else ()
        return AnswerAct(kind, None if questions else member.value, node.at, questions)
    return _with_members(reader, node, kind, reader.members(member, f"`{name}`", allowed_keys))


def _with_members(
    reader: CompanionReader, node: Node, kind: AnswerActKind, members: Mapping[str, Node]
) -> AnswerAct | None:
    """Returns an act with members, or None with an error if a required member is missing."""
    if any(key.needed and name not in members for name, key in _answer_keys(kind).items()):
        return None
    if kind is AnswerActKind.RESOURCE and len({"text", "data"} & members.keys()) != 1:
        reader.illegal(node, "resource", "its `text` or its `data`, one of them")
        return None
    return AnswerAct(kind, {name: member.value for name, member in members.items()}, node.at)


def _answer_keys(kind: AnswerActKind) -> Keys:
    keys = ACTS[kind]
    return {} if isinstance(keys, CompanionKey) else keys


def _questions(reader: CompanionReader, node: Node) -> tuple[AnswerQuestion, ...]:
    """Returns the questions of an `ask` act, by name of their answers."""
    if not node.value:
        reader.illegal(node, "ask", "questions by name")
    questions = [
        _question(reader, name, question) for name, question in reader.named(node, "ask", NAME)
    ]
    return tuple(question for question in questions if question is not None)


def _question(reader: CompanionReader, name: str, node: Node) -> AnswerQuestion | None:
    owner = f"the question `{name}`"
    members = reader.members(node, owner, QUESTION)
    ways = [way for way in QuestionKind if way.value in members]
    if type(node.value) is dict and not any(node.has(way) for way in QuestionKind):
        reader.illegal(node, name, "one of `form`, `sample` and `roots`")
    if not reader.only_one(node, owner, QuestionKind) or len(ways) != 1:
        return None
    (way,) = ways
    for key in [key for key in members if key not in KEYS_BY_KIND[way]]:
        reader.unknown_key(members[key], owner, key, KEYS_BY_KIND[way])
    if way is QuestionKind.FORM and "message" not in members:
        if not node.has("message"):
            reader.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key="message")
        return None
    if way is QuestionKind.FORM and report_unsupported_form(reader, members["form"]):
        return None
    return AnswerQuestion(
        name=name,
        kind=way,
        value=members[way].value,
        at=node.at,
        message=read_text(members, "message"),
        most_tokens=members["most_tokens"].value if "most_tokens" in members else TOKENS,
        optional="optional" in members and bool(members["optional"].value),
    )


def _tell_unknown(
    reader: CompanionReader, acts: tuple[AnswerAct, ...], node: Node, arguments: list[str]
) -> None:
    """Reports placeholders unknown at their step, and questions named like an argument."""
    names = dict.fromkeys(arguments)
    for act in acts:
        for name in placeholders(act.texts()):
            if name not in names and name.partition(".")[0] not in names:
                hint = closest_match(name, names) or "name an argument, or what was asked before"
                facts: dict[str, Any] = {"name": name, "nearest": hint}
                reader.diagnostics.add(codes.UNKNOWN_PLACEHOLDER, act.at, **facts)
        for question in act.questions:
            if question.name in names:
                must = "a name that no argument and no other question has"
                reader.illegal(
                    Node(None, node.document, question.at.path), "ask", must, question.name
                )
            names[question.name] = None


def placeholders(value: Json) -> Iterator[str]:
    """Yields the names between `${` and `}` in the texts of a value; `$${` is an escape."""
    for text in texts_in(value):
        yield from (match[2] for match in _PLACEHOLDER.finditer(text) if not match[1])
