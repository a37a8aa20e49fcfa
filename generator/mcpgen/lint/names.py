"""Lint rules about tool names and leading verbs: similar names, reading or writing verbs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcpgen.diagnostics.codes import lint as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.lint.tools import LocatedFinding
from mcpgen.lower.automatic_ids import automatic_id
from mcpgen.lower.hints import REMOVING
from mcpgen.lower.name_words import name_words, shorten
from mcpgen.lower.names import MAX_NAME
from mcpgen.lower.sanitize_text import strip_invisible, truncate

READING = frozenset(
    {"browse", "count", "describe", "download", "export", "fetch", "find", "get", "inspect"}
    | {"list", "lookup", "preview", "query", "read", "retrieve", "search", "show", "view"}
)
"""Verbs without a change of state."""

WRITING = REMOVING | frozenset(
    {"add", "append", "approve", "assign", "create", "edit", "enable", "insert", "merge", "modify"}
    | {"move", "overwrite", "patch", "publish", "put", "register", "rename", "replace", "replaces"}
    | {
        "save",
        "send",
        "set",
        "submit",
        "transfer",
        "trigger",
        "update",
        "upload",
        "upsert",
        "write",
    }
)
"""Verbs with a change of state."""

JOINING = frozenset({"and", "or"})


@dataclass(frozen=True, slots=True)
class LeadingVerb:
    """The known verb at the beginning of a text; `mixed` if a verb of the opposite kind follows."""

    verb: str = ""
    text: str = ""
    mixed: bool = False

    @property
    def reads(self) -> bool:
        """True for a verb without a change of state."""
        return self.verb in READING

    @property
    def writes(self) -> bool:
        """True for a verb with a change of state."""
        return self.verb in WRITING


def leading_verb(operation: Operation) -> LeadingVerb:
    """Returns the leading verb of the summary, else of the name."""
    extension = operation.extension
    for text in (extension.description or "", operation.summary, operation.id):
        verb = _leading_verb_of(text)
        if verb.verb:
            return verb
    return LeadingVerb()


def verb_stem(word: str) -> str:
    """The word without the ending of a plural or of a verb: the same for `house` and `houses`."""
    for ending in ("ies", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word


def _leading_verb_of(text: str) -> LeadingVerb:
    words = name_words(text[:300])
    if not words:
        return LeadingVerb()
    first = _base_verb(words[0])
    if not first:
        return LeadingVerb()
    other = _base_verb(words[2]) if len(words) > 2 and words[1] in JOINING else ""
    mixed = bool(other) and (first in READING) != (other in READING)
    return LeadingVerb(first, text, mixed)


def _base_verb(word: str) -> str:
    """The verb a word is a form of (`lists`, `fetches`, `queries`), or `""`."""
    forms = (f"{word.removesuffix('ies')}y", word.removesuffix("es"), word.removesuffix("s"), word)
    return next((form for form in forms if form in READING or form in WRITING), "")


MIN_LETTERS = 6
"""Letters from which a single different letter does not make a new word."""

MAX_EXAMPLES = 3
"""Number of short names shown per framework."""


def similar_names(tools: Sequence[ToolSpec]) -> Iterator[LocatedFinding]:
    """Yields tools whose names differ from an earlier name by an ending, a number, word order or
    one letter; each tool once."""
    reported: set[str] = set()
    for how, keys in KINDS:
        first: dict[str, str] = {}
        for tool in tools:
            earlier = [first[key] for key in keys(tool.name) if key in first]
            unreported = [name for name in earlier if name != tool.name and name not in reported]
            if unreported and tool.name not in reported:
                reported.add(tool.name)
                facts = {"name": tool.name, "other": unreported[0], "how": how}
                yield codes.LOOK_ALIKE, tool.at, dict(facts)
            for key in keys(tool.name):
                first.setdefault(key, tool.name)


def automatic_id_findings(
    tools: Sequence[ToolSpec], operations: Mapping[str, Operation]
) -> Iterator[LocatedFinding]:
    """Yields the frameworks whose generated operationIds got short names, each at its first
    operation."""
    by_framework: dict[str, list[ToolSpec]] = {}
    for tool in tools:
        automatic = automatic_id(operations[tool.operation])
        if automatic and tool.name in {shorten(list(words), MAX_NAME) for words in automatic.names}:
            by_framework.setdefault(automatic.framework, []).append(tool)
    for framework, of_framework in by_framework.items():
        examples = ", ".join(
            f"`{tool.name}` for `{truncate(strip_invisible(operations[tool.operation].id), 80)}`"
            for tool in of_framework[:MAX_EXAMPLES]
        )
        facts = {"framework": framework, "count": len(of_framework), "examples": examples}
        yield codes.AUTOMATIC_IDS, of_framework[0].at, facts


def _singular(name: str) -> list[str]:
    """Returns the name with the stems of its words."""
    return ["_".join(verb_stem(word) for word in name.split("_"))]


def _sort_words(name: str) -> list[str]:
    """The words of the name in order of the alphabet."""
    return [" ".join(sorted(name.split("_")))]


def _without_number(name: str) -> list[str]:
    """Returns the name without a trailing number."""
    head, _, tail = name.rpartition("_")
    return [head if head and tail.isdecimal() else name]


def _without_a_letter(name: str) -> list[str]:
    """Returns the name without each of its letters in turn: a shared result means one letter of
    difference.

    Digits and verbs stay: `v1` and `v2`, `get` and `set` are different names.
    """
    if len(name) < MIN_LETTERS:
        return []
    return [
        f"{name[:at]}-{name[at + 1 :]}"
        for word in re.finditer(r"[a-z]+", name)
        if word.group() not in READING | WRITING
        for at in range(*word.span())
    ]


KINDS = (
    ("only by the ending of a word", _singular),
    ("by the order of their words", _sort_words),
    ("by a number alone", _without_number),
    ("by one letter", _without_a_letter),
)
"""Kinds of similarity in words, with the function whose equal results mark similar names."""
