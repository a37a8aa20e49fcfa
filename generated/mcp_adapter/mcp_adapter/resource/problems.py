"""The errors of the resource server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Problem(Exception):
    """An error answer: the HTTP status, a code, a message, and further members of the error
    (`more`)."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.more = more

    @property
    def body(self) -> dict[str, Any]:
        """The member `error` of the answer."""
        return {"code": self.code, "message": str(self), **self.more}


def invalid_argument(message: str) -> Problem:
    """Returns the problem of an argument with an invalid value."""
    return Problem(400, "invalid_argument", message)


def not_found(kind: str, name: str, known: Sequence[str] = ()) -> Problem:
    """Returns the problem of a name that does not exist or is not granted. Both get the same
    answer, so that a reader cannot find out what exists outside of the grant."""
    alternatives = f"; there are {', '.join(known)}" if known else ""
    return Problem(404, f"unknown_{kind}", f"There is no {kind} {name!r}{alternatives}.")
