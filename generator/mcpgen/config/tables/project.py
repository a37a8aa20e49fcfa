"""Keys about the project: sources, name, runtime, and size budgets of tools and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import (
    KeySpec,
    KeyType,
    choice,
    key,
    keys_of,
    read_table,
    strip_slash,
    switch,
    text,
    within,
)
from mcpgen.config.validators import ValueRule


class RuntimeMode(StrEnum):
    """The way a project gets the runtime."""

    VENDORED = "vendored"
    """Copies the needed modules of the runtime to `<package>/_runtime/`."""
    PACKAGE = "package"
    """The project depends on the distribution `mcpgen-runtime`."""


PROJECT_KEYS = (
    text(
        "spec",
        "Path of the API description or of the requirements, relative to this file.",
        "the path of a file",
        validators.is_path,
    ),
    text(
        "source",
        "URL from which `spec` was fetched; `mcpgen build --refresh` fetches it again.",
        "an http or https URL without user and password",
        validators.is_document_url,
    ),
    text(
        "capability",
        "Capabilities of an OpenSpec folder to build, by their path below `specs/`, with commas.",
        "the name of a capability",
        validators.is_path,
    ),
    text(
        "change",
        "Which change of an OpenSpec folder is laid over it, by the name of its folder.",
        "the name of a change",
        validators.is_path,
    ),
    text(
        "openapi",
        "Path of the API description behind the requirements, relative to this file.",
        "the path of a file",
        validators.is_path,
    ),
    text(
        "root",
        "Folder that `$ref` may not leave, relative to this file; the one of `spec` if empty.",
        "the path of a folder",
        validators.is_path,
    ),
    KeySpec(
        "overlays",
        KeyType.TEXTS,
        (),
        "Paths of overlays that repair the API description, relative to this file, in order.",
        "the path of a file",
        validators.is_path,
    ),
    KeySpec(
        "allow_remote",
        KeyType.TEXTS,
        (),
        "Hosts that a `$ref` may be fetched from, with a port where it is not the usual one.",
        "a host name or an address, with an optional port, and nothing else",
        validators.is_host,
    ),
    text(
        "name",
        "Name of the project and of the MCP server; from the API's title if empty.",
        "lower-case words of letters and digits joined by `-`, at most 40 characters",
        validators.is_slug,
    ),
    text(
        "package",
        "Import name of the Python package; the name with `_mcp` if empty.",
        "a lower-case Python name that no module of Python or of the server's dependencies has",
        validators.is_package,
    ),
    text(
        "title",
        "The title that people see; the API's title if empty.",
        "one line of at most 200 characters",
        validators.is_line,
    ),
    text(
        "upstream",
        "Base URL of the API; the first server of the API description if empty.",
        "an http or https URL without user, query and fragment",
        validators.is_base_url,
        "upstream",
        strip_slash,
    ),
    choice(
        "runtime",
        "Whether the runtime is copied into the project, or a dependency on `mcpgen-runtime`.",
        RuntimeMode,
    ),
    switch(
        "fast_path",
        "Whether a project with a copy of the runtime has the fast path; with `package` it always has.",
    ),
    switch(
        "in_process",
        "Whether the server can call an API in its own process; with `package` it always can.",
    ),
    switch("keep_going", "Whether to build the other tools when an operation cannot be generated."),
)


MODELS = ("claude", "gemini", "openai")
"""The model families with token estimates."""

MAX_BUDGET = 1_000_000_000
_UP_TO = f"from 0 to {MAX_BUDGET}, where 0 sets no budget"

MANY_TOOLS = 40
"""The number of tools up to which models still choose well: `max_tools_default` of the profile
`universal`, the only number of the profile about the whole list."""

MIN_RESULT_BYTES = 1024
"""The smallest limit in bytes; below, almost no answer would fit."""


def budgets(values: Mapping[str, Any]) -> BudgetsConfig:
    """The limits configured by the keys."""
    tokens = {model: limit for model in MODELS if (limit := values[f"budgets.tokens.{model}"])}
    return replace(read_table(BudgetsConfig, values), tokens=tokens)


def _budget_key(path: str, meaning: str) -> Any:
    return key(f"budgets.{path}", 0, meaning, _UP_TO, within(0, MAX_BUDGET))


@dataclass(frozen=True, slots=True)
class BudgetsConfig:
    """The configured limits; 0 for no limit.

    `tools_list_bytes` and `tool_bytes` are bytes of compact JSON; `result_bytes` are bytes of an
    answer of the API; `tokens` are estimates by model family.
    """

    tools: int = _budget_key(
        "tools", "How many tools there may be; more than 40 only warn if it is 0."
    )
    tools_list_bytes: int = _budget_key(
        "tools_list_bytes", "Bytes of the list of tools, as compact JSON."
    )
    tool_bytes: int = _budget_key("tool_bytes", "Bytes of each tool, as compact JSON.")
    result_bytes: int = key(
        "budgets.result_bytes",
        0,
        "Bytes of an answer of the API that are read; a mebibyte if it is 0.",
        f"from {MIN_RESULT_BYTES} to {MAX_BUDGET}, or 0 for no budget",
        ValueRule(minimum=MIN_RESULT_BYTES, maximum=MAX_BUDGET, unset=0),
        variable="result_bytes",
    )
    tokens: Mapping[str, int] = field(default_factory=dict)

    @property
    def limits_tools(self) -> bool:
        """True if a limit concerns the tools, not only the answers."""
        return bool(self.tools or self.tools_list_bytes or self.tool_bytes or self.tokens)


BUDGETS_KEYS = (
    *keys_of(BudgetsConfig),
    *(
        KeySpec(
            f"budgets.tokens.{model}",
            KeyType.INTEGER,
            0,
            f"Tokens of the list of tools for {title} models, estimated.",
            _UP_TO,
            within(0, MAX_BUDGET),
        )
        for model, title in zip(MODELS, ("Claude", "Gemini", "OpenAI"), strict=True)
    ),
)
