"""Findings of the read stage: MG1xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

MISSING_FILE = Code(
    "MG101",
    "missing-file",
    Severity.ERROR,
    "`{path}` does not exist",
    hint="check the path; a relative path starts at the current folder",
    explanation="The named specification does not exist. Nothing was read and nothing was "
    "written. Use `-` to read from standard input.",
)
NOT_A_FILE = Code(
    "MG102",
    "not-a-file",
    Severity.ERROR,
    "`{path}` is a folder, not a file",
    hint="name the document inside it, for instance `{path}/openapi.yaml`; "
    "a project is built by `mcpgen build -o {path}`",
    explanation="mcpgen starts from one document and follows its references. Which file of a "
    "folder is the first document cannot be guessed.",
)
UNREADABLE_FILE = Code(
    "MG103",
    "unreadable-file",
    Severity.ERROR,
    "`{path}` cannot be read: {reason}",
    hint="{hint}",
    explanation="The operating system refused to read the file, or mcpgen may not read it: "
    "requirements and `mcp.yaml` are files, and a link must not lead out of the folder of the "
    "requirements.",
    remedy="check the permissions of the file, or correct its path",
)
CHECK_PERMISSIONS = "check the permissions of the file"
"""Hint of UNREADABLE_FILE for a file that the operating system refuses to read."""

EMPTY_FILE = Code(
    "MG104",
    "empty-file",
    Severity.ERROR,
    "the file holds no document",
    hint="a minimal document has `openapi`, `info` and `paths`",
    explanation="The file is empty or holds only white space and comments. Usual causes are an "
    "interrupted download and an unsaved editor buffer.",
)
UNDECODABLE_TEXT = Code(
    "MG105",
    "undecodable-text",
    Severity.ERROR,
    "the bytes from here on are not {encoding} text",
    hint="save the file as UTF-8",
    explanation="Specifications are text in UTF-8, UTF-16 or UTF-32. Convert a file in a legacy "
    "encoding such as Windows-1252. mcpgen does not guess the encoding, because a wrong guess "
    "would garble names in requests.",
)
BROKEN_JSON = Code(
    "MG106",
    "broken-json",
    Severity.ERROR,
    "this is not JSON: {problem}",
    hint="correct the text at this place; a missing or extra comma is the usual cause",
    explanation="The JSON parser stopped here. JSON has neither comments nor trailing commas, and "
    "names are in double quotes. Give a YAML file the ending `.yaml`.",
)
BROKEN_YAML = Code(
    "MG107",
    "broken-yaml",
    Severity.ERROR,
    "this is not YAML: {problem}",
    hint="{hint}",
    explanation="The YAML parser stopped here. Indentation consists of spaces, never of tabs. A "
    "text without quotes must not contain a colon followed by a space, nor start with one of ``@ "
    "` % & * ! | > [ {``.",
    remedy="correct the line, or quote the text; the finding names the usual cause of its fault",
)
ROOT_NOT_A_MAPPING = Code(
    "MG108",
    "root-not-a-mapping",
    Severity.ERROR,
    "the document is {found}, not a mapping",
    hint="a document starts with keys such as `openapi:` and `info:`",
    explanation="The root of an API description is a mapping (an object). A list, a text or a "
    "number at the root means that the wrong file was named or that the file lost its first lines.",
)
SEVERAL_DOCUMENTS = Code(
    "MG109",
    "several-documents",
    Severity.ERROR,
    "a second YAML document starts here",
    hint="put each document into a file of its own",
    explanation="A line `---` starts another document in the same file. mcpgen does not choose "
    "between documents: split the file, or remove the line.",
)
DUPLICATE_KEY = Code(
    "MG110",
    "duplicate-key",
    Severity.WARNING,
    "`{key}` stands more than once in this mapping; the last one counts",
    hint="remove one of them",
    explanation="In JSON and YAML a key occurs once per mapping. Parsers disagree about which "
    "value counts, so two tools may read two different APIs from this file. mcpgen takes the last "
    "value.",
)
UNUSABLE_NUMBER = Code(
    "MG111",
    "unusable-number",
    Severity.ERROR,
    "`{text}` is not a number that JSON can represent",
    hint="write a finite number, or quote the value if a text is meant",
    explanation="JSON has neither infinity nor not-a-number, and Python does not convert integers "
    "of more than 4,300 digits. Such a value can never be part of a request.",
)
UNKNOWN_TAG = Code(
    "MG112",
    "unknown-tag",
    Severity.ERROR,
    "the YAML tag `{tag}` is not accepted for this value",
    hint="remove the tag; if a text starts with `!`, put it in quotes",
    explanation="A tag makes a YAML reader build an object; some readers even run code. mcpgen "
    "reads data only: the tags `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!map`, `!!seq`, "
    "`!!binary` and `!!timestamp` are accepted if they fit the value, all other tags are refused.",
)
UNKNOWN_ALIAS = Code(
    "MG113",
    "unknown-alias",
    Severity.ERROR,
    "the alias `*{name}` has no anchor before it",
    hint="write `&{name}` before the value to repeat, or quote the text",
    explanation="In YAML `*name` repeats a value that was marked with `&name` earlier in the same "
    "document. A text that starts with an asterisk must be quoted.",
)
RECURSIVE_ALIAS = Code(
    "MG114",
    "recursive-alias",
    Severity.ERROR,
    "the alias `*{name}` is inside the value that it repeats",
    hint="use a `$ref` for a recursive schema",
    explanation="A value that contains itself has no end and cannot be written as JSON. A `$ref` "
    "names a schema instead of copying the schema, so it can describe recursive data.",
)
COMPLEX_KEY = Code(
    "MG115",
    "complex-key",
    Severity.ERROR,
    "a key of this mapping is itself a mapping or a list",
    hint="write the key as text; quote it if it starts with `{{` or `[`",
    explanation="YAML allows any value as a key, JSON only text. The usual cause is an unquoted "
    "template such as `{id}: …`: put the template in quotes.",
)
BAD_MERGE = Code(
    "MG116",
    "bad-merge",
    Severity.ERROR,
    "`<<` merges mappings, but its value is {found}",
    hint="use an alias of a mapping, or a list of such aliases",
    explanation="The merge key `<<` copies the entries of other mappings into this mapping; "
    "entries written here take precedence. Only mappings can be merged.",
)
HALF_CHARACTER = Code(
    "MG117",
    "half-character",
    Severity.ERROR,
    "this text holds half a character (an unpaired surrogate escape)",
    hint="write the character itself, or both halves of its escape",
    explanation="An escape such as `\\ud83d` is the first half of a character beyond U+FFFF. A "
    "half cannot be encoded as UTF-8, so the text could not be sent or stored.",
)
FILE_TOO_LARGE = Code(
    "MG120",
    "file-too-large",
    Severity.ERROR,
    "the file is larger than {limit}",
    hint="split the document into files, or remove large examples",
    explanation="The limit keeps a hostile or mistaken file from filling the memory. The largest "
    "API descriptions in use have a quarter of this size.",
)
TOTAL_TOO_LARGE = Code(
    "MG121",
    "total-too-large",
    Severity.ERROR,
    "the files of this specification are together larger than {limit}",
    hint="check whether a `$ref` reaches files that do not belong to the API",
    explanation="The limit on all files together keeps a chain of references from filling the "
    "memory. The reference at this place would exceed the limit and was not followed.",
)
TOO_MANY_FILES = Code(
    "MG122",
    "too-many-files",
    Severity.ERROR,
    "the specification reaches more than {limit} files",
    hint="bundle the specification into fewer files",
    explanation="The limit on the number of files ends a build that would follow references "
    "without end. The reference at this place would exceed the limit and was not followed.",
)
TOO_DEEP = Code(
    "MG123",
    "too-deep",
    Severity.ERROR,
    "the objects and lists of the document are nested more than {limit} levels deep",
    hint="move inner schemas to `components/schemas` and refer to them with `$ref`; shorten deep "
    "examples",
    explanation="Real documents have fewer than 30 levels. A file with far more levels is broken, "
    "or made to exhaust programs.",
)
TOO_MANY_VALUES = Code(
    "MG124",
    "too-many-values",
    Severity.ERROR,
    "the document has more than {limit} values; a YAML alias counts as often as it is used",
    hint="replace YAML aliases by `$ref`, or remove large examples",
    explanation="In YAML, a few hundred bytes can expand to millions of values, because an alias "
    "can repeat a value with further aliases. mcpgen counts the expanded values and stops at the "
    "limit.",
)
MAPPING_TOO_LARGE = Code(
    "MG125",
    "mapping-too-large",
    Severity.ERROR,
    "an object of the document has more than {limit} keys",
    hint="delete the keys that the API does not need, such as those of a large `example`, or split "
    "the object",
    explanation="The largest known API descriptions have far fewer keys in one object. The limit "
    "keeps a hostile or generated file from slowing down the build.",
)
REMOTE_REFERENCE = Code(
    "MG130",
    "remote-reference",
    Severity.ERROR,
    "`{reference}` is not a file beside the specification, and its host is not allowed",
    hint="save the document beside the specification and refer to the file, or allow the host "
    "with `--allow-remote HOST`",
    explanation="A reference with a scheme or a host would make the build depend on the network, "
    "and would let the author of a specification choose addresses that your machine calls. mcpgen "
    "fetches a `$ref` only from hosts named by `--allow-remote`, or by `allow_remote` in "
    "mcpgen.toml; a port other than the default is part of the name. A copy in the "
    "specification's folder is safer.",
)
OUTSIDE_REFERENCE = Code(
    "MG131",
    "outside-reference",
    Severity.ERROR,
    "`{reference}` leads out of the folder `{folder}`",
    hint="name a folder that contains both files: `--root DIR`, or `root` in mcpgen.toml",
    explanation="References are followed inside the folder of the first document only. Absolute "
    "paths, `..` beyond that folder and symbolic links out of the folder are refused and never "
    "opened, so that a downloaded specification cannot read your files. `mcpgen build --root "
    "DIR`, or `root` in mcpgen.toml, allows a larger folder.",
)
MISSING_REFERENCE = Code(
    "MG132",
    "missing-reference",
    Severity.ERROR,
    "`{reference}` leads to no file: `{path}` does not exist",
    hint="check the path; a relative path starts at the folder of the file with the reference",
    explanation="Upper and lower case matter, even if your own disk ignores case. If the whole "
    "folder is missing, the specification was probably downloaded as a single file.",
)
UNREADABLE_REFERENCE = Code(
    "MG133",
    "unreadable-reference",
    Severity.ERROR,
    "`{reference}` leads to `{path}`, which cannot be read: {reason}",
    hint="correct the file, or refer to a readable file",
    explanation="The target exists, but is not a file, or the operating system refuses to read the file, or its "
    "text has a syntax error. A finding of its own names the line of a syntax error. Only operations "
    "that need the reference cannot be built.",
)
REFERENCE_FROM_STDIN = Code(
    "MG134",
    "reference-from-stdin",
    Severity.ERROR,
    "`{reference}` points to a file, but the document came from standard input",
    hint="name the specification by its path",
    explanation="A document from standard input has no folder, so relative references cannot be "
    "resolved. Give mcpgen the path of the file, or bundle the specification into one document.",
)
MALFORMED_REFERENCE = Code(
    "MG135",
    "unusable-reference",
    Severity.ERROR,
    "`{reference}` is not a usable reference: {reason}",
    hint="{hint}",
    explanation="The file part of a reference is a relative URL: `/` separates folders, special "
    "characters are percent-encoded as UTF-8, and there is no query. File names have no backslash, "
    "colon or control character, not even percent-encoded.",
    remedy="write a relative path with `/` between folders",
)
NO_VERSION = Code(
    "MG140",
    "no-version",
    Severity.ERROR,
    "the document has no field `openapi`",
    hint="begin an OpenAPI document with `openapi: 3.1.0` or another version",
    explanation="OpenAPI documents have the field `openapi` with a version 3.x, older documents "
    '`swagger: "2.0"`. The version decides how the document is read.',
)
UNKNOWN_VERSION = Code(
    "MG141",
    "unknown-version",
    Severity.ERROR,
    "`{version}` is not a version that mcpgen supports",
    hint='supported are `swagger: "2.0"` and `openapi:` 3.0, 3.1 and 3.2',
    explanation="The version decides the meaning of the keywords. Correct the field, or convert "
    "the document to a supported version.",
)
OTHER_FORMAT = Code(
    "MG142",
    "other-format",
    Severity.ERROR,
    "the file is {what}",
    hint="{instead}",
    explanation="mcpgen reads OpenAPI (2.0 to 3.2) in JSON or YAML, and requirements in Markdown. "
    "The first bytes of the file, or the fields at its root, show another format, so nothing was "
    "read.",
    remedy="name an OpenAPI document or a Markdown file with requirements; the finding says how to convert the format, if a converter exists",
)

UNFETCHED_DOCUMENT = Code(
    "MG118",
    "unfetched-document",
    Severity.ERROR,
    "`{url}` could not be fetched: {reason}",
    hint="open the URL in a browser, or save the document and name the file",
    explanation="`mcpgen build URL` sends one GET request, without a proxy, with the user name "
    "and password of the URL if it has them. It waits 20 seconds, reads 64 MiB at most, takes "
    "JSON and YAML, and follows 5 redirects: on the same host, or to another one by https.",
)

REDIRECTED_DOCUMENT = Code(
    "MG119",
    "redirected-document",
    Severity.NOTE,
    "`{url}` redirects; the document was read from `{target}`",
    hint="name the final URL if it is permanent",
    explanation="A redirect decides which document is built. It may stay on the host, or lead to "
    "another host by https. A user name and password are not sent to another host.",
)

UNFETCHED_SPECIFICATION = Code(
    "MG143",
    "unfetched-specification",
    Severity.ERROR,
    "`{url}` is a URL, and this command reads files",
    hint="run `mcpgen build URL`, which fetches the document and keeps a copy in the project; or "
    "save the document and name the file",
    explanation="Only `mcpgen build` fetches a document by its URL. The copy in the project "
    "belongs under version control, so that later builds give the same result without the network.",
)

MORE_OF_THE_SAME = Code(
    "MG150",
    "omitted-findings",
    Severity.NOTE,
    "`{name}` was found {total} times in this file; the first {listed} are listed",
    hint="correct the listed places and run again",
    explanation="The same finding occurred very often in one file. Only the first findings are "
    "listed, so that other findings stay visible.",
)
UNFETCHED_REFERENCE = Code(
    "MG136",
    "unfetched-reference",
    Severity.ERROR,
    "`{reference}` could not be fetched: {reason}",
    hint="try again, or save the document beside the specification and refer to the file",
    explanation="The host is allowed, but did not return the document. A build waits 20 seconds, "
    "follows up to 5 redirects to allowed hosts, sends no credentials, uses no proxy, and "
    "connects to a private address only if `--allow-remote` names that address.",
)
CHANGED_REFERENCE = Code(
    "MG137",
    "changed-reference",
    Severity.WARNING,
    "the document at `{url}` has changed since the last build",
    hint="build again and review the changes; or keep a copy beside the specification",
    explanation="`mcpgen.lock` holds the hash of every document that a build has fetched. The "
    "owner of the host can change the next build of the project.",
)
NO_OVERLAY = Code(
    "MG160",
    "no-overlay",
    Severity.ERROR,
    "the file is not an overlay that can be applied: it has {found}",
    hint="begin the file with `overlay: 1.1.0`",
    explanation="An overlay names its version of the Overlay Specification. mcpgen applies "
    "versions 1.0 and 1.1.",
)
MALFORMED_OVERLAY = Code(
    "MG161",
    "malformed-overlay",
    Severity.ERROR,
    "`{what}` of the overlay must be {expected}, but it is {actual}",
    hint="change `{what}` in the overlay file to {expected}",
    explanation="An overlay file changes an API description before the build. The file has "
    "`overlay` (the version, such as `1.0.0`), `info` and a list of `actions`; each action has a "
    "`target` (a JSONPath) and one of `update`, `remove` and `copy`.",
)
UNKNOWN_OVERLAY_KEY = Code(
    "MG162",
    "unknown-overlay-key",
    Severity.ERROR,
    "`{key}` is not a key of {parent}",
    hint="{nearest}",
    explanation="A misspelled key would have no effect, and the description would stay unchanged. "
    "An action may have `copy` since version 1.1 of the Overlay Specification. Keys that begin with "
    "`x-` are ignored.",
)
ILLEGAL_TARGET = Code(
    "MG163",
    "illegal-target",
    Severity.ERROR,
    "`{target}` is not a JSONPath: {reason}",
    hint="write the target by RFC 9535, for example `$.paths['/pets'].get`",
    explanation="The target of an action is a JSONPath query (RFC 9535). The query begins with "
    "`$`; keys with characters other than letters, digits and `_` are quoted in brackets.",
)
IDLE_TARGET = Code(
    "MG164",
    "idle-target",
    Severity.WARNING,
    "`{target}` selects nothing in `{document}`, so the action changes nothing",
    hint="correct the target, or remove the action if the description was repaired",
    explanation="The Overlay Specification allows an action without targets. Usual causes are a "
    "changed description and a misspelled query. Each action sees the result of the actions "
    "before.",
)
IDLE_ACTION = Code(
    "MG165",
    "idle-action",
    Severity.WARNING,
    "the action has no `update`, `remove` or `copy`, so the action changes nothing",
    hint="add `update`, `remove: true`, or, in an Overlay of version 1.1, `copy`",
    explanation="An action of an overlay merges the value of `update`, or the value that `copy` selects, "
    "into its targets, or removes its targets.",
)
UNFIT_ACTION = Code(
    "MG166",
    "unfit-action",
    Severity.ERROR,
    "the action cannot be applied to `{target}`: {reason}",
    hint="{hint}",
    explanation="Mappings are merged into mappings, and items are appended to lists. A scalar (a "
    "text, a number, true or false) replaces any scalar, but no mapping or list, nor the reverse. "
    "Any value replaces null. A scalar can be a target if the overlay has `overlay: 1.1.0`; in an overlay of version 1.0, select the mapping "
    "that contains the scalar.",
    remedy="change the target, or the value, so that the two fit",
)
CONTRADICTORY_ACTION = Code(
    "MG167",
    "contradictory-action",
    Severity.WARNING,
    "`{ignored}` has no effect beside `{used}`",
    hint="split the action in two",
    explanation="An action has one effect. `remove` takes precedence over `update`, and `update` "
    "over `copy`.",
)
OTHER_TARGET = Code(
    "MG168",
    "other-target",
    Severity.WARNING,
    "the overlay extends `{extends}`, but it is applied to `{document}`",
    hint="check the overlay, or correct `extends`",
    explanation="`extends` names the document of an overlay, relative to the overlay. The "
    "overlays of a build are applied to its first document, whatever `extends` names.",
)
LARGE_OVERLAY = Code(
    "MG169",
    "large-overlay",
    Severity.ERROR,
    "the overlay exceeds a limit: {what}",
    hint="select fewer targets, or add less to each target",
    explanation="An update is added to every target of its action. The limit keeps a few lines "
    "from filling the memory.",
)
