"""Names of the generated project, and tool names in the lock: kept for moved operations, reported if lost."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.lower.descriptions import humanize, server_instructions
from mcpgen.lower.name_words import name_words, shorten
from mcpgen.lower.sanitize_text import plain_text, strip_invisible, truncate

_SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_MAX_NAME = 40
_NOISE = re.compile(r"apis?|rest|openapi|swagger|specification|spec|the|http|v?[0-9]+")
_RESERVED = {"con", "prn", "aux", "nul", "test", "tests", "mcp", "mcpgen", "runtime", "tools"}
_DEVICES = re.compile(r"(?:com|lpt)[0-9]")


@dataclass(frozen=True, slots=True)
class ProjectNames:
    """Names of a project; fields as in `Server`."""

    slug: str
    package: str
    title: str
    version: str
    instructions: str


def project_names(api: ApiDescription, config: Config, diagnostics: Diagnostics) -> ProjectNames:
    """The names from the user's choices, else from the document's title."""
    slug = _chosen_slug(api, config, diagnostics) or _derived_slug(api.title)
    title = truncate(plain_text(config.title or api.title), 80) or humanize(slug.replace("-", "_"))
    return ProjectNames(
        slug=slug,
        package=_package(api, config, slug, diagnostics),
        title=title,
        version=_printable_version(api.version),
        instructions=server_instructions(api, title, diagnostics),
    )


def _chosen_slug(api: ApiDescription, config: Config, diagnostics: Diagnostics) -> str:
    if not config.name:
        return ""
    if (
        _SLUG.fullmatch(config.name)
        and len(config.name) <= _MAX_NAME
        and not _is_reserved(config.name)
    ):
        return config.name
    _report_illegal(
        api, config.name, "name", "use small letters, digits and single dashes", diagnostics
    )
    return ""


def _derived_slug(title: str) -> str:
    """Returns the words of the title without versions and words common to API titles, as a slug."""
    parts = name_words(title.lower())
    telling = [word for word in parts if not _NOISE.fullmatch(word)] or parts
    while telling and not telling[0][0].isalpha():
        telling = telling[1:]
    slug = shorten(telling, _MAX_NAME - len("-api")).replace("_", "-")
    if not slug:
        return "api"
    return f"{slug}-api" if _is_reserved(slug) else slug


def _package(api: ApiDescription, config: Config, slug: str, diagnostics: Diagnostics) -> str:
    if config.package:
        name = config.package
        importable = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
        if importable and name not in sys.stdlib_module_names and not _is_reserved(name):
            return name
        hint = "use a Python identifier that names no module of the standard library"
        _report_illegal(api, name, "package", hint, diagnostics)
    return f"{slug.replace('-', '_')}_mcp"


def _report_illegal(
    api: ApiDescription, name: str, what: str, hint: str, diagnostics: Diagnostics
) -> None:
    name_text = truncate(strip_invisible(name), 80)
    diagnostics.add(codes.ILLEGAL_PROJECT_NAME, api.at, name=name_text, what=what, hint=hint)


def _is_reserved(name: str) -> bool:
    return name in _RESERVED or bool(_DEVICES.fullmatch(name))


def _printable_version(version: str) -> str:
    return truncate(strip_invisible(version), 40) or "0.0.0"


_PARAMETER = re.compile(r"\{[^{}]*\}")
_NO_WORD = re.compile(r"\W")

Moved = Mapping[str, str]
"""Key of an operation in the lock (`GET /pets`) to its present key."""


def moved_operations(api: ApiDescription, config: Config) -> Moved:
    """Finds operations of the lock under a new key in the document.

    An operation is the same if the operationId is equal, or method and path are equal but for
    parameter names. An identity shared by several operations decides nothing.
    """
    moved: dict[str, str] = {}
    before = _absent_keys(api, config)
    after = {shared.key: shared.id for shared in _unlocked_operations(api, config)}
    identities: tuple[Callable[[str, str], str], ...] = (
        lambda _, operation_id: operation_id,
        lambda key, _: _PARAMETER.sub("{}", key),
    )
    for identity in identities:
        old = _unambiguous_keys(
            (identity(key, config.operation_ids.get(key, "")), key) for key in before
        )
        new = _unambiguous_keys((identity(key, id), key) for key, id in after.items())
        for shared in old.keys() & new.keys():
            moved[old[shared]] = new[shared]
            before.remove(old[shared])
            del after[new[shared]]
    return moved


def with_moved_names(config: Config, moved: Moved) -> Config:
    """Returns the configuration with promised names under the present keys."""
    names = {moved.get(key, key): name for key, name in config.tool_names.items()}
    return replace(config, tool_names=names)


def report_lost_names(
    api: ApiDescription,
    operations: Sequence[Operation],
    config: Config,
    moved: Moved,
    names: Mapping[str, str],
    diagnostics: Diagnostics,
) -> None:
    """Finds published tools that lost their name because an operation moved or disappeared.

    `names` are the selected `operations` by key. Tools renamed or excluded by the configuration are
    skipped. Adds RENAMED_PUBLISHED_TOOL and LOST_PUBLISHED_TOOL.
    """
    present_names = set(names.values())
    added = [operation for operation in _unlocked_operations(api, config) if operation.key in names]
    places = {operation.key: operation for operation in operations}
    free = [tool for tool in added if tool.key not in moved.values()]
    for key in _absent_keys(api, config):
        name = config.tool_names[key]
        if name in present_names or _is_named_by_user(key, config):
            continue
        if key in moved:
            successor = places.get(moved[key])
            if successor is None or _is_named_by_user(successor.key, config, successor.id):
                continue
        else:
            successor = _successor(key, config.operation_ids.get(key, ""), free)
        key_text = truncate(strip_invisible(key), 120)
        if successor is None:
            hint = _hint_for_lost(key, name, free, names)
            diagnostics.add(
                codes.LOST_PUBLISHED_TOOL, api.at, name=name, operation=key_text, hint=hint
            )
            continue
        diagnostics.add(
            codes.RENAMED_PUBLISHED_TOOL,
            successor.at,
            name=name,
            operation=key_text,
            now=names[successor.key],
            found=truncate(strip_invisible(successor.key), 120),
        )


def _absent_keys(api: ApiDescription, config: Config) -> list[str]:
    """Returns the keys of the lock absent from the document, without unreadable operations,
    which have findings already."""
    present = {operation.key for operation in api.operations} | {
        operation.operation for operation in api.missing
    }
    return [
        key
        for key in sorted(config.tool_names)
        if key not in present and key.partition(" ")[2] not in present
    ]


def _unlocked_operations(api: ApiDescription, config: Config) -> list[Operation]:
    """Returns the operations absent from the lock, without declared tools, whose names the
    author writes."""
    return [
        operation
        for operation in api.operations
        if operation.key not in config.tool_names and not operation.declared
    ]


def _unambiguous_keys(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns the key of each identity that belongs to a single key."""
    keys_of: dict[str, list[str]] = {}
    for identity, key in pairs:
        keys_of.setdefault(identity, []).append(key)
    return {identity: keys[0] for identity, keys in keys_of.items() if identity and len(keys) == 1}


