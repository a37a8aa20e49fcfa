# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""API keys of callers. The server stores hashes only; `python -m` of this module makes a key."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from secrets import token_urlsafe

from ..tool import Json

EVERYWHERE = "*"
"""The value of a path parameter that stands for all values."""

_HASH = re.compile(r"sha256:([0-9a-f]{64})")
_MEMBERS = {"key", "subject", "scopes", "roles", "path"}


@dataclass(frozen=True)
class CallerKey:
    """An API key: its SHA-256 `digest`, holder and rights. `scopes` is None for an operator key.
    `path` binds the key to values of the parameters in the endpoint path."""

    digest: bytes
    subject: str
    scopes: frozenset[str] | None = frozenset()
    roles: frozenset[str] = frozenset()
    path: Mapping[str, str] = field(default_factory=dict)


class CallerKeys:
    """All keys of one server."""

    def __init__(self, keys: Sequence[CallerKey]) -> None:
        self._keys = tuple(keys)

    def __bool__(self) -> bool:
        return bool(self._keys)

    def refuse_unknown(self, scopes: Sequence[str], roles: Sequence[str]) -> None:
        """Raises `ValueError` for a key with a scope or role outside `scopes` or `roles`; an empty
        list allows every name. A parent scope of a listed scope is allowed too."""
        for key in self._keys:
            for scope in sorted(key.scopes or ()):
                if not any(f"{allowed}:".startswith(f"{scope}:") for allowed in scopes or (scope,)):
                    raise ValueError(_unknown_name_error(key, "scope", scope, scopes))
            for role in sorted(key.roles):
                if role not in (roles or (role,)):
                    raise ValueError(_unknown_name_error(key, "role", role, roles))

    def find(self, key: str) -> CallerKey | None:
        """The entry of a key, or None. Runs in constant time over all keys, so timing tells nothing
        about a guess."""
        digest, match = hashlib.sha256(key.encode()).digest(), None
        for entry in self._keys:
            if hmac.compare_digest(entry.digest, digest):
                match = entry
        return match


def _unknown_name_error(key: CallerKey, kind: str, name: str, names: Sequence[str]) -> str:
    suggestions = get_close_matches(name, names, 1)
    hint = f"; did you mean `{suggestions[0]}`?" if suggestions else ""
    return f"the key of {key.subject} has the {kind} `{name}`, which does not exist{hint}"


def caller_keys(text: str, file: str) -> CallerKeys:
    """Reads the keys of a JSON array and of a file with a JSON array. Raises `ValueError` for an
    invalid entry; the message never quotes the content."""
    entries: list[CallerKey] = []
    if text:
        entries += _read_caller_keys(text, "the keys of callers")
    if file:
        try:
            entries += _read_caller_keys(Path(file).read_text("utf-8"), file)
        except (OSError, UnicodeDecodeError):
            raise ValueError(f"the keys of callers cannot be read from {file}") from None
    if len({entry.digest for entry in entries}) < len(entries):
        raise ValueError("two keys of callers are the same")
    return CallerKeys(entries)


def _read_caller_keys(text: str, source: str) -> list[CallerKey]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{source}: not JSON") from None
    match entries:
        case list():
            return [
                _read_caller_key(entry, f"{source}, entry {number}")
                for number, entry in enumerate(entries, 1)
            ]
        case _:
            raise ValueError(f"{source}: must be an array of objects")


def _read_caller_key(entry: Json, source: str) -> CallerKey:
    if not isinstance(entry, dict) or not entry.keys() <= _MEMBERS:
        raise ValueError(f"{source}: must be an object of {', '.join(sorted(_MEMBERS))}")
    hashed = _HASH.fullmatch(str(entry.get("key", "")))
    if hashed is None:
        raise ValueError(f"{source}: `key` must be `sha256:` and 64 hexadecimal digits")
    subject, scopes, path = entry.get("subject"), entry.get("scopes", []), entry.get("path", {})
    roles = entry.get("roles", [])
    if not isinstance(subject, str) or not subject:
        raise ValueError(f"{source}: `subject` must be a text")
    if not (scopes is None or _are_texts(scopes)) or not _are_texts(roles):
        raise ValueError(f"{source}: `scopes` and `roles` must be lists of texts")
    if not isinstance(path, dict) or not _are_texts(list(path.values())):
        raise ValueError(f"{source}: `path` must be an object of texts")
    return CallerKey(
        bytes.fromhex(hashed[1]),
        subject,
        None if scopes is None else frozenset(scopes),
        frozenset(roles),
        path,
    )


def _are_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and text for text in value)


def entry_for(key: str, subject: str, scopes: Sequence[str]) -> dict[str, Json]:
    """The server's entry for `key`, with the SHA-256 hash in place of the key."""
    digest = hashlib.sha256(key.encode()).hexdigest()
    return {"key": f"sha256:{digest}", "subject": subject, "scopes": list(scopes)}


def main(arguments: Sequence[str]) -> int:
    """Prints a new key and the server's entry for the key. Returns 2 without a subject."""
    if not arguments or arguments[0].startswith("-"):
        print(f"usage: python -m {__spec__.name} SUBJECT [SCOPE ...]", file=sys.stderr)
        return 2
    key = token_urlsafe(32)
    print(f"for the caller:  {key}")
    print(f"for the server:  {json.dumps(entry_for(key, arguments[0], arguments[1:]))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
