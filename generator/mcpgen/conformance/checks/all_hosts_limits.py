"""What every known host can live with: how many tools, and how long their texts.

Source: the intersection of the host profiles that mcpgen collects, called `universal`.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, binding
from mcpgen.conformance.checks.predicates import blocks, is_text_block

_CURSOR = binding("Cursor", "https://github.com/Snowflake-Labs/mcp/issues/77")
_CLAUDE_CODE = binding("Claude Code, MCP", "https://code.claude.com/docs/en/mcp")
_OPENAI = binding(
    "OpenAI, Structured Outputs",
    "https://developers.openai.com/api/docs/guides/structured-outputs/#supported-schemas",
)
TOOLS = 40
"""Tools among which models still choose well; the strictest hosts stop at 80."""

INSTRUCTIONS = 2_048
ENUMERATED = 1_000
RESULT_ADVISED = 40_000
RESULT_MAX = 100_000
"""Characters of a result that every host hands to the model."""


def _count(visit: CheckContext) -> Iterator[Finding]:
    if len(visit.tools) > TOOLS:
        saw = f"{len(visit.tools)} tools"
        yield Finding(f"at most {TOOLS} tools, for models to choose well", saw, warns=True)


def _instructions(visit: CheckContext) -> Iterator[Finding]:
    text = visit.talk.opened().get("instructions")
    if isinstance(text, str) and len(text) > INSTRUCTIONS:
        expected = f"instructions of at most {INSTRUCTIONS:,} characters"
        yield Finding(expected, f"{len(text):,} characters")


def _enumerated(visit: CheckContext) -> Iterator[Finding]:
    for tool, found in zip(visit.tools, visit.features, strict=True):
        if found.enum > ENUMERATED:
            expected = f"at most {ENUMERATED:,} enumerated values in a tool"
            yield Finding(expected, f"{found.enum:,}", tool["name"])


def _results(visit: CheckContext) -> Iterator[Finding]:
    for call in visit.calls:
        length = sum(len(block["text"]) for block in blocks(call.result) if is_text_block(block))
        if length > RESULT_ADVISED:
            most = RESULT_MAX if length > RESULT_MAX else RESULT_ADVISED
            expected = f"a result of at most {most:,} characters"
            saw = f"{length:,} characters"
            yield Finding(expected, saw, call.name, warns=most is RESULT_ADVISED)


RULES = (
    CheckDef(
        _CURSOR.host(
            "universal-tool-count",
            "A server announces at most 40 tools.",
            "number of tools",
            "Every tool costs the model attention, and hosts stop at 80, 100 or 128 of all servers "
            "together.",
            "Leave out what no model needs, or split the server by subject.",
        ),
        _count,
        still=True,
    ),
    CheckDef(
        _CLAUDE_CODE.host(
            "universal-instructions",
            "The server's instructions have at most 2,048 characters.",
            "instructions",
            "Hosts cut off the rest without a word.",
            "Say what the tools have in common; the rest belongs into their descriptions.",
        ),
        _instructions,
    ),
    CheckDef(
        _OPENAI.host(
            "universal-enum-total",
            "The schemas of a tool enumerate at most 1,000 values.",
            "limits of a schema",
            "Model APIs bound what they compile a schema into, and reject the request beyond it.",
            "Take a string, and offer a tool that finds the right value.",
        ),
        _enumerated,
        still=True,
    ),
    CheckDef(
        _CLAUDE_CODE.host(
            "universal-result-size",
            "A result has at most 100,000 characters, better 40,000.",
            "size of results",
            "Hosts cut longer results off or put them where the model has to look for them.",
            "Page the answer: take a limit and a cursor, and answer with the next cursor.",
        ),
        _results,
        calls=True,
    ),
)
