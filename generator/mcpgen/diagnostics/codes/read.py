"""Findings of the read stage: MG1xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

MISSING_FILE = Code(
    "MG101",
    "missing-file",
    Severity.ERROR,
    "`{path}` does not exist",
    hint="check the path; it is taken from the folder you stand in",
    explanation=(
        "The specification you named is not there, so nothing was read and nothing was written. "
        "A relative path counts from the current folder. Use `-` to read from standard input."
    ),
)
NOT_A_FILE = Code(
    "MG102",
    "not-a-file",
    Severity.ERROR,
    "`{path}` is a folder, not a file",
    hint="name the document inside it, for instance `{path}/openapi.yaml`",
    explanation=(
        "mcpgen starts from one document and follows its references from there; it does not guess "
        "which file of a folder is the first one. Name that file."
    ),
)
UNREADABLE_FILE = Code(
    "MG103",
    "unreadable-file",
    Severity.ERROR,
    "`{path}` cannot be read: {reason}",
    hint="check who may read the file",
    explanation=(
        "The operating system refused to hand over the file's contents. Usually its permissions "
        "forbid it, or the disk it lies on is not reachable."
    ),
)
EMPTY_FILE = Code(
    "MG104",
    "empty-file",
    Severity.ERROR,
    "the file holds no document",
    hint="a minimal document has `openapi`, `info` and `paths`",
    explanation=(
        "The file is empty or holds only white space and comments, so there is nothing to build "
        "from. An interrupted download or an unsaved editor buffer are the usual causes."
    ),
)
UNDECODABLE_TEXT = Code(
    "MG105",
    "undecodable-text",
    Severity.ERROR,
    "the bytes from here on are not {encoding} text",
    hint="save the file as UTF-8",
    explanation=(
        "Specifications are text in UTF-8, UTF-16 or UTF-32. A file in "
        "a legacy encoding such as Windows-1252 has to be converted; mcpgen does not guess, because "
        "a wrong guess would garble names that end up in requests."
    ),
)
BROKEN_JSON = Code(
    "MG106",
    "broken-json",
    Severity.ERROR,
    "this is not JSON: {problem}",
    hint="mend the text at this place; a missing or surplus comma is the usual cause",
    explanation=(
        "The JSON parser stopped here. JSON knows neither comments nor trailing commas, and names "
        "stand in double quotes. If the file is meant to be YAML, give it the ending `.yaml`."
    ),
)
BROKEN_YAML = Code(
    "MG107",
    "broken-yaml",
    Severity.ERROR,
    "this is not YAML: {problem}",
    hint="{hint}",
    explanation=(
        "The YAML parser stopped here. Indentation is made of spaces, never of tabs. A plain text "
        "may not hold a colon followed by a space, nor start with one of ``@ ` % & * ! | > [ {``; "
        "put it in quotes."
    ),
)
ROOT_NOT_A_MAPPING = Code(
    "MG108",
    "root-not-a-mapping",
    Severity.ERROR,
    "the document is {found}, not a mapping",
    hint="a document starts with keys such as `openapi:` and `info:`",
    explanation=(
        "An API description is a mapping (an object) at its root. A list, a text or a number there "
        "means that the wrong file was named or that the file lost its first lines."
    ),
)
SEVERAL_DOCUMENTS = Code(
    "MG109",
    "several-documents",
    Severity.ERROR,
    "a second YAML document starts here",
    hint="put each document into a file of its own",
    explanation=(
        "A line of `---` starts another document in the same file. mcpgen does not choose one of "
        "them silently: split the file, or remove the line if it is a leftover."
    ),
)
DUPLICATE_KEY = Code(
    "MG110",
    "duplicate-key",
    Severity.WARNING,
    "`{key}` stands more than once in this mapping; the last one counts",
    hint="remove one of them",
    explanation=(
        "JSON and YAML expect every key once. Parsers disagree about which value counts, so two "
        "tools may see two different APIs in this file. mcpgen takes the last value and tells you."
    ),
)
UNUSABLE_NUMBER = Code(
    "MG111",
    "unusable-number",
    Severity.ERROR,
    "`{text}` is not a number JSON can carry",
    hint="write a finite number, or quote it if it is meant as text",
    explanation=(
        "JSON has no infinity and no not-a-number, and a number with more than some thousand digits "
        "cannot be computed with. Such a value can never travel in a request."
    ),
)
UNKNOWN_TAG = Code(
    "MG112",
    "unknown-tag",
    Severity.ERROR,
    "the YAML tag `{tag}` has no meaning here",
    hint="remove the tag; quote the text if it starts with `!`",
    explanation=(
        "A tag asks the program that reads the file to build something special, and some YAML "
        "readers even run code for it. mcpgen reads data only: the tags `!!str`, `!!int`, "
        "`!!float`, `!!bool`, `!!null`, `!!map`, `!!seq`, `!!binary` and `!!timestamp` are "
        "understood where they fit the value, everything else is refused."
    ),
)
UNKNOWN_ALIAS = Code(
    "MG113",
    "unknown-alias",
    Severity.ERROR,
    "the alias `*{name}` has no anchor before it",
    hint="write `&{name}` at the value it shall repeat, or quote the text",
    explanation=(
        "In YAML `*name` repeats the value that was marked with `&name` earlier in the same "
        "document. A text that starts with an asterisk has to stand in quotes."
    ),
)
RECURSIVE_ALIAS = Code(
    "MG114",
    "recursive-alias",
    Severity.ERROR,
    "the alias `*{name}` stands inside the value it repeats",
    hint="use a `$ref` to describe something that contains itself",
    explanation=(
        "A value that contains itself has no end and cannot be written as JSON. Recursive schemas "
        "are described with `$ref`, which names the schema instead of copying it."
    ),
)
COMPLEX_KEY = Code(
    "MG115",
    "complex-key",
    Severity.ERROR,
    "a key of this mapping is itself a mapping or a list",
    hint="write the key as text; quote it if it starts with `{{` or `[`",
    explanation=(
        "YAML allows any value as a key, JSON only text. The usual cause is an unquoted template "
        "such as `{id}: …`; in quotes it is the text it was meant to be."
    ),
)
BAD_MERGE = Code(
    "MG116",
    "bad-merge",
    Severity.ERROR,
    "`<<` merges mappings, but its value is {found}",
    hint="give it an alias of a mapping, or a list of such aliases",
    explanation=(
        "The merge key `<<` copies the entries of other mappings into this one; entries written "
        "here win. Only mappings can be merged."
    ),
)
HALF_CHARACTER = Code(
    "MG117",
    "half-character",
    Severity.ERROR,
    "this text holds half a character (an unpaired surrogate escape)",
    hint="write the character itself, or both halves of its escape",
    explanation=(
        "An escape such as `\\ud83d` is only the first half of a character beyond U+FFFF. On its own "
        "it cannot be written as UTF-8, so it could not be sent or stored."
    ),
)
FILE_TOO_LARGE = Code(
    "MG120",
    "file-too-large",
    Severity.ERROR,
    "the file is larger than {limit}",
    hint="split the document into files, or remove large examples",
    explanation=(
        "A limit keeps a hostile or mistaken file from filling the memory. The largest API "
        "descriptions in use are a quarter of it."
    ),
)
TOTAL_TOO_LARGE = Code(
    "MG121",
    "total-too-large",
    Severity.ERROR,
    "the files of this specification are together larger than {limit}",
    hint="check whether a `$ref` reaches files that do not belong to the API",
    explanation=(
        "A limit on all files together keeps a chain of references from filling the memory. The "
        "reference at this place would have gone over it and was not followed."
    ),
)
TOO_MANY_FILES = Code(
    "MG122",
    "too-many-files",
    Severity.ERROR,
    "the specification reaches more than {limit} files",
    hint="bundle the specification into fewer files",
    explanation=(
        "A limit on the number of files keeps a web of references from being followed for ever. "
        "The reference at this place would have gone over it and was not followed."
    ),
)
TOO_DEEP = Code(
    "MG123",
    "too-deep",
    Severity.ERROR,
    "the values are nested more than {limit} levels deep",
    hint="name inner schemas and refer to them with `$ref`",
    explanation=(
        "Real documents stay below 30 levels. A file nested far deeper is broken or made to exhaust "
        "the programs that read it."
    ),
)
TOO_MANY_VALUES = Code(
    "MG124",
    "too-many-values",
    Severity.ERROR,
    "the document holds more than {limit} values once its aliases are expanded",
    hint="replace YAML aliases by `$ref`, or remove large examples",
    explanation=(
        "A few hundred bytes of YAML can expand to millions of values because an alias may repeat "
        "a value that repeats others. mcpgen counts the expansion, not the bytes, and stops early."
    ),
)
MAPPING_TOO_LARGE = Code(
    "MG125",
    "mapping-too-large",
    Severity.ERROR,
    "one mapping has more than {limit} keys",
    hint="remove large examples from the document",
    explanation=(
        "No API description needs that many names in one place. The limit keeps a hostile or "
        "generated file from slowing everything down."
    ),
)
REMOTE_REFERENCE = Code(
    "MG130",
    "remote-reference",
    Severity.ERROR,
    "`{reference}` is not a file beside the specification, and its host is not allowed",
    hint="save what it points to beside the specification and refer to that file, or allow its host "
    "with `--allow-remote HOST`",
    explanation=(
        "A reference with a scheme or a host would make the build depend on the network, and would "
        "let a specification make your machine call addresses of its author's choice. mcpgen opens "
        "a connection for a `$ref` only to hosts that `--allow-remote` names, or `allow_remote` in "
        "mcpgen.toml; a host with another port than the usual one is named with it. Better keep a "
        "copy in the specification's folder."
    ),
)
OUTSIDE_REFERENCE = Code(
    "MG131",
    "outside-reference",
    Severity.ERROR,
    "`{reference}` leads out of the folder `{folder}`",
    hint="name a folder that holds both: `--root DIR`, or `root` in mcpgen.toml",
    explanation=(
        "References are followed inside the folder of the first document only; absolute paths, `..` "
        "beyond that folder and symbolic links that leave it are refused and never opened, so that a "
        "specification from elsewhere cannot read your files. `mcpgen build --root DIR`, or "
        "`root` in mcpgen.toml, allows a wider folder."
    ),
)
MISSING_REFERENCE = Code(
    "MG132",
    "missing-reference",
    Severity.ERROR,
    "`{reference}` leads to no file: `{path}` does not exist",
    hint="check the path; it is taken from the folder of the file that holds the reference",
    explanation=(
        "A relative reference counts from the file it stands in. Upper and lower case matter, even "
        "where your own disk does not care. When the whole folder is missing, the specification was "
        "probably downloaded as a single file."
    ),
)
UNREADABLE_REFERENCE = Code(
    "MG133",
    "unreadable-reference",
    Severity.ERROR,
    "`{reference}` leads to `{path}`, which cannot be read: {reason}",
    hint="mend the file, or refer to one that can be read",
    explanation=(
        "The reference leads to something that exists, but it is a folder or another thing that is "
        "not a file, the operating system refuses to hand over its contents, or its text has a "
        "fault, which is a warning at its own line. Only the operations that need the reference "
        "cannot be built."
    ),
)
REFERENCE_FROM_STDIN = Code(
    "MG134",
    "reference-from-stdin",
    Severity.ERROR,
    "`{reference}` points to a file, but the document came from standard input",
    hint="name the specification by its path",
    explanation=(
        "A document from standard input lies in no folder, so a relative reference has no meaning. "
        "Give mcpgen the path of the file, or bundle the specification into one document first."
    ),
)
MALFORMED_REFERENCE = Code(
    "MG135",
    "unusable-reference",
    Severity.ERROR,
    "`{reference}` is not a usable reference: {reason}",
    hint="write a relative path with `/` between folders",
    explanation=(
        "The file part of a reference is a relative URL: folders are separated by `/`, special "
        "characters are percent-encoded as UTF-8, and a query has no meaning for a file."
    ),
)
NO_VERSION = Code(
    "MG140",
    "no-version",
    Severity.ERROR,
    "the document does not say what it is: there is no field `openapi`",
    hint="the first line of an OpenAPI document is `openapi: 3.1.0` or similar",
    explanation=(
        "OpenAPI documents carry the field `openapi` with a version of the 3.x family, older ones "
        '`swagger: "2.0"`. Without it mcpgen cannot know how to read the rest.'
    ),
)
UNKNOWN_VERSION = Code(
    "MG141",
    "unknown-version",
    Severity.ERROR,
    "`{found}` is not a version mcpgen knows",
    hint='known are `swagger: "2.0"` and `openapi:` 3.0, 3.1 and 3.2',
    explanation=(
        "The version decides what the keywords mean, so an unknown one is not read on the off "
        "chance. Correct the field if it is a slip; otherwise convert the document."
    ),
)
OTHER_FORMAT = Code(
    "MG142",
    "other-format",
    Severity.ERROR,
    "the file is {what}",
    hint="{instead}",
    explanation=(
        "mcpgen reads OpenAPI (2.0 to 3.2) in JSON or YAML, and requirements in Markdown. The file is "
        "something else, told by how it begins or by the fields at its root, so nothing of it was read."
    ),
)

UNFETCHED_DOCUMENT = Code(
    "MG118",
    "unfetched-document",
    Severity.ERROR,
    "`{url}` could not be fetched: {reason}",
    hint="open the URL in a browser, or save the document and name the file",
    explanation=(
        "`mcpgen build URL` sends one GET request, without a proxy, with the user name and password of "
        "the URL if it has them. It waits 20 seconds, reads 64 MiB at most, takes JSON and YAML, and follows "
        "5 redirects: on the same host, or to another one by https."
    ),
)

REDIRECTED_DOCUMENT = Code(
    "MG119",
    "redirected-document",
    Severity.NOTE,
    "`{url}` redirects; the document was read from `{target}`",
    hint="name that URL if it is the lasting one",
    explanation=(
        "A redirect decides which document is built. It may stay on the host, or lead to another "
        "host by https; a user name and password are not sent to another host."
    ),
)

UNFETCHED_SPECIFICATION = Code(
    "MG143",
    "unfetched-specification",
    Severity.ERROR,
    "`{url}` is a URL, and this command reads files",
    hint="`mcpgen build URL` fetches the document and keeps it in the project; or save it and name the file",
    explanation=(
        "Only `mcpgen build` fetches a document that is named by its URL. The document is kept in the "
        "project, under version control, so that later builds give the same result without the network."
    ),
)

MORE_OF_THE_SAME = Code(
    "MG150",
    "more-of-the-same",
    Severity.NOTE,
    "{count} more findings `{name}` in this file are not listed",
    hint="mend those listed and run again",
    explanation=(
        "The same finding was made very often in one file. Only the first ones are listed, so that "
        "the others on your screen stay readable; they all still count."
    ),
)
UNFETCHED_REFERENCE = Code(
    "MG136",
    "unfetched-reference",
    Severity.ERROR,
    "`{reference}` could not be fetched: {reason}",
    hint="try again, or save what it points to beside the specification and refer to that file",
    explanation="The host is allowed, but it did not give the document. A build waits 20 seconds, "
    "follows a few redirects to allowed hosts, sends no credentials, uses no proxy, and connects to "
    "a private address only if the allowed host is written as that address.",
)
CHANGED_REFERENCE = Code(
    "MG137",
    "changed-reference",
    Severity.WARNING,
    "`{url}` holds something else than when the project was last built",
    hint="build again, and look at what has changed; or keep a copy beside the specification",
    explanation="`mcpgen.lock` holds the hash of every document a build has fetched. Whoever "
    "controls its host can change the project's next build.",
)
NO_OVERLAY = Code(
    "MG160",
    "no-overlay",
    Severity.ERROR,
    "the file is no overlay that can be applied: it has {found}",
    hint="begin it with `overlay: 1.1.0`",
    explanation="An overlay names the version of the Overlay Specification it is written in. mcpgen "
    "applies versions 1.0 and 1.1.",
)
MALFORMED_OVERLAY = Code(
    "MG161",
    "malformed-overlay",
    Severity.ERROR,
    "`{what}` of the overlay must be {expected}, but it is {actual}",
    explanation="An overlay has `overlay`, `info` and a list of `actions`; each action has a "
    "`target` and one of `update`, `remove` and `copy`.",
)
UNKNOWN_OVERLAY_KEY = Code(
    "MG162",
    "unknown-overlay-key",
    Severity.ERROR,
    "`{key}` is not a key of {parent}",
    hint="{nearest}",
    explanation="A misspelled key would be ignored in silence, and the description would stay as it "
    "is. `copy` belongs to version 1.1. Keys that begin with `x-` are left to other tools.",
)
ILLEGAL_TARGET = Code(
    "MG163",
    "illegal-target",
    Severity.ERROR,
    "`{target}` is no JSONPath: {reason}",
    hint="write it as RFC 9535 says, for instance `$.paths['/pets'].get`",
    explanation="The target of an action is a query of RFC 9535. It begins with `$`, and keys with "
    "other characters than letters, digits and `_` stand in brackets and quotes.",
)
IDLE_TARGET = Code(
    "MG164",
    "idle-target",
    Severity.WARNING,
    "`{target}` selects nothing in `{document}`, so the action changes nothing",
    hint="correct the target, or remove the action if the description was repaired",
    explanation="The specification lets an action select nothing, but mostly the description has "
    "changed or the query is misspelt. Actions see what those before them have left.",
)
IDLE_ACTION = Code(
    "MG165",
    "idle-action",
    Severity.WARNING,
    "the action has neither `update` nor `remove`, so it changes nothing",
    hint="give it an `update`, or `remove: true`",
    explanation="An action merges the value of `update` into its targets, or removes them.",
)
UNFIT_ACTION = Code(
    "MG166",
    "unfit-action",
    Severity.ERROR,
    "the action cannot be applied to `{target}`: {reason}",
    hint="remove the old value in an action before this one, or write one of the same kind",
    explanation="Mappings are merged into mappings, lists are appended to lists, and other values "
    "replace other values. Nothing is replaced by a value of another kind, except what is empty. Single "
    "values are targets since version 1.1; in version 1.0, select the mapping around one.",
)
CONTRADICTORY_ACTION = Code(
    "MG167",
    "contradictory-action",
    Severity.WARNING,
    "`{ignored}` has no effect beside `{used}`",
    hint="make two actions of it",
    explanation="An action does one thing. `remove` wins over `update`, and `update` over `copy`.",
)
OTHER_TARGET = Code(
    "MG168",
    "other-target",
    Severity.WARNING,
    "the overlay extends `{extends}`, but it is applied to `{document}`",
    hint="check that it is the right overlay, or correct `extends`",
    explanation="`extends` says which document an overlay was written for, relative to the overlay. "
    "The overlays named for a build are applied to its first document all the same.",
)
LARGE_OVERLAY = Code(
    "MG169",
    "large-overlay",
    Severity.ERROR,
    "the overlay makes more than {what} of the document",
    hint="select fewer places, or add less to each",
    explanation="A limit keeps a few lines from filling the memory: an update is added to every "
    "place its action selects.",
)