def _is_named_by_user(key: str, config: Config, operation_id: str = "") -> bool:
    """True if mcpgen.toml names the operation: the user has chosen, or is told of the entry."""
    keys = {key, operation_id or config.operation_ids.get(key, "")}
    return bool(keys & (config.names.keys() | config.tools.keys()))


def _successor(key: str, operation_id: str, added: Sequence[Operation]) -> Operation | None:
    """Returns the one new operation that resembles a lost one.

    Same method, and the same path below a different prefix or the same function name in a generated
    operationId.
    """
    method, _, path = key.partition(" ")
    function = _function(operation_id, path, method)
    alike = [
        operation
        for operation in added
        if operation.method == method
        and (
            _have_one_end(_PARAMETER.sub("{}", path), _PARAMETER.sub("{}", operation.path))
            or (function and function == _function(operation.id, operation.path, method))
        )
    ]
    return alike[0] if len(alike) == 1 else None


def _hint_for_lost(
    key: str, name: str, added: Sequence[Operation], names: Mapping[str, str]
) -> str:
    """Returns the hint of LOST_PUBLISHED_TOOL: the line for `[names]` if exactly one new
    operation has the method, else how to write the line."""
    method = key.partition(" ")[0]
    alike = [operation for operation in added if operation.method == method]
    if len(alike) != 1:
        gone = truncate(strip_invisible(key), 120)
        entry = f"give the new operation the name `{name}` under `[names]`"
        return f"if a new operation replaces `{gone}`, {entry}"
    new = truncate(strip_invisible(alike[0].key), 120)
    entry = f'set `"{new}" = "{name}"` under `[names]` in mcpgen.toml'
    return f"if the new tool `{names[alike[0].key]}` replaces `{name}`, {entry}"


def _have_one_end(old: str, new: str) -> bool:
    """True if two paths differ in their prefix only: `/v1/pets` and `/v2/pets`."""
    short, long = sorted((old.split("/")[1:], new.split("/")[1:]), key=len)
    shared = short[1:] if len(short) == len(long) else short
    return any(segment not in ("", "{}") for segment in shared) and long[-len(shared) :] == shared


def _function(operation_id: str, path: str, method: str) -> str:
    """Returns the function name in an operationId of FastAPI (`get_pet_pets__pet_id__get`), else
    `""`."""
    end = f"{_NO_WORD.sub('_', path)}_{method.lower()}"
    return operation_id.removesuffix(end) if operation_id.endswith(end) else ""
