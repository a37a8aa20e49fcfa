"""The checks that facts about hosts make, one for each kind of fact.

What exactly is demanded differs from host to host; each outcome names its host and the page where
the fact was read.
"""

from __future__ import annotations

from mcpgen.conformance.checks.check_def import page
from mcpgen.conformance.model import Check, Level

_ROWS = (
    (
        "tool-name",
        "Tool names have the characters and the length that the host takes.",
        "Hosts put the server's name before the tool's and check or cut what comes out; one illegal "
        "name can make a model API reject the request with all tools in it.",
        "Use at most 40 of a-z, 0-9 and single underscores; that fits everywhere.",
    ),
    (
        "argument-name",
        "Argument names have the characters that the host takes.",
        "A model API that does not take one argument's name rejects the request with all its tools.",
        "Rename the argument to letters, digits and underscores; keep the wire name in the server.",
    ),
    (
        "tool-count",
        "There are no more tools than the host takes.",
        "Beyond its limit a host rejects the request or makes the user switch tools off; models "
        "choose worse among many long before.",
        "Announce fewer tools: leave out what no model needs, or split the server by subject.",
    ),
    (
        "description",
        "Descriptions are there, and no longer than the host takes.",
        "What is too long is cut or rejected; what is empty is rejected by some model APIs.",
        "Say in at most 1,024 characters what the tool does and when to use it.",
    ),
    (
        "instructions",
        "The server's instructions are no longer than the host takes.",
        "The rest is cut off without a word.",
        "Keep `instructions` below 2,048 bytes; put what belongs to a tool into its description.",
    ),
    (
        "schema-root",
        "The root of `inputSchema` is what the host takes.",
        "Model APIs take a plain object as the root of the arguments, and little else.",
        'Write `{"type": "object", "properties": …, "additionalProperties": false}` at the root.',
    ),
    (
        "schema-keyword",
        "Schemas use keywords that the host hands on to the model.",
        "A keyword that the host does not know is rejected, or lost on the way to the model.",
        "Stay with type, description, properties, required and items; repeat bounds and enumerated "
        'values in the description, as in "one of: red, green".',
    ),
    (
        "schema-type",
        "Every schema has one type, and enumerations hold strings.",
        "Hosts turn a list of types or no type at all into plain text; some model APIs reject the "
        "request for it, or for numbers in an enumeration.",
        'Give every argument one type: `{"type": "string", "enum": ["1", "2"]}`.',
    ),
    (
        "schema-reference",
        "Schemas refer only to what the host can resolve.",
        "References to other documents are not fetched, and circles never end.",
        "Write referenced schemas out where they are used; carry recursive values as JSON text.",
    ),
    (
        "schema-size",
        "Schemas are no deeper and no larger than the host takes.",
        "Model APIs bound what they compile; beyond that they reject the request.",
        "Flatten the arguments and enumerate fewer values.",
    ),
    (
        "schema-dialect",
        "Schemas are valid in the dialect that the host reads them in.",
        "The host drops a tool whose schema does not pass its own validator.",
        "Keep to keywords that mean the same in draft-07 and 2020-12.",
    ),
    (
        "annotations",
        "Tools have the title and the hints that the host decides by.",
        "Without them the host asks the user each time, or its store refuses the tool.",
        'Set all: `"annotations": {"title": "…", "readOnlyHint": true, "destructiveHint": false, '
        '"idempotentHint": true, "openWorldHint": true}`.',
    ),
    (
        "output-schema",
        "Tools announce what they answer.",
        "The host's review asks for it, and models plan better when they know.",
        "Announce an `outputSchema` and answer with `structuredContent` that meets it.",
    ),
    (
        "mirrored-header",
        "`x-mcp-header` is valid wherever it is used.",
        "The host must drop a tool whose annotation is not.",
        "Put it on top-level string, integer or boolean arguments, each with its own token.",
    ),
    (
        "result-size",
        "Results are no longer than the host hands to the model.",
        "The rest is cut off, or put where the model has to look for it.",
        "Page long results: take a limit and a cursor as arguments, and answer with the next one.",
    ),
    (
        "result-content",
        "Results hold kinds of content that the host knows.",
        "One block of another kind makes the whole call fail.",
        "Answer with text; link to what is no text.",
    ),
    (
        "accept",
        "Requests with the host's `Accept` header are answered.",
        "HTTP 406 ends the connection before it began.",
        "Answer with JSON when `Accept` names only JSON.",
    ),
    (
        "https",
        "The address is encrypted.",
        "The host refuses to register an address that begins with http.",
        "Put the server behind a proxy that ends TLS.",
    ),
    (
        "time",
        "Answers come within the time that the host waits.",
        "Beyond it the host drops the answer, and often the server.",
        "Answer the opening and the list from memory; turn long calls into a job with a handle and "
        "a tool that asks for its state.",
    ),
)

CHECKS: dict[str, Check] = {
    kind: Check(
        f"host-{kind}",
        Level.HOST,
        "hosts",
        sentence,
        "Facts about hosts",
        page("2026-07-28", "server/tools"),
        why,
        fix,
    )
    for kind, sentence, why, fix in _ROWS
}
"""The check of each kind of fact."""
