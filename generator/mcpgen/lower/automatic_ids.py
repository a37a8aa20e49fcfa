"""OperationIds that web frameworks make of a function's name, and the short names without the rest.

An operationId is only taken for automatic if the algorithm of a framework gives the same text for the
method, the path or the tags of its operation. The noun of a name always stays, so `PetsController_findOne`
becomes `pets_find_one`: `find_one` alone does not tell a model of what, and `find_one_pet` would need the
singular of a word in any language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, dropwhile

from mcpgen.ir.api import Operation
from mcpgen.lower.name_words import name_stem, name_words

_METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace", "query"))
_VERSION = re.compile(r"apis?|rest|v\d+(?:_\d+)*", re.IGNORECASE)
"""The segments at the beginning of a path that say nothing of what stands behind them."""

_CRUD = """add all by change create delete destroy detail edit exec execute fetch find get handle handler id
index info list main new one patch post put query read remove retrieve root run save search set show submit
update upload view"""
_BARE = frozenset(_CRUD.split())
"""The words that do not name a thing: a short name of these alone does not tell what the tool is about."""

_DRF_ACTIONS = {
    "GET": ("retrieve", "list"),
    "POST": ("create",),
    "PUT": ("update",),
    "PATCH": ("partial_update",),
    "DELETE": ("destroy",),
}
_TRPC_TYPES = {"query": {"GET", "DELETE"}, "mutation": {"POST", "PUT", "PATCH", "DELETE"}}

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AutomaticId:
    """An operationId of a `framework`, and the `names` that could stand for it, in words: the shortest
    first, none of them as long as the operationId."""

    framework: str
    names: tuple[Words, ...]


def automatic_id(operation: Operation) -> AutomaticId | None:
    """The automatic operationId of an operation, None for one that an author has chosen, or that cannot
    be shorter."""
    longest = len("_".join(name_words(operation.id)))
    for framework, read in _FRAMEWORKS:
        if candidates := dict.fromkeys(read(operation)):
            shorter = (name for name in candidates if len("_".join(name)) < longest)
            names = tuple(name for name in shorter if _says_what(name))
            return AutomaticId(framework, names) if names else None
    return None


def short_names(operations: Sequence[Operation]) -> Mapping[str, Words]:
    """The short name of each operation with an automatic operationId, by `Operation.key`: the shortest
    that no other operation could have. None depends on the order of the operations."""
    waiting = {each.key: id.names for each in operations if (id := automatic_id(each))}
    taken = {tuple(name_words(operation.id)) for operation in operations}
    chosen: dict[str, Words] = {}
    for level in range(max(map(len, waiting.values()), default=0)):
        tried = {key: names[level] for key, names in waiting.items() if level < len(names)}
        wanted = Counter(tried.values())
        for key, name in tried.items():
            if wanted[name] == 1 and name not in taken:
                chosen[key] = name
                del waiting[key]
        taken |= wanted.keys()
    return chosen


def _says_what(name: Words) -> bool:
    """Whether a name can stand for a tool: it begins with a letter and names a thing."""
    return bool(name) and name[0][0].isalpha() and not _BARE.issuperset(name)


def _fastapi(operation: Operation) -> Iterator[Words]:
    """`get_pet_pets__pet_id__get`: the function, the path and the method.

    https://github.com/fastapi/fastapi/blob/0.115.0/fastapi/utils.py, `generate_unique_id`
    """
    route, _, method = operation.id.rpartition("_")
    path = re.sub(r"\W", "_", operation.path)
    if method in _METHODS and route.endswith(path) and (function := route.removesuffix(path)):
        yield from _with_path(name_words(function), operation)


def _springfox(operation: Operation) -> Iterator[Words]:
    """`getPetUsingGET_1`: the method of the controller, that of HTTP, and a number for the second."""
    function, _, number = operation.id.rpartition(f"Using{operation.method}")
    if function and re.fullmatch(r"(?:_\d+)?", number):
        yield from _with_path(name_words(function), operation)


def _nestjs(operation: Operation) -> Iterator[Words]:
    """`PetsController_findOne`: the class and its method."""
    if found := re.fullmatch(r"(\w+)Controller_(\w+)", operation.id):
        yield _of(name_words(found[1]), name_words(found[2]))


def _tagged(operation: Operation) -> Iterator[Words]:
    """`Pets_GetPet` with the tag `Pets`: the controller or service, and its method."""
    for tag in operation.tags:
        if tag[:1].isupper() and operation.id.startswith(f"{tag}_"):
            yield _of(name_words(tag), name_words(operation.id.removeprefix(f"{tag}_")))


def _trpc(operation: Operation) -> Iterator[Words]:
    """`query.pets.getById`: the kind of the procedure, and its path."""
    kind, _, procedure = operation.id.partition(".")
    if "." in procedure and operation.method in _TRPC_TYPES.get(kind, ()):
        router, _, action = procedure.rpartition(".")
        yield _of(name_words(router), name_words(action))


def _drf(operation: Operation) -> Iterator[Words]:
    """`api_v1_pets_retrieve`: the last fixed segments of the path, and the action behind or before them.

    https://github.com/tfranzel/drf-spectacular/blob/0.28.0/drf_spectacular/openapi.py, `get_operation_id`
    """
    fixed = _fixed_segments(operation.path)
    telling = _without_version(fixed)
    for action in _DRF_ACTIONS.get(operation.method, ()):
        end = _last_segments(fixed, len(operation.id) - len(f"_{action}"))
        if end and operation.id == f"{end}_{action}":
            yield tuple(name_words("_".join([*telling, action])))
        elif end and operation.id == f"{action}_{end}":
            yield tuple(name_words("_".join([action, *telling])))


_FRAMEWORKS: Sequence[tuple[str, Callable[[Operation], Iterable[Words]]]] = (
    ("FastAPI", _fastapi),
    ("springfox", _springfox),
    ("NestJS", _nestjs),
    ("drf-spectacular", _drf),
    ("tRPC", _trpc),
    ("NSwag, AutoRest or gRPC-Gateway", _tagged),
)


def _fixed_segments(path: str) -> list[str]:
    """The segments of a path without parameters, with `_` for the hyphens."""
    bare = re.sub(r"\{[^}]*\}", "", path)
    return [part.replace("-", "_") for part in bare.split("/") if part]


def _last_segments(segments: Sequence[str], length: int) -> str:
    """The segments at the end of a path that have `length` characters with `_` between them, `""` if no
    segment begins there."""
    joined = "_".join(segments)
    end = joined[-length:] if 0 < length <= len(joined) else ""
    starts = accumulate((len(segment) + 1 for segment in segments), initial=0)
    return end if len(joined) - length in starts else ""


def _without_version(segments: Sequence[str]) -> list[str]:
    """The segments behind `api` and the version, as in `api/v1/pets`."""
    return list(dropwhile(_VERSION.fullmatch, segments))


def _with_path(function: Sequence[str], operation: Operation) -> Iterator[Words]:
    """The words of a function; then, for a function such as `get` that several paths have, with those of
    the fixed segments of the path that they lack, and with all of them."""
    yield tuple(function)
    known = set(map(name_stem, function))
    segments = _without_version(_fixed_segments(operation.path))
    path_words = dict.fromkeys(word for segment in segments for word in name_words(segment))
    yield (*function, *(word for word in path_words if name_stem(word) not in known))
    yield (*function, *path_words)


def _of(noun: Sequence[str], action: Sequence[str]) -> Words:
    """The action behind its noun, or alone if it names the noun: `pets_find_one`, `get_pet`."""
    named = set(map(name_stem, noun)) <= set(map(name_stem, action))
    return tuple(action) if named else (*noun, *action)
