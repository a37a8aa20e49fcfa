"""Findings of lint: MG8xx. What builds, and still leads models astray."""

from mcpgen.diagnostics.diagnostic import Code, Severity

MISSING_DESCRIPTION = Code(
    "MG801",
    "missing-description",
    Severity.WARNING,
    "`{operation}` says nowhere what it does",
    hint="give the operation a `summary`, and a `description` that says when to use it",
    explanation="A model chooses a tool by its description. Without one it has the name and the path, "
    "and guesses.",
)
USELESS_DESCRIPTION = Code(
    "MG802",
    "useless-description",
    Severity.WARNING,
    "the description of `{operation}` says no more than its name: `{text}`",
    hint="say what comes back, when to use it, and what it needs",
    explanation="Every word of the description is in the name, the method or the path already, so a model "
    "learns nothing from it that would set the tool apart from the others.",
)
LOOK_ALIKE = Code(
    "MG803",
    "look-alike-names",
    Severity.WARNING,
    "the tools `{name}` and `{other}` differ {how}",
    hint="set `x-mcp-name` or an entry of `names` to tell them apart by what they do",
    explanation="Models copy names word by word and mistake one for the other when they differ by an "
    "ending, a number, a letter or the order of words.",
)
TOO_MANY_ARGUMENTS = Code(
    "MG804",
    "too-many-arguments",
    Severity.WARNING,
    "the tool `{name}` has {count} arguments, of which {required} are required",
    hint="lower `max_depth` or `max_arguments` under `[flatten]`, or set `deprecated` to `drop`",
    explanation="A model reads every argument of every tool before it makes a call. Beyond about twenty "
    "it leaves out what matters and invents what does not.",
)
UNDESCRIBED_ENUM = Code(
    "MG805",
    "undescribed-enum",
    Severity.WARNING,
    "nothing says what the values of `{argument}` of `{name}` mean: {values}",
    hint="describe the parameter or property, with a word on each value",
    explanation="The values alone are announced. A model takes the one whose name sounds best.",
)
UNDESCRIBED_ARGUMENTS = Code(
    "MG806",
    "undescribed-arguments",
    Severity.NOTE,
    "arguments of `{name}` without a description: {arguments} ({count} of {all})",
    hint="describe the parameters and properties",
    explanation="An argument without a description is announced with its name in words and its place in the "
    "request, which a model could have told by itself.",
)
READING_WRITES = Code(
    "MG807",
    "read-only-that-writes",
    Severity.WARNING,
    "`{operation}` is announced as read-only, and its words say that it may `{verb}`",
    hint="set `readOnlyHint` to false among the `annotations` of `x-mcp`, or mend the words",
    explanation="Hosts run read-only tools without asking the user. One that changes something must not "
    "be announced as one.",
)
WRITING_READS = Code(
    "MG808",
    "writing-that-reads",
    Severity.NOTE,
    "`{operation}` is announced as writing, and its words say that it only does `{verb}`",
    hint="set `readOnlyHint` to true among the `annotations` of `x-mcp` if it changes nothing",
    explanation="Hosts ask the user before every call of a tool that may write. A search by POST is read-only "
    "all the same, but only its author can know that.",
)
MIXED_OPERATION = Code(
    "MG809",
    "mixed-operation",
    Severity.WARNING,
    "`{operation}` both reads and writes: `{text}`",
    hint="offer an operation for each, or say in the description when it changes something",
    explanation="A tool has one set of hints. One that sometimes only looks is announced as writing, asks "
    "the user each time, and some stores refuse it.",
)
HIDDEN_TEXT = Code(
    "MG810",
    "hidden-text",
    Severity.WARNING,
    "the description of `{operation}` has {what} that readers do not see; it is left out",
    hint="remove it",
    explanation="Text that people do not see and models would read is how tool poisoning works. mcpgen "
    "takes it out; it should not be there.",
)
AUTOMATIC_IDS = Code(
    "MG811",
    "automatic-operation-ids",
    Severity.NOTE,
    "{count} operationIds are the automatic ones of {framework}; their tools have short names: {examples}",
    hint="set operationIds in the framework, or `names` in mcpgen.toml, to choose the names",
    explanation="Without an operationId, frameworks make one of the function's name together with the path, "
    "the method or the class. mcpgen makes the same text of the method, path and tags of the operation; where "
    "both agree, the tool is announced by what the function is called, with the noun that belongs to it. A "
    "name stays as long as the operationId where a shorter one could be that of two operations. Names that "
    "`mcpgen.lock` has promised, `names` and `x-mcp-name` come first.",
)
ORDER_TO_MODEL = Code(
    "MG812",
    "order-to-the-model",
    Severity.WARNING,
    "{what} {kind}: `{sentence}`",
    hint="say what the operation does; remove the order, or leave the operation out with `exclude`",
    explanation="Tool poisoning hides orders in the texts of a tool, which models follow as if the user had given "
    "them: to read files, to send data elsewhere, to call other tools, or to keep that from the user. The texts "
    "that a tool announces, and the comments and other hidden parts in them, are searched with patterns, which know "
    "no meaning and miss most orders in other words; the page on `mcpgen lint` has their measured precision and recall. A sentence that describes the API may be found as "
    "well. Build leaves out the sentences of MG340 by itself.",
)
