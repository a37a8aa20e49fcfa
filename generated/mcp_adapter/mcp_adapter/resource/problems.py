"""What the resource server answers where it does not do what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Problem(Exception):
    """An answer with a status of failure, a code, and what else a client needs to go on."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.more = more

    @property
    def body(self) -> dict[str, Any]:
        """The problem as the answer has it."""
        return {"code": self.code, "message": str(self), **self.more}


def invalid(message: str) -> Problem:
    """An argument that cannot be what was meant."""
    return Problem(400, "invalid_argument", message)


def unknown(what: str, name: str, known: Sequence[str] = ()) -> Problem:
    """Something that is not there, or not granted, which look the same."""
    there = f"; there are {', '.join(known)}" if known else ""
    return Problem(404, f"unknown_{what}", f"There is no {what} {name!r}{there}.")
