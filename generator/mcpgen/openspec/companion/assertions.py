"""Reads the assertions of a step: target, comparison and expected value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.config.validators import ValueRule
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Json
from mcpgen.openspec.companion.keys import (
    ANY,
    BOUND,
    COUNTED,
    HEADER_NAME,
    JSON_TYPE,
    LIST,
    METHOD,
    PATH,
    PATTERN,
    POSITIVE,
    ROUTE,
    TRUE,
    CompanionKey,
    CompanionType,
    Keys,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, as_texts
from mcpgen.openspec.model.companion import Assertion, AssertionTarget
from mcpgen.parse.node import Node

_WORD = (ValueRule(min_length=1), "a text that is not empty")
_ANYTHING = CompanionKey(
    CompanionType.ANY, False, lambda found: found not in ("", []), "a value that is not empty"
)
_WORDS: Keys = {
    "contains": texts_key(_WORD),
    "lacks": texts_key(_WORD),
    "matches": text_key(PATTERN),
}
_ORDER = CompanionKey(CompanionType.LIST, False, lambda found: found != [], "at least one value")
_COUNTS: Keys = {
    "count": number_key(COUNTED),
    "at_least": number_key(COUNTED),
    "at_most": number_key(COUNTED),
}

CLAIMS: Mapping[AssertionTarget, Keys] = {
    AssertionTarget.PATH: {
        "equals": ANY,
        "absent": TRUE,
        "present": TRUE,
        "contains": _ANYTHING,
        "lacks": _ANYTHING,
        "matches": text_key(PATTERN),
        "count": number_key(COUNTED),
        "at_least": BOUND,
        "at_most": BOUND,
        "order": _ORDER,
        "unique": TRUE,
        "type": texts_key(JSON_TYPE),
        "keys": LIST,
        "mirrors": text_key(PATH),
    },
    AssertionTarget.TEXT: _WORDS,
    AssertionTarget.HEADER: {"equals": text_key(), "absent": TRUE, "present": TRUE, **_WORDS},
    AssertionTarget.BYTES: {
        "at_most": CompanionKey(CompanionType.ANY),
        "at_least": number_key(COUNTED),
    },
    AssertionTarget.TOOLS: {
        "exactly": texts_key(_WORD),
        "include": texts_key(_WORD),
        "exclude": texts_key(_WORD),
    },
    AssertionTarget.ARGUMENTS: {
        "of": texts_key(_WORD, needed=True),
        "include": texts_key(_WORD),
        "exclude": texts_key(_WORD),
    },
    AssertionTarget.UPSTREAM: {
        **_COUNTS,
        "method": text_key(METHOD),
        "path": text_key(ROUTE),
        "query": CompanionKey(CompanionType.MAPPING),
    },
}
"""Claims allowed per subject; subjects not listed here have a value instead."""

VALUES: Mapping[AssertionTarget, tuple[CompanionKey, str]] = {
    AssertionTarget.IS_ERROR: (CompanionKey(CompanionType.FLAG), "equals"),
    AssertionTarget.REFUSED: (CompanionKey(CompanionType.FLAG), "equals"),
    AssertionTarget.CODE: (CompanionKey(CompanionType.NUMBER), "equals"),
    AssertionTarget.STATUS: (
        number_key((ValueRule(minimum=0, maximum=599), "an HTTP status or an exit code")),
        "equals",
    ),
    AssertionTarget.TIME: (number_key(POSITIVE), "at_most"),
}
"""Subjects whose value is the claim: its type and operator."""

MEASURED = ("result", "tools/list")
"""Names accepted by `bytes`."""

NONE = "none"
"""`upstream: none`: no request at all."""

CALL = "at_call"
EVERY = "every"


NAMED = {
    AssertionTarget.PATH: text_key(PATH),
    AssertionTarget.HEADER: text_key(HEADER_NAME),
    AssertionTarget.BYTES: text_key((ValueRule(enum=MEASURED), "`result` or `tools/list`")),
}
"""Subjects whose key selects a part; the claims stand beside the key."""

EVERYTHING = tuple(dict.fromkeys(claim for keys in CLAIMS.values() for claim in keys))
"""Every claim of any subject."""

SELECTING = frozenset({"of", "method", "path", "query"})
"""Claims that select a part and assert nothing."""


@dataclass(frozen=True, slots=True)
class AssertionReader:
    """Reads the assertions of a scenario.

    `budgets` is the mapping of limits by name. `actions` counts the scenario's actions, 0 if a step
    definition supplies the action.
    """

    reader: CompanionReader
    budgets: Node
    actions: int

    def of(self, node: Node) -> tuple[Assertion, ...]:
        """Reads the assertions of a step: a single assertion or a list."""
        elements = list(node.elements()) if type(node.value) is list else [node]
        assertions = [self._assertion(element) for element in elements]
        return tuple(assertion for assertion in assertions if assertion is not None)

    def _assertion(self, node: Node) -> Assertion | None:
        if type(node.value) is not dict:
            self.reader.wrong_type(node, "assert", CompanionType.MAPPING)
            return None
        subjects = [subject for subject in AssertionTarget if node.has(subject.value)]
        if len(subjects) != 1:
            names = _join_assertion_names(subjects) or "none"
            self.reader.tell(
                codes.ASSERTION_SUBJECT,
                node,
                found=names,
                subjects=_join_assertion_names(AssertionTarget),
            )
            return None
        (subject,) = subjects
        name, claims = self._claimed(node, subject)
        call = self._call(node)
        if claims is None:
            return None
        return Assertion(subject, name, claims, node.at, call)

    def _claimed(
        self, node: Node, subject: AssertionTarget
    ) -> tuple[str, Mapping[str, Json] | None]:
        """Returns the part of the subject and the claims, or None for invalid claims."""
        own = node.child(subject.value)
        siblings = {key: child for key, child in node.members() if key not in (subject.value, CALL)}
        if subject in NAMED:
            sound = self.reader.sound(own, subject.value, NAMED[subject])
            claims = self._claims(node, subject, siblings)
            return (str(own.value), claims) if sound else ("", None)
        for key, child in siblings.items():
            self._tell_stranger(child, subject, key)
        if subject in VALUES:
            type_, operator = VALUES[subject]
            sound = self.reader.sound(own, subject.value, type_)
            return "", {operator: own.value} if sound and not siblings else None
        if subject is AssertionTarget.UPSTREAM and own.value == NONE:
            return "", {"count": 0}
        if type(own.value) is not dict:
            self.reader.wrong_type(own, subject.value, CompanionType.MAPPING)
            return "", None
        claims = self._claims(own, subject, dict(own.members()))
        return "", None if siblings else claims

    def _claims(
        self, node: Node, subject: AssertionTarget, members: Mapping[str, Node]
    ) -> Mapping[str, Json] | None:
        keys = CLAIMS[subject]
        claims: dict[str, Json] = {}
        for key, child in members.items():
            if key not in keys:
                self._tell_stranger(child, subject, key)
            elif subject is AssertionTarget.BYTES and key == "at_most":
                claims |= self._limit(child)
            elif self.reader.sound(child, key, keys[key]):
                claims[key] = _claim_operand(child, keys[key].kind)
        for key in keys:
            if keys[key].needed and key not in members:
                owner = f"`{subject.value}`"
                self.reader.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key=key)
        if not members.keys() - SELECTING:
            possible = _join_assertion_names(key for key in keys if key not in SELECTING)
            self.reader.tell(codes.MISSING_CLAIM, node, subject=subject.value, claims=possible)
        return claims if claims.keys() == members.keys() and claims else None

    def _limit(self, node: Node) -> Mapping[str, Json]:
        """Reads a number of bytes, or the name of a budget."""
        if type(node.value) is not str:
            sound = self.reader.sound(node, "at_most", number_key(POSITIVE))
            return {"at_most": node.value} if sound else {}
        if not self.budgets.has(node.value):
            names = [name for name, _ in self.budgets.members()]
            hint = closest_match(node.value, names) or "add it under `budgets`, or write a number"
            self.reader.tell(codes.UNKNOWN_BUDGET, node, name=node.value, nearest=hint)
            return {}
        limit = self.budgets.get(node.value)
        # A budget of another type is reported where the budget is declared.
        return {"at_most": limit} if type(limit) is int else {}

    def _call(self, node: Node) -> int:
        """Returns the number of the action an assertion is about, 0 for the last."""
        if not node.has(CALL):
            return 0
        at = node.child(CALL)
        if not self.reader.sound(at, CALL, number_key(POSITIVE)):
            return 0
        if self.actions and at.value > self.actions:
            self.reader.illegal(
                at, CALL, f"the number of an action, of which there are {self.actions}"
            )
            return 0
        return int(at.value)

    def _tell_stranger(self, node: Node, subject: AssertionTarget, key: str) -> None:
        """Reports a key that is no claim about the subject: misplaced or unknown."""
        keys = CLAIMS.get(subject, {})
        if key in EVERYTHING:
            claims = _join_assertion_names(keys) or "nothing besides"
            self.reader.tell(
                codes.MISPLACED_CLAIM, node, claim=key, subject=subject.value, claims=claims
            )
        else:
            owner = f"the assertion about `{subject.value}`"
            self.reader.unknown_key(node, owner, key, (*keys, CALL))


def _claim_operand(node: Node, kind: CompanionType) -> Json:
    """Returns the operand of a claim: always a list for texts, except `every`."""
    if kind is CompanionType.TEXTS and node.value != EVERY:
        return list(as_texts(node))
    return node.value


def _join_assertion_names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
