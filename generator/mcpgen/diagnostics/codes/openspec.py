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
    hint="run `mcpgen build` in the project without `--check`; or leave `change` out, and move each "
    "`mcp.yaml` below `{folder}` beside the `spec.md` of its capability",
    explanation="`openspec archive` merges the deltas of a change into the specs and moves the "
    "change's folder with all files. A `mcp.yaml` belongs beside the `spec.md` that it completes, so "
    "move it to `specs/<capability>/` and correct relative paths in it, such as those of OpenAPI "
    "documents. Without its `mcp.yaml` a spec loses the arguments and requests of its tools. "
    "`mcpgen build` does this for a project, unless the spec has another `mcp.yaml`.",
)
STEP_WITHOUT_ACTION = Code(
    "MG708",
    "step-without-action",
    Severity.WARNING,
    'no test checks step {number} of `{name}`, "{text}": the scenario has no action before the step',
    hint="give the scenario's entry in `mcp.yaml` a `call`, `request`, `http`, `file` or `command`",
    explanation="A THEN checks the result of an action. Without an action nothing can be checked. "
    "`mcpgen scenarios` prints an entry to paste into `mcp.yaml`; `mcpgen bind` writes the file if "
    "there is none.",
)
UNDRAFTED_TOOL = Code(
    "MG709",
    "undrafted-tool",
    Severity.WARNING,
    "the text names `{name}` as a tool, and some hosts refuse the name; no tool is drafted for it",
    hint="if `{name}` is a tool, declare the tool under `tools` in `mcp.yaml` with letters, digits, `_` and "
    "`-`",
    explanation="Several model APIs accept only tool names of up to 64 letters, digits, `_` and "
    "`-`, and reject every request with another name. A name with a dot is usually a method of "
    "the described program. A name in an exact list of tools is the author's choice and is "
    "drafted unchanged.",
)
NO_OPENSPEC_FOLDER = Code(
    "MG710",
    "no-openspec-folder",
    Severity.ERROR,
    "`{path}` holds {what}",
    hint="give the path of a `spec.md` or of the folder `openspec`; for the specs of a change, add "
    "`--change NAME`",
    explanation="A folder is an OpenSpec folder if it contains `specs/<capability>/spec.md` or "
    "`changes/<change>/specs/<capability>/spec.md`, or a folder `openspec` that does. Without "
    "`--change` only `specs/` is read, so it must have at least one spec.",
)
UNKNOWN_IN_OPENSPEC = Code(
    "MG711",
    "unknown-in-openspec",
    Severity.ERROR,
    "`{path}` holds no {kind} `{name}`",
    hint="{known}",
    explanation="The name of a capability is its path below `specs/`, such as `mcp-adapter` or "
    "`area/mcp-adapter`; the name of a change is its folder below `changes/`. Archived changes "
    "are already part of the specs and are not read.",
    remedy="name a capability below `specs/`, or a change below `changes/`",
)
SEVERAL_CAPABILITIES = Code(
    "MG712",
    "several-capabilities",
    Severity.ERROR,
    "`{path}` holds {count} capabilities, and one server is built from one",
    hint="name one of them: {known}",
    explanation="Each `spec.md` of an OpenSpec folder describes one capability. Name the "
    "capability of the server, or the `spec.md` itself.",
)
MISWRITTEN_SCENARIO = Code(
    "MG713",
    "miswritten-scenario",
    Severity.WARNING,
    "the scenario `{name}` is not a heading of level 4; it is read as one",
    hint="write `#### Scenario: {name}`",
    explanation="OpenSpec recognizes a scenario by its heading, `#### Scenario: name`. `openspec "
    "validate` does not count a bold line, a bullet or a heading of another level, and `openspec "
    "archive` may lose it.",
)
DUPLICATE_SCENARIO = Code(
    "MG714",
    "duplicate-scenario",
    Severity.WARNING,
    "`{requirement}` has another scenario `{name}` on line {line}",
    hint="give each scenario of a requirement a name of its own",
    explanation="A scenario is identified by capability, requirement and name. With two equal "
    "names, `mcp.yaml` cannot name one of them.",
)
NO_REQUIREMENT = Code(
    "MG715",
    "no-requirement",
    Severity.ERROR,
    "there are no requirements: {reason}",
    hint="{hint}",
    explanation="Servers are built from requirements: sentences with SHALL, each under a heading "
    "`### Requirement: name`, with scenarios as `#### Scenario: name`. In a delta they are under "
    "`## ADDED Requirements` or `## MODIFIED Requirements`.",
    remedy="write `### Requirement: name`, and below it what the server SHALL do",
)
MISSING_SECTION = Code(
    "MG716",
    "missing-section",
    Severity.WARNING,
    "the spec has no `## {section}`, which `openspec validate` wants",
    hint="write the section; a spec has `## Purpose`, then `## Requirements`",
    explanation="For OpenSpec a spec without a Purpose or without a section Requirements is "
    "invalid, and its commands see no requirement. mcpgen reads the requirements in any section.",
)
UNPROVEN_REQUIREMENT = Code(
    "MG717",
    "unproven-requirement",
    Severity.WARNING,
    "the requirement `{name}` has no scenario",
    hint="write `#### Scenario: name` below it, with `- **WHEN** …` and `- **THEN** …`",
    explanation="No test can show a requirement without a scenario; `openspec validate` reports "
    "an error. A heading `####` without text does not count.",
)
EMPTY_REQUIREMENT = Code(
    "MG718",
    "empty-requirement",
    Severity.WARNING,
    "the requirement `{name}` has no text of its own",
    hint="say below its heading what the server SHALL do",
    explanation="The text between a requirement's heading and its first scenario says what the "
    "server SHALL do. `openspec validate` reports an error without the text, even if the heading "
    "says it.",
)
DUPLICATE_REQUIREMENT = Code(
    "MG719",
    "duplicate-requirement",
    Severity.WARNING,
    "the requirement `{name}` stands on line {line} already",
    hint="give one of the requirements another name",
    explanation="Requirements are identified by name: a delta for one of two requirements with "
    "the same name would lose the other, so `openspec` reports an error. mcpgen reads both.",
)
MISPLACED_REQUIREMENT = Code(
    "MG720",
    "misplaced-requirement",
    Severity.WARNING,
    "`{heading}` does not belong here: {reason}",
    hint="{remedy}",
    explanation="OpenSpec reads requirements below `## Requirements` in a spec, and below `## "
    "ADDED`, `MODIFIED`, `REMOVED` or `RENAMED Requirements` in a delta, and ignores all others. "
    "mcpgen reads a misplaced requirement of a spec, and leaves out a misplaced requirement of a delta, "
    "as `openspec archive` does.",
    remedy="move the heading below the section that the finding names",
)
NO_NORMATIVE_WORD = Code(
    "MG721",
    "no-normative-word",
    Severity.WARNING,
    "the requirement `{name}` has neither SHALL nor MUST in its text",
    hint="say below its heading what the server SHALL do",
    explanation="SHALL and MUST mark a demand (RFC 2119). OpenSpec searches the text of a "
    "requirement, not its heading, and requires one of the words with `--strict`.",
)
UNWRITTEN_PURPOSE = Code(
    "MG722",
    "unwritten-purpose",
    Severity.WARNING,
    "the Purpose is {what}",
    hint="describe in a sentence or two what the server is for",
    explanation="A Purpose of fewer than 50 characters, one that begins with TBD or TODO, and the "
    "placeholder of `openspec archive` do not describe the capability. The first sentences of the "
    "Purpose go into the server's instructions, unless `mcp.yaml` has `instructions`.",
)
FLATTENED_PAGE = Code(
    "MG723",
    "flattened-page",
    Severity.WARNING,
    "the text has lost its Markdown marks; `Requirement:` and `Scenario:` at the start of a line "
    "are read as headings",
    hint="use the file itself instead of a page that shows it, or write the `###` and `####` back",
    explanation="A page copied from a browser has no `#` before headings, and names have no "
    "back-ticks. mcpgen can still recognize the requirements, but OpenSpec reads nothing, and "
    "fewer facts are found without back-ticks.",
)
UNREAD_HEADING = Code(
    "MG724",
    "unread-heading",
    Severity.NOTE,
    "`### {heading}` in {section} is not a requirement for OpenSpec",
    hint="write `### Requirement: name` for a requirement",
    explanation="In a delta only `### Requirement: name` starts a requirement. The text below any "
    "other heading of level 3 belongs to the requirement above; above the first requirement of a "
    "section it is ignored.",
)
CONTRADICTING_DELTA = Code(
    "MG725",
    "contradicting-delta",
    Severity.ERROR,
    "the delta contradicts itself: {problem}",
    hint="name each requirement once, in the section that says what happens to it",
    explanation="A delta has one section per requirement: ADDED, MODIFIED, REMOVED or RENAMED. A "
    "renamed and modified requirement is modified under its new name. Each FROM: is followed by "
    "its TO:.",
)
UNFITTING_DELTA = Code(
    "MG726",
    "unfitting-delta",
    Severity.ERROR,
    "the delta does not fit the spec: {problem}",
    hint="bring the delta up to date with `{main}`",
    explanation="`openspec archive` refuses this delta for the same reason. MODIFIED and RENAMED "
    "need a requirement of exactly that name; MODIFIED replaces the whole requirement, so it "
    "repeats every scenario to keep; ADDED needs an unused name.",
)
NEEDLESS_DELTA = Code(
    "MG727",
    "needless-delta",
    Severity.WARNING,
    "part of the delta has no effect: {problem}",
    hint="remove the part from the delta, or correct the name of the requirement",
    explanation="`openspec archive` would skip this part: the spec already has the change, or a "
    "delta cannot change the section.",
)
LONG_REQUIREMENT = Code(
    "MG728",
    "long-requirement",
    Severity.NOTE,
    "the text of the requirement `{name}` has {count} characters, more than {limit}",
    hint="split the text into several `### Requirement:` sections, or shorten it",
    explanation="OpenSpec recommends splitting a requirement of more than 500 characters, because a "
    "longer text is hard to read and to test. The build is not affected.",
)
EMPTY_SCENARIO = Code(
    "MG729",
    "empty-scenario",
    Severity.WARNING,
    "the scenario `{name}` has no step",
    hint="write `- **WHEN** …` and `- **THEN** …` below it",
    explanation="A scenario is a list of steps; without steps nothing can be tested. OpenSpec "
    "does not count a heading without text as a scenario.",
)
UNKNOWN_COMPANION_KEY = Code(
    "MG730",
    "unknown-companion-key",
    Severity.ERROR,
    "{owner} has no key `{key}`",
    hint="{nearest}",
    explanation="An unknown key of `mcp.yaml` has no effect. docs/openspec.md lists every key.",
)
COMPANION_TYPE = Code(
    "MG731",
    "companion-type",
    Severity.ERROR,
    "{what} has to be {expected}, and it is {found}",
    hint="write the value with this type",
    explanation="YAML reads `yes` as a text, `1` as a number and `~` as null. Quote texts that "
    "look like another type.",
)
COMPANION_VALUE = Code(
    "MG732",
    "companion-value",
    Severity.ERROR,
    "`{key}` has to be {must}, and it is `{value}`",
    hint="choose an allowed value",
    explanation="The value has the right type but is not allowed: a name that MCP, HTTP or Python "
    "refuses, a pattern that does not compile, a path without target.",
)
MISSING_COMPANION_KEY = Code(
    "MG733",
    "missing-companion-key",
    Severity.ERROR,
    "{owner} has no `{key}`",
    hint="add `{key}: …`",
    explanation="The mapping cannot be used without this key.",
)
RIVAL_KEYS = Code(
    "MG734",
    "exclusive-keys",
    Severity.ERROR,
    "{owner} has {keys}, which exclude each other",
    hint="keep one key; write several actions of a scenario as a list under `do`",
    explanation="The keys are alternatives. Using one would silently drop the others.",
)
UNKNOWN_FIXTURE = Code(
    "MG735",
    "unknown-fixture",
    Severity.ERROR,
    "no fixture is called `{name}`",
    hint="{nearest}",
    explanation="A scenario names its fixtures under `given`; each must be defined under "
    "`fixtures`.",
)
UNUSED_FIXTURE = Code(
    "MG736",
    "unused-fixture",
    Severity.WARNING,
    "no scenario or step definition uses the fixture `{name}`",
    hint="name the fixture under `given` of a scenario or step definition, or delete the fixture",
    explanation="A fixture has an effect only if a scenario or a step definition names the fixture "
    "under `given`. Often a scenario has lost its `given`.",
)
UNKNOWN_BUDGET = Code(
    "MG737",
    "unknown-budget",
    Severity.ERROR,
    "`at_most` names the budget `{name}`, which `budgets` in `mcp.yaml` lacks",
    hint="{nearest}",
    explanation="`at_most` is a number of bytes, or the name of an entry under `budgets`, which has the "
    "number.",
)
ASSERTION_SUBJECT = Code(
    "MG738",
    "assertion-subject",
    Severity.ERROR,
    "an assertion has one subject, and this assertion has {found}",
    hint="write one of {subjects}; write several assertions as a list",
    explanation="The subject of an assertion names the checked value (`path`, `text`, `is_error`, "
    "…), and its claims the condition.",
)
MISSING_CLAIM = Code(
    "MG739",
    "missing-claim",
    Severity.ERROR,
    "the assertion about `{subject}` has no claim",
    hint="add one of {claims}",
    explanation="An assertion without a claim would pass for every result.",
)
MISPLACED_CLAIM = Code(
    "MG740",
    "misplaced-claim",
    Severity.ERROR,
    "`{claim}` cannot be claimed about `{subject}`",
    hint="about `{subject}` one claims {claims}",
    explanation="Each subject has its own claims: `order` and `count`, for example, are about lists.",
)
UNSAVED_VALUE = Code(
    "MG741",
    "unsaved-value",
    Severity.ERROR,
    "no earlier action saves `{name}`",
    hint="`save` the value in an earlier action, with its path",
    explanation="A name between `${` and `}` stands for a value that an earlier action of the "
    "same scenario kept with `save`.",
)
NESTED_INPUT = Code(
    "MG742",
    "nested-input",
    Severity.ERROR,
    "the argument `{name}` in `mcp.yaml` is nested: {what}",
    hint="declare one argument per property; for a choice, a reference or a list of objects, declare "
    "`type: object` or a list of strings",
    explanation="Hosts lose nested values, so arguments are strings, numbers, booleans, lists of "
    "these, or an `object` whose properties are not described.",
)
SOURCE_WITHOUT_UPSTREAM = Code(
    "MG743",
    "source-without-upstream",
    Severity.ERROR,
    "the argument `{name}` comes from `{source}`, and its tool has no `upstream`",
    hint="delete `from`, or name the operation that the tool calls",
    explanation="`from` names the operation's argument, if its name differs from the name of the "
    "tool's argument. A tool that is implemented in `hooks.py` calls no operation, so `from` has no "
    "meaning.",
)
STEP_BOUND_TWICE = Code(
    "MG744",
    "step-bound-twice",
    Severity.ERROR,
    "step {step} of the scenario is bound twice",
    hint="merge the assertions into the first list in `mcp.yaml`",
    explanation="All assertions of a step are in one list, so that a reader sees all of them.",
)
UNDECLARED_TOOL = Code(
    "MG745",
    "undeclared-tool",
    Severity.ERROR,
    "this sentence lists the tool `{name}`, and `mcp.yaml` does not declare it",
    hint="add `{name}` under `tools` in `mcp.yaml`; `mcpgen bind SPEC` writes a first draft",
    explanation="A requirement that lists the tools of the server exactly requires `mcp.yaml`, the "
    "file beside the specification, to declare each of them. The arguments of a tool are declared "
    "there, too, under `input`.",
)
FORBIDDEN_TOOL = Code(
    "MG746",
    "forbidden-tool",
    Severity.ERROR,
    "the text forbids the tool `{name}`: {quote} ({where})",
    hint="delete the tool, or change the text",
    explanation="By the text the list of tools SHALL NOT have this name, or a phrase that the "
    "`glossary` maps to it.",
)
TOOL_BEYOND_LIST = Code(
    "MG747",
    "tool-beyond-list",
    Severity.ERROR,
    "the tool `{name}` is not in the list of tools that the requirements give as complete: {quote} "
    "({where})",
    hint="delete the tool from `mcp.yaml`, or add it to that sentence",
    explanation="A sentence such as “exactly the tools `a` and `b`” forbids every other tool.",
)
FORBIDDEN_ARGUMENT = Code(
    "MG748",
    "forbidden-argument",
    Severity.ERROR,
    "the text forbids the argument `{name}` of `{tool}`: {quote} ({where})",
    hint="delete the argument, or change the text",
    explanation="By the text tools SHALL NOT advertise this argument.",
)
MISSING_ARGUMENT = Code(
    "MG749",
    "missing-argument",
    Severity.ERROR,
    "the tool `{tool}` must take the argument `{name}` and does not declare it: {quote} ({where})",
    hint="add `{name}` under `input` of the tool `{tool}` in `mcp.yaml`",
    explanation="A requirement says that the tool SHALL take this argument, without a condition. "
    "The arguments of a tool are the keys of its `input` in `mcp.yaml`.",
)
UNKNOWN_SCENARIO = Code(
    "MG750",
    "unknown-scenario",
    Severity.ERROR,
    "the requirements have no scenario `{name}`",
    hint="{nearest}",
    explanation="A binding describes the actions and assertions of a scenario, named by the "
    'scenario\'s name or by `"Requirement / Scenario"`.',
    remedy="correct the name, delete the entry, or write a scenario of this name in the requirements",
)
AMBIGUOUS_SCENARIO = Code(
    "MG751",
    "ambiguous-scenario",
    Severity.ERROR,
    "the text has {count} scenarios `{name}`",
    hint="{full}",
    explanation="Names of scenarios may repeat in a text. A binding then also names the "
    "requirement.",
    remedy='name the requirement, too: `"Requirement / Scenario"`',
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
    "no result can have a value at `{path}`: {why}",
    hint="{nearest}",
    explanation="The path of an assertion leads out of the result of the action: a result of `tools/call` has "
    "`content`, `structuredContent`, `isError` and `_meta`, and `structuredContent` has the shape "
    "of the tool's `output`. Often a name is misspelled.",
)
UNDECLARED_CALL = Code(
    "MG754",
    "undeclared-call",
    Severity.WARNING,
    "the scenario calls `{name}`, which is not a declared tool",
    hint="{nearest}",
    explanation="The call will return an error. If the scenario tests the error, assert it with "
    "`is_error: true` or `code`, which removes this finding.",
)
UNDECLARED_CALL_ARGUMENT = Code(
    "MG755",
    "undeclared-call-argument",
    Severity.WARNING,
    "the scenario gives `{tool}` the argument `{name}`, which it does not have",
    hint="{nearest}",
    explanation="The call will return an error. If the scenario tests the error, assert it with "
    "`is_error: true` or `code`, which removes this finding.",
)
STALE_BINDING = Code(
    "MG756",
    "stale-binding",
    Severity.WARNING,
    "the scenario `{name}` ({where}) has changed since it was bound",
    hint="review its steps, then run `mcpgen bind` with `--accept`",
    explanation="`of` holds the digest of the scenario for which the binding was written. The "
    "text has changed since, so the test performs all steps and then fails as stale.",
)
UNSTAMPED_BINDING = Code(
    "MG757",
    "unstamped-binding",
    Severity.NOTE,
    "the requirements have changed since `mcp.yaml` was written; the entry for `{name}` has no `of`, "
    "so mcpgen cannot tell whether the entry is out of date",
    hint="compare the entry with the scenario, then run `mcpgen bind` with " '`--accept "{name}"`',
    explanation="`of` in an entry is a digest of the scenario's text. Without `of` an entry counts as "
    "up to date, even after changes of its scenario.",
)
CONTRADICTING_LISTS = Code(
    "MG758",
    "contradicting-lists",
    Severity.WARNING,
    "the text lists the tools exactly, and differently from {where}",
    hint="write the same list in both sentences, or remove one",
    explanation="Two sentences with exact lists of tools must have the same tools. These lists "
    "differ, so neither is compared with `mcp.yaml`.",
)
UNKNOWN_PHRASE = Code(
    "MG759",
    "unknown-phrase",
    Severity.NOTE,
    "the text forbids `{phrase}`, and mcpgen does not know which tool names are meant",
    hint='add the names under `glossary` in `mcp.yaml`: `{phrase}: ["*word*"]`',
    explanation="mcpgen compares the tools of the server with a phrase of the text only if the "
    "`glossary` in `mcp.yaml` lists the tool names that the phrase stands for; `*` is any letters. "
    "Without an entry the sentence is not checked.",
)
SCENARIO_BOUND_TWICE = Code(
    "MG760",
    "scenario-bound-twice",
    Severity.ERROR,
    "the scenario `{name}` is bound twice",
    hint="keep one of the two",
    explanation="A scenario can be named by its own name or with its requirement's name; here "
    "both occur.",
)
UNNAMEABLE_SCENARIO = Code(
    "MG761",
    "unnameable-scenario",
    Severity.WARNING,
    "another scenario of the same requirement is called `{name}` too, so neither can be bound",
    hint="give them different names",
    explanation="`mcp.yaml` names a scenario by its name, or by the names of requirement and scenario. "
    "If both repeat, `mcp.yaml` cannot name one of them.",
)
NO_ROOM = Code(
    "MG762",
    "uneditable-entry",
    Severity.ERROR,
    "nothing can be added to {name}, which {why}",
    hint="write one entry on each line, without braces",
    explanation="`mcpgen bind` adds lines and changes no existing byte. Between braces, and in "
    "JSON, it would have to rewrite the text.",
)
UNKNOWN_UPSTREAM_OPERATION = Code(
    "MG770",
    "unknown-upstream-operation",
    Severity.ERROR,
    "`{document}` has no operation `{operation}`, which the tool `{name}` calls",
    hint="{nearest}",
    explanation="The `upstream` of a tool names an operation of its OpenAPI document, by "
    "`operationId` or by method and path, such as `GET /records`.",
)
UNREAD_UPSTREAM_OPERATION = Code(
    "MG771",
    "unread-upstream-operation",
    Severity.ERROR,
    "the operation `{operation}` of `{document}`, which the tool `{name}` calls, has an error: "
    "{reason}",
    hint="correct the operation; the findings about its document name the fault",
    explanation="A tool of `mcp.yaml` calls this operation, and the operation has an error. Errors in "
    "operations that no tool calls do not stop the build.",
)
UNKNOWN_UPSTREAM_ARGUMENT = Code(
    "MG772",
    "unknown-upstream-argument",
    Severity.ERROR,
    "the argument `{name}` of the tool `{tool}` is sent as `{source}`, but `{operation}` has no such "
    "argument",
    hint="{nearest}",
    explanation="Each argument of a tool with `upstream` is passed to an argument of the operation, by "
    "the same name or by the name under `from`. `mcpgen tools` on the OpenAPI document lists the "
    "names.",
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
    explanation="A declared argument may be narrower or wider than the operation's, but must have "
    "the same type: otherwise no request could be sent.",
)
UNFILLED_ARGUMENT = Code(
    "MG775",
    "unfilled-argument",
    Severity.ERROR,
    "the operation of the tool `{tool}` requires `{source}`, and callers may omit it",
    hint="declare it under `input` with `required: true` or with a `default`",
    explanation="A tool must take each required argument of its operation from the caller, or "
    "have a value for it.",
)
NO_COMPANION = Code(
    "MG776",
    "no-companion",
    Severity.WARNING,
    "no `mcp.yaml` stands beside the requirements, so the tools {tools} and their arguments are read "
    "from the text",
    hint="run `mcpgen bind {path}`, then complete the arguments in `mcp.yaml`",
    explanation="The text of requirements names the tools, and not every argument. Without "
    "`mcp.yaml` the build takes names, descriptions and arguments from the text: signatures, JSON "
    "definitions, lists and calls. The tools are implemented in hooks.",
)
NO_DECLARED_TOOL = Code(
    "MG777",
    "no-declared-tool",
    Severity.ERROR,
    "nothing says which tools the server has: {why}",
    hint="call a name a tool in the text, declare tools under `tools` in `mcp.yaml` (`mcpgen bind "
    "{path}` writes a draft), or give the API with `--openapi`",
    explanation="Tools are declared in `mcp.yaml`, or the text calls a name a tool: 'The MCP "
    "server SHALL expose a `search` tool', or 'tools/list SHALL contain exactly `search` and "
    "`fetch`'. With `--openapi`, operations of an API that requirements name become tools. A text "
    "about a user interface, a command line or a library describes no server.",
)
UPSTREAM_OUTSIDE = Code(
    "MG778",
    "upstream-outside",
    Severity.ERROR,
    "the tool `{name}` calls an operation of `{document}`, which lies outside of the folder "
    "`{folder}`",
    hint="move the document below that folder, or name a folder that contains both: `root` in "
    "mcpgen.toml, or `--root` of `mcpgen build`",
    explanation="`mcp.yaml` may come from somebody else, so it can name only files in its own folder, "
    "unless `root` names a larger folder.",
)
UNUSED_OVERLAY = Code(
    "MG779",
    "unused-overlay",
    Severity.ERROR,
    "{count} overlays are given, and the requirements are built with {documents} OpenAPI documents",
    hint="remove the overlays, or let all tools call one document",
    explanation="An overlay changes an OpenAPI document. The document is known only if all tools "
    "call operations of the same document.",
)
NO_REQUIREMENTS = Code(
    "MG780",
    "no-requirements",
    Severity.ERROR,
    "`{option}` chooses among the requirements of an OpenSpec folder, and `{path}` is an API "
    "description",
    hint="omit `{option}`, or name the folder",
    explanation="An API description is built as a whole; `[select]` in `mcpgen.toml` selects "
    "operations.",
)
UNUSED_WISH = Code(
    "MG781",
    "ignored-x-mcp",
    Severity.WARNING,
    "`x-mcp` of `{operation}` has no effect on {arguments}, because `{tool}` lists its own "
    "arguments",
    hint="declare the options under `input` of the tool, or omit `input` to take the operation's "
    "arguments",
    explanation="A tool of `mcp.yaml` with `input` has exactly these arguments, as declared. "
    "Extensions of the OpenAPI document for arguments apply if the tool has no `input`.",
)
UNKNOWN_PLACEHOLDER = Code(
    "MG763",
    "unknown-placeholder",
    Severity.ERROR,
    "`${{{name}}}` is neither an argument of the tool nor an earlier answer",
    hint="{nearest}",
    explanation="In the texts of an answer, `${…}` stands for an argument of the tool, or for the "
    "user's answer to an earlier question, such as `${address.content.city}`. Write `$${` for the "
    "characters themselves.",
)
UNASKABLE_FORM = Code(
    "MG764",
    "unaskable-form",
    Severity.ERROR,
    "no client can show this form: {reason}",
    hint="write an object whose properties are strings, numbers, booleans or choices, with the "
    "keywords that MCP allows",
    explanation="MCP restricts forms for users to one object of flat fields: strings, numbers, "
    "booleans and choices. Clients refuse any other schema.",
)
UNFIT_CONDITION = Code(
    "MG765",
    "unfit-condition",
    Severity.ERROR,
    "`{keyword}` cannot stand under `conditions`: {reason}",
    hint="correct or delete `{keyword}` under `conditions` of the tool in `mcp.yaml`",
    explanation="`conditions` relate the arguments of a tool with keywords of JSON Schema, such as "
    "`dependentRequired: {a: [b]}`; docs/openspec.md lists the keywords. Types of arguments "
    "belong under `input`. A `$ref` can lead to `$defs` only, because nothing is fetched.",
)
LEFT_OUT_CAPABILITIES = Code(
    "MG766",
    "left-out-capabilities",
    Severity.NOTE,
    "capabilities that describe no tool of the server are left out ({count}): {names}",
    hint="to choose yourself, name every capability of the server with `--capability a,b`",
    explanation="Without `--capability`, a server is built from the capabilities that name a tool, "
    "speak of a tool of another capability, name an operation of the API, or have an `mcp.yaml`.",
)
MATCHED_OPERATION = Code(
    "MG767",
    "matched-operation",
    Severity.NOTE,
    "the tool `{tool}` calls `{operation}`, which the text names: {reason}",
    hint="declare another operation under `upstream` of the tool in `mcp.yaml` if this one is wrong",
    explanation="With `--openapi`, an operation becomes a tool if requirements name it by method and "
    "path, by `operationId`, by the name of a tool, by a path, or by verb and entity with common "
    "arguments. The confidence is 95 % for an equal path, and at least 60 % for a tool.",
)
UNKNOWN_REQUEST = Code(
    "MG768",
    "unknown-request",
    Severity.WARNING,
    "the text names `{request}`, which `{document}` does not have",
    hint="add the operation to the API description, or correct the path in the text",
    explanation="The requirement asks for a request that the API does not offer: a planned route, a "
    "route of another service, or a wrong path. Prefixes and names of path parameters may differ.",
)
UNASKED_OPERATIONS = Code(
    "MG769",
    "unasked-operations",
    Severity.NOTE,
    "no requirement names {count} operations of the API, so no tool calls them: {names}",
    hint="name the operation in a requirement, or declare a tool for it in `mcp.yaml`",
    explanation="With `--openapi`, requirements decide which operations become tools.",
)
DOUBTFUL_OPERATION = Code(
    "MG782",
    "doubtful-operation",
    Severity.NOTE,
    "the text may mean `{operation}`: {reason}; no tool is made",
    hint="name method and path in the requirement, or declare a tool in `mcp.yaml`",
    explanation="A verb and an entity in common are weak evidence: of 30 such matches in real texts "
    "9 were right. A text that also names the path, the tool or its arguments is stronger evidence.",
)
TOOL_DECLARED_TWICE = Code(
    "MG783",
    "tool-declared-twice",
    Severity.ERROR,
    "the tool `{name}` is declared in `{where}` too",
    hint="declare the tool in one of the two files",
    explanation="A server built from several capabilities has the tools of every `mcp.yaml`, and a "
    "tool has one declaration.",
)
FOLLOWED_CHANGE = Code(
    "MG784",
    "followed-change",
    Severity.WARNING,
    "the change `{name}` is archived in `{folder}`: {done}the project is built from the specs",
    hint="review and commit the files; the archived `mcp.yaml` stays where it is",
    explanation="After `openspec archive` the deltas of a change are part of the specs. The build "
    "writes each `mcp.yaml` of the change beside its spec, corrects the relative paths of OpenAPI "
    "documents, and removes `change` from `mcpgen.toml`. MG707 is reported instead if the spec has "
    "another `mcp.yaml`.",
)
NOTHING_PERFORMED = Code(
    "MG785",
    "nothing-performed",
    Severity.ERROR,
    "the scenario `{name}` has assertions, but nothing is called",
    hint="add `call`, `request`, `http`, `file` or `command` to the scenario's entry in `mcp.yaml`",
    explanation="An assertion checks the result of an action. This scenario has no action: its entry in "
    "`mcp.yaml` has none, and mcpgen could not read an action from the words of the WHEN steps. "
    "An entry without assertions only gets warnings of `mcpgen lint`: MG786 about a GIVEN or WHEN "
    "that is not read, or else MG708.",
)
UNBOUND_STEP = Code(
    "MG786",
    "unbound-step",
    Severity.WARNING,
    "no test checks step {number} of `{name}`: {text}",
    hint="bind it in `mcp.yaml`{way}",
    explanation="The step has no binding and is outside the documented phrases, so the test of "
    "its scenario is pending: pytest counts an expected failure. `mcpgen scenarios` prints an entry to "
    "paste into `mcp.yaml`.",
)
PARTLY_UNDERSTOOD = Code(
    "MG787",
    "partly-understood",
    Severity.WARNING,
    "only the beginning of step {number} of `{name}` matches a phrase; the end does not: {unchecked}",
    hint="write the end as a separate step, or bind the step in `mcp.yaml`",
    explanation="A step that matches a phrase (docs/openspec.md, Phrases) needs no binding. The test "
    "of the scenario checks the part that matches, and is pending for the end of the step: pytest counts an "
    "expected failure.",
)
UNFOUNDED_STEP = Code(
    "MG788",
    "unfounded-step",
    Severity.WARNING,
    "no action or fixture prepares the state of step {number} of `{name}`: {text}",
    hint="name a fixture for the state under `given` of the scenario's entry, or prepare the state with "
    "an earlier action under `do`",
    explanation="The step is a GIVEN or a WHEN of a scenario with an action, and has no binding. The test "
    "is pending (an expected failure of pytest), because the following steps would be tested without "
    "the state of this step.",
)
UNUSED_DEFINITION = Code(
    "MG789",
    "unused-definition",
    Severity.WARNING,
    "the step definition `{pattern}` matches no step",
    hint="copy the words of the step, with `*` in place of text that differs, or delete the entry",
    explanation="A step definition under `steps` of `mcp.yaml` binds the steps whose whole text "
    "has its words. Letter case and back-ticks do not count; `*` stands for any text, and `{name}` "
    "for a text used as `${name}`.",
)
UNKNOWN_ENTRY = Code(
    "MG790",
    "unknown-entry",
    Severity.ERROR,
    "`scenarios` in `mcp.yaml` has no entry `{name}` for `--accept`",
    hint="{hint}",
    explanation="`mcpgen bind --accept` takes the name of an entry as `mcp.yaml` has it: the name of "
    'a scenario, or `"Requirement / Scenario"`.',
    remedy="write the name of the entry as `mcp.yaml` has it",
)
