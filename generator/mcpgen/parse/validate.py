"""The door of openapi-spec-validator: its findings as our diagnostics, in bounded time.

It needs about a second per megabyte and stops at documents that people use every day, so what it
finds are warnings, and large documents are left to `--strict` and to the cache.
"""

from __future__ import annotations

import posixpath
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, Literal
from urllib.parse import quote, unquote

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import extras
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.document_urls import remote_key
from mcpgen.ir.source import Dialect, Json, Source
from mcpgen.parse.node import format_value, step
from mcpgen.parse.validation_cache import (
    ValidationResult,
    ValidatorFinding,
    read_result,
    write_result,
)

Mode = Literal["auto", "always", "never"]

CHEAP_CHARACTERS = 150_000
"""Characters of a source that is always validated in full: the slowest real documents need three
seconds per megabyte, so this takes less than half a second."""

PATIENCE = {"auto": 5.0, "always": 600.0}
"""Seconds the validator may take; a few lines can keep it busy for ever."""

LISTED = 100
"""Findings that are kept; the rest is counted."""

_REPORTED_BY_PARSE = frozenset({"UnresolvableParameterError", "DuplicateOperationIDError"})
"""Kinds of findings about operations that `parse` tells with more detail: MG213, MG214 and MG217."""

_HOST = "http://read.invalid/"
"""Where the documents seem to lie, so that relative references between them can be resolved."""


def validate(source: Source, diagnostics: Diagnostics, *, mode: Mode, cache: Path | None) -> str:
    """What was done, as a phrase; adds VALIDATOR_FINDING and its like.

    `always` validates in full. `auto` does so where it is cheap, else uses what an earlier full run
    left in the folder `cache`, else skips. `never` skips. Without the library nothing is validated, which
    `always` reports as VALIDATOR_MISSING.
    """
    size = sum(len(document.text) for document in source.documents.values())
    if mode == "never":
        return "validation skipped"
    if not is_installed():
        if mode == "always":
            diagnostics.add(extras.VALIDATOR_MISSING, Location(source.root.name))
        return "not validated (pip install 'mcpgen[validate]')"
    is_cheap = size <= CHEAP_CHARACTERS
    if mode == "auto" and not is_cheap:
        result = read_result(cache, _key(source)) if cache is not None else None
        if result is None:
            return f"validation skipped ({_megabytes(size)}; --strict runs it)"
        _report(source, result, diagnostics)
        return _phrase(result, " (from the cache)")
    result = _run_validator(source, PATIENCE[mode])
    if cache is not None and not is_cheap:
        write_result(cache, _key(source), result)
    _report(source, result, diagnostics)
    return _phrase(result, "")


def is_installed() -> bool:
    """Whether openapi-spec-validator is installed, which is an extra of mcpgen."""
    return find_spec("openapi_spec_validator") is not None


