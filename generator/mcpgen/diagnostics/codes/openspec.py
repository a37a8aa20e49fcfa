"""Findings of the OpenSpec road, MG707–MG799: the text, its companion, what is built from both.

What `openspec validate` calls an error is an error here only where nothing can be built from the
text; what a person can still read is a warning.
"""

from mcpgen.diagnostics.diagnostic import Code, Severity

ARCHIVED_CHANGE = Code(
    "MG707",
    "archived-change",
    Severity.ERROR,
    "the change `{name}` of `{path}` is archived; its requirements are in `specs/` now",
    hint="leave `change` out, and move each `mcp.yaml` below `{folder}` beside the `spec.md` of its capability",
    explanation="`openspec archive` merges the deltas of a change into the specs and moves the change's folder, "
    "with every file in it. A companion belongs beside the text that it completes, so it has to follow "
    "into `specs/<capability>/`; relative paths in it, such as those of OpenAPI documents, change with it. "
    "Without its companion a spec loses the arguments and requests of its tools.",
)
STEP_WITHOUT_ACTION = Code(
    "MG708",
    "step-without-action",
    Severity.WARNING,
    "step {number} of `{name}` checks a result, and the scenario has no action before it: {text}",
    hint="give the scenario's entry in `mcp.yaml` a `call`, `request`, `http`, `file` or `command`",
    explanation="A THEN looks at what an action brought back. Without an action nothing can be checked, "
    "however the step is worded. `mcpgen scenarios` prints an entry to paste into the companion.",
)
UNDRAFTED_TOOL = Code(
    "MG709",
    "undrafted-tool",
    Severity.WARNING,
    "the text names `{name}` as a tool, and some hosts refuse the name; no tool is drafted for it",
    hint="if it is a tool, declare it under `tools` in `mcp.yaml` with letters, digits, `_` and `-`",
    explanation="Several model APIs take only tool names of up to 64 letters, digits, `_` and `-`, and reject "
    "every request with another name in it. A name with a dot is mostly a method of the program that the "
    "text describes. A name in an exact list of tools is the author's own choice and is drafted as it stands.",
)
NO_OPENSPEC_FOLDER = Code(
    "MG710",
    "no-openspec-folder",
    Severity.ERROR,
    "`{path}` holds {what}",
    hint="name a `spec.md`, or the folder `openspec` and, if need be, a change",
    explanation=(
        "A folder is read as OpenSpec when it has `specs/<capability>/spec.md` or "
        "`changes/<change>/specs/<capability>/spec.md` below it, or a folder `openspec` that has. "
        "The specs are read where no change is named, so there has to be one."
    ),
)
UNKNOWN_IN_OPENSPEC = Code(
    "MG711",
    "unknown-in-openspec",
    Severity.ERROR,
    "`{path}` holds no {kind} `{name}`",
    hint="{known}",
    explanation=(
        "A capability is called by its path below `specs/`, such as `mcp-adapter` or "
        "`area/mcp-adapter`; a change by the name of its folder below `changes/`. Archived changes "
        "are part of the specs already and are not read again."
    ),
)
SEVERAL_CAPABILITIES = Code(
    "MG712",
    "several-capabilities",
    Severity.ERROR,
    "`{path}` holds {count} capabilities, and one server is built from one",
    hint="name one of them: {known}",
    explanation=(
        "Each `spec.md` of an OpenSpec folder describes one capability. Say which one the server "
        "shall have, or name that `spec.md` itself."
    ),
)
MISWRITTEN_SCENARIO = Code(
    "MG713",
    "miswritten-scenario",
    Severity.WARNING,
    "the scenario `{name}` is not a heading of level 4; it is read as one",
    hint="write `#### Scenario: {name}`",
    explanation=(
        "OpenSpec knows a scenario by its heading, `#### Scenario: name`. A bold line, a bullet or a "
        "heading of another level is a scenario to people only: `openspec validate` does not count "
        "it, and `openspec archive` may lose it."
    ),
)
DUPLICATE_SCENARIO = Code(
    "MG714",
    "duplicate-scenario",
    Severity.WARNING,
    "`{requirement}` has another scenario `{name}` on line {line}",
    hint="give each scenario of a requirement a name of its own",
    explanation=(
        "A scenario is known by its capability, its requirement and its name. Where two share all "
        "three, the companion cannot say which one it means."
    ),
)
NO_REQUIREMENT = Code(
    "MG715",
    "no-requirement",
    Severity.ERROR,
    "the text holds no requirement",
    hint="write `## Requirements`, below it `### Requirement: name` and what the server SHALL do",
    explanation=(
        "Everything is built from requirements: sentences that say what the server SHALL do, each "
        "under a heading `### Requirement: name`, with its scenarios as `#### Scenario: name`. A "
        "delta has them under `## ADDED Requirements` or `## MODIFIED Requirements`."
    ),
)
MISSING_SECTION = Code(
    "MG716",
    "missing-section",
    Severity.WARNING,
    "the spec has no `## {section}`, which `openspec validate` wants",
    hint="write the section; a spec has `## Purpose`, then `## Requirements`",
    explanation=(
        "OpenSpec calls a spec without a Purpose or without a section Requirements invalid, and its "
        "commands see no requirement in it. mcpgen reads the requirements wherever they stand."
    ),
)
UNPROVEN_REQUIREMENT = Code(
    "MG717",
    "unproven-requirement",
    Severity.WARNING,
    "the requirement `{name}` has no scenario",
    hint="write `#### Scenario: name` below it, with `- **WHEN** …` and `- **THEN** …`",
    explanation=(
        "A requirement without a scenario cannot be shown by a test. `openspec validate` calls it an "
        "error. A heading `####` with nothing below it does not count."
    ),
)
EMPTY_REQUIREMENT = Code(
    "MG718",
    "empty-requirement",
    Severity.WARNING,
    "the requirement `{name}` has no text of its own",
    hint="say below its heading what the server SHALL do",
    explanation=(
        "The text between a requirement's heading and its first scenario says what the server SHALL "
        "do. `openspec validate` calls its absence an error, also where the heading says it."
    ),
)
DUPLICATE_REQUIREMENT = Code(
    "MG719",
    "duplicate-requirement",
    Severity.WARNING,
    "the requirement `{name}` stands on line {line} already",
    hint="give one of them another name",
    explanation=(
        "Requirements are known by their names: a delta that changes one of two with the same name "
        "would lose the other, so `openspec` calls this an error. Both are read here."
    ),
)
MISPLACED_REQUIREMENT = Code(
    "MG720",
    "misplaced-requirement",
    Severity.WARNING,
    "`{heading}` does not belong here: {reason}",
    hint="{remedy}",
    explanation=(
        "OpenSpec reads requirements below `## Requirements` in a spec, and below `## ADDED`, "
        "`MODIFIED`, `REMOVED` or `RENAMED Requirements` in a delta; everything else is invisible to "
        "it. In a spec mcpgen reads such a requirement all the same; in a delta it leaves it out, as "
        "`openspec archive` does."
    ),
)
NO_NORMATIVE_WORD = Code(
    "MG721",
    "no-normative-word",
    Severity.WARNING,
    "the requirement `{name}` has neither SHALL nor MUST in its text",
    hint="say below its heading what the server SHALL do",
    explanation=(
        "SHALL and MUST tell what is demanded from what is told (RFC 2119). OpenSpec looks for them "
        "in the text of a requirement, not in its heading; with `--strict` it insists."
    ),
)
UNWRITTEN_PURPOSE = Code(
    "MG722",
    "unwritten-purpose",
    Severity.WARNING,
    "the Purpose is {what}",
    hint="say in a sentence or two what the server is for",
    explanation=(
        "A Purpose under 50 characters, or one that still says TBD or TODO, tells nobody what the "
        "capability is for. It becomes the server's description unless the companion has one."
    ),
)
FLATTENED_PAGE = Code(
    "MG723",
    "flattened-page",
    Severity.WARNING,
    "the text has lost its Markdown marks; `Requirement:` and `Scenario:` at the start of a line are "
    "read as headings",
    hint="use the file itself instead of a page that shows it, or write the `###` and `####` back",
    explanation=(
        "A page copied out of a browser has no `#` before its headings, and names in it have lost "
        "their back-ticks. The requirements can still be told, but OpenSpec reads nothing in it, and "
        "fewer facts are found without back-ticks."
    ),
)
UNREAD_HEADING = Code(
    "MG724",
    "unread-heading",
    Severity.NOTE,
    "`### {heading}` in {section} is no requirement to OpenSpec",
    hint="write `### Requirement: name` if it shall be one",
    explanation=(
        "In a delta only `### Requirement: name` starts a requirement. Any other heading of level 3 "
        "belongs to the requirement above it, or to none."
    ),
)
CONTRADICTING_DELTA = Code(
    "MG725",
    "contradicting-delta",
    Severity.ERROR,
    "the delta contradicts itself: {problem}",
    hint="name each requirement once, in the section that says what happens to it",
    explanation=(
        "A delta says for each requirement one thing: it is added, modified, removed or renamed. A "
        "requirement that is renamed and modified is modified under its new name. Each FROM: is "
        "followed by its TO:."
    ),
)
UNFITTING_DELTA = Code(
    "MG726",
    "unfitting-delta",
    Severity.ERROR,
    "the delta does not fit the spec: {problem}",
    hint="bring the delta up to date with `{main}`",
    explanation=(
        "`openspec archive` would refuse this delta for the same reason. MODIFIED and RENAMED need a "
        "requirement of exactly that name; MODIFIED replaces all of it, and so repeats every "
        "scenario that shall stay; ADDED needs a name that is free."
    ),
)
NEEDLESS_DELTA = Code(
    "MG727",
    "needless-delta",
    Severity.WARNING,
    "part of the delta has no effect: {problem}",
    hint="take it out of the delta, or look whether another requirement was meant",
    explanation=(
        "`openspec archive` would go on without this part: what it asks for is so already, or stands "
        "where a delta cannot change it."
    ),
)
LONG_REQUIREMENT = Code(
    "MG728",
    "long-requirement",
    Severity.NOTE,
    "the text of the requirement `{name}` has {count} characters",
    hint="split it: more than {limit} are hard to read as one demand",
    explanation="OpenSpec advises to break down a requirement of more than 500 characters.",
)
EMPTY_SCENARIO = Code(
    "MG729",
    "empty-scenario",
    Severity.WARNING,
    "the scenario `{name}` has no step",
    hint="write `- **WHEN** …` and `- **THEN** …` below it",
    explanation=(
        "A scenario is a list of steps; without one nothing can be shown. OpenSpec does not count a "
        "heading with nothing below it as a scenario."
    ),
)
UNKNOWN_COMPANION_KEY = Code(
    "MG730",
    "unknown-companion-key",
    Severity.ERROR,
    "{owner} has no key `{key}`",
    hint="{nearest}",
    explanation="`mcp.yaml` says what its requirements cannot, so a key that nobody reads would be a "
    "promise that nobody keeps. docs/openspec.md lists every key.",
)
COMPANION_TYPE = Code(
    "MG731",
    "companion-type",
    Severity.ERROR,
    "`{key}` has to be {expected}, and it is {found}",
    explanation="YAML reads `yes` as a text, `1` as a number and `~` as nothing. Write texts in quotation "
    "marks where they look like something else.",
)
COMPANION_VALUE = Code(
    "MG732",
    "companion-value",
    Severity.ERROR,
    "`{key}` has to be {must}, and it is `{value}`",
    explanation="The value has the right type and cannot be used all the same: a name that MCP, HTTP or "
    "Python does not take, a pattern that does not compile, a path that leads nowhere.",
)
MISSING_COMPANION_KEY = Code(
    "MG733",
    "missing-companion-key",
    Severity.ERROR,
    "{owner} has no `{key}`",
    hint="add `{key}: …`",
    explanation="Without this key nothing can be made of what it stands in.",
)
RIVAL_KEYS = Code(
    "MG734",
    "rival-keys",
    Severity.ERROR,
    "{owner} has {keys}, which exclude each other",
    hint="keep one; several actions of a scenario stand in a list under `do`",
    explanation="Each of the keys alone would say all there is to say, so one of them would have to be "
    "left out, and nothing is left out silently.",
)
UNKNOWN_FIXTURE = Code(
    "MG735",
    "unknown-fixture",
    Severity.ERROR,
    "no fixture is called `{name}`",
    hint="{nearest}",
    explanation="A scenario names what is there before it begins under `given`; it has to stand under "
    "`fixtures`.",
)
UNUSED_FIXTURE = Code(
    "MG736",
    "unused-fixture",
    Severity.WARNING,
    "no scenario is given the fixture `{name}`",
    hint="name it under `given` of a scenario, or delete it",
    explanation="A fixture that no scenario uses shows nothing, and is often one whose scenario lost its "
    "`given`.",
)
UNKNOWN_BUDGET = Code(
    "MG737",
    "unknown-budget",
    Severity.ERROR,
    "no budget is called `{name}`",
    hint="{nearest}",
    explanation="A limit that is a name stands under `budgets`, with its number of bytes.",
)
ASSERTION_SUBJECT = Code(
    "MG738",
    "assertion-subject",
    Severity.ERROR,
    "an assertion looks at one thing, and this one at {found}",
    hint="write one of {subjects}; several assertions stand in a list",
    explanation="The subject of an assertion says what is looked at (`path`, `text`, `is_error`, …), and its "
    "claims what has to hold there.",
)
MISSING_CLAIM = Code(
    "MG739",
    "missing-claim",
    Severity.ERROR,
    "the assertion about `{subject}` claims nothing",
    hint="add one of {claims}",
    explanation="An assertion without a claim would hold whatever the server does.",
)
MISPLACED_CLAIM = Code(
    "MG740",
    "misplaced-claim",
    Severity.ERROR,
    "`{claim}` cannot be claimed about `{subject}`",
    hint="about `{subject}` one claims {claims}",
    explanation="Each subject has claims of its own: a number has no order, and a text no count.",
)
UNSAVED_VALUE = Code(
    "MG741",
    "unsaved-value",
    Severity.ERROR,
    "no earlier action saves `{name}`",
    hint="let an earlier action `save` it, with the path at which it stands",
    explanation="A name between `${` and `}` stands for a value that an earlier action of the same scenario "
    "kept with `save`. Nothing is kept under this name before.",
)
NESTED_INPUT = Code(
    "MG742",
    "nested-input",
    Severity.ERROR,
    "the argument `{name}` is not flat: {what}",
    hint="give each of its parts an argument of its own",
    explanation="Tools take flat arguments: texts, numbers, flags, lists of these, and an `object` of which "
    "nothing more is said.",
)
SOURCE_WITHOUT_UPSTREAM = Code(
    "MG743",
    "source-without-upstream",
    Severity.ERROR,
    "the argument `{name}` comes from `{source}`, and its tool has no `upstream`",
    hint="delete `from`, or say which operation the tool calls",
    explanation="`from` names the argument of an operation that an argument stands for under another name. "
    "A tool that is answered in `hooks.py` has no operation.",
)
STEP_BOUND_TWICE = Code(
    "MG744",
    "step-bound-twice",
    Severity.ERROR,
    "step {step} of the scenario is bound twice",
    hint="put the assertions into one list under the first",
    explanation="What a step asserts stands in one place, so that nobody looks at half of it.",
)
UNDECLARED_TOOL = Code(
    "MG745",
    "undeclared-tool",
    Severity.ERROR,
    "the text demands exactly these tools, and the companion does not declare `{name}`",
    hint="declare it under `tools`; `mcpgen bind` writes a first draft",
    explanation="A sentence that lists the tools exactly is a contract: every one of them has to be "
    "declared, with its arguments, since the text cannot say these.",
)
FORBIDDEN_TOOL = Code(
    "MG746",
    "forbidden-tool",
    Severity.ERROR,
    "the text forbids the tool `{name}`: {quote} ({where})",
    hint="delete the tool, or change the text",
    explanation="The text says that the list of tools SHALL NOT have this name, or a phrase that the "
    "`glossary` says stands for it.",
)
TOOL_BEYOND_LIST = Code(
    "MG747",
    "tool-beyond-list",
    Severity.ERROR,
    "the text lists the tools exactly, without `{name}`: {quote} ({where})",
    hint="delete the tool, or add it to the list in the text",
    explanation="A sentence that lists the tools exactly forbids every other one.",
)
FORBIDDEN_ARGUMENT = Code(
    "MG748",
    "forbidden-argument",
    Severity.ERROR,
    "the text forbids the argument `{name}` of `{tool}`: {quote} ({where})",
    hint="delete the argument, or change the text",
    explanation="The text says that tools SHALL NOT advertise this argument.",
)
MISSING_ARGUMENT = Code(
    "MG749",
    "missing-argument",
    Severity.ERROR,
    "the text demands the argument `{name}` of `{tool}`: {quote} ({where})",
    hint="declare it under `input`",
    explanation="The text says, without a condition, that the tool SHALL take this argument.",
)
UNKNOWN_SCENARIO = Code(
    "MG750",
    "unknown-scenario",
    Severity.ERROR,
    "the text has no scenario `{name}`",
    hint="{nearest}",
    explanation="A binding says how a scenario of the text is performed. It is found by the scenario's name, "
    'or by `"Requirement / Scenario"`.',
)
AMBIGUOUS_SCENARIO = Code(
    "MG751",
    "ambiguous-scenario",
    Severity.ERROR,
    "the text has {count} scenarios `{name}`",
    hint="{full}",
    explanation="Names of scenarios may repeat in a text. A binding then says the requirement too.",
)
UNKNOWN_STEP = Code(
    "MG752",
    "unknown-step",
    Severity.ERROR,
    "the scenario `{name}` has no step {step}; it has {count}",
    hint="steps count from 1, with WHEN and GIVEN among them",
    explanation="A binding names a step by its number in the scenario.",
)
IMPOSSIBLE_PATH = Code(
    "MG753",
    "impossible-path",
    Severity.ERROR,
    "nothing can be at `{path}`: {why}",
    hint="{nearest}",
    explanation="The path leads outside of what the action brings back: a result of `tools/call` has "
    "`content`, `structuredContent`, `isError` and `_meta`, and below `structuredContent` stands what the "
    "tool's `output` says. The name of what is there is often misspelt.",
)
UNDECLARED_CALL = Code(
    "MG754",
    "undeclared-call",
    Severity.WARNING,
    "the scenario calls `{name}`, which is no declared tool",
    hint="{nearest}",
    explanation="The call will bring an error back. If that is what the scenario shows, assert it with "
    "`is_error: true` or `code`, and nothing is said.",
)
UNDECLARED_CALL_ARGUMENT = Code(
    "MG755",
    "undeclared-call-argument",
    Severity.WARNING,
    "the scenario gives `{tool}` the argument `{name}`, which it does not have",
    hint="{nearest}",
    explanation="The call will bring an error back. If that is what the scenario shows, assert it with "
    "`is_error: true` or `code`, and nothing is said.",
)
STALE_BINDING = Code(
    "MG756",
    "stale-binding",
    Severity.WARNING,
    "the scenario `{name}` ({where}) has changed since it was bound",
    hint="look at its steps, then run `mcpgen bind` with `--accept`",
    explanation="`of` holds the digest of the scenario that a binding was written for. The text of this one "
    "has changed since, so its test performs everything and then fails as stale.",
)
UNSTAMPED_BINDING = Code(
    "MG757",
    "unstamped-binding",
    Severity.NOTE,
    "the text has changed since the companion was written, and nobody can say whether the scenario "
    "`{name}` has",
    hint="run `mcpgen bind` with `--accept` once you looked at it",
    explanation="A binding without `of` is taken for current whatever its scenario says.",
)
CONTRADICTING_LISTS = Code(
    "MG758",
    "contradicting-lists",
    Severity.WARNING,
    "the text lists the tools exactly, and differently from {where}",
    hint="say in both sentences the same, or leave one out",
    explanation="Two sentences that list the tools exactly have to name the same ones. These do not, so "
    "neither is held against the companion.",
)
UNKNOWN_PHRASE = Code(
    "MG759",
    "unknown-phrase",
    Severity.NOTE,
    "the text forbids `{phrase}`, and nothing says which names these are",
    hint='say it under `glossary`: `{phrase}: ["*…*"]`',
    explanation="A phrase is checked against the tools where the `glossary` of the companion gives the names "
    "it stands for.",
)
SCENARIO_BOUND_TWICE = Code(
    "MG760",
    "scenario-bound-twice",
    Severity.ERROR,
    "the scenario `{name}` is bound twice",
    hint="keep one of the two",
    explanation="A scenario can be named by its own name and with its requirement's; here both are.",
)
UNNAMEABLE_SCENARIO = Code(
    "MG761",
    "unnameable-scenario",
    Severity.WARNING,
    "another scenario of the same requirement is called `{name}` too, so neither can be bound",
    hint="give them different names",
    explanation="The companion finds a scenario by its name, or by its requirement's and its own. Where both "
    "repeat, nothing tells the two apart.",
)
NO_ROOM = Code(
    "MG762",
    "no-room",
    Severity.ERROR,
    "nothing can be added to {name}, which {why}",
    hint="write one entry on each line, without braces",
    explanation="`mcpgen bind` adds lines and leaves every byte that is there alone. Between braces, and in JSON, "
    "it would have to write the text anew.",
)
UNKNOWN_UPSTREAM_OPERATION = Code(
    "MG770",
    "unknown-upstream-operation",
    Severity.ERROR,
    "`{document}` has no operation `{operation}`, which the tool `{name}` calls",
    hint="{nearest}",
    explanation="The `upstream` of a tool names an operation by its `operationId`, or by method and path as "
    "`GET /records`, of the OpenAPI document beside it.",
)
UNREAD_UPSTREAM_OPERATION = Code(
    "MG771",
    "unread-upstream-operation",
    Severity.ERROR,
    "the tool `{name}` calls `{operation}` of `{document}`, which could not be read: {reason}",
    explanation="The findings about the OpenAPI document say what is wrong with the operation. Operations "
    "that no tool calls may be as they are.",
)
UNKNOWN_UPSTREAM_ARGUMENT = Code(
    "MG772",
    "unknown-upstream-argument",
    Severity.ERROR,
    "`{operation}` has no argument `{source}`, which `{name}` of the tool `{tool}` stands for",
    hint="{nearest}",
    explanation="Each argument that a tool with an `upstream` declares is one of those that its operation "
    "has once it is flattened; `mcpgen tools` on the OpenAPI document shows them. Under another name, "
    "`from` says which it is.",
)
ARGUMENT_DECLARED_TWICE = Code(
    "MG773",
    "argument-declared-twice",
    Severity.ERROR,
    "`{name}` and `{other}` of the tool `{tool}` are both the argument `{source}` of its operation",
    hint="keep one of the two",
    explanation="A request has one value for each argument of its operation.",
)
UNFIT_INPUT_TYPE = Code(
    "MG774",
    "unfit-input-type",
    Severity.ERROR,
    "`{name}` of the tool `{tool}` is declared as {declared}, and its operation takes {taken}",
    hint="declare the type that the operation takes",
    explanation="A declared argument may say less or more than its operation does, but no other type: the "
    "request could not be made.",
)
UNFILLED_ARGUMENT = Code(
    "MG775",
    "unfilled-argument",
    Severity.ERROR,
    "the operation of the tool `{tool}` cannot do without `{source}`, and calls need not give it",
    hint="declare it under `input` with `required: true` or with a `default`",
    explanation="A tool whose operation requires an argument asks for it, or has a value of its own for it.",
)
NO_COMPANION = Code(
    "MG776",
    "no-companion",
    Severity.WARNING,
    "no `mcp.yaml` stands beside the requirements, so the tools {tools} have no arguments",
    hint="run `mcpgen bind {path}`, then say in `mcp.yaml` what the tools take",
    explanation="The text of requirements says which tools there are, and hardly ever what they take. Without "
    "the companion there is a skeleton with the names of the exact list, whose tools handlers answer.",
)
NO_DECLARED_TOOL = Code(
    "MG777",
    "no-declared-tool",
    Severity.ERROR,
    "nothing says which tools the server has: {why}",
    hint="declare them under `tools` in `mcp.yaml`; `mcpgen bind {path}` writes a first draft",
    explanation="Tools are declared in the companion. Without one, a sentence such as 'tools/list SHALL "
    "contain exactly `search` and `fetch`' names them.",
)
UPSTREAM_OUTSIDE = Code(
    "MG778",
    "upstream-outside",
    Severity.ERROR,
    "the tool `{name}` calls an operation of `{document}`, which lies outside of the folder of `mcp.yaml`",
    hint="move the document below that folder, or let `--root` name one that holds both",
    explanation="A companion is as little trusted as every other specification, so it reaches no file beyond "
    "its folder unless the person who builds allows it.",
)
UNUSED_OVERLAY = Code(
    "MG779",
    "unused-overlay",
    Severity.ERROR,
    "{count} overlays are given, and the requirements are built with {documents} OpenAPI documents",
    hint="leave the overlays out, or let all tools call one document",
    explanation="An overlay repairs an OpenAPI document. It is clear which one is meant only where the tools "
    "call the operations of exactly one.",
)
NO_REQUIREMENTS = Code(
    "MG780",
    "no-requirements",
    Severity.ERROR,
    "`{option}` chooses among the requirements of an OpenSpec folder, and `{path}` is an API description",
    hint="leave `{option}` out, or name the folder",
    explanation="An API description is built as a whole; `[select]` in `mcpgen.toml` chooses among its "
    "operations.",
)
UNUSED_WISH = Code(
    "MG781",
    "unused-wish",
    Severity.WARNING,
    "what `x-mcp` of `{operation}` wants of {arguments} is not done, for `{tool}` lists its own arguments",
    hint="say it under `input` of the tool, or leave `input` out to take the operation's arguments",
    explanation="A tool of the companion that lists `input` has these arguments and no others, as they are "
    "declared there. What the OpenAPI document wants of arguments holds where the tool takes them over.",
)
UNKNOWN_PLACEHOLDER = Code(
    "MG763",
    "unknown-placeholder",
    Severity.ERROR,
    "`${{{name}}}` stands for nothing that is known here",
    hint="{nearest}",
    explanation="In the texts of an answer, `${…}` stands for an argument of the tool, or for what was "
    "answered to a question that was asked before, such as `${address.content.city}`. `$${` is written for the "
    "characters themselves.",
)
UNASKABLE_FORM = Code(
    "MG764",
    "unaskable-form",
    Severity.ERROR,
    "no client can ask this form: {reason}",
    hint="see docs/openspec.md on forms",
    explanation="MCP restricts the forms that users fill in to one object of flat fields: texts, numbers, flags "
    "and choices. Clients refuse any other schema.",
)
UNFIT_CONDITION = Code(
    "MG765",
    "unfit-condition",
    Severity.ERROR,
    "`{keyword}` cannot stand under `conditions`: {reason}",
    hint="see docs/openspec.md on conditions",
    explanation="`conditions` are keywords of JSON Schema that stand beside the arguments of a tool. Arguments "
    "themselves stand under `input`, and schemas are found in `$defs` only: nothing is fetched.",
)
NOTHING_PERFORMED = Code(
    "MG785",
    "nothing-performed",
    Severity.ERROR,
    "steps of the scenario `{name}` assert something, and nothing says what its client does",
    hint="add `call`, `request`, `http`, `file` or `command` to its entry",
    explanation="An assertion looks at what an action brought back. The author has given none, and the "
    "steps that say WHEN are outside the documented phrases.",
)
UNBOUND_STEP = Code(
    "MG786",
    "unbound-step",
    Severity.WARNING,
    "nothing shows step {number} of `{name}`: {text}",
    hint="bind it in `mcp.yaml`{way}",
    explanation="The step is bound by nobody and outside the documented phrases, so that its scenario's test "
    "stays pending. `mcpgen scenarios` prints an entry to paste into the companion.",
)
PARTLY_UNDERSTOOD = Code(
    "MG787",
    "partly-understood",
    Severity.WARNING,
    "nothing shows the end of step {number} of `{name}`: {rest}",
    hint="make a step of its own of it, or bind the step in `mcp.yaml`",
    explanation="The step begins as a documented phrase does and says more. What was understood is checked, "
    "and the scenario's test stays pending for the rest.",
)
UNFOUNDED_STEP = Code(
    "MG788",
    "unfounded-step",
    Severity.WARNING,
    "nothing brings about step {number} of `{name}`: {text}",
    hint="name a fixture that does so under `given` of its entry, or do it before under `do`",
    explanation="What the step says is there before the one action that the scenario performs, or beside it, and "
    "the scenario is given no fixture. Its test stays pending, since what follows would be shown without it.",
)
