# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""A request to the API, and the errors of a request that cannot be sent."""

from __future__ import annotations

from dataclasses import dataclass


class InvalidArguments(Exception):
    """Arguments for which no request may be sent; `problems` are messages for the model, one per
    line."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems


class UnencodableValue(InvalidArguments):
    """A value in the body that cannot be encoded; `path` is the value's path from the body's root.

    `head` is set for a problem in the header of a multipart part: `("filename",)`, or `("headers",
    "X-Rate")`.
    """

    def __init__(self, path: tuple[str | int, ...], why: str, head: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(map(str, ('body', *path)))}: {why}")
        self.path = path
        self.why = why
        self.head = head


# Not frozen: created for each call, and a frozen dataclass takes five times as long to create.
@dataclass(slots=True)
class UpstreamRequest:
    """One request relative to a base URL.

    `path` and `query` are percent-encoded and sent unchanged; `cookies` are encoded `name=value`
    pairs. `base_url` is set if the operation has its own base URL. `certificate` has the paths of
    client certificate and key. `template` is the path without values, if different from the tool's
    route.
    """

    method: str
    path: str
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[str, ...] = ()
    body: bytes | None = None
    base_url: str = ""
    certificate: tuple[str, str] | None = None
    template: str = ""
