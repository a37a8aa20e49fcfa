"""Findings of the lower stage about what the user wants of single tools: MG3xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

UNMATCHED_TOOL = Code(
    "MG342",
    "unmatched-tool",
    Severity.ERROR,
    "`tools` has a table for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `tools` are operationIds or `GET /path`, of operations that are "
    "selected. A table for no operation would do nothing without a word.",
)
SAID_TWICE = Code(
    "MG343",
    "said-twice",
    Severity.ERROR,
    "`tools` has two tables for the operation `{operation}`: `{first}` and `{second}`",
    hint="join the two",
    explanation="An operation is named by its operationId or by its method and path. Two tables "
    "for one operation could contradict each other.",
)
UNKNOWN_ARGUMENT = Code(
    "MG344",
    "unknown-argument",
    Severity.ERROR,
    "no tool of {operation} has an argument `{name}`",
    hint="{nearest}",
    explanation="Arguments are chosen by the names that the tool announces, which the project's "
    "`tools/` show. What is said of an argument that is not there would do nothing without a word.",
)
UNFIT_VALUE = Code(
    "MG345",
    "unfit-argument-value",
    Severity.ERROR,
    "`{value}` cannot be the value of `{name}` of `{operation}`: {reason}",
    hint="give a value that the API's description allows",
    explanation="A fixed value or a default travels in the requests of a tool, so it is checked "
    "against the schema of its argument when the project is built, and not first by the API.",
)
HIDDEN_ARGUMENT = Code(
    "MG346",
    "hidden-argument",
    Severity.ERROR,
    "`{name}` of `{operation}` is required, so it cannot be hidden without a value",
    hint="say what is sent, with `fixed`, `default` or `setting`",
    explanation="The API refuses requests without the argument, and a hidden one cannot be given "
    "by a call.",
)
UNFIT_SETTING = Code(
    "MG347",
    "unfit-setting",
    Severity.ERROR,
    "the setting `{setting}` cannot be the value of `{name}` of `{operation}`: {reason}",
    hint="{hint}",
    explanation="A setting is one text, number or truth value from the environment of the server. "
    "Every argument that it fills must take values of the same type, and its name must be free.",
)
EMPTY_TOOLSET = Code(
    "MG348",
    "empty-toolset",
    Severity.ERROR,
    "the set `{name}` of `toolsets` has no tool",
    hint="widen its `include`, or remove an `exclude`",
    explanation="A set takes its tools from those of the server. An endpoint without tools is of no "
    "use to anyone.",
)
UNKNOWN_TOOLSET = Code(
    "MG349",
    "unknown-toolset",
    Severity.ERROR,
    "`toolset` names `{name}`, which is no set of `toolsets`",
    hint="{nearest}",
    explanation="`toolset` chooses the set of tools that `/mcp` itself serves.",
)
UNREACHED_TOOL = Code(
    "MG362",
    "unreached-tool",
    Severity.ERROR,
    "the tool `{name}` is in no set, and `/mcp` serves only those of `{toolset}`",
    hint="put it into a set, or leave it out with `exclude` under `[select]`",
    explanation="With `toolset`, the endpoint `/mcp` serves one set and not all tools. A tool that "
    "is in no set could not be called by anyone.",
)
UNMATCHED_CONNECTOR = Code(
    "MG363",
    "unmatched-connector",
    Severity.ERROR,
    "`connector.{tool}` names `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The tools `search` and `fetch` are made of two operations that are selected.",
)
UNFIT_CONNECTOR = Code(
    "MG364",
    "unfit-connector",
    Severity.ERROR,
    "`{operation}` cannot be the tool `{tool}`: {reason}",
    hint="`connector.{tool}` in docs/curating.md says what the operation must take and give",
    explanation="The contract gives `search` nothing but a query and `fetch` nothing but an id, both "
    "texts. Whatever else the operation requires needs a value under `[tools]`.",
)
UNFIT_MIRROR = Code(
    "MG365",
    "unfit-mirror",
    Severity.ERROR,
    "the header `{header}` cannot repeat the argument `{name}` of `{tool}`: {reason}",
    hint="choose another name or argument, or leave `header` out",
    explanation="With `header`, a tool announces `x-mcp-header` on an argument: clients of 2026-07-28 then "
    "send its value in `Mcp-Param-…` as well, so that gateways can route by it. Names are tokens of HTTP, "
    "different in more than their capitals, and values texts, whole numbers or true and false. Clients drop "
    "a tool that does otherwise.",
)
