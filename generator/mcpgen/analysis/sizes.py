"""What each tool weighs: bytes, tokens, arguments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcpgen.analysis.token_estimates import most_tokens
from mcpgen.analysis.tool_listing import Announced
from mcpgen.conformance.sizes import size_of


@dataclass(frozen=True, slots=True)
class ToolSize:
    """One tool. `bytes` are those of its announced form as compact JSON; `schema`, `output` and
    `text` are the parts of it that its input schema, its output schema and its description make."""

    name: str
    bytes: int
    arguments: int
    schema: int
    output: int
    text: int

    @property
    def tokens(self) -> int:
        """About how many tokens that is, by the most cautious estimate."""
        return most_tokens(self.bytes)


def tool_size(tool: Announced) -> ToolSize:
    """What one announced tool weighs."""
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return ToolSize(
        name=str(tool["name"]),
        bytes=size_of(tool).bytes,
        arguments=len(properties) if isinstance(properties, dict) else 0,
        schema=_part(tool, "inputSchema"),
        output=_part(tool, "outputSchema"),
        text=_part(tool, "description"),
    )


def list_bytes(tools: Iterable[Announced]) -> int:
    """The bytes of a whole list as compact JSON, brackets and commas included."""
    sizes = [size_of(tool).bytes for tool in tools]
    return list_of(sizes)


def list_of(sizes: Iterable[int]) -> int:
    """The bytes of a list of values that have these sizes."""
    known = [*sizes]
    return sum(known) + max(len(known) - 1, 0) + 2


def _part(tool: Announced, key: str) -> int:
    return size_of({"": tool[key]}).bytes - len('{"":}') if key in tool else 0
