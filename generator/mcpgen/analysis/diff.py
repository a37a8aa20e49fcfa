"""Difference of two listings: matched tools, changed arguments and schemas, resources and
prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from mcpgen.analysis import Announced, ToolListing
from mcpgen.analysis.change_kinds import LOOSE, ChangeKind, ToolChange
from mcpgen.analysis.resource_diff import json_text, resource_changes
from mcpgen.analysis.schema_compatibility import ANNOTATIONS, contains_schema, is_same_json
from mcpgen.analysis.sizes import bytes_of_list
from mcpgen.conformance.sizes import size_of
from mcpgen.conformance.strict_json import Json, dumps

_DEFINITION_KEYWORDS = ("$defs", "definitions")
"""Keywords of a root schema that hold definitions."""

_UNSUPPORTED_KEYWORDS = frozenset(
    {"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"}
)
"""Keywords with which the target of a reference cannot be determined from the text of the reference
alone."""

_NAME_MAPS = frozenset(
    {"$defs", "definitions", "properties", "patternProperties", "dependentSchemas"}
)
"""Keywords with a table of subschemas, whose keys are names instead of keywords."""

_DATA_KEYWORDS = frozenset({"const", "default", "enum", "examples"})
"""Keywords with data as value, where `default` has no meaning."""

_DefinitionPath = tuple[str, str]
"""Keyword of the root schema, and a name below."""


def prune_defs(schema: Json) -> Json:
    """Returns the schema with only the reachable definitions. Unchanged if a reference cannot be
    resolved from its text."""
    if not isinstance(schema, dict) or not any(key in schema for key in _DEFINITION_KEYWORDS):
        return schema
    waiting: list[Json] = [
        {key: current for key, current in schema.items() if key not in _DEFINITION_KEYWORDS}
    ]
    reachable: set[_DefinitionPath] = set()
    while waiting:
        current = waiting.pop()
        if isinstance(current, list):
            waiting += current
        if not isinstance(current, dict):
            continue
        waiting += current.values()
        # Without a `$ref` the root is taken, which is searched anyway.
        step = _first_step(current.get("$ref", "#"))
        if step is None or not _UNSUPPORTED_KEYWORDS.isdisjoint(current):
            return schema
        holder = schema.get(step[0])
        # Other local references lead into parts that are searched anyway.
        if step[0] in _DEFINITION_KEYWORDS and step not in reachable and isinstance(holder, dict):
            reachable.add(step)
            waiting.append(holder.get(step[1]))
    remaining = {
        key: _reachable_definitions(key, schema[key], reachable)
        for key in schema
        if key in _DEFINITION_KEYWORDS
    }
    return {
        key: remaining.get(key, part) for key, part in schema.items() if remaining.get(key) != {}
    }


def _first_step(reference: Json) -> _DefinitionPath | None:
    """Returns the first step of a local reference, None for an anchor or an external reference."""
    if reference == "#":
        return "", ""
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    steps = [unquote(step).replace("~1", "/").replace("~0", "~") for step in reference.split("/")]
    return steps[1], steps[2] if len(steps) > 2 else ""


def _reachable_definitions(key: str, holder: Json, reachable: set[_DefinitionPath]) -> Json:
    """Returns the reachable definitions under a keyword."""
    if not isinstance(holder, dict):
        return holder
    return {name: definition for name, definition in holder.items() if (key, name) in reachable}


@dataclass(frozen=True, slots=True)
class ToolPair:
    """A tool in the old and the new listing; None where absent.

    `matched_by`: why two names are one tool: `operation`, `content`, or `""` for an equal name.
    """

    old: Announced | None
    new: Announced | None
    matched_by: str = ""


def match_tools(old: ToolListing, new: ToolListing) -> tuple[ToolPair, ...]:
    """Returns the pairs in order of the new listing, then removed tools in order of the old.

    A renamed tool is the same tool if its API operation is the same. Without known operations
    everything except name and title must be equal, and unique in both listings. Other tools with
    the same name are the same tool, unless the old tool of the name continues under another name.
    """
    before, after = _tools_by_name(old), _tools_by_name(new)
    if old.operations and new.operations:
        renamed = _by_operation(old, new, before, after)
    else:
        renamed = _by_content(before, after)
    old_names = {name for name, _ in renamed.values()}
    unchanged = {name: (name, "") for name in after if name in before and name not in old_names}
    matched = unchanged | renamed
    pairs = [_pair_tool(before, name, tool, matched.get(name)) for name, tool in after.items()]
    matched_old_names = {name for name, _ in matched.values()}
    pairs += [
        ToolPair(tool, None) for name, tool in before.items() if name not in matched_old_names
    ]
    return tuple(pairs)


def _pair_tool(
    before: Mapping[str, Announced], name: str, tool: Announced, match: tuple[str, str] | None
) -> ToolPair:
    if match is None:
        return ToolPair(None, tool)
    old_name, matched_by = match
    return ToolPair(before[old_name], tool, matched_by if old_name != name else "")


def _tools_by_name(listing: ToolListing) -> dict[str, Announced]:
    """Returns the tools by name; of duplicates the first, as hosts do."""
    by_name: dict[str, Announced] = {}
    for tool in listing.tools:
        by_name.setdefault(str(tool["name"]), tool)
    return by_name


def _by_operation(
    old: ToolListing,
    new: ToolListing,
    before: Mapping[str, Announced],
    after: Mapping[str, Announced],
) -> dict[str, tuple[str, str]]:
    """Returns old name and `operation` for each tool whose operation is in the old listing too, by
    new name."""
    old_name_by_operation = {
        old.operations[name]: name for name in before if name in old.operations
    }
    return {
        name: (old_name_by_operation[operation], "operation")
        for name in after
        if (operation := new.operations.get(name)) in old_name_by_operation
    }


def _by_content(
    before: Mapping[str, Announced], after: Mapping[str, Announced]
) -> dict[str, tuple[str, str]]:
    """Returns old name and `content` for each renamed tool with unchanged content, by new name."""
    old_groups, new_groups = _names_by_content(before), _names_by_content(after)
    matches: dict[str, tuple[str, str]] = {}
    for content, names in new_groups.items():
        old_names = old_groups.get(content, [])
        if (
            len(names) == len(old_names) == 1
            and names[0] not in before
            and old_names[0] not in after
        ):
            matches[names[0]] = (old_names[0], "content")
    return matches


def _names_by_content(tools: Mapping[str, Announced]) -> dict[bytes, list[str]]:
    """Returns tool names grouped by content without name and title."""
    groups: dict[bytes, list[str]] = {}
    for name, tool in tools.items():
        if not tool.get("description"):
            # Without a description, a different tool may have equal content.
            continue
        content = {key: tool[key] for key in sorted(tool) if key not in ("name", "title")}
        groups.setdefault(dumps(content), []).append(name)
    return groups


_COMPARED_MEMBERS = frozenset(
    {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
)
"""Members of a tool that have their own comparison; all others become OTHER."""

_COMPARED_INPUT_KEYWORDS = frozenset({"type", "properties", "required", "description", "title"})
"""Keywords of the input schema that are compared per argument, or not at all."""


@dataclass(frozen=True, slots=True)
class ListingDiff:
    """All changes, tools first, in order of the new listing.

    `old`, `new`: names of the listings. `bytes`: size of the listing before and after. `tools`:
    number of tools before and after. `sizes`: bytes before and after per tool with a changed size.
    """

    old: str
    new: str
    changes: tuple[ToolChange, ...]
    bytes: tuple[int, int]
    tools: tuple[int, int]
    sizes: Mapping[str, tuple[int, int]]

    @property
    def breaking_changes(self) -> tuple[ToolChange, ...]:
        """Changes that break saved references or callers, in order of `changes`."""
        return tuple(change for change in self.changes if change.meaning.is_breaking)


def diff_listings(old: ToolListing, new: ToolListing) -> ListingDiff:
    """Returns the changes from `old` to `new`; empty for equal listings."""
    matched = match_tools(old, new)
    return ListingDiff(
        old.name,
        new.name,
        (
            *(change for pair in matched for change in _pair_changes(pair)),
            *resource_changes(old, new),
        ),
        (bytes_of_list(old.tools), bytes_of_list(new.tools)),
        (len(old.tools), len(new.tools)),
        dict(_changed_sizes(matched)),
    )


def _changed_sizes(matched: tuple[ToolPair, ...]) -> Iterator[tuple[str, tuple[int, int]]]:
    present = {pair.new["name"] for pair in matched if pair.new}
    for pair in matched:
        if pair.old and not pair.new and pair.old["name"] in present:
            # The name belongs to a different tool now, which has its own entry.
            continue
        before = size_of(pair.old).bytes if pair.old else 0
        after = size_of(pair.new).bytes if pair.new else 0
        tool = pair.new or pair.old
        if before != after and tool:
            yield str(tool["name"]), (before, after)


def _pair_changes(pair: ToolPair) -> Iterator[ToolChange]:
    old, new = pair.old, pair.new
    if old is None:
        assert new is not None
        yield ToolChange(ChangeKind.TOOL_ADDED, str(new["name"]))
        return
    if new is None:
        yield ToolChange(ChangeKind.TOOL_REMOVED, str(old["name"]))
        return
    name = str(new["name"])
    if pair.matched_by:
        reason = "it stands for the same operation"
        if pair.matched_by == "content":
            reason = "all but its name is the same, and no other tool is like it"
        old_name = str(old["name"])
        yield ToolChange(ChangeKind.TOOL_RENAMED, name, "", old_name, name, reason=reason)
    yield from _text_changes(name, old, new)
    old_input, new_input = (
        _object_or_empty(prune_defs(tool.get("inputSchema"))) for tool in (old, new)
    )
    yield from _argument_changes(name, old_input, new_input)
    yield from _output_changes(name, *(prune_defs(tool.get("outputSchema")) for tool in (old, new)))
    yield from _hint_changes(
        name, _object_or_empty(old.get("annotations")), _object_or_empty(new.get("annotations"))
    )
    for key in sorted({*old, *new} - _COMPARED_MEMBERS):
        if old.get(key) != new.get(key):
            yield ToolChange(
                ChangeKind.OTHER, name, key, json_text(old.get(key)), json_text(new.get(key))
            )


def _text_changes(name: str, old: Announced, new: Announced) -> Iterator[ToolChange]:
    for key, change in (("title", ChangeKind.TITLE), ("description", ChangeKind.DESCRIPTION)):
        if old.get(key) != new.get(key):
            yield ToolChange(change, name, "", json_text(old.get(key)), json_text(new.get(key)))


def _argument_changes(
    name: str, old: Mapping[str, Json], new: Mapping[str, Json]
) -> Iterator[ToolChange]:
    before, after = _object_or_empty(old.get("properties")), _object_or_empty(new.get("properties"))
    old_required = _list_or_empty(old.get("required"))
    new_required = _list_or_empty(new.get("required"))
    for key in after:
        if key not in before:
            must = key in new_required
            change = ChangeKind.ARGUMENT_ADDED_REQUIRED if must else ChangeKind.ARGUMENT_ADDED
            yield ToolChange(change, name, key, "", _type_text(after[key]))
        else:
            if (key in old_required) != (key in new_required):
                must = key in new_required
                change = ChangeKind.ARGUMENT_REQUIRED if must else ChangeKind.ARGUMENT_OPTIONAL
                yield ToolChange(change, name, key)
            yield from _changes_of_argument(name, key, before[key], after[key])
    for key in before:
        if key not in after:
            yield ToolChange(ChangeKind.ARGUMENT_REMOVED, name, key, _type_text(before[key]))
    for key in new_required:
        # An argument without a schema of its own can be required, too.
        if isinstance(key, str) and key not in after and key not in old_required:
            yield ToolChange(ChangeKind.ARGUMENT_REQUIRED, name, key)
    old_keywords = {key: old[key] for key in old if key not in _COMPARED_INPUT_KEYWORDS}
    new_keywords = {key: new[key] for key in new if key not in _COMPARED_INPUT_KEYWORDS}
    if old_keywords == new_keywords:
        return
    texts = json_text(old_keywords), json_text(new_keywords)
    if not contains_schema(new_keywords, old_keywords) or any(
        _changed_defaults(old_keywords, new_keywords)
    ):
        yield ToolChange(ChangeKind.INPUT_CHANGED, name, "", *texts)
    elif before.keys() == after.keys():
        # Other definitions of an added argument are a part of the argument.
        yield ToolChange(ChangeKind.OTHER, name, "inputSchema", *texts)


def _changes_of_argument(tool: str, key: str, old: Json, new: Json) -> Iterator[ToolChange]:
    """Yields the changes of an argument present in both listings."""
    if is_same_json(old, new):
        return
    old_members, new_members = _object_or_empty(old), _object_or_empty(new)
    try:
        defaults = list(_changed_defaults(old, new))
        old_values, new_values = _without_annotations(old), _without_annotations(new)
    except RecursionError:
        # Nor can containment be shown for such schemas, so the change counts as breaking.
        defaults, old_values, new_values = [], old, new
    for before, after in defaults:
        yield ToolChange(
            ChangeKind.ARGUMENT_DEFAULT, tool, key, json_text(before), json_text(after)
        )
    has_same_values = is_same_json(old_values, new_values)
    if not has_same_values:
        change = (
            ChangeKind.ARGUMENT_WIDENED
            if contains_schema(new, old)
            else ChangeKind.ARGUMENT_RETYPED
        )
        yield ToolChange(change, tool, key, json_text(old_values), json_text(new_values))
    if any(old_members.get(word) != new_members.get(word) for word in ANNOTATIONS) or (
        has_same_values and not defaults
    ):
        descriptions = (
            json_text(members.get("description")) for members in (old_members, new_members)
        )
        yield ToolChange(ChangeKind.ARGUMENT_DESCRIBED, tool, key, *descriptions)


def _output_changes(name: str, old: Json, new: Json) -> Iterator[ToolChange]:
    if is_same_json(old, new):
        return
    if old is None:
        yield ToolChange(ChangeKind.OUTPUT_ADDED, name)
    elif new is None:
        yield ToolChange(ChangeKind.OUTPUT_REMOVED, name)
    else:
        # Readers of results need the new schema to promise at least as much as the old.
        change = (
            ChangeKind.OUTPUT_NARROWED if contains_schema(old, new) else ChangeKind.OUTPUT_CHANGED
        )
        yield ToolChange(change, name)


def _hint_changes(
    name: str, old: Mapping[str, Json], new: Mapping[str, Json]
) -> Iterator[ToolChange]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) == new.get(key):
            continue
        before, after = json_text(old.get(key)), json_text(new.get(key))
        if key not in LOOSE:
            change = ChangeKind.TITLE if key == "title" else ChangeKind.OTHER
            yield ToolChange(change, name, key, before, after)
            continue
        permissive, default = LOOSE[key]
        was, now = (
            hint if isinstance(hint, bool) else default for hint in (old.get(key), new.get(key))
        )
        if was == now:
            change = ChangeKind.OTHER
        else:
            change = ChangeKind.HINT_LOOSENED if now is permissive else ChangeKind.HINT_TIGHTENED
        yield ToolChange(change, name, key, before, after)


def _without_annotations(schema: Json) -> Json:
    """Returns the schema without annotations that have their own kind of change, at every level."""
    if isinstance(schema, list):
        return [_without_annotations(branch) for branch in schema]
    if not isinstance(schema, dict):
        return schema
    bare: dict[str, Json] = {}
    for key, value in schema.items():
        if key in _NAME_MAPS and isinstance(value, dict):
            bare[key] = {name: _without_annotations(member) for name, member in value.items()}
        elif key not in ANNOTATIONS | {"default"}:
            bare[key] = value if key in _DATA_KEYWORDS else _without_annotations(value)
    return bare


def _changed_defaults(old: Json, new: Json) -> Iterator[tuple[Json, Json]]:
    """Yields old and new default of every subschema in both schemas whose defaults differ."""
    if isinstance(old, list) and isinstance(new, list):
        for before, after in zip(old, new, strict=False):
            yield from _changed_defaults(before, after)
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    if not is_same_json(old.get("default"), new.get("default")):
        yield old.get("default"), new.get("default")
    for key in old:
        before, after = old[key], new.get(key)
        if key in _NAME_MAPS and isinstance(before, dict) and isinstance(after, dict):
            for name in before:
                yield from _changed_defaults(before[name], after.get(name))
        elif key not in _DATA_KEYWORDS:
            yield from _changed_defaults(before, after)


def _type_text(schema: Json) -> str:
    return json_text(_object_or_empty(schema).get("type"))


def _object_or_empty(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _list_or_empty(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
