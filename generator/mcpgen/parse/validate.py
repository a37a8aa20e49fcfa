"""Validates documents with openapi-spec-validator, in bounded time; the only module that imports
the library.

The validator takes about a second per megabyte and refuses documents in daily use, so its findings
are warnings, and large documents are validated only with `--strict` or from the cache.
"""

from __future__ import annotations

import json
import os
import posixpath
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, Literal
from urllib.parse import quote, unquote

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.document_urls import remote_key
from mcpgen.ir.source import Dialect, Json, Source
from mcpgen.parse.node import format_value, get_member

_FORMAT = 2


@dataclass(frozen=True, slots=True)
class ValidatorFinding:
    """One violation: key of the document, path, and sentence."""

    key: str
    path: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """Reported findings, number of further findings, and reason for an early end of the validator,
    or `""`."""

    findings: tuple[ValidatorFinding, ...]
    more: int = 0
    failure: str = ""


def read_result(cache: Path, key: str) -> ValidationResult | None:
    """Cached result for a key; None if missing or malformed."""
    try:
        record = json.loads((cache / f"{key}.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return _parse_result(record)


def write_result(cache: Path, key: str, result: ValidationResult) -> None:
    """Writes a result atomically. An unwritable folder is ignored, since a build must not fail for
    lack of a cache."""
    text = json.dumps({"format": _FORMAT} | asdict(result), ensure_ascii=True, indent=1)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=cache, prefix=".verdict-", suffix=".tmp")
    except OSError:
        return
    try:
        with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
            file.write(text)
        os.replace(name, cache / f"{key}.json")
    except OSError:
        Path(name).unlink(missing_ok=True)


def _parse_result(record: Json) -> ValidationResult | None:
    """Result from a JSON record; None for another shape."""
    if not isinstance(record, dict) or record.get("format") != _FORMAT:
        return None
    findings, more, failure = record.get("findings"), record.get("more"), record.get("failure")
    if not isinstance(findings, list) or not isinstance(more, int) or not isinstance(failure, str):
        return None
    parsed = [_parse_finding(finding) for finding in findings]
    valid = tuple(finding for finding in parsed if finding is not None)
    return ValidationResult(valid, more, failure) if len(valid) == len(parsed) else None


def _parse_finding(record: Json) -> ValidatorFinding | None:
    if not isinstance(record, dict):
        return None
    key, path, message = record.get("key"), record.get("path"), record.get("message")
    texts = isinstance(path, list) and all(isinstance(step, str) for step in path)
    if not isinstance(key, str) or not isinstance(message, str) or not texts:
        return None
    return ValidatorFinding(key, tuple(path or ()), message)


Mode = Literal["auto", "always", "never"]

CHEAP_CHARACTERS = 150_000
"""Characters of a source that is always validated in full. The slowest documents of the corpus took
three seconds per megabyte: under half a second at this size."""

PATIENCE = {"auto": 5.0, "always": 600.0}
"""Seconds for the validator per mode; a few lines of input can keep the validator busy for ever."""

MAX_LISTED = 100
"""Findings reported; further findings are only counted."""

_REPORTED_BY_PARSE = frozenset({"UnresolvableParameterError", "DuplicateOperationIDError"})
"""Validator errors that `parse` reports with more detail, as MG213, MG214 and MG217."""

_HOST = "http://read.invalid/"
"""Base URL of the documents while validating, so that relative references resolve."""


def validate(source: Source, diagnostics: Diagnostics, *, mode: Mode, cache: Path | None) -> str:
    """Validates a source; returns a phrase for the build output, such as `validated in full`.

    `always`: in full. `auto`: in full up to `CHEAP_CHARACTERS`, otherwise the result of an earlier
    run from the folder `cache`, otherwise skipped. `never`: skipped. Without the library, `always`
    adds VALIDATOR_MISSING. Adds VALIDATOR_FINDING, MORE_VALIDATOR_FINDINGS and VALIDATOR_FAILURE.
    """
    size = sum(len(document.text) for document in source.documents.values())
    if mode == "never":
        return "validation skipped"
    if not is_installed():
        if mode == "always":
            diagnostics.add(config_codes.VALIDATOR_MISSING, Location(source.root.name))
        return "not validated (pip install 'mcpgen[validate]')"
    is_cheap = size <= CHEAP_CHARACTERS
    if mode == "auto" and not is_cheap:
        result = read_result(cache, _validation_key(source)) if cache is not None else None
        if result is None:
            return f"validation skipped ({_megabytes(size)}; --strict runs it)"
        _report_result(source, result, diagnostics)
        return _phrase(result, " (from the cache)")
    result = _run_validator(source, PATIENCE[mode])
    if cache is not None and not is_cheap:
        write_result(cache, _validation_key(source), result)
    _report_result(source, result, diagnostics)
    return _phrase(result, "")


def is_installed() -> bool:
    """True if openapi-spec-validator, an extra of mcpgen, is installed."""
    return find_spec("openapi_spec_validator") is not None


def _phrase(result: ValidationResult, origin: str) -> str:
    if not result.failure:
        return f"validated in full{origin}"
    is_reference = result.failure.endswith(_NOWHERE_REASON)
    end = "a reference that leads nowhere" if is_reference else "the validator failed"
    return f"validated{origin} until {end}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB" if size >= 9.5e5 else f"{size / 1e3:.0f} kB"


def _validation_key(source: Source) -> str:
    """Cache key: digest of the source and version of the validator."""
    return f"{source.sha256}-{version('openapi-spec-validator')}"


def _run_validator(source: Source, seconds: float) -> ValidationResult:
    """Findings of the validator within the given seconds."""
    places = ValidatorPositions(source)
    findings: dict[ValidatorFinding, None] = {}
    more, failure = 0, ""
    try:
        with at_most(seconds):
            for error in _validator_errors(source):
                if type(error).__name__ in _REPORTED_BY_PARSE:
                    continue
                if len(findings) == MAX_LISTED:
                    more += 1
                    continue
                key, path = places.place(error)
                if not _is_false_positive(source, error, path):
                    inner_path, message = _error_cause(error)
                    findings[ValidatorFinding(key, (*path, *inner_path), message)] = None
    except TimeLimitExceeded as error:
        failure = str(error)
    # The validator raises whatever its own code and its libraries do not expect of a document:
    # AttributeError, TypeError, KeyError, RecursionError and errors of `referencing` have been seen.
    except Exception as error:  # noqa: BLE001
        failure = _describe_failure(error)
    return ValidationResult(tuple(findings), more, failure)


_NOWHERE_REASON = "leads nowhere"


def _describe_failure(error: Exception) -> str:
    """The reason of a failure. The message of a reference without a target repeats the document."""
    if type(error).__name__ == "PointerToNowhere":
        return f"the reference `#{format_value(getattr(error, 'ref', ''))}` {_NOWHERE_REASON}"
    return format_value(f"{type(error).__name__}: {error}", 200)


def drop_repeated_findings(diagnostics: Diagnostics) -> None:
    """Removes findings of the validator about mistakes that parsing reports, too: MG280 at the place of
    MG230, and MG282 about the reference of MG206."""
    findings = diagnostics.take_all()
    malformed = {finding.at for finding in findings if finding.code is codes.MALFORMED_SCHEMA}
    dangling = [finding.message for finding in findings if finding.code is codes.DANGLING_REFERENCE]
    for finding in findings:
        reason = finding.message.partition(": ")[2]
        is_repeated = (finding.code is codes.VALIDATOR_FINDING and finding.at in malformed) or (
            finding.code is codes.VALIDATOR_FAILURE
            and any(message.startswith(reason) for message in dangling)
        )
        if not is_repeated:
            diagnostics.add_diagnostic(finding)


def _is_false_positive(source: Source, error: Any, path: tuple[str, ...]) -> bool:
    """True for `type: file` in a response schema, which Swagger 2.0 allows and the validator does
    not.

    The error names only the keyword `type`, so a form field of the same type may be found in place
    of the response. Form fields with errors have other instances.
    """
    response = path[-4:-3] == ("responses",) and path[-2:] == ("schema", "type")
    field = path[-3:-2] == ("parameters",) and path[-1:] == ("type",)
    is_file = source.dialect is Dialect.SWAGGER_2_0 and error.instance == "file"
    return is_file and (response or field)


def _validator_errors(source: Source) -> Iterator[Any]:
    """Yields the validator's errors; the handlers give only documents already read."""
    # Imported here, since the import takes 0.25 s and most builds do not validate. `requests` takes
    # 0.05 s of that; the library falls back to urllib, and the handlers below replace both.
    with _hide_module("requests"):
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
def _hide_module(name: str) -> Iterator[None]:
    """Makes `import name` fail inside the block, unless the module is loaded."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]


class _Handlers(dict[str, Callable[[str], Json]]):
    """A handler for every URL scheme; the library opens URLs itself for schemes without handler."""

    def __init__(self, handler: Callable[[str], Json]) -> None:
        super().__init__()
        self._handler = handler

    def __contains__(self, scheme: object) -> bool:
        return True

    def __getitem__(self, scheme: str) -> Callable[[str], Json]:
        return self._handler


def _tree(source: Source, uri: str) -> Json:
    """Tree of a document; raises LookupError for a URL that was not read."""
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
    """Virtual folder of the first document, deep enough for keys with `..`."""
    return "above/" * max(key.split("/").count("..") for key in source.documents)


def _root_name(source: Source) -> str:
    return posixpath.basename(source.root.name)


def _error_cause(error: Any) -> tuple[tuple[str, ...], str]:
    """Path below the error's location, and message, of the most relevant cause: for a union, from
    the branch that fits best."""
    from jsonschema.exceptions import best_match

    above = len(error.absolute_path) if error.context else 0
    best = best_match(error.context or _branch_errors(error))
    if best is None:
        return (), _first_paragraph(error)
    while inner := [cause for cause in best.context if cause.validator_value != ["$ref"]]:
        best = best_match(inner)
    return tuple(str(key) for key in best.absolute_path)[above:], _first_paragraph(best)


def _branch_errors(error: Any) -> Iterator[Any]:
    """Yields the errors of a union's branches. Validates again, since the library's fast backend
    omits them."""
    from jsonschema import validators

    schema, path = error.schema, [*error.schema_path]
    if not path or path[-1] not in ("oneOf", "anyOf") or not isinstance(schema, Mapping):
        return
    branches: Any = schema
    value = error.instance
    for key in path:
        branches = get_member(branches, str(key))[1]
    for key in error.absolute_path:
        # The fast backend hands over the whole document, the other one the value itself.
        value = get_member(value, str(key))[1]
    if not isinstance(branches, list):
        return
    shared = {name: schema[name] for name in ("definitions", "$defs") if name in schema}
    checks = validators.validator_for(schema)({**shared, path[-1]: branches})
    yield from checks.iter_errors(value)


def _first_paragraph(error: Any) -> str:
    """First paragraph of an error message, on one line."""
    return format_value(str(error.message).partition("\n\n")[0], 240)


def _report_result(source: Source, result: ValidationResult, diagnostics: Diagnostics) -> None:
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
"""Key of a document, and path in the document."""

_NOWHERE: Place = ("", ())


class ValidatorPositions:
    """Maps validator errors to places in the documents.

    An error about the document carries an absolute path. An error about a schema carries a path
    relative to the schema, and values that are the same objects as in the source's trees.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._objects: dict[int, Place] | None = None
        self._by_key: dict[str, list[tuple[Place, Json]]] = {}
        self._use_counts: dict[tuple[tuple[str, ...], str], int] = {}

    def place(self, error: Any) -> Place:
        """Place of an error; the root of the first document if unknown."""
        path = tuple(str(key) for key in error.absolute_path)
        if error.instance is self._source.root.tree:
            return "", self._existing_prefix(path)
        for value in (error.instance, error.schema):
            if isinstance(value, dict | list) and id(value) in self._container_places():
                return self._container_places()[id(value)]
        return self._find_by_suffix(path, error.instance) if path else _NOWHERE

    def _existing_prefix(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Longest prefix of a path that exists in the first document."""
        value = self._source.root.tree
        for index, key in enumerate(path):
            exists, value = get_member(value, key)
            if not exists:
                return path[:index]
        return path

    def _container_places(self) -> dict[int, Place]:
        """Places of all mappings and lists, by `id()`."""
        if self._objects is None:
            self._objects = {}
            for place, value in self._values():
                if isinstance(value, dict | list):
                    self._objects.setdefault(id(value), place)
        return self._objects

    def _find_by_suffix(self, path: tuple[str, ...], value: Json) -> Place:
        """Place whose path ends in `path` with the given value. Among several, the first without an
        earlier error, since the validator proceeds in document order."""
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
        """Yields every value of every document, in document order."""
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
    """A block exceeded its time limit."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupts the block after the given seconds with TimeLimitExceeded.

    Uses SIGALRM, which interrupts Python code and the `re` module, where a hostile document keeps a
    validator busy. Outside the main thread, and on systems without timers (Windows), the block runs
    without limit.
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
