"""Findings of the parse stage: MG2xx.

An error of a code in `PER_OPERATION` stands in the way of some operations only: each of them is
among `ApiDescription.missing`, and the rest of the `ApiDescription` is whole.
"""

from mcpgen.diagnostics.codes import read
from mcpgen.diagnostics.diagnostic import Code, Severity

NOTHING_TO_BUILD = Code(
    "MG202",
    "nothing-to-build",
    Severity.ERROR,
    "the document has {what}, so there is nothing to build",
    hint="describe the API's operations under `paths`",
    explanation="Every operation becomes a tool. A document that only has components, webhooks or "
    "callbacks describes no request that a server could make.",
)
MALFORMED_DOCUMENT = Code(
    "MG203",
    "malformed-document",
    Severity.ERROR,
    "`{what}` must be {expected}, but it is {actual}",
    explanation="A part of the document that everything else hangs on has the wrong shape, so what "
    "stands inside it cannot be read.",
)
MALFORMED_OPERATION = Code(
    "MG204",
    "malformed-operation",
    Severity.ERROR,
    "{what} of `{operation}` must be {expected}, but it is {actual}",
    hint="mend it, or build the other operations with `--keep-going`",
    explanation="The operation cannot be understood as it is written, and guessing could send "
    "requests that nobody described.",
)
IGNORED_VALUE = Code(
    "MG205",
    "ignored-value",
    Severity.WARNING,
    "`{what}` must be {expected}, but it is {actual}; it is ignored",
    explanation="The value has the wrong shape, and the operation can be called without it.",
)
DANGLING_REFERENCE = Code(
    "MG206",
    "dangling-reference",
    Severity.ERROR,
    "the reference `{reference}` leads nowhere: {reason}",
    hint="correct the reference, or define what it names",
    explanation="A `$ref` names a document and a place in it. `~1` stands for a slash and `~0` for "
    "a tilde in a key, and the document is found relative to the one that refers to it. In a "
    "response it is a warning: the operation becomes a tool, and the part of the response that the "
    "reference should describe may hold any value.",
)
CIRCULAR_REFERENCE = Code(
    "MG207",
    "circular-reference",
    Severity.ERROR,
    "the reference `{reference}` leads back to itself",
    hint="let one reference of the circle name a real value",
    explanation="Schemas may refer to themselves, because data ends somewhere. A parameter, body "
    "or path item that is only references in a circle has no content at all.",
)
UNREAD_DOCUMENT = Code(
    "MG208",
    "unread-document",
    Severity.ERROR,
    "the reference `{reference}` leads into a document that was not read",
    hint="put the document into the specification's folder and refer to it by a relative path",
    explanation="mcpgen reads the files inside the specification's own folder and never fetches "
    "anything from the network, so that a build is the same everywhere and touches nobody.",
)
IGNORED_SIBLING = Code(
    "MG209",
    "ignored-sibling",
    Severity.NOTE,
    "`{keyword}` beside a `$ref` has no effect in {dialect}{times}",
    hint="put the reference into an `allOf`, or use OpenAPI 3.1",
    explanation="Until OpenAPI 3.1, a reference replaces the whole object it stands in. mcpgen "
    "keeps texts beside it (`title`, `description`) and otherwise follows the specification.",
)
ILLEGAL_PATH = Code(
    "MG210",
    "illegal-path",
    Severity.ERROR,
    "the path `{path}` cannot be used: {reason}",
    hint="write the path as `/segments/{{parameter}}`",
    explanation="A path is a template of the request's path. Query and fragment do not belong to "
    "it, each pair of braces holds the name of a path parameter, and it begins with a slash. A query "
    "is read where each of its values is a text or one parameter: `?unit=m&near={place}`.",
)
MENDED_PATH = Code(
    "MG211",
    "mended-path",
    Severity.WARNING,
    "the path `{path}` is read as `{mended}`: {reason}",
    hint="correct the path in the document",
    explanation="Paths begin with a slash and hold neither query nor fragment. What stands behind "
    "a question mark is sent as query parameters: fixed ones, or those that braces name.",
)
EQUIVALENT_PATHS = Code(
    "MG212",
    "equivalent-paths",
    Severity.WARNING,
    "the path `{path}` differs from `{other}` only in the names of its parameters",
    hint="keep one of the two",
    explanation="Such paths are identical for an HTTP server. Both are built, and both tools send "
    "the same requests.",
)
UNDECLARED_PATH_PARAMETER = Code(
    "MG213",
    "undeclared-path-parameter",
    Severity.WARNING,
    "`{name}` in the path of `{operation}` is not declared; it becomes a required string",
    hint="declare a parameter `{name}` with `in: {place}`",
    explanation="Every pair of braces in a path is filled by a parameter. Without a declaration "
    "only its name is known, and a string can carry every value.",
)
NAMELESS_PARAMETER = Code(
    "MG246",
    "nameless-parameter",
    Severity.WARNING,
    "the name of a {place} parameter of `{operation}` is empty; the parameter is left out",
    hint="name it, or remove it",
    explanation="A parameter with an empty name cannot be sent. Editors and exports of collections leave "
    "empty rows behind, so one that is optional does not stand in the way of its operation.",
)
UNUSED_PATH_PARAMETER = Code(
    "MG214",
    "unused-path-parameter",
    Severity.WARNING,
    "path parameter `{name}` does not occur in the path of `{operation}`; it is left out",
    hint="{nearest}",
    explanation="A path parameter fills the braces of the same name. Where there are none, its "
    "value would go nowhere.",
)
OPTIONAL_PATH_PARAMETER = Code(
    "MG215",
    "optional-path-parameter",
    Severity.WARNING,
    "path parameter `{name}` of `{operation}` is not marked as required; it is required all the same",
    hint="set `required: true`",
    explanation="A path with an empty place in it is another path, so path parameters are always "
    "required.",
)
DUPLICATE_PARAMETER = Code(
    "MG216",
    "duplicate-parameter",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` is declared twice; the first counts",
    hint="remove one of the two",
    explanation="A list of parameters holds each name at most once per place.",
)
DUPLICATE_OPERATION_ID = Code(
    "MG217",
    "duplicate-operation-id",
    Severity.WARNING,
    "the operationId `{id}` of `{operation}` is also that of `{other}`{place}",
    hint="give each operation an id of its own",
    explanation="Operation ids are unique, and tools are named after them. The later operation "
    "gets a second name that does not change from build to build.",
)
RESERVED_HEADER = Code(
    "MG218",
    "reserved-header",
    Severity.NOTE,
    "header parameter `{name}` of `{operation}` is ignored; other parts of the operation decide it",
    explanation="`Accept`, `Content-Type` and `Authorization` follow from the media types and the "
    "security of an operation; a parameter with one of these names has no effect.",
)
ILLEGAL_HEADER_NAME = Code(
    "MG249",
    "illegal-header-name",
    Severity.ERROR,
    "header parameter `{name}`: the name of an HTTP header cannot hold {character}; {outcome}",
    hint="correct the name, or describe the parameter where it is sent",
    explanation="The name of a header is a token of letters, digits and some signs (RFC 9110, 5.1); no "
    "client can send another one. An optional parameter is left out, with a warning. An operation "
    "that requires it becomes no tool, because every call would be incomplete.",
)
ASSUMED_CREDENTIAL = Code(
    "MG253",
    "assumed-credential",
    Severity.WARNING,
    "header parameter `{name}` of `{operation}`{more} is a credential; the server takes it from its "
    "environment",
    hint="declare the credential as a security scheme",
    explanation="A parameter `Authorization` has no effect in OpenAPI 3, and a model must not hold "
    "credentials. Where no security scheme supplies the header, the whole value, such as `Bearer "
    "abc`, comes from a variable in the server's environment.",
)
PARAMETER_WITHOUT_SCHEMA = Code(
    "MG219",
    "parameter-without-schema",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` {reason}",
    hint="give the parameter a `schema`",
    explanation="A parameter says with `schema`, or with one entry of `content`, which values it "
    "takes.",
)
UNKNOWN_STYLE = Code(
    "MG220",
    "unknown-style",
    Severity.WARNING,
    "the style `{style}` does not exist for {place} parameters; `{used}` is used",
    hint="use one of: {allowed}",
    explanation="A style says how arrays and objects are written into a request; each place has "
    "its own.",
)
NOT_A_REQUEST = Code(
    "MG221",
    "not-a-request",
    Severity.NOTE,
    "no tool is made of {what}: the API itself makes such requests",
    explanation="Webhooks and callbacks describe what the API sends to its users. A tool can only "
    "call what the API offers.",
)
IGNORED_MEDIA_TYPE = Code(
    "MG222",
    "ignored-media-type",
    Severity.WARNING,
    "`{name}` is not a media type; it is ignored",
    hint="write it as `type/subtype`",
    explanation="Media types are sent as headers, so only their exact form is accepted.",
)
EMPTY_BODY = Code(
    "MG223",
    "empty-body",
    Severity.WARNING,
    "the request body of `{operation}` has no media type; no body is sent",
    hint="describe the body under `content`",
    explanation="A request body is described per media type. Without one it is not known what to "
    "send.",
)
UNTYPED_PARAMETER = Code(
    "MG224",
    "untyped-parameter",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` {reason}",
    hint="give the parameter a `type`",
    explanation="In Swagger 2.0 a parameter outside the body has its `type` beside its name, and "
    "only a body has a `schema`.",
)
FOREIGN_FIELD = Code(
    "MG225",
    "foreign-field",
    Severity.WARNING,
    "`{field}` belongs to OpenAPI 3; in a Swagger 2.0 document it is ignored",
    hint="use {instead}, or declare the version of OpenAPI that the document uses",
    explanation="The two generations of the language say the same with different fields, and a "
    "document is read as the version it declares.",
)
CLOSED_PART = Code(
    "MG247",
    "closed-part",
    Severity.WARNING,
    "`additionalProperties: false` in this `allOf` forbids what its other parts describe ({names}); "
    "requests may hold them all the same",
    hint="close the whole with `unevaluatedProperties: false` (OpenAPI 3.1), or leave it open",
    explanation="`additionalProperties` sees only the properties beside it, not those of the other "
    "parts of an `allOf`. Taken at its word, such a composition allows none of what it describes; "
    "mcpgen reads it as its author meant it, and forbids only what no part describes. An API that "
    "checks its own document by the letter would refuse such a request.",
)
SEVERAL_BODIES = Code(
    "MG226",
    "several-bodies",
    Severity.ERROR,
    "`{operation}` has several bodies ({what}), but a request has only one",
    hint="make one `in: body` parameter with an object of them, or use `in: formData` alone",
    explanation="In Swagger 2.0 a body is either one parameter `in: body` or a form of parameters "
    "`in: formData`. Which of several bodies the API expects cannot be told.",
)
UNFIT_FORM = Code(
    "MG227",
    "unfit-form",
    Severity.WARNING,
    "the form of `{operation}` is sent as `{used}`: {reason}",
    hint="list `{used}` in `consumes`",
    explanation="Parameters `in: formData` travel as a URL-encoded form or, with files, as a "
    "multipart one; `consumes` says which of them the operation takes.",
)
NESTED_ARRAY = Code(
    "MG228",
    "nested-array",
    Severity.ERROR,
    "{place} parameter `{name}` of `{operation}` is an array of arrays that nothing tells apart",
    hint="give the arrays inside another `collectionFormat`, or put the value into the body",
    explanation="Two levels of arrays are written into paths, queries and headers if each has a separator "
    "of its own. Deeper arrays, arrays of arrays in forms, and two levels with one separator are not. A "
    "parameter that is not required is left out, and the rest of the operation is built.",
)
EMPTY_VALUE = Code(
    "MG229",
    "empty-value",
    Severity.NOTE,
    "`{name}` of `{operation}` may also be sent without a value; the tool always sends one",
    explanation="`allowEmptyValue` lets a parameter stand in a request as its name alone. A tool's "
    "argument has the type that the document gives it, and an empty text is not among its values.",
)
MALFORMED_SCHEMA = Code(
    "MG230",
    "malformed-schema",
    Severity.WARNING,
    "{what}; {repair}",
    hint="mend the schema",
    explanation="The schema is not valid in the language of the document. What it means can be "
    "told all the same, or the part that cannot be understood is left out.",
)
UNKNOWN_TYPE = Code(
    "MG231",
    "unknown-type",
    Severity.WARNING,
    "`{type}` is not a type; it is read as {used}",
    hint="use one of: string, number, integer, boolean, array, object",
    explanation="JSON Schema knows seven types. Kinds of text, such as dates, are told by `format`.",
)
DROPPED_PATTERN = Code(
    "MG232",
    "dropped-pattern",
    Severity.WARNING,
    "the pattern `{pattern}` is not a regular expression that validators accept; it is left out",
    hint="write the pattern as ECMA-262 with the `u` flag",
    explanation="Generated servers compile the document's schemas. A pattern that does not compile "
    "would stop them, so it is left to the API to check.",
)
MENDED_PATTERN = Code(
    "MG233",
    "mended-pattern",
    Severity.WARNING,
    "the pattern `{pattern}` is read as `{mended}`",
    hint="write the pattern as ECMA-262 with the `u` flag",
    explanation="The pattern is written for another dialect of regular expressions; it has an "
    "equal in the one that JSON Schema uses.",
)
MISPLACED_REQUIRED = Code(
    "MG234",
    "misplaced-required",
    Severity.WARNING,
    "`required: {value}` stands on {where}; {repair}",
    hint="list required properties in `required` of the object that has them",
    explanation="In a schema, `required` is a list of property names. A yes or no on the property "
    "itself is how very old drafts of JSON Schema wrote it.",
)
UNFIT_VALUE = Code(
    "MG235",
    "unfit-value",
    Severity.WARNING,
    "the {keyword} `{value}` does not have the type `{type}`; it is left out{times}",
    hint="correct the {keyword} or the type",
    explanation="Defaults and examples are announced to models and used in tests, so one that the "
    "schema itself forbids would mislead both. Examples that miss the same type are told once, at the "
    "first, with their number.",
)
NULL_EXAMPLE = Code(
    "MG255",
    "null-example",
    Severity.NOTE,
    "`{keyword}: null` stands where null is not allowed{times}; it is left out",
    explanation="Some serializers write `example: null` and `default: null` for a value that nobody "
    "has given. The keyword says nothing then, so all of them are told once.",
)
UNKNOWN_KEYWORD = Code(
    "MG236",
    "unknown-keyword",
    Severity.NOTE,
    "`{keyword}` is not a keyword of {dialect} schemas; it is ignored{times}",
    hint="{nearest}",
    explanation="A keyword that nobody defines has no effect on which values are valid. Often it "
    "is a misspelled one.",
)
FOREIGN_KEYWORD = Code(
    "MG237",
    "foreign-keyword",
    Severity.NOTE,
    "`{keyword}` does not belong to {dialect}; it is read as {meaning}{times}",
    hint="declare the version of OpenAPI that the document uses",
    explanation="The keyword belongs to another version of the language, where its meaning is "
    "clear. mcpgen honours it, because whoever wrote it meant it.",
)
ENDLESS_SCHEMA = Code(
    "MG238",
    "endless-schema",
    Severity.WARNING,
    "the schema `{name}` requires its value to be itself (through {through}); this adds nothing",
    hint="remove the reference, or put it into a property or into `items`",
    explanation="A schema that applies itself to the same value says nothing and makes some "
    "validators run forever. Recursion through properties or items is fine.",
)
DEEP_SCHEMA = Code(
    "MG239",
    "deep-schema",
    Severity.ERROR,
    "the schema is nested deeper than {limit} levels",
    hint="give inner schemas names of their own and refer to them",
    explanation="No API needs such depth, and documents that have it are made to exhaust programs.",
)
UNUSABLE_MAPPING = Code(
    "MG240",
    "unusable-mapping",
    Severity.WARNING,
    "the discriminator's mapping of `{value}` to `{target}` leads nowhere; it is left out",
    hint="name a schema, or write a reference to one",
    explanation="A mapping connects a value of the discriminating property with a schema, by the "
    "schema's name or by reference.",
)
RENAMED_DEFINITION = Code(
    "MG241",
    "renamed-definition",
    Severity.NOTE,
    "another schema is called `{wanted}`; this one becomes `{name}`",
    explanation="Schemas of several files come together in one place, where each name exists once.",
)
DYNAMIC_REFERENCE = Code(
    "MG242",
    "dynamic-reference",
    Severity.WARNING,
    "`{keyword}: {reference}` is read as a plain reference",
    hint="use `$ref` if the reference need not change with its context",
    explanation="A dynamic reference means another schema depending on how it is reached. Here it "
    "always means the one that the document itself gives.",
)
MALFORMED_REFERENCE = Code(
    "MG243",
    "malformed-reference",
    Severity.ERROR,
    "`$ref` must be a text, but it is {reason}",
    explanation="A reference is a text: a document, a `#`, and a JSON pointer into it.",
)
TANGLED_SCHEMA = Code(
    "MG245",
    "tangled-schema",
    Severity.WARNING,
    "the schema `{name}` {reason}; it is read as one that allows anything",
    hint="let fewer schemas refer to one another in `oneOf`, `anyOf` and `allOf`",
    explanation="Unions of references to unions of references lead to more schemas at every step, "
    "all of which are asked about the same value. No validator gets through billions of them; real "
    "descriptions have fewer than a hundred.",
)
CONTRADICTORY_KEYWORDS = Code(
    "MG248",
    "contradictory-keywords",
    Severity.WARNING,
    "no value meets {first} and {second}; {repair}",
    hint="remove the keyword that is not meant",
    explanation="Taken by the letter, the schema allows no value, so no request could be sent. The more "
    "specific statement is taken for what is meant: the values of an `enum` before its type, its "
    "pattern and its bounds, and a property that one part of an `allOf` declares before the "
    "`additionalProperties` of another part.",
)
UNDEFINED_SCHEME = Code(
    "MG250",
    "undefined-scheme",
    Severity.WARNING,
    "{who} asks for the security scheme `{scheme}`, which {reason}; {outcome}{times}",
    hint="{hint}",
    explanation="Credentials are sent only as the document describes them. Where none of an "
    "operation's alternatives can be used as a whole, the credentials that can be used are sent, if there "
    "are any, and the API may refuse the calls; `hooks.py` can add the others.",
)
UNREAD_ENCODING = Code(
    "MG244",
    "unread-encoding",
    Severity.WARNING,
    "the `{keyword}` inside the encoding of `{name}` is not read; what is inside the part is written "
    "by default",
    hint="give the part a content type that needs no encoding of its own, such as application/json",
    explanation="Since OpenAPI 3.2 an encoding may hold the encodings of what is inside its part. Parts "
    "are written with the defaults of their content type.",
)
UNSUPPORTED_SCHEME = Code(
    "MG251",
    "unsupported-scheme",
    Severity.WARNING,
    "the security scheme `{scheme}` cannot be used: {reason}",
    hint="use an API key, bearer, basic, OAuth 2, OpenID Connect or mutual TLS, or a hook",
    explanation="A generated server takes credentials from its environment and sends them in the "
    "forms listed in the hint.",
)
UNUSABLE_TOKEN_URL = Code(
    "MG252",
    "unusable-token-url",
    Severity.WARNING,
    "the token URL `{url}` of `{scheme}` is no http or https address and no path; it is ignored",
    hint="write the whole address",
    explanation="With client credentials, or with the name and password of a user, a generated server "
    "fetches its own tokens from this address. Without it, a ready token is taken from the environment.",
)
TEMPLATED_TOKEN_URL = Code(
    "MG254",
    "templated-token-url",
    Severity.WARNING,
    "the token URL `{url}` of `{scheme}` has a placeholder; a ready token is taken from the environment",
    hint="write the whole address, in the document or with an overlay, if the server shall fetch tokens",
    explanation="OpenAPI has no variables in token URLs, so the address is not known. The operations of "
    "the scheme work with an access token that somebody else has fetched; the README of the project names "
    "its variable.",
)
UNUSABLE_SERVER = Code(
    "MG260",
    "unusable-server",
    Severity.WARNING,
    "the server `{url}` is left out: {reason}",
    hint="correct it, or set `upstream` in mcpgen.toml",
    explanation="A server's URL is absolute (http or https) or relative to the document, and each "
    "of its variables has a default.",
)
ASSUMED_SCHEME = Code(
    "MG261",
    "assumed-scheme",
    Severity.NOTE,
    "the document does not say how `{host}` is reached; `{scheme}` is used",
    hint="name the scheme in `schemes`",
    explanation="Without `schemes`, an API is reached in the way its description was fetched, "
    "which a file does not tell.",
)
YAML_NAMED_JSON = Code(
    "MG262",
    "yaml-named-json",
    Severity.NOTE,
    "this file is YAML under the name of JSON; it is read as YAML",
    hint="rename it to `.yaml`",
    explanation="The text begins with a key and a colon, as no JSON does. Other tools refuse such a file.",
)
MALFORMED_EXTENSION = Code(
    "MG270",
    "malformed-extension",
    Severity.ERROR,
    "`{key}` must be {expected}, but it is {actual}",
    explanation="`x-mcp` tells mcpgen how an operation becomes a tool: `name`, `title`, "
    "`description`, `hidden`, `annotations`, `scopes`, `fields`, `arguments` and `resource`; at the root of "
    "the document it tells of `prompts`. A slip could expose what should stay hidden, so it is an error.",
)
UNKNOWN_EXTENSION_KEY = Code(
    "MG271",
    "unknown-extension-key",
    Severity.ERROR,
    "`{key}` is not a key of `{parent}`",
    hint="{nearest}",
    explanation="A misspelled key would be ignored in silence, and `hidden` misspelled would "
    "expose an operation. The keys are listed in the documentation of `x-mcp`.",
)
UNENFORCED_SCOPES = Code(
    "MG272",
    "unenforced-scopes",
    Severity.WARNING,
    "the scopes of `{operation}` are recorded, but the generated server does not enforce them",
    hint="set `required = true` under `[authentication]` in mcpgen.toml, or hide the operation",
    explanation="`scopes` of `x-mcp` say what a caller of the tool should be allowed to do. A server "
    "that lets everybody in does not know its callers, so who may call which tool is for the layer "
    "in front of it to decide. With authentication the server enforces them itself.",
)
VALIDATOR_FINDING = Code(
    "MG280",
    "specification-violation",
    Severity.WARNING,
    "{message}",
    explanation="openapi-spec-validator compared the document with the specification. Many "
    "documents that work have such findings, so they stop nothing.",
)
MORE_VALIDATOR_FINDINGS = Code(
    "MG281",
    "more-specification-violations",
    Severity.NOTE,
    "the document violates the specification in {count} more places",
    explanation="Only the first findings of openapi-spec-validator are shown.",
)
VALIDATOR_FAILURE = Code(
    "MG282",
    "unfinished-validation",
    Severity.NOTE,
    "openapi-spec-validator could not finish: {reason}",
    explanation="The validator stops at some documents, most often at references it cannot follow. "
    "What it had found until then is shown, and the build goes on.",
)

