"""A server with an argument mirrored in a header, and servers with defects."""

from __future__ import annotations

import base64
from typing import Any

from base_server import ConformingServer, ReceivedRequest, Refusal, Reply, tool
from builder import TEXT, breaks


class Mirroring(ConformingServer):
    """A conforming server with a tool whose `region` and `count` are mirrored in headers."""

    def __init__(self) -> None:
        super().__init__()
        region = TEXT | {"x-mcp-header": "Region"}
        count = {"type": "integer", "description": "A number.", "x-mcp-header": "Count"}
        zone = TEXT | {"x-mcp-header": "Zone"}
        properties = {"region": region, "count": count, "zone": zone}
        self.tools.append(tool("route", properties, ["region", "count"]))

    def check_headers(self, request: ReceivedRequest, message: Any, meta: dict[str, Any]) -> None:
        super().check_headers(request, message, meta)
        if message["method"] != "tools/call" or message["params"].get("name") != "route":
            return
        region = (message["params"].get("arguments") or {}).get("region")
        if isinstance(region, str) and self.region(request) != region:
            raise Refusal(-32020, "Mcp-Param-Region does not match")
        count = (message["params"].get("arguments") or {}).get("count")
        if isinstance(count, int) and not self.is_count(
            request.headers.get("mcp-param-count", ""), count
        ):
            raise Refusal(-32020, "Mcp-Param-Count does not match")
        if self.is_stray_zone(request, message["params"].get("arguments") or {}):
            raise Refusal(-32020, "Mcp-Param-Zone does not match")

    def is_stray_zone(self, request: ReceivedRequest, arguments: dict[str, Any]) -> bool:
        """True for a zone in the header that is not the zone in the body."""
        return request.headers.get("mcp-param-zone") != arguments.get("zone")

    def is_count(self, header: str, count: int) -> bool:
        """True if the header is the number, in any way of writing."""
        return header.removesuffix(".0") == str(count)

    def region(self, request: ReceivedRequest) -> str | None:
        """The region in the header."""
        value = request.headers.get("mcp-param-region")
        if value and value.startswith("=?base64?") and value.endswith("?="):
            return base64.b64decode(value[9:-2]).decode()
        return value


@breaks("param-header-mismatch-32020")
class AnyRegion(Mirroring):
    def check_headers(self, request: ReceivedRequest, message: Any, meta: dict[str, Any]) -> None:
        ConformingServer.check_headers(self, request, message, meta)


@breaks("param-header-base64")
class UndecodedRegion(Mirroring):
    def region(self, request: ReceivedRequest) -> str | None:
        return request.headers.get("mcp-param-region")


@breaks("param-header-mismatch-32020")
class DecodesAnyMarks(Mirroring):
    def region(self, request: ReceivedRequest) -> str | None:
        value = request.headers.get("mcp-param-region")
        if value and value.lower().startswith("=?base64?"):
            return base64.b64decode(value[9:-2]).decode()
        return value


@breaks("param-header-mismatch-32020")
class DropsFractions(Mirroring):
    def is_count(self, header: str, count: int) -> bool:
        return header.partition(".")[0] == str(count)


@breaks("param-header-mismatch-32020", warned=True)
class ReadsLastRegion(Mirroring):
    reads_last_header = True


@breaks("param-header-mismatch-32020", warned=True)
class TakesStrayZones(Mirroring):
    def is_stray_zone(self, request: ReceivedRequest, arguments: dict[str, Any]) -> bool:
        return "zone" in arguments and super().is_stray_zone(request, arguments)


@breaks("param-header-mismatch-32020", warned=True)
class LimitsDigits(Mirroring):
    def answer(self, request: ReceivedRequest) -> Reply:
        if len(request.headers.get("mcp-param-count", "")) > 4_300:
            return Reply(500)
        return super().answer(request)


@breaks("param-header-number")
class ComparesTexts(Mirroring):
    def is_count(self, header: str, count: int) -> bool:
        return header == str(count)