def _phrase(result: ValidationResult, origin: str) -> str:
    return f"validated{'' if result.failure else ' in full'}{origin}" + (
        " until the validator failed" if result.failure else ""
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB" if size >= 9.5e5 else f"{size / 1e3:.0f} kB"


def _key(source: Source) -> str:
    """What a verdict is kept under: the source's digest and the validator's version."""
    return f"{source.sha256}-{version('openapi-spec-validator')}"


def _run_validator(source: Source, seconds: float) -> ValidationResult:
    """What the validator says of a source, as far as it comes in that many seconds."""
    places = ValidatorPositions(source)
    findings: dict[ValidatorFinding, None] = {}
    more, failure = 0, ""
    try:
        with at_most(seconds):
            for error in _errors(source):
                if type(error).__name__ in _REPORTED_BY_PARSE:
                    continue
                if len(findings) == LISTED:
                    more += 1
                    continue
                key, path = places.place(error)
                if not _is_false_positive(source, error, path):
                    inner_path, message = _reason(error)
                    findings[ValidatorFinding(key, (*path, *inner_path), message)] = None
    except TimeLimitExceeded as error:
        failure = str(error)
    # The validator raises whatever its own code and its libraries do not expect of a document:
    # AttributeError, TypeError, KeyError, RecursionError and errors of `referencing` have been seen.
    except Exception as error:  # noqa: BLE001
        failure = format_value(f"{type(error).__name__}: {error}", 200)
    return ValidationResult(tuple(findings), more, failure)


def _is_false_positive(source: Source, error: Any, path: tuple[str, ...]) -> bool:
    """Whether the validator is wrong: `type: file` is how Swagger 2.0 describes a response."""
    response = path[-4:-3] == ("responses",) and path[-2:] == ("schema", "type")
    return source.dialect is Dialect.SWAGGER_2_0 and response and error.instance == "file"


def _errors(source: Source) -> Iterator[Any]:
    """The validator's findings; it reads nothing but the trees that were read already."""
    # Imported here because it takes a quarter of a second, which most builds can do without; a
    # fifth of that is an HTTP client, in whose place the library has another, and neither is asked.
    with _hide_stderr("requests"):
        from jsonschema_path import SchemaPath
    from openapi_spec_validator import (
        OpenAPIV2SpecValidator,
        OpenAPIV30SpecValidator,
        OpenAPIV31SpecValidator,
        OpenAPIV32SpecValidator,
    )

    validators = {
        Dialect.SWAGGER_2_0: OpenAPIV2SpecValidator,
        Dialect.OPENAPI_3_0: OpenAPIV30SpecValidator,
        Dialect.OPENAPI_3_1: OpenAPIV31SpecValidator,
        Dialect.OPENAPI_3_2: OpenAPIV32SpecValidator,
    }
    root = SchemaPath.from_dict(
        source.root.tree,
        base_uri=f"{_HOST}{_folder(source)}{quote(_root_name(source))}",
        handlers=_Handlers(lambda uri: _tree(source, uri)),
    )
    yield from validators[source.dialect](root).iter_errors()


@contextmanager
def _hide_stderr(name: str) -> Iterator[None]:
    """The time in which a module that nobody has loaded yet counts as not installed."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]


class _Handlers(dict[str, Callable[[str], Json]]):
    """A handler for every scheme. The library opens URLs itself whose scheme has no handler."""

    def __init__(self, handler: Callable[[str], Json]) -> None:
        super().__init__()
        self._handler = handler

    def __contains__(self, scheme: object) -> bool:
        return True

    def __getitem__(self, scheme: str) -> Callable[[str], Json]:
        return self._handler


def _tree(source: Source, uri: str) -> Json:
    """The tree of a document that was read; raises LookupError for any other address."""
    remote = remote_key(uri, "")
    if remote and remote in source.documents:
        return source.documents[remote].tree
    if not uri.startswith(_HOST):
        raise LookupError(f"{format_value(uri)} was not read")
    path = unquote(uri.removeprefix(_HOST))
    key = posixpath.relpath(f"/{path}", f"/{_folder(source)}")
    if key in source.documents:
        return source.documents[key].tree
    if key == _root_name(source):
        return source.root.tree
    raise LookupError(f"{format_value(key)} was not read")


def _folder(source: Source) -> str:
    """The folder of the first document, deep enough for all that lie above it."""
    return "above/" * max(key.split("/").count("..") for key in source.documents)


def _root_name(source: Source) -> str:
    return posixpath.basename(source.root.name)


def _reason(error: Any) -> tuple[tuple[str, ...], str]:
    """The path below the place of a finding and the sentence that explain it best: of a value that meets
    no branch of a union, those of the branch that fits it most."""
    from jsonschema.exceptions import best_match

    above = len(error.absolute_path) if error.context else 0
    best = best_match(error.context or _branch_errors(error))
    if best is None:
        return (), _message(error)
    while inner := [cause for cause in best.context if cause.validator_value != ["$ref"]]:
        best = best_match(inner)
    return tuple(str(key) for key in best.absolute_path)[above:], _message(best)


def _branch_errors(error: Any) -> Iterator[Any]:
    """Why the value of a finding meets no branch, asked again, because the fast backend of the library
    does not say."""
    from jsonschema import validators

    schema, path = error.schema, [*error.schema_path]
    if not path or path[-1] not in ("oneOf", "anyOf") or not isinstance(schema, Mapping):
        return
    branches: Any = schema
    value = error.instance
    for key in path:
        branches = step(branches, str(key))[1]
    for key in error.absolute_path:
        # The fast backend hands over the whole document, the other one the value itself.
        value = step(value, str(key))[1]
    if not isinstance(branches, list):
        return
    shared = {name: schema[name] for name in ("definitions", "$defs") if name in schema}
    checks = validators.validator_for(schema)({**shared, path[-1]: branches})
    yield from checks.iter_errors(value)


def _message(error: Any) -> str:
    """The first paragraph of a finding, on one line."""
    return format_value(str(error.message).partition("\n\n")[0], 240)


def _report(source: Source, result: ValidationResult, diagnostics: Diagnostics) -> None:
    for finding in result.findings:
        document: Mapping[str, Any] = source.documents
        name = document[finding.key].name if finding.key in document else source.root.name
        diagnostics.add(
            codes.VALIDATOR_FINDING, Location(name, finding.path), message=finding.message
        )
    root = Location(source.root.name)
    if result.more:
        diagnostics.add(codes.MORE_VALIDATOR_FINDINGS, root, count=result.more)
    if result.failure:
        diagnostics.add(codes.VALIDATOR_FAILURE, root, reason=result.failure)


Place = tuple[str, tuple[str, ...]]
"""A document's key and a path in it."""

_NOWHERE: Place = ("", ())


class ValidatorPositions:
    """The places of findings, each taken from what the validator says of it.

    A finding about the document as a whole carries its path. One about a schema carries the path
    inside that schema, and values that are the very objects of our trees.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._objects: dict[int, Place] | None = None
        self._by_key: dict[str, list[tuple[Place, Json]]] = {}
        self._use_counts: dict[tuple[tuple[str, ...], str], int] = {}

    def place(self, error: Any) -> Place:
        """The place of a finding; the root of the first document where it cannot be told."""
        path = tuple(str(key) for key in error.absolute_path)
        if error.instance is self._source.root.tree:
            return "", self._existing_prefix(path)
        for value in (error.instance, error.schema):
            if isinstance(value, dict | list) and id(value) in self._container_places():
                return self._container_places()[id(value)]
        return self._find_by_suffix(path, error.instance) if path else _NOWHERE

    def _existing_prefix(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """The longest beginning of a path that leads to something in the first document."""
        value = self._source.root.tree
        for index, key in enumerate(path):
            exists, value = step(value, key)
            if not exists:
                return path[:index]
        return path

    def _container_places(self) -> dict[int, Place]:
        """The place of every mapping and list, by identity."""
        if self._objects is None:
            self._objects = {}
            for place, value in self._values():
                if isinstance(value, dict | list):
                    self._objects.setdefault(id(value), place)
        return self._objects

    def _find_by_suffix(self, path: tuple[str, ...], value: Json) -> Place:
        """The place whose path ends in `path` and which holds `value`. Of several, the first that
        no earlier finding has got, because the validator goes through a document in its order."""
        last = path[-1]
        if last not in self._by_key:
            self._by_key[last] = [entry for entry in self._values() if entry[0][1][-1:] == (last,)]
        ending = [
            place
            for place, candidate in self._by_key[last]
            if place[1][-len(path) :] == path
            and type(candidate) is type(value)
            and candidate == value
        ]
        key = (path, repr(value))
        index = self._use_counts.get(key, 0)
        self._use_counts[key] = index + 1
        return ending[min(index, len(ending) - 1)] if ending else _NOWHERE

    def _values(self) -> Iterator[tuple[Place, Json]]:
        """Every value of every document, in document order."""
        for document in self._source.documents.values():
            pending: list[tuple[tuple[str, ...], Json]] = [((), document.tree)]
            while pending:
                path, value = pending.pop()
                yield (document.key, path), value
                if isinstance(value, dict):
                    children = [((*path, str(key)), child) for key, child in value.items()]
                elif isinstance(value, list):
                    children = [((*path, str(i)), child) for i, child in enumerate(value)]
                else:
                    continue
                pending.extend(reversed(children))


class TimeLimitExceeded(Exception):
    """What ran took longer than it was given."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupts the block with OutOfTime when it takes longer.

    A timer's signal reaches Python code and the `re` module, where a hostile document makes a
    validator stay. Only the main thread can have one, and only where the system has timers;
    elsewhere the block takes the time it takes.
    """
    timers = hasattr(signal, "setitimer")
    if not timers or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeLimitExceeded(f"it took longer than {seconds:g} seconds")

    previous_handler = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)
