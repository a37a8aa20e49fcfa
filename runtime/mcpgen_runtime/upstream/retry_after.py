"""The header `Retry-After`."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(header: str) -> float | None:
    """The seconds of a `Retry-After` header, None if invalid;
    https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3."""
    try:
        if header.strip().isdecimal():
            seconds = float(header)
        else:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(seconds, 0.0)
