"""What has changed between what two servers announce, each change with whom it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.sizes import size_of
from mcpgen.conformance.strict_json import Json
from mcpgen.frozen import frozen
from mcpgen.survey.changes import LOOSE, Change, Found
from mcpgen.survey.definitions import reached
from mcpgen.survey.offers import of_offers
from mcpgen.survey.pairs import Pair, pairs
from mcpgen.survey.surface import Announced, Surface
from mcpgen.survey.values import SPOKEN, admits, same
from mcpgen.survey.weights import list_bytes

_MEMBERS = frozenset({"name", "title", "description", "inputSchema", "outputSchema", "annotations"})
_ROOT = frozenset({"type", "properties", "required", "description", "title"})


@frozen
class Difference:
    """All changes, those of tools first, in the order of the new list; `bytes` are those of the list before and after, and
    `sizes` those of each tool whose size is another, by its name."""

    old: str
    new: str
    changes: tuple[Found, ...]
    bytes: tuple[int, int]
    tools: tuple[int, int]
    sizes: Mapping[str, tuple[int, int]]

    @property
    def breaking(self) -> tuple[Found, ...]:
        """The changes that break anybody."""
        return tuple(one for one in self.changes if one.meaning.breaking)


def difference(old: Surface, new: Surface) -> Difference:
    """What changed from one surface to another; a surface does not differ from itself."""
    matched = pairs(old, new)
    return Difference(
        old.name,
        new.name,
        (*(one for pair in matched for one in _of_pair(pair)), *of_offers(old, new)),
        (list_bytes(old.tools), list_bytes(new.tools)),
        (len(old.tools), len(new.tools)),
        dict(_sizes(matched)),
    )


def _sizes(matched: tuple[Pair, ...]) -> Iterator[tuple[str, tuple[int, int]]]:
    present = {pair.new["name"] for pair in matched if pair.new}
    for pair in matched:
        if pair.old and not pair.new and pair.old["name"] in present:
            # The name is that of another tool now.
            continue
        before = size_of(pair.old).bytes if pair.old else 0
        after = size_of(pair.new).bytes if pair.new else 0
        named = pair.new or pair.old
        if before != after and named:
            yield str(named["name"]), (before, after)


def _of_pair(pair: Pair) -> Iterator[Found]:
    old, new = pair.old, pair.new
    if old is None:
        assert new is not None
        yield Found(Change.TOOL_ADDED, str(new["name"]))
        return
    if new is None:
        yield Found(Change.TOOL_REMOVED, str(old["name"]))
        return
    name = str(new["name"])
    if pair.known_by:
        known = "it stands for the same operation"
        if pair.known_by == "content":
            known = "all but its name is the same, and no other tool is like it"
        yield Found(Change.TOOL_RENAMED, name, known, str(old["name"]), name)
    yield from _texts(name, old, new)
    took, takes = (_object(reached(one.get("inputSchema"))) for one in (old, new))
    yield from _arguments(name, took, takes)
    yield from _output(name, *(reached(one.get("outputSchema")) for one in (old, new)))
    yield from _hints(name, _object(old.get("annotations")), _object(new.get("annotations")))
    for key in sorted({*old, *new} - _MEMBERS):
        if old.get(key) != new.get(key):
            yield Found(Change.OTHER, name, key, _told(old.get(key)), _told(new.get(key)))


def _texts(name: str, old: Announced, new: Announced) -> Iterator[Found]:
    for key, change in (("title", Change.TITLE), ("description", Change.DESCRIPTION)):
        if old.get(key) != new.get(key):
            yield Found(change, name, "", _told(old.get(key)), _told(new.get(key)))


def _arguments(name: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[Found]:
    before, after = _object(old.get("properties")), _object(new.get("properties"))
    needed, needs = _list(old.get("required")), _list(new.get("required"))
    for key in after:
        if key not in before:
            must = key in needs
            change = Change.ARGUMENT_ADDED_REQUIRED if must else Change.ARGUMENT_ADDED
            yield Found(change, name, key, "", _type(after[key]))
        else:
            if (key in needed) != (key in needs):
                must = key in needs
                change = Change.ARGUMENT_REQUIRED if must else Change.ARGUMENT_OPTIONAL
                yield Found(change, name, key)
            yield from _argument(name, key, before[key], after[key])
    for key in before:
        if key not in after:
            yield Found(Change.ARGUMENT_REMOVED, name, key, _type(before[key]))
    mine = {key: old[key] for key in old if key not in _ROOT}
    others = {key: new[key] for key in new if key not in _ROOT}
    if mine != others and not admits(others, mine):
        yield Found(Change.INPUT_CHANGED, name, "", _told(mine), _told(others))


def _argument(tool: str, key: str, old: Json, new: Json) -> Iterator[Found]:
    """What became of an argument that is still there."""
    if same(old, new):
        return
    mine, others = _object(old), _object(new)
    if not same(mine.get("default"), others.get("default")):
        before, after = _told(mine.get("default")), _told(others.get("default"))
        yield Found(Change.ARGUMENT_DEFAULT, tool, key, before, after)
    if not same(_bare(old), _bare(new)):
        change = Change.ARGUMENT_WIDENED if admits(new, old) else Change.ARGUMENT_RETYPED
        yield Found(change, tool, key, _told(_bare(old)), _told(_bare(new)))
    if any(mine.get(word) != others.get(word) for word in SPOKEN):
        told = (_told(one.get("description")) for one in (mine, others))
        yield Found(Change.ARGUMENT_DESCRIBED, tool, key, *told)


def _output(name: str, old: Json, new: Json) -> Iterator[Found]:
    if same(old, new):
        return
    if old is None:
        yield Found(Change.OUTPUT_ADDED, name)
    elif new is None:
        yield Found(Change.OUTPUT_REMOVED, name)
    else:
        # Whoever reads answers is served by what promises no less than before.
        change = Change.OUTPUT_NARROWED if admits(old, new) else Change.OUTPUT_CHANGED
        yield Found(change, name)


def _hints(name: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[Found]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) == new.get(key):
            continue
        before, after = _told(old.get(key)), _told(new.get(key))
        if key not in LOOSE:
            change = Change.TITLE if key == "title" else Change.OTHER
            yield Found(change, name, key, before, after)
            continue
        loose, unsaid = LOOSE[key]
        was, now = (
            one if isinstance(one, bool) else unsaid for one in (old.get(key), new.get(key))
        )
        change = Change.HINT_LOOSENED if now is loose else Change.HINT_TIGHTENED
        yield Found(change if was != now else Change.OTHER, name, key, before, after)


def _bare(schema: Json) -> Json:
    """The schema without what is told by itself."""
    if not isinstance(schema, dict):
        return schema
    return {key: schema[key] for key in schema if key not in SPOKEN | {"default"}}


def _type(schema: Json) -> str:
    return _told(_object(schema).get("type"))


def _told(value: Json) -> str:
    return printable(value, 200) if value is not None else ""


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
