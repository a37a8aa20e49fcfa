"""A request to the API, and the errors of a request that must not be sent."""

from __future__ import annotations

from dataclasses import dataclass


class InvalidArguments(Exception):
    """A request that must not be sent; `problems` say why, each in a line a model can act on."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems


class UnencodableValue(InvalidArguments):
    """A value inside the body that must not be sent; `path` leads to it from the body's root.

    `head` leads to what is wrong at the head of its part, if that is not the value itself:
    `("filename",)`, or `("headers", "X-Rate")`.
    """

    def __init__(self, path: tuple[str | int, ...], why: str, head: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(map(str, ('body', *path)))}: {why}")
        self.path = path
        self.why = why
        self.head = head


# Made for each call; a frozen one would take five times as long to make.
@dataclass(slots=True)
class UpstreamRequest:
    """One request, below a base URL.

    `path` and `query` are percent-encoded and go out byte for byte; `cookies` are encoded
    `name=value` pairs. `base_url` is set where the operation does not live at the API's own.
    `certificate` is the paths of a client certificate and its key. `template` is the path without its
    values, where it is another than that of the tool's route.
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
