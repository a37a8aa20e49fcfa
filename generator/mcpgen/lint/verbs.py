"""What an operation says that it does: the verbs of its name and summary, as reading or writing."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.ir.api import Operation
from mcpgen.lower.hints import REMOVING
from mcpgen.lower.name_words import name_words

READING = frozenset(
    {"browse", "count", "describe", "download", "export", "fetch", "find", "get", "inspect"}
    | {"list", "lookup", "preview", "query", "read", "retrieve", "search", "show", "view"}
)
"""Verbs of what changes nothing."""

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
"""Verbs of what changes something."""

JOINING = frozenset({"and", "or"})


@dataclass(frozen=True, slots=True)
class LeadingVerb:
    """The verb that a text begins with, as it is known, and the text; `mixed` tells that another one
    of the other kind follows it."""

    verb: str = ""
    text: str = ""
    mixed: bool = False

    @property
    def reads(self) -> bool:
        """Whether the verb changes nothing."""
        return self.verb in READING

    @property
    def writes(self) -> bool:
        """Whether the verb changes something."""
        return self.verb in WRITING


def leading_verb(operation: Operation) -> LeadingVerb:
    """What the summary begins with, else the name; nothing where neither begins with a known verb."""
    extension = operation.extension
    for text in (extension.description or "", operation.summary, operation.id):
        found = _begun(text)
        if found.verb:
            return found
    return LeadingVerb()


def verb_stem(word: str) -> str:
    """The word without the ending of a plural or of a verb: the same for `house` and `houses`."""
    for ending in ("ies", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word


def _begun(text: str) -> LeadingVerb:
    spoken = name_words(text[:300])
    if not spoken:
        return LeadingVerb()
    first = _base_verb(spoken[0])
    if not first:
        return LeadingVerb()
    other = _base_verb(spoken[2]) if len(spoken) > 2 and spoken[1] in JOINING else ""
    mixed = bool(other) and (first in READING) != (other in READING)
    return LeadingVerb(first, text, mixed)


def _base_verb(word: str) -> str:
    """The verb a word is a form of (`lists`, `fetches`, `queries`), or `""`."""
    forms = (f"{word.removesuffix('ies')}y", word.removesuffix("es"), word.removesuffix("s"), word)
    return next((form for form in forms if form in READING or form in WRITING), "")
