"""What an operation answers when all goes well."""

from __future__ import annotations

from mcpgen.ir.api import MediaType, Operation, Response
from mcpgen.lower.media import Media, media_kind

_ANY = "*/*"


def success(operation: Operation) -> tuple[int, Response] | None:
    """The answer to a call that succeeds and its status: the first of 200, another 2xx, `default`."""
    by_status = {response.status.upper(): response for response in operation.responses}
    exact = sorted(status for status in by_status if status.isdigit() and status[0] == "2")
    for status in ["200", *exact]:
        if status in by_status:
            return int(status), by_status[status]
    for status in ("2XX", "DEFAULT"):
        if status in by_status:
            return 200, by_status[status]
    return None


def representation(response: Response) -> MediaType | None:
    """The representation a tool asks for: JSON if there is any, else the document's first."""
    legal = [media for media in response.media if media_kind(media.name) is not Media.ILLEGAL]
    for kind in (Media.JSON, Media.JSON_SUFFIX):
        for media in legal:
            if media_kind(media.name) is kind:
                return media
    return legal[0] if legal else None


def accept_value(operation: Operation) -> str:
    """The value of the `Accept` header: the representation of the success answer, or anything."""
    found = success(operation)
    media = representation(found[1]) if found else None
    if media is None:
        return _ANY
    return media.name.partition(";")[0].strip() or _ANY
