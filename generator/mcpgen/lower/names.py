"""Tool names: legal for every host, unique, stable once published."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from mcpgen.config import Config, ToolConfig
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Operation
from mcpgen.lower.automatic_ids import fixed_segments, short_names, without_version
from mcpgen.lower.builtin_tools import reserved_names
from mcpgen.lower.name_words import name_stem, name_words, shorten, unique, without_linking
from mcpgen.lower.sanitize_text import strip_invisible, truncate

MAX_NAME = 40
_LEGAL = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_DECLARED = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
"""Tool names allowed in a companion: an existing server may have chosen them already."""
_VERBS = {
    "GET": "get",
    "HEAD": "check",
    "OPTIONS": "describe",
    "TRACE": "trace",
    "QUERY": "query",
    "POST": "post",
    "PUT": "put",
    "PATCH": "patch",
    "DELETE": "delete",
}
_RESERVED_FILES = {"con", "prn", "aux", "nul"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)
}


def is_legal_tool_name(name: str) -> bool:
    """True if mcpgen may give a tool this name: `^[a-z][a-z0-9_]*$`, at most `MAX_NAME`
    characters, no `__`."""
    return len(name) <= MAX_NAME and bool(_LEGAL.fullmatch(name))


def _fits_operation(operation: Operation, name: str) -> bool:
    """True if the operation's tool may have this name; declared tools may have wider names."""
    declared = operation.declared
    return is_legal_tool_name(name) or bool(
        declared and declared.name == name and _DECLARED.fullmatch(name)
    )


