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
    "MG372",
    "unfit-mirror",
    Severity.ERROR,
    "the header `{header}` cannot repeat the argument `{name}` of `{tool}`: {reason}",
    hint="choose another name or argument, or leave `header` out",
    explanation="With `header`, a tool announces `x-mcp-header` on an argument: clients of 2026-07-28 then "
    "send its value in `Mcp-Param-…` as well, so that gateways can route by it. Names are tokens of HTTP, "
    "different in more than their capitals, and values texts, whole numbers or true and false. Clients drop "
    "a tool that does otherwise.",
)
FORWARDED_SETTING = Code(
    "MG377",
    "forwarded-setting",
    Severity.WARNING,
    "header parameter `{name}` of `{operation}`{more} is required; the server takes it from its setting "
    "`{setting}`",
    hint="set the variable, or give the argument `{setting}` a `fixed` value in mcpgen.toml",
    explanation="Headers such as `X-Forwarded-For` tell the API about the way that a request has come. A "
    "model must not make them up, and the document forbids requests without them, so the value is a "
    "fact of the deployment. The server does not start without it.",
)
UNMATCHED_OFFER = Code(
    "MG365",
    "unmatched-offer",
    Severity.ERROR,
    "`{where}` names `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="Resources are read, and values suggested, by the tools of operations that are "
    "selected.",
)
UNFIT_RESOURCE = Code(
    "MG366",
    "unfit-resource",
    Severity.ERROR,
    "`{operation}` cannot be the resource `{name}`: {reason}",
    hint="`[resources]` in docs/resources.md says what an operation must be",
    explanation="A resource is read by its URI alone, so the operation may change nothing, and each "
    "variable of the URI must be an argument of its tool that takes one value.",
)
SAME_URI = Code(
    "MG367",
    "same-uri",
    Severity.ERROR,
    "the resource `{name}` has the URI of `{other}`",
    hint="give one of them another `uri`",
    explanation="A URI names one resource. Two templates that differ in the names of their variables "
    "alone make the same URIs.",
)
UNFIT_COMPLETION = Code(
    "MG368",
    "unfit-completion",
    Severity.ERROR,
    "`{name}` of `{where}` cannot be completed: {reason}",
    hint="`complete` in docs/resources.md says what the operation must be",
    explanation="Values are suggested from the result of an operation that only reads, and that needs "
    "nothing but what is filled in already.",
)
UNFIT_PROMPT = Code(
    "MG369",
    "unfit-prompt",
    Severity.ERROR,
    "the prompt `{name}` cannot be made: {reason}",
    hint="{nearest}",
    explanation="The text of a prompt takes the values of its arguments at `{{…}}`; each name there "
    "must be an argument under `arguments`. Texts are UTF-8, images and audio are files of such a type.",
)
UNUSED_ARGUMENT = Code(
    "MG370",
    "unused-argument",
    Severity.WARNING,
    "no message of the prompt `{name}` uses its argument `{argument}`",
    hint="write `{{{{{argument}}}}}` where its value belongs, or remove it",
    explanation="Users are asked for the arguments of a prompt; one that is not used asks them in vain.",
)
