"""Findings of lint: MG8xx. Descriptions that build and still mislead models."""

from mcpgen.diagnostics.diagnostic import Code, Severity

MISSING_DESCRIPTION = Code(
    "MG801",
    "missing-description",
    Severity.WARNING,
    "`{operation}` has no description",
    hint="give the operation a `summary`, and a `description` that says when to use it",
    explanation="A model chooses a tool by its description. Without one the model has only the "
    "name and the path.",
)
USELESS_DESCRIPTION = Code(
    "MG802",
    "useless-description",
    Severity.WARNING,
    "the description of `{operation}` repeats its name: `{text}`",
    hint="describe the result, the use and the requirements of the operation",
    explanation="Every word of the description is also in the name, the method or the path, so "
    "the description does not distinguish the tool from others.",
)
LOOK_ALIKE = Code(
    "MG803",
    "look-alike-names",
    Severity.WARNING,
    "the tools `{name}` and `{other}` differ {how}",
    hint="give one of the tools a name that says what it does, with `x-mcp-name`, an entry of "
    "`names`, or `name` in `mcp.yaml`",
    explanation="Models copy names word by word and confuse names that differ by an ending, a "
    "number, a letter or the order of words.",
)
TOO_MANY_ARGUMENTS = Code(
    "MG804",
    "too-many-arguments",
    Severity.WARNING,
    "the tool `{name}` has {count} arguments, of which {required} are required",
    hint="lower `max_depth` or `max_arguments` under `[flatten]`, or set `deprecated` to `drop`",
    explanation="A model reads every argument of every tool before a call. With more than about "
    "twenty arguments a model omits required values and invents others.",
)
UNDESCRIBED_ENUM = Code(
    "MG805",
    "undescribed-enum",
    Severity.WARNING,
    "the values of `{argument}` of {tools} have no description: {values}",
    hint="describe the parameter or property, and each value",
    explanation="Only the values are announced. A model chooses by the sound of the names.",
)
UNDESCRIBED_ARGUMENTS = Code(
    "MG806",
    "undescribed-arguments",
    Severity.NOTE,
    "arguments of `{name}` without a description: {arguments} ({count} of {all})",
    hint="describe the parameters and properties",
    explanation="An argument without a description is announced with its name as words and its "
    "place in the request, which adds no information.",
)
READING_WRITES = Code(
    "MG807",
    "read-only-that-writes",
    Severity.WARNING,
    "`{operation}` is announced as read-only, but its description says that it may `{verb}`",
    hint="set `readOnlyHint` to false in the `annotations` of `x-mcp`, or correct the description",
    explanation="Hosts run read-only tools without confirmation, so a tool that changes something "
    "must not be announced as read-only.",
)
WRITING_READS = Code(
    "MG808",
    "writing-that-reads",
    Severity.NOTE,
    "`{operation}` is announced as writing, but its description says that it only does `{verb}`",
    hint="set `readOnlyHint` to true in the `annotations` of `x-mcp` if the operation changes "
    "nothing",
    explanation="Hosts ask the user before every call of a tool that may write. A search by POST "
    "is read-only, but mcpgen cannot know whether a POST changes data.",
)
MIXED_OPERATION = Code(
    "MG809",
    "mixed-operation",
    Severity.WARNING,
    "`{operation}` both reads and writes: `{text}`",
    hint="split the operation, or describe when it changes something",
    explanation="A tool has one set of hints. A tool that sometimes only reads is announced as "
    "writing: hosts ask the user each time, and some stores refuse the tool.",
)
HIDDEN_TEXT = Code(
    "MG810",
    "hidden-text",
    Severity.WARNING,
    "a description of `{operation}` has {what} that readers do not see; mcpgen leaves the hidden "
    "text out",
    hint="remove the hidden text",
    explanation="Text that is invisible to people but read by models is a form of tool poisoning. "
    "Soft hyphens and zero-width characters are often harmless, and are left out all the same.",
)
AUTOMATIC_IDS = Code(
    "MG811",
    "automatic-operation-ids",
    Severity.NOTE,
    "{framework} generated {count} of the operationIds; the tools have shorter names: "
    "{examples}",
    hint="set operationIds in the framework, or `names` in mcpgen.toml, to choose the names",
    explanation="Without an operationId, frameworks derive an id from the function's name "
    "together with the path, the method or the class. mcpgen derives the same text from method, "
    "path and tags; if both agree, the tool is named after the function, with the noun of the tag. A name "
    "stays as long as the operationId if a shorter name could belong to two operations. Names in "
    "`mcpgen.lock`, `names` and `x-mcp-name` take precedence.",
)
ORDER_TO_MODEL = Code(
    "MG812",
    "order-to-the-model",
    Severity.WARNING,
    "{what} {kind}: `{sentence}`",
    hint="describe the operation; remove the instruction, or exclude the operation",
    explanation="Tool poisoning hides instructions in the texts of a tool, which models follow as "
    "if the user had given them: to read files, to send data elsewhere, to call other tools, or "
    "to keep this from the user. The announced texts, and comments and other hidden parts in "
    "them, are searched with patterns, which miss most instructions in other words; the page on "
    "`mcpgen lint` has the measured precision and recall. A sentence that describes the API may "
    "be found, too. Build removes the sentences of MG340.",
)
