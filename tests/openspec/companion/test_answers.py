"""Declared answers are parsed act by act; every mistake is reported with its position."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.openspec.model.declared_answer import AnswerActKind, QuestionKind
from mcpgen_runtime.elicitation.forms import flaws

Reads = Callable[[str], Any]

TOOL = """
tools:
  t:
    description: Says.
    input: {{day: {{type: string}}}}
    answer:
      - {}
"""
FORM = "{type: object, properties: {a: {type: string}}}"
AT = "/tools/t/answer/0"

WRONG = [
    ("{}", "companion-value", AT),
    ("text", "companion-type", AT),
    ("{text: a, fail: b}", "exclusive-keys", f"{AT}/fail"),
    ("{txt: a}", "unknown-companion-key", f"{AT}/txt"),
    ("{text: 3}", "companion-type", f"{AT}/text"),
    ("{image: {data: '!', type: image/png}}", "companion-value", f"{AT}/image/data"),
    ("{image: {data: aGk=}}", "missing-companion-key", f"{AT}/image"),
    ("{image: {data: aGk=, type: png}}", "companion-value", f"{AT}/image/type"),
    ("{resource: {uri: a, text: b}}", "companion-value", f"{AT}/resource/uri"),
    ("{resource: {uri: 'a:b'}}", "companion-value", AT),
    ("{resource: {uri: 'a:b', text: c, data: aGk=}}", "companion-value", AT),
    ("{link: {uri: 'a:b'}}", "missing-companion-key", f"{AT}/link"),
    ("{structured: [a]}", "companion-type", f"{AT}/structured"),
    ("{progress: {done: half}}", "companion-value", f"{AT}/progress/done"),
    ("{log: {text: a, level: loud}}", "companion-value", f"{AT}/log/level"),
    ("{wait: 60001}", "companion-value", f"{AT}/wait"),
    ("{close: false}", "companion-value", f"{AT}/close"),
    ("{fail: ''}", "companion-value", f"{AT}/fail"),
    ("{ask: {}}", "companion-value", f"{AT}/ask"),
    ("{ask: {a b: {roots: true}}}", "companion-value", f"{AT}/ask/a b"),
    ("{ask: {q: {}}}", "companion-value", f"{AT}/ask/q"),
    (f"{{ask: {{q: {{form: {FORM}}}}}}}", "missing-companion-key", f"{AT}/ask/q"),
    ("{ask: {q: {roots: true, sample: x}}}", "exclusive-keys", f"{AT}/ask/q/roots"),
    ("{ask: {q: {sample: x, most_tokens: 0}}}", "companion-value", f"{AT}/ask/q/most_tokens"),
    ("{ask: {q: {roots: true, message: x}}}", "unknown-companion-key", f"{AT}/ask/q/message"),
    ("{ask: {q: {sample: x, message: y}}}", "unknown-companion-key", f"{AT}/ask/q/message"),
    ("{ask: {day: {roots: true}}}", "companion-value", f"{AT}/ask/day"),
    ("{text: 'On ${dya}'}", "unknown-placeholder", AT),
    ("{structured: {a: ['${other}']}}", "unknown-placeholder", AT),
    ("{ask: {q: {sample: 'Say ${q}'}}}", "unknown-placeholder", AT),
]


@pytest.mark.parametrize(("act", "name", "pointer"), WRONG)
def test_mistake_is_told_where_it_is(read: Reads, act: str, name: str, pointer: str) -> None:
    assert (name, pointer) in read(TOOL.format(act)).told


def test_every_act_is_read(read: Reads) -> None:
    acts = [
        *("{text: 'On ${day}'}", "{image: {data: aGk=, type: image/png}}"),
        *("{audio: {data: aGk=, type: audio/wav}}", "{resource: {uri: 'a:b', text: c}}"),
        *("{link: {uri: 'a:b', name: c}}", "{structured: {a: 1}}", "{progress: {done: 0.5}}"),
        *("{log: {text: a}}", "{wait: 5}", "{ask: {q: {roots: true}}}", "{close: true}"),
        "{fail: '${q.roots.0.uri} $${not} on ${day}'}",
    ]

    (tool,) = read(TOOL.format("\n      - ".join(acts))).companion.tools

    assert {act.kind for act in tool.answer} == {*AnswerActKind}
    assert [act.value for act in tool.answer if act.kind is AnswerActKind.TEXT] == ["On ${day}"]


def test_questions_keep_what_is_said_of_them(read: Reads) -> None:
    answer_text = (
        f"{{ask: {{a: {{message: Who?, form: {FORM}, optional: true}}, b: {{sample: Hi}}}}}}"
    )

    (tool,) = read(TOOL.format(answer_text)).companion.tools

    a, b = tool.answer[0].questions
    assert (a.name, a.kind, a.message, a.optional) == ("a", QuestionKind.FORM, "Who?", True)
    assert (b.kind, b.value, b.most_tokens) == (QuestionKind.SAMPLE, "Hi", 1000)


def test_tool_is_answered_in_one_way(read: Reads) -> None:
    text = read(
        "tools: {t: {description: x, upstream: {openapi: a.yaml, operation: b}, answer: [{text: c}]}}"
    )

    assert ("exclusive-keys", "/tools/t/answer") in text.told


FORMS: list[tuple[Any, bool]] = [
    ({"type": "object", "properties": {"a": {"type": "string"}}}, True),
    ({"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}, True),
    ({"type": "object", "properties": {"a": {"type": "array", "items": {"enum": ["x"]}}}}, True),
    ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}, False),
    ({"type": "object", "properties": {"a": {"type": "object"}}}, False),
    ({"type": "object", "properties": {"a": {"type": "boolean", "minimum": 1}}}, False),
    ({"type": "object", "properties": {"a": {"type": "array"}}}, False),
    ({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}, False),
    ({"type": "object", "properties": {}}, False),
    ({"type": "object", "allOf": [], "properties": {"a": {"type": "string"}}}, False),
    ({"type": "string"}, False),
]


@pytest.mark.parametrize(("form", "askable"), FORMS)
def test_forms_that_cannot_be_asked_are_told(read: Reads, form: Any, askable: bool) -> None:
    answer_text = f"{{ask: {{q: {{message: Who?, form: {json.dumps(form)}}}}}}}"

    codes = [name for name, _ in read(TOOL.format(answer_text)).told]

    assert codes == ([] if askable else ["unaskable-form"])
    assert (flaws(form) == []) is askable, "the server would judge otherwise"


CONDITIONS = [
    ("{dependentRequired: {a: [b]}}", []),
    ("{$defs: {x: {type: string}}, anyOf: [{properties: {a: {$ref: '#/$defs/x'}}}]}", []),
    ("{properties: {}}", ["/tools/t/conditions/properties"]),
    ("{allOf: []}", ["/tools/t/conditions/allOf"]),
    ("{anyOf: [{$ref: 'http://x/y'}]}", ["/tools/t/conditions/anyOf"]),
    ("{anyOf: [{$ref: '#/$defs/y'}]}", ["/tools/t/conditions"]),
    ("{$schema: 'http://json-schema.org/draft-07/schema'}", ["/tools/t/conditions/$schema"]),
    ("{not: {$id: 'http://x/y'}}", ["/tools/t/conditions/not"]),
]


@pytest.mark.parametrize(("conditions", "wrong"), CONDITIONS)
def test_conditions_are_sound_schemas_that_lead_nowhere_else(
    read: Reads, conditions: str, wrong: list[str]
) -> None:
    text = read(f"tools: {{t: {{description: x, conditions: {conditions}}}}}")

    assert text.told == [("unfit-condition", pointer) for pointer in wrong]
