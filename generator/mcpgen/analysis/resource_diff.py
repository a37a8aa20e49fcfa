"""Changes of resources and prompts between two listings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from mcpgen.analysis import Announced, ToolListing
from mcpgen.analysis.change_kinds import ChangedThing, ChangeKind, ToolChange
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.strict_json import Json

_RESOURCE = frozenset({"uri", "uriTemplate", "name", "title", "description", "mimeType"})
_PROMPT = frozenset({"name", "title", "description", "arguments"})
_SPOKEN = (("title", ChangeKind.TITLE), ("description", ChangeKind.DESCRIPTION))


def resource_changes(old: ToolListing, new: ToolListing) -> Iterator[ToolChange]:
    """Yields the changes of resources, then of prompts, in order of the new listing, removed
    entries last.

    Nothing if one listing does not include resources or prompts.
    """
    if old.resources is not None and new.resources is not None:
        yield from _resource_changes(old.resources, new.resources)
    if old.prompts is not None and new.prompts is not None:
        yield from _prompts(old.prompts, new.prompts)


def resource_uri(resource: Announced) -> str:
    """The `uri` of a resource, or the `uriTemplate` of many; `""` without both."""
    return str(resource.get("uriTemplate") or resource.get("uri") or "")


def _resource_changes(old: Sequence[Announced], new: Sequence[Announced]) -> Iterator[ToolChange]:
    """Yields changes of resources, matched by URI, else by a unique name."""
    before, after = _first_by_key(old, resource_uri), _first_by_key(new, resource_uri)
    gone = [resource for uri, resource in before.items() if uri not in after]
    fresh = [resource for uri, resource in after.items() if uri not in before]
    lost, by_name = _uniquely_named(gone), _uniquely_named(fresh)
    moved = {resource_uri(by_name[name]): lost[name] for name in by_name if name in lost}
    for uri, resource in after.items():
        former = before.get(uri) or moved.get(uri)
        if former is None:
            yield ToolChange(ChangeKind.RESOURCE_ADDED, uri, kind=ChangedThing.RESOURCE)
            continue
        if uri in moved:
            was = resource_uri(former)
            yield ToolChange(ChangeKind.RESOURCE_URI, uri, "", was, uri, kind=ChangedThing.RESOURCE)
        yield from _member_changes(ChangedThing.RESOURCE, uri, former, resource, _RESOURCE)
        if former.get("mimeType") != resource.get("mimeType"):
            media_types = (json_text(entry.get("mimeType")) for entry in (former, resource))
            yield ToolChange(
                ChangeKind.RESOURCE_TYPE, uri, "", *media_types, kind=ChangedThing.RESOURCE
            )
        if former.get("name") != resource.get("name"):
            media_types = (json_text(entry.get("name")) for entry in (former, resource))
            yield ToolChange(
                ChangeKind.OTHER, uri, "name", *media_types, kind=ChangedThing.RESOURCE
            )
    followed = {resource_uri(resource) for resource in moved.values()}
    for resource in gone:
        if resource_uri(resource) not in followed:
            yield ToolChange(
                ChangeKind.RESOURCE_REMOVED, resource_uri(resource), kind=ChangedThing.RESOURCE
            )


def _prompts(old: Sequence[Announced], new: Sequence[Announced]) -> Iterator[ToolChange]:
    before, after = _first_by_key(old, _entry_name), _first_by_key(new, _entry_name)
    for name, prompt in after.items():
        if name not in before:
            yield ToolChange(ChangeKind.PROMPT_ADDED, name, kind=ChangedThing.PROMPT)
            continue
        yield from _member_changes(ChangedThing.PROMPT, name, before[name], prompt, _PROMPT)
        yield from _prompt_argument_changes(name, before[name], prompt)
    for name in before:
        if name not in after:
            yield ToolChange(ChangeKind.PROMPT_REMOVED, name, kind=ChangedThing.PROMPT)


def _prompt_argument_changes(prompt: str, old: Announced, new: Announced) -> Iterator[ToolChange]:
    before, after = (
        _first_by_key(_object_items(entry.get("arguments")), _entry_name) for entry in (old, new)
    )
    for name, argument in after.items():
        must = argument.get("required") is True
        if name not in before:
            change = ChangeKind.ARGUMENT_ADDED_REQUIRED if must else ChangeKind.ARGUMENT_ADDED
            yield ToolChange(change, prompt, name, kind=ChangedThing.PROMPT)
            continue
        if (before[name].get("required") is True) != must:
            change = ChangeKind.ARGUMENT_REQUIRED if must else ChangeKind.ARGUMENT_OPTIONAL
            yield ToolChange(change, prompt, name, kind=ChangedThing.PROMPT)
        if any(before[name].get(key) != argument.get(key) for key, _ in _SPOKEN):
            descriptions = (
                json_text(entry.get("description")) for entry in (before[name], argument)
            )
            yield ToolChange(
                ChangeKind.ARGUMENT_DESCRIBED, prompt, name, *descriptions, kind=ChangedThing.PROMPT
            )
    for name in before:
        if name not in after:
            yield ToolChange(ChangeKind.ARGUMENT_REMOVED, prompt, name, kind=ChangedThing.PROMPT)


def _member_changes(
    kind: ChangedThing, name: str, old: Announced, new: Announced, own_kinds: frozenset[str]
) -> Iterator[ToolChange]:
    """Yields changes of members without a kind of change of their own."""
    for key, change in _SPOKEN:
        if old.get(key) != new.get(key):
            values = (json_text(entry.get(key)) for entry in (old, new))
            yield ToolChange(change, name, "", *values, kind=kind)
    for key in sorted({*old, *new} - own_kinds):
        if old.get(key) != new.get(key):
            values = (json_text(entry.get(key)) for entry in (old, new))
            yield ToolChange(ChangeKind.OTHER, name, key, *values, kind=kind)


def _first_by_key(
    entries: Sequence[Announced], key: Callable[[Announced], str]
) -> dict[str, Announced]:
    """Returns the entries by a key, the first of duplicates."""
    by_key: dict[str, Announced] = {}
    for entry in entries:
        by_key.setdefault(key(entry), entry)
    return by_key


def _uniquely_named(resources: Sequence[Announced]) -> dict[str, Announced]:
    """Returns the resources with a unique name, by name."""
    counts = Counter(map(_entry_name, resources))
    return {
        _entry_name(resource): resource
        for resource in resources
        if counts[_entry_name(resource)] == 1
    }


def _entry_name(entry: Announced) -> str:
    return str(entry.get("name"))


def _object_items(value: Json) -> list[Mapping[str, Json]]:
    entries = value if isinstance(value, list) else []
    return [entry for entry in entries if isinstance(entry, dict)]


def json_text(value: Json) -> str:
    """Returns a value as JSON of at most 200 characters, `""` for None."""
    return printable(value, 200) if value is not None else ""
