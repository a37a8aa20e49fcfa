"""A server that wants an argument repeated in a header, and what goes wrong with that."""

from __future__ import annotations

import base64
from typing import Any

from base_server import Asked, ConformingServer, Refusal, tool
from builder import TEXT, breaks


class Mirroring(ConformingServer):
    """A correct server with a tool whose `region` is repeated in a header."""

    def __init__(self) -> None:
        super().__init__()
        region = TEXT | {"x-mcp-header": "Region"}
        self.tools.append(tool("route", {"region": region}, ["region"]))

    def check_headers(self, asked: Asked, message: Any, meta: dict[str, Any]) -> None:
        super().check_headers(asked, message, meta)
        if message["method"] != "tools/call" or message["params"].get("name") != "route":
            return
        region = (message["params"].get("arguments") or {}).get("region")
        if isinstance(region, str) and self.region(asked) != region:
            raise Refusal(-32020, "Mcp-Param-Region does not match")

    def region(self, asked: Asked) -> str | None:
        """The region that the header says."""
        value = asked.headers.get("mcp-param-region")
        if value and value.startswith("=?base64?") and value.endswith("?="):
            return base64.b64decode(value[9:-2]).decode()
        return value


@breaks("param-header-mismatch-32020")
class AnyRegion(Mirroring):
    def check_headers(self, asked: Asked, message: Any, meta: dict[str, Any]) -> None:
        ConformingServer.check_headers(self, asked, message, meta)


@breaks("param-header-base64")
class UndecodedRegion(Mirroring):
    def region(self, asked: Asked) -> str | None:
        return asked.headers.get("mcp-param-region")
