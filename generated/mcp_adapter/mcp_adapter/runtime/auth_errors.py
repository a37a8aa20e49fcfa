"""Why a caller is not let in."""

from __future__ import annotations


class AuthError(Exception):
    """A caller who is not let in: the HTTP status, the error of RFC 6750 and a sentence about it.

    `shown` tells that a credential came with the request; `kept` is for how many seconds the same
    answer holds. https://www.rfc-editor.org/rfc/rfc6750#section-3.1
    """

    def __init__(
        self,
        description: str,
        *,
        status: int = 401,
        error: str = "invalid_token",
        shown: bool = True,
        kept: float = 0,
    ) -> None:
        super().__init__(description)
        self.description = description
        self.status = status
        self.error = error
        self.shown = shown
        self.kept = kept


def malformed_error(description: str) -> AuthError:
    """The rejection of a request whose credentials cannot be told apart from an attack."""
    return AuthError(description, status=400, error="invalid_request")


def forbidden_error(description: str) -> AuthError:
    """The rejection of a caller who is known and has no business here."""
    return AuthError(description, status=403, error="access_denied")


def undecided_error(description: str) -> AuthError:
    """The rejection while whoever knows the caller does not answer; another try may succeed."""
    return AuthError(description, status=503, error="temporarily_unavailable")
