"""What a validator said of a source, and the folder that remembers it."""

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
    """One violation: the document's key, the path in it, and a sentence."""

    key: str
    path: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """All findings that are told, how many more there were, and why the validator stopped early,
    or `""`."""

    findings: tuple[ValidatorFinding, ...]
    more: int = 0
    failure: str = ""


def read_verdict(cache: Path, key: str) -> ValidationResult | None:
    """The verdict kept under a key; None if there is none that can be read."""
    try:
        kept = json.loads((cache / f"{key}.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return _verdict(kept)


def write_verdict(cache: Path, key: str, verdict: ValidationResult) -> None:
    """Keeps a verdict, whole or not at all. A folder that cannot be written to keeps nothing: the
    cache saves time, and a build must not fail for want of it."""
    text = json.dumps({"format": _FORMAT} | asdict(verdict), ensure_ascii=True, indent=1)
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


def _verdict(kept: Json) -> ValidationResult | None:
    """A verdict out of what was kept; None if that has another form."""
    if not isinstance(kept, dict) or kept.get("format") != _FORMAT:
        return None
    findings, more, failure = kept.get("findings"), kept.get("more"), kept.get("failure")
    if not isinstance(findings, list) or not isinstance(more, int) or not isinstance(failure, str):
        return None
    read = [_finding(each) for each in findings]
    whole = tuple(each for each in read if each is not None)
    return ValidationResult(whole, more, failure) if len(whole) == len(read) else None


def _finding(kept: Json) -> ValidatorFinding | None:
    if not isinstance(kept, dict):
        return None
    key, path, message = kept.get("key"), kept.get("path"), kept.get("message")
    texts = isinstance(path, list) and all(isinstance(step, str) for step in path)
    if not isinstance(key, str) or not isinstance(message, str) or not texts:
        return None
    return ValidatorFinding(key, tuple(path or ()), message)
