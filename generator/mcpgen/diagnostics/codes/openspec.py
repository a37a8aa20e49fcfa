"""Findings about requirement files and what stands beside them: MG71x–MG79x."""

from mcpgen.diagnostics.diagnostic import Code, Severity

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
    hint="save it: `save: {{{name}: structuredContent.…}}`",
    explanation="`${{name}}` stands for a value that an earlier action of the same scenario kept with `save`.",
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
