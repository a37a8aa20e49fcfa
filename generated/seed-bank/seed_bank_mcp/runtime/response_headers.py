"""Headers of an answer that a later call may need: pages that follow, a thing that was made."""

from __future__ import annotations

from .redact import Redactor
from .result import Block, text_block
from .upstream_response import UpstreamResponse

LONGEST = 2000
"""How many characters of a header are shown."""

SHOWN = (
    "Link",
    "Location",
    "Retry-After",
    "X-Next-Page",
    "X-Next-Cursor",
    "X-Next-Token",
    "X-Cursor",
    "X-Continuation-Token",
    "X-Ms-Continuation",
    "X-Total",
    "X-Total-Count",
    "X-Total-Pages",
)
"""The headers that are shown beside every answer that has them."""

OF_HEAD = ("Content-Type", "Content-Length", "ETag", "Last-Modified", "Accept-Ranges", "Allow")
"""What an answer to HEAD consists of."""

_SHOWN = {name.lower(): name for name in SHOWN}
_SHOWN_OF_HEAD = _SHOWN | {name.lower(): name for name in OF_HEAD}


def handles(answer: UpstreamResponse, redactor: Redactor, method: str = "") -> list[Block]:
    """One block with the headers that are shown, none if there are none."""
    names = _SHOWN_OF_HEAD if method == "HEAD" else _SHOWN
    lines = [
        f"{names[key]}: {redactor.clean(answer.headers[key])[:LONGEST]}"
        for key in names
        if key in answer.headers
    ]
    return [text_block("\n".join(lines))] if lines else []
