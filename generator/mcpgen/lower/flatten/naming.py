"""The announced names of arguments: legal for every host, unique in the tool."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Place
from mcpgen.ir.server import ArgumentSpec
from mcpgen.lower.flatten.argument_draft import ArgumentDraft
from mcpgen.lower.name_words import name_words, shorten, unique
from mcpgen.lower.sanitize_text import strip_invisible, truncate

LEGAL = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_LONGEST = 64

Targets = tuple[tuple[str, ...], ...]
"""Places in a body."""

_FILLED: dict[str, tuple[str, str]] = {
    "nulls": (
        "null_fields",
        "Fields to send as null, which clears them.",
    ),
    "empties": (
        "empty_fields",
        "Objects to send without any field.",
    ),
}
"""Arguments that list field names instead of carrying a value: name and description."""

_SPOKEN = {
    Place.PATH: "path parameter",
    Place.QUERY: "query parameter",
    Place.HEADER: "header parameter",
    Place.COOKIE: "cookie parameter",
    Place.BODY: "property of the body",
    Place.PART: "fact about a part of the body",
    Place.HANDLER: "value for the handler",
}
"""Names of the places in messages."""


def name_arguments(
    drafts: list[ArgumentDraft],
    nulls: Targets,
    empties: Targets,
    operation: str,
    at: Location,
    diagnostics: Diagnostics,
) -> tuple[ArgumentSpec, ...]:
    """Returns the arguments in order of the drafts; `null_fields` and `empty_fields` come last.

    Rule "nullable property": arguments allow no null; a call lists the names to clear in
    `null_fields`.
    """
    taken: dict[str, Place] = {}
    found: list[ArgumentSpec] = []
    for draft in drafts:
        wanted = _wanted(draft, operation, diagnostics)
        name = _free(wanted, draft.place, taken)
        if name != wanted:
            diagnostics.add(
                codes.RENAMED_ARGUMENT,
                draft.at,
                wanted=wanted,
                operation=operation,
                other=_SPOKEN[taken[wanted]],
                own=_SPOKEN[draft.place],
                name=name,
            )
        taken[name] = draft.place
        found.append(draft.named(name))
    if nulls:
        found.append(_filled("nulls", found, nulls, at, taken))
    if empties:
        found.append(_filled("empties", found, empties, at, taken))
    return tuple(found)


def legal(key: str) -> str:
    """Rule "key illegal for hosts": `key` if hosts accept the key, else snake_case; `""` without
    letters or digits.

    `filter[name]` becomes `filter_name`, `$top` becomes `top`.
    """
    if LEGAL.fullmatch(key):
        return key
    name = shorten(name_words(key), _LONGEST)
    return name if not name or LEGAL.fullmatch(name) else f"_{name}"[:_LONGEST]


def _wanted(draft: ArgumentDraft, operation: str, diagnostics: Diagnostics) -> str:
    """Returns the name of the argument before collisions are resolved."""
    if draft.chosen:
        if LEGAL.fullmatch(draft.chosen):
            return draft.chosen
        shown = truncate(strip_invisible(draft.chosen), 80)
        diagnostics.add(codes.IGNORED_ARGUMENT_NAME, draft.at, name=shown)
    if not draft.target:
        return "body"
    joined = "_".join(draft.target)
    name = legal(joined) or f"{draft.place}_argument"
    if name != joined and len(draft.target) == 1:
        shown = truncate(strip_invisible(joined), 80)
        diagnostics.add(
            codes.LEGALISED_ARGUMENT, draft.at, wanted=shown, operation=operation, name=name
        )
    return name


def _free(wanted: str, place: Place, taken: Collection[str]) -> str:
    """Rule "name collision between places": `id`, else `body_id`, else `body_id_2`."""
    if wanted not in taken:
        return wanted
    prefixed = f"{place}_{wanted}"
    name = prefixed if len(prefixed) <= _LONGEST else wanted
    return unique(name, _LONGEST, taken.__contains__)


def _filled(
    kind: Literal["nulls", "empties"],
    arguments: list[ArgumentSpec],
    targets: Targets,
    at: Location,
    taken: dict[str, Place],
) -> ArgumentSpec:
    """Returns `null_fields` or `empty_fields`: an array whose `enum` lists the announced names."""
    wanted, description = _FILLED[kind]
    by_target = {a.target: a.name for a in arguments if a.place is Place.BODY and not a.fills}
    names: dict[str, tuple[str, ...]] = {}
    for target in targets:
        name = by_target.get(target) or legal("_".join(target) or "body") or "body_argument"
        names[unique(name, _LONGEST, names.__contains__)] = target
    name = unique(wanted, _LONGEST, taken.__contains__)
    taken[name] = Place.BODY
    made = ArgumentSpec(
        name=name,
        schema={
            "type": "array",
            "items": {"type": "string", "enum": list(names)},
            "uniqueItems": True,
            "description": description,
        },
        required=False,
        place=Place.BODY,
        target=(),
        at=at,
    )
    return replace(made, nulls=names) if kind == "nulls" else replace(made, empties=names)