REFUSED_REFERENCES: frozenset[Code] = frozenset(
    {
        read.REMOTE_REFERENCE,
        read.UNFETCHED_REFERENCE,
        read.OUTSIDE_REFERENCE,
        read.MISSING_REFERENCE,
        read.UNREADABLE_REFERENCE,
        read.REFERENCE_FROM_STDIN,
        read.MALFORMED_REFERENCE,
    }
)
"""Errors of `read` about references it did not follow; `parse` does not tell them again."""

SWAGGER_PLACE = Code(
    "MG263",
    "swagger-place",
    Severity.ERROR,
    "`in: {place}` of a parameter of `{operation}` is Swagger 2.0, and this is OpenAPI 3",
    hint="describe the value in `requestBody`",
    explanation="OpenAPI 3 describes bodies and forms in `requestBody`, by their media types. A parameter "
    "is in `path`, `query`, `header` or `cookie`.",
)
NO_STATUS = Code(
    "MG264",
    "no-status",
    Severity.WARNING,
    "`{status}` is no HTTP status (100 to 599); this response of `{operation}` is ignored",
    hint="write a status such as 200 or 4XX, or `default`",
    explanation="Responses are found by the status of an answer. No answer has this one, so nothing is "
    "announced or checked by it.",
)
FORBIDDEN_NULL = Code(
    "MG265",
    "forbidden-null",
    Severity.NOTE,
    "`nullable: true` {keyword} has no effect in OpenAPI 3.0; null may be sent all the same{times}",
    hint="write `type` beside `nullable`, and null among the values of `enum`",
    explanation="OpenAPI 3.0.3 and later say that `nullable` needs a `type` beside it and that an `enum` "
    "must list null. Authors mean that null is allowed, and most APIs take it, so mcpgen reads it so.",
)
PER_OPERATION: frozenset[Code] = REFUSED_REFERENCES | frozenset(
    {
        MALFORMED_OPERATION,
        SWAGGER_PLACE,
        DANGLING_REFERENCE,
        CIRCULAR_REFERENCE,
        UNREAD_DOCUMENT,
        MALFORMED_REFERENCE,
        ILLEGAL_PATH,
        SEVERAL_BODIES,
        ILLEGAL_HEADER_NAME,
        NESTED_ARRAY,
        DEEP_SCHEMA,
        MALFORMED_EXTENSION,
        UNKNOWN_EXTENSION_KEY,
    }
)
"""Errors that concern single operations, which `ApiDescription.missing` names."""