def name_tools(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> Mapping[str, str]:
    """Returns the tool name of each operation by `Operation.key`.

    Order: names of the configuration, of the lock, of the author, then derived names in document
    order, names to be cut last. An added operation therefore never takes an existing name.
    """
    ids = Counter(operation.id for operation in operations if operation.id)
    names = _ToolNames(
        diagnostics, frozenset(operation_id for operation_id, count in ids.items() if count > 1)
    )
    names.owners.update(reserved_names(config))
    _report_unknown_operations(operations, config, diagnostics, at)
    configured = {
        entry.key: name for entry in operations if (name := _configured_key(entry, config))
    }
    # Callers use published names, so a published name must never lead to a different tool.
    published = {config.tool_names.get(entry.key, ""): entry.key for entry in operations}
    names.promised = {
        name: key for name, key in published.items() if name and key not in configured
    }
    for operation in operations:
        if operation.key in configured:
            at = config.at("names", configured[operation.key]) or operation.at
            names.choose(operation, config.names[configured[operation.key]], at)
    names.promised = {}
    for operation in operations:
        promised = config.tool_names.get(operation.key, "")
        if (
            operation.key not in names.by_key
            and _fits_operation(operation, promised)
            and promised not in names.owners
        ):
            names.give(operation, promised)
    for operation in operations:
        if operation.key not in names.by_key and operation.extension.name is not None:
            names.choose(operation, operation.extension.name, operation.at)
    short = short_names(operations)
    derived = [
        (operation, list(short.get(operation.key, ())) or _derive_words(operation))
        for operation in operations
        if operation.key not in names.by_key
    ]
    # Long names are cut last, so that a cut name never takes the whole name of a second operation.
    for operation, parts in sorted(derived, key=lambda entry: len("_".join(entry[1])) > MAX_NAME):
        names.derive(operation, parts)
    return names.by_key


def _configured_key(operation: Operation, config: Config) -> str:
    """Returns the key of the operation in `[names]`, `""` without an entry."""
    return next((name for name in (operation.key, operation.id) if name in config.names), "")


def _report_unknown_operations(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> None:
    names = [name for operation in operations for name in (operation.id, operation.key) if name]
    for key in config.names:
        is_told = bool(config.tools.get(key, ToolConfig()).name)  # With UNMATCHED_TOOL.
        if key not in names and not is_told:
            hint = closest_match(key, names) or "see the operations of the document"
            place = config.at("names", key) or at
            diagnostics.add(codes.UNMATCHED_NAME, place, operation=key, nearest=hint)


@dataclass
class _ToolNames:
    """Names given so far.

    `promised`: names of the lock by name, still to be given. `repeated_ids`: operationIds of
    several operations.
    """

    diagnostics: Diagnostics
    repeated_ids: frozenset[str] = frozenset()
    by_key: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    promised: Mapping[str, str] = field(default_factory=dict)

    def give(self, operation: Operation, name: str) -> None:
        self.by_key[operation.key] = name
        self.owners[name] = operation.key

    def choose(self, operation: Operation, name: str, at: Location) -> None:
        if not _fits_operation(operation, name):
            name_text = truncate(strip_invisible(name), 80)
            self.diagnostics.add(
                codes.ILLEGAL_TOOL_NAME, at, name=name_text, operation=operation.key
            )
        elif other := self._other_owner(operation, name):
            self.diagnostics.add(
                codes.TAKEN_TOOL_NAME, at, name=name, operation=operation.key, other=other
            )
        else:
            self.give(operation, name)

    def _other_owner(self, operation: Operation, name: str) -> str:
        """Returns the key of a different operation with this name, or with a promise of the
        name, else `""`."""
        promised = self.promised.get(name, "")
        if promised and promised != operation.key:
            return promised
        return self.owners.get(name, "") or next(filter(None, self._owners_of_same_words(name)), "")

    def _owners_of_same_words(self, name: str) -> Iterator[str]:
        """Yields the operations whose names have the same words, if either spelling is declared."""
        for other, owner in self.owners.items():
            if not (is_legal_tool_name(name) and is_legal_tool_name(other)) and name_words(
                other
            ) == name_words(name):
                yield owner

    def derive(self, operation: Operation, parts: list[str]) -> None:
        whole = "_".join(parts)
        preferred = whole
        if len(whole) > MAX_NAME:
            parts = list(dict.fromkeys(parts))
            whole_names = ("_".join(parts), "_".join(without_linking(parts)))
            candidates = (*_short_path_names(operation), *filter(is_legal_tool_name, whole_names))
            free = (name for name in candidates if name not in self.owners)
            preferred = next(free, "") or shorten(parts, MAX_NAME)
        name = preferred if preferred not in self.owners else self._distinct(operation, parts)
        if name != preferred:
            # `parse` has reported repeated ids already.
            if operation.id not in self.repeated_ids:
                self.diagnostics.add(
                    codes.RENAMED_TOOL,
                    operation.at,
                    wanted=preferred,
                    operation=operation.key,
                    name=name,
                )
        elif preferred != whole:
            self.diagnostics.add(
                codes.SHORTENED_TOOL_NAME, operation.at, operation=operation.key, name=name
            )
        self.give(operation, name)

    def _distinct(self, operation: Operation, parts: list[str]) -> str:
        """Returns a free name with a distinguishing part: the cut end of the name, the method,
        the path, else a number."""
        verb = _VERBS.get(operation.method, operation.method.lower())
        words = [*_path_words(operation.path), *name_words(operation.variant)]
        words = [word for word in words if word not in parts]
        candidates = [_ending(parts, count) for count in (1, 2, 3)]
        if verb not in parts:
            candidates.append(shorten([verb, *parts], MAX_NAME))
        candidates += [
            _ending([*parts, *words[-count:]], count) for count in (1, 2) if words[count - 1 :]
        ]
        for name in candidates:
            if is_legal_tool_name(name) and name not in self.owners:
                return name
        return unique(shorten(parts, MAX_NAME), MAX_NAME, self.owners.__contains__)


def _ending(parts: list[str], count: int) -> str:
    """Returns a name with the last `count` words kept and the beginning shortened."""
    tail = parts[-count:]
    head = shorten(parts[:-count], MAX_NAME - len("_".join(tail)) - 1)
    return "_".join([head, *tail]) if head else ""


def _derive_words(operation: Operation) -> list[str]:
    """Returns the words of the derived name before collisions are resolved."""
    parts = name_words(operation.id)
    if not parts:
        verb = _VERBS.get(operation.method) or "".join(name_words(operation.method)) or "call"
        parts = [verb, *_path_words(operation.path)]
    if not parts[0][0].isalpha():
        parts = [_VERBS.get(operation.method, "call"), *parts]
    return parts


def _short_path_names(operation: Operation) -> Iterator[str]:
    """Yields legal names from method and path for an operation without id, or with an id that only
    spells the path, the most complete first.

    Path parameters before the end and leading segments are left out, because arguments repeat the
    former, and the end of a path says most: `GET /shops/{shop}/carts/{cart}/items/{item}` gives
    `get_shops_carts_items_by_item`, then `get_carts_items_by_item`. Two segments or three words
    stay.
    """
    verb = _path_verb(operation)
    segments = [name_words(segment) for segment in without_version(fixed_segments(operation.path))]
    last = operation.path.rpartition("/")[2]
    parameter = name_words(last) if last.startswith("{") else []
    for start in range(len(segments) if verb else 0):
        words = [verb, *chain(*segments[start:])]
        if 0 < start == len(segments) - 1 and len(words) <= 3:
            return
        for end in dict.fromkeys((tuple(parameter), tuple(parameter[-1:]))):
            name = "_".join([*words, "by", *end] if end else words)
            if is_legal_tool_name(name):
                yield name


def _path_verb(operation: Operation) -> str:
    """Returns the verb of an operation whose id, apart from the verb, has the words of the path
    alone, in any number; `""` for an id of the author's own words.

    `GET /shops/{shop}/cartItems`: `getShopCartItems`, `ShopsByShopCartItemsGet` and no id.
    """
    method = operation.method.lower()
    verb = _VERBS.get(operation.method, method)
    words = [name_stem(word) for word in name_words(operation.id) if word != "by"]
    if not words:
        return verb
    path = operation.path.split("/")[1:]
    spellings = [
        [name_stem(word) for segment in segments for word in name_words(segment)]
        for whole in (path, fixed_segments(operation.path))
        for segments in (whole, without_version(whole))
    ]
    if words[1:] in spellings:
        return name_words(operation.id)[0]
    return verb if words[-1] == method and words[:-1] in spellings else ""


def _path_words(path: str) -> list[str]:
    """Returns the words of a path; `/pets/{id}` gives `pets by id`."""
    words: list[str] = []
    for segment in path.split("/"):
        parts = name_words(segment)
        if parts and segment.startswith("{") and path.endswith(segment):
            words.append("by")
        words += parts
    return words or ["root"]


def module_names(names: Sequence[str]) -> Mapping[str, str]:
    """Returns the Python module of each tool.

    A keyword or reserved file name gets `_` at the end; an illegal name becomes snake_case,
    numbered if taken.
    """
    own = {name for name in names if is_legal_tool_name(name)}
    modules: dict[str, str] = {}
    for name in names:
        module = name
        if name not in own:
            spelled = "_".join(name_words(name)) or "tool"
            module = unique(spelled, MAX_NAME * 2, {*own, *modules.values()}.__contains__)
        barred = keyword.iskeyword(module) or module in _RESERVED_FILES
        modules[name] = f"{module}_" if barred else module
    return modules
