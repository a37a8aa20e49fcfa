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
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_draft import ArgumentDraft
from mcpgen.lower.flatten.argument_schema import constraint_sentences
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.name_words import name_words, shorten, unique
from mcpgen.lower.sanitize_text import strip_invisible, truncate

LEGAL = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_MAX_NAME = 64

Targets = tuple[tuple[str, ...], ...]
"""Places in a body."""

_FIELD_LISTS: dict[str, tuple[str, str]] = {
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

_PLACE_NAMES = {
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
    context: FlattenContext,
    drafts: list[ArgumentDraft],
    nulls: Targets,
    empties: Targets,
    at: Location,
) -> tuple[ArgumentSpec, ...]:
    """Rule "nullable property": names the arguments; `null_fields` and `empty_fields` come last.

    Arguments allow no null; a call lists the names to clear in `null_fields`. Adds
    RENAMED_ARGUMENT.
    """
    is_lean = context.budget.is_lean
    owners: dict[str, Place] = {}
    arguments: list[ArgumentSpec] = []
    for draft in drafts:
        preferred = _preferred_name(draft, context.operation, context.diagnostics)
        name = _free_name(preferred, draft.place, owners)
        if name != preferred:
            context.diagnostics.add(
                codes.RENAMED_ARGUMENT,
                draft.at,
                argument=preferred,
                operation=context.operation,
                other_place=_PLACE_NAMES[owners[preferred]],
                place=_PLACE_NAMES[draft.place],
                name=name,
            )
        owners[name] = draft.place
        arguments.append(draft.to_argument(name))
    if nulls:
        arguments.append(_field_list_argument("nulls", arguments, nulls, at, owners, is_lean))
    if empties:
        arguments.append(_field_list_argument("empties", arguments, empties, at, owners, is_lean))
    return tuple(arguments)


def legal_argument_name(key: str) -> str:
    """Rule "key illegal for hosts": `key` if hosts accept the key, else snake_case; `""` without
    letters or digits.

    `filter[name]` becomes `filter_name`, `$top` becomes `top`.
    """
    if LEGAL.fullmatch(key):
        return key
    name = shorten(name_words(key), _MAX_NAME)
    return name if not name or LEGAL.fullmatch(name) else f"_{name}"[:_MAX_NAME]


def _preferred_name(draft: ArgumentDraft, operation: str, diagnostics: Diagnostics) -> str:
    """Returns the name of the argument before collisions are resolved."""
    if draft.chosen:
        if LEGAL.fullmatch(draft.chosen):
            return draft.chosen
        chosen_name = truncate(strip_invisible(draft.chosen), 80)
        diagnostics.add(codes.IGNORED_ARGUMENT_NAME, draft.at, name=chosen_name)
    if not draft.target:
        return "body"
    joined = "_".join(draft.target)
    name = legal_argument_name(joined) or f"{draft.place}_argument"
    if name != joined and len(draft.target) == 1:
        chosen_name = truncate(strip_invisible(joined), 80)
        diagnostics.add(
            codes.LEGALISED_ARGUMENT, draft.at, wanted=chosen_name, operation=operation, name=name
        )
    return name


def _free_name(preferred: str, place: Place, owners: Collection[str]) -> str:
    """Rule "name collision between places": `id`, else `body_id`, else `body_id_2`."""
    if preferred not in owners:
        return preferred
    prefixed = f"{place}_{preferred}"
    name = prefixed if len(prefixed) <= _MAX_NAME else preferred
    return unique(name, _MAX_NAME, owners.__contains__)


def _field_list_argument(
    kind: Literal["nulls", "empties"],
    arguments: list[ArgumentSpec],
    targets: Targets,
    at: Location,
    owners: dict[str, Place],
    is_lean: bool,
) -> ArgumentSpec:
    """Returns `null_fields` or `empty_fields`: an array whose `enum` lists the announced names.

    The description repeats the names for hosts that drop `enum`, unless the list of tools is lean.
    """
    preferred, description = _FIELD_LISTS[kind]
    by_target = {
        a.target: a.name for a in arguments if a.place is Place.BODY and not a.named_targets
    }
    names: dict[str, tuple[str, ...]] = {}
    for target in targets:
        name = (
            by_target.get(target)
            or legal_argument_name("_".join(target) or "body")
            or "body_argument"
        )
        names[unique(name, _MAX_NAME, names.__contains__)] = target
    name = unique(preferred, _MAX_NAME, owners.__contains__)
    owners[name] = Place.BODY
    schema: dict[str, Json] = {
        "type": "array",
        "items": {"type": "string", "enum": list(names)},
        "uniqueItems": True,
    }
    if not is_lean:
        description = " ".join([description, *constraint_sentences(schema)])
    argument = ArgumentSpec(
        name=name,
        schema={**schema, "description": description},
        required=False,
        place=Place.BODY,
        target=(),
        at=at,
    )
    return replace(argument, nulls=names) if kind == "nulls" else replace(argument, empties=names)
