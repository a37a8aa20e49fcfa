"""Findings of the lower stage about the options of single tools: MG3xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

UNMATCHED_TOOL = Code(
    "MG342",
    "unmatched-tool",
    Severity.ERROR,
    "`tools` has a table for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `tools` are operationIds or `GET /path` of selected operations. A "
    "table for an unknown operation has no effect.",
)
SAID_TWICE = Code(
    "MG343",
    "duplicate-tool-table",
    Severity.ERROR,
    "`tools` has two tables for the operation `{operation}`: `{first}` and `{second}`",
    hint="merge the two tables",
    explanation="An operation is named by its operationId or by its method and path. Two tables "
    "for one operation could contradict each other.",
)
UNKNOWN_ARGUMENT = Code(
    "MG344",
    "unknown-argument",
    Severity.ERROR,
    "no tool of {operation} has an argument `{name}`",
    hint="{nearest}",
    explanation="Arguments are named as the tool announces them; see `tools/` in the project. An "
    "entry for an unknown argument has no effect.",
)
UNFIT_VALUE = Code(
    "MG345",
    "unfit-argument-value",
    Severity.ERROR,
    "`{value}` cannot be the value of `{name}` of `{operation}`: {reason}",
    hint="give a value that the API's description allows",
    explanation="A fixed value or a default is part of the tool's requests, so the build checks "
    "the value against the schema of the argument.",
)
HIDDEN_ARGUMENT = Code(
    "MG346",
    "hidden-argument",
    Severity.ERROR,
    "`{name}` of `{operation}` is required, so it cannot be hidden without a value",
    hint="give the value with `fixed`, `default` or `setting`",
    explanation="The API refuses requests without the argument, and a call cannot give a hidden "
    "argument.",
)
UNFIT_SETTING = Code(
    "MG347",
    "unfit-setting",
    Severity.ERROR,
    "the setting `{setting}` cannot be the value of `{name}` of `{operation}`: {reason}",
    hint="{hint}",
    explanation="A setting is a text, number or boolean from the environment of the server. All "
    "arguments of a setting must have values of the same type, and the name of the setting must "
    "be free.",
    remedy="rename the setting, or give the argument a `fixed` value",
)
EMPTY_TOOLSET = Code(
    "MG348",
    "empty-toolset",
    Severity.ERROR,
    "the set `{name}` of `toolsets` has no tool",
    hint="widen its `include`, or remove an `exclude`",
    explanation="A set is a selection of the server's tools, and needs at least one tool.",
)
UNKNOWN_TOOLSET = Code(
    "MG349",
    "unknown-toolset",
    Severity.ERROR,
    "`toolset` names `{name}`, which is not a set of `toolsets`",
    hint="{nearest}",
    explanation="`toolset` chooses the set of tools that `/mcp` serves.",
)
UNREACHED_TOOL = Code(
    "MG362",
    "unreached-tool",
    Severity.ERROR,
    "the tool `{name}` is in no set, and `/mcp` serves only the tools of `{toolset}`",
    hint="add the tool to a set, or exclude it under `[select]`",
    explanation="With `toolset`, the endpoint `/mcp` serves one set instead of all tools. Nobody "
    "could call a tool that is in no set.",
)
UNMATCHED_CONNECTOR = Code(
    "MG363",
    "unmatched-connector",
    Severity.ERROR,
    "`connector.{tool}` names `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The tools `search` and `fetch` are built from two selected operations.",
)
UNFIT_CONNECTOR = Code(
    "MG364",
    "unfit-connector",
    Severity.ERROR,
    "`{operation}` cannot be the tool `{tool}`: {reason}",
    hint="`connector.{tool}` in docs/configuration.md says what the operation must take and give",
    explanation="ChatGPT connectors call `search` with only a query and `fetch` with only an id, both "
    "strings. Every other required argument of the operation needs a fixed value under `[tools]`. "
    "An operation serves one of the two tools, and no other name is given to it.",
)
UNFIT_MIRROR = Code(
    "MG372",
    "unfit-mirror",
    Severity.ERROR,
    "the header `{header}` cannot repeat the argument `{name}` of `{tool}`: {reason}",
    hint="choose another name or argument, or leave `header` out",
    explanation="`header` announces `x-mcp-header` for an argument: clients of 2026-07-28 repeat "
    "the value in the header `Mcp-Param-…`, so that gateways can route by it. Names are HTTP "
    "tokens that differ in more than case, and values are texts, integers or booleans. Clients "
    "drop a tool that breaks these rules.",
)
FORWARDED_SETTING = Code(
    "MG377",
    "forwarded-setting",
    Severity.WARNING,
    "header parameter `{name}` of `{operation}`{more} is required; the server takes it from its "
    "setting `{setting}`",
    hint="set the environment variable of `{setting}`, or give the argument `{setting}` a `fixed` value in mcpgen.toml",
    explanation="Headers such as `X-Forwarded-For` describe the route of a request. A model must "
    "not invent the value, and the document forbids requests without it, so the value is part of "
    "the deployment. The server does not start without it.",
)
UNMATCHED_OFFER = Code(
    "MG365",
    "unmatched-offer",
    Severity.ERROR,
    "`{where}` names `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="Resources and completions use the tools of selected operations.",
)
UNFIT_RESOURCE = Code(
    "MG366",
    "unfit-resource",
    Severity.ERROR,
    "`{operation}` cannot be the resource `{name}`: {reason}",
    hint="correct the operation or the URI; docs/resources.md, Resources, lists the requirements",
    explanation="A resource is read by its URI alone, so the operation must be read-only, and "
    "each variable of the URI must be an argument with a single value.",
)
SAME_URI = Code(
    "MG367",
    "same-uri",
    Severity.ERROR,
    "the resource `{name}` has the same URI as the resource `{other}`",
    hint="give one of the resources another `uri`",
    explanation="A URI names one resource. Two templates that differ only in the names of their "
    "variables have the same URIs.",
)
UNFIT_COMPLETION = Code(
    "MG368",
    "unfit-completion",
    Severity.ERROR,
    "`{name}` of `{where}` cannot be completed: {reason}",
    hint="{hint}",
    explanation="Suggestions for a variable come from the result of an operation. The operation "
    "must only read, and its required arguments must be other variables of the same URI or prompt, "
    "which the user has already filled in.",
    remedy="correct the variable or the path of the values, or choose another operation",
)
UNFIT_PROMPT = Code(
    "MG369",
    "unfit-prompt",
    Severity.ERROR,
    "the prompt `{name}` cannot be made: {reason}",
    hint="{nearest}",
    explanation="The text of a prompt has the values of its arguments at `{{…}}`; each name must "
    "be an argument under `arguments`. Texts are UTF-8; images and audio are files of a matching "
    "type.",
)
UNUSED_ARGUMENT = Code(
    "MG370",
    "unused-argument",
    Severity.WARNING,
    "no message of the prompt `{name}` uses its argument `{argument}`",
    hint="write `{{{{{argument}}}}}` in the text, or remove the argument",
    explanation="Hosts ask users for the arguments of a prompt; the value of an unused argument "
    "is lost.",
)
