"""Findings of the OpenSpec road, MG710–MG799: the text, its companion, what is built from both.

What `openspec validate` calls an error is an error here only where nothing can be built from the
text; what a person can still read is a warning.
"""

from mcpgen.diagnostics.diagnostic import Code, Severity

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
