"""Caches validation results in a folder, one JSON file per source and validator version."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from mcpgen.ir.source import Json

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
