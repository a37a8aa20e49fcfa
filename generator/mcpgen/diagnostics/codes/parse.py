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
    explanation="Every operation becomes a tool. A document with only components, webhooks or "
    "callbacks describes no request that a server could send.",
)
MALFORMED_DOCUMENT = Code(
    "MG203",
    "malformed-document",
    Severity.ERROR,
    "`{what}` must be {expected}, but it is {actual}",
    hint="give the member this type",
    explanation="A central part of the document has the wrong type, so the content cannot be read.",
)
MALFORMED_OPERATION = Code(
    "MG204",
    "malformed-operation",
    Severity.ERROR,
    "{what} of `{operation}` must be {expected}, but it is {actual}",
    hint="correct the value, or build the other operations with `--keep-going`",
    explanation="The operation is malformed, and a guess could send requests that the document "
    "does not describe.",
)
IGNORED_VALUE = Code(
    "MG205",
    "ignored-value",
    Severity.WARNING,
    "{what} must be {expected}, but it is {actual}; {outcome}",
    hint="correct the value, or remove the member",
    explanation="The value has the wrong type, or is not one of the allowed values. mcpgen goes on "
    "without the value; the message says what else is read or lost.",
)
DANGLING_REFERENCE = Code(
    "MG206",
    "dangling-reference",
    Severity.ERROR,
    "the reference `{reference}` leads nowhere: {reason}",
    hint="correct the reference, or define its target",
    explanation="A `$ref` names a document and a place in the document. In a key, `~1` stands for "
    "a slash and `~0` for a tilde. Documents are relative to the document with the reference. In "
    "a response the finding is a warning: the operation becomes a tool, and the part of the "
    "response without description may hold any value.",
)
CIRCULAR_REFERENCE = Code(
    "MG207",
    "circular-reference",
    Severity.ERROR,
    "the reference `{reference}` leads back to itself",
    hint="write the object itself in place of one of the references",
    explanation="Each reference leads to another reference, and the last back to the first, so no "
    "parameter, body or path item is described anywhere. Only schemas may refer to themselves.",
)
UNREAD_DOCUMENT = Code(
    "MG208",
    "unread-document",
    Severity.ERROR,
    "the reference `{reference}` leads into a document that was not read",
    hint="put the document into the specification's folder and use a relative path",
    explanation="mcpgen reads files inside the specification's folder, and fetches documents only "
    "from hosts that `--allow-remote` names, so that a build gives the same result everywhere.",
)
IGNORED_SIBLING = Code(
    "MG209",
    "ignored-sibling",
    Severity.NOTE,
    "`{keyword}` beside a `$ref` has no effect in {dialect}{times}",
    hint="put the reference into an `allOf`, or use OpenAPI 3.1",
    explanation="Before OpenAPI 3.1, a reference replaces the whole object. mcpgen keeps `title` "
    "and `description` beside the reference, and otherwise follows the specification.",
)
ILLEGAL_PATH = Code(
    "MG210",
    "illegal-path",
    Severity.ERROR,
    "the path `{path}` cannot be used: {reason}",
    hint="write the path as `/segments/{{parameter}}`",
    explanation="A path key is a template of the request's path: it begins with a slash, and each "
    "pair of braces holds the name of a path parameter. A query in the key is accepted if each "
    "value is a text or one parameter: `?unit=m&near={place}`.",
)
MENDED_PATH = Code(
    "MG211",
    "corrected-path",
    Severity.WARNING,
    "the path `{path}` is read as `{mended}`: {reason}",
    hint="correct the path in the document",
    explanation="Paths begin with a slash and have neither query nor fragment. mcpgen sends the "
    "text after a question mark as query parameters: with fixed values, or with the values of the "
    "named parameters.",
)
EQUIVALENT_PATHS = Code(
    "MG212",
    "equivalent-paths",
    Severity.WARNING,
    "the path `{path}` differs from `{other}` only in the names of its parameters",
    hint="move the operations of both paths below one path, and remove the other path",
    explanation="Such paths are identical for an HTTP server. The tools of both paths are built; two "
    "operations with the same method send the same requests.",
)
UNDECLARED_PATH_PARAMETER = Code(
    "MG213",
    "undeclared-path-parameter",
    Severity.WARNING,
    "`{name}` in the path of `{operation}` is not declared; it becomes a required string",
    hint="declare a parameter `{name}` with `in: {place}`",
    explanation="A parameter fills each pair of braces in a path. Without a declaration only the "
    "name is known; a string can hold every value.",
)
NAMELESS_PARAMETER = Code(
    "MG246",
    "nameless-parameter",
    Severity.WARNING,
    "the name of a {place} parameter of `{operation}` is empty; the parameter is left out",
    hint="name or remove the parameter",
    explanation="A parameter without a name cannot be sent. Editors and exports of collections "
    "leave empty rows, so an optional parameter without a name does not prevent the tool.",
)
UNUSED_PATH_PARAMETER = Code(
    "MG214",
    "unused-path-parameter",
    Severity.WARNING,
    "path parameter `{name}` does not occur in the path of `{operation}`; it is left out",
    hint="{nearest}",
    explanation="A path parameter fills the braces of the same name. Without such braces the "
    "value would not be sent.",
)
OPTIONAL_PATH_PARAMETER = Code(
    "MG215",
    "optional-path-parameter",
    Severity.WARNING,
    "path parameter `{name}` of `{operation}` is not marked as required; it is required all the "
    "same",
    hint="set `required: true`",
    explanation="A path without the value would be another path, so path parameters are always "
    "required.",
)
DUPLICATE_PARAMETER = Code(
    "MG216",
    "duplicate-parameter",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` is declared twice; the first counts",
    hint="remove one of the two parameters",
    explanation="A list of parameters holds each name at most once per place.",
)
DUPLICATE_OPERATION_ID = Code(
    "MG217",
    "duplicate-operation-id",
    Severity.WARNING,
    "the operationId `{id}` of `{operation}` is also that of `{other}`{place}",
    hint="give each operation its own id",
    explanation="Operation ids must be unique, and tools are named after the ids. The later "
    "operation gets another name, which does not change from build to build.",
)
RESERVED_HEADER = Code(
    "MG218",
    "reserved-header",
    Severity.NOTE,
    "header parameter `{name}` of `{operation}` is ignored; other parts of the operation decide it",
    hint="remove the parameter; media types and `security` of the operation decide the header",
    explanation="The values of `Accept`, `Content-Type` and `Authorization` follow from the media "
    "types and the security of an operation. A parameter with one of these names has no effect "
    "(OpenAPI, Parameter Object).",
)
ILLEGAL_HEADER_NAME = Code(
    "MG249",
    "illegal-header-name",
    Severity.ERROR,
    "header parameter `{name}`: the name of an HTTP header cannot hold {character}; {outcome}",
    hint="correct the name; if it is no header, correct `in`",
    explanation="A header name is a token of letters, digits and some punctuation (RFC 9110, "
    "5.1); no client can send another name. An optional parameter is left out with a warning. An "
    "operation that requires the parameter does not become a tool, because every call would be "
    "incomplete.",
)
ASSUMED_CREDENTIAL = Code(
    "MG253",
    "assumed-credential",
    Severity.WARNING,
    "header parameter `{name}` of `{operation}`{more} holds a credential; the server sends it from an "
    "environment variable",
    hint="define the header as a security scheme under `components.securitySchemes`, and name the "
    "scheme under `security`",
    explanation="A parameter `Authorization` has no effect in OpenAPI 3, and a model must not "
    "handle credentials. Without a security scheme for the header, the whole value, such as "
    "`Bearer abc`, comes from an environment variable of the server; the project's README.md has its "
    "name.",
)
PARAMETER_WITHOUT_SCHEMA = Code(
    "MG219",
    "parameter-without-schema",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` {reason}",
    hint="describe the values with one `schema`, or with one entry of `content`",
    explanation="The values of a parameter are described by `schema`, or by one entry of "
    "`content`; a header in a part of a multipart body takes only `schema`.",
)
UNKNOWN_STYLE = Code(
    "MG220",
    "unknown-style",
    Severity.WARNING,
    "the style `{style}` does not exist for {place} parameters; `{used}` is used",
    hint="use one of: {allowed}",
    explanation="A style defines how arrays and objects are written into a request; each place "
    "has its own styles.",
)
NOT_A_REQUEST = Code(
    "MG221",
    "not-a-request",
    Severity.NOTE,
    "no tool is made of {what}: the API itself makes such requests",
    hint="describe the request under `paths`, too, if the API accepts it",
    explanation="Webhooks and callbacks describe requests that the API sends to its users. A tool "
    "calls the API.",
)
IGNORED_MEDIA_TYPE = Code(
    "MG222",
    "ignored-media-type",
    Severity.WARNING,
    "`{name}` is not a media type; it is ignored",
    hint="write the name as `type/subtype`",
    explanation="Media types are sent as header values, so only the exact form is accepted.",
)
EMPTY_BODY = Code(
    "MG223",
    "empty-body",
    Severity.WARNING,
    "the request body of `{operation}` has no media type; no body is sent",
    hint="describe the body under `content`",
    explanation="A request body is described per media type. Without a media type the content is "
    "unknown.",
)
UNTYPED_PARAMETER = Code(
    "MG224",
    "untyped-parameter",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` {reason}",
    hint="give the parameter a `type`",
    explanation="In Swagger 2.0 a parameter outside the body has `type` beside its name; only a "
    "body has a `schema`.",
)
FOREIGN_FIELD = Code(
    "MG225",
    "foreign-field",
    Severity.WARNING,
    "`{field}` belongs to OpenAPI 3; in a Swagger 2.0 document it is ignored",
    hint="use {instead}, or declare the version of OpenAPI that the document uses",
    explanation="Swagger 2.0 and OpenAPI 3 use different fields for the same content. A document "
    "is read as the version that it declares.",
)
CLOSED_PART = Code(
    "MG247",
    "closed-part",
    Severity.WARNING,
    "`additionalProperties: false` in or beside this `allOf` forbids {names} of another schema; "
    "mcpgen allows these properties in requests",
    hint="remove `additionalProperties: false` there; in OpenAPI 3.1, `unevaluatedProperties: false` "
    "beside the `allOf` closes the whole schema instead",
    explanation="`additionalProperties` sees only the properties beside it, not the properties of "
    "the other schemas of an `allOf`. So a closed schema forbids the properties that only other "
    "schemas describe. mcpgen allows the properties of all these schemas and forbids all others. An "
    "API that applies the schema literally refuses a request with these properties.",
)
SEVERAL_BODIES = Code(
    "MG226",
    "several-bodies",
    Severity.ERROR,
    "`{operation}` has several bodies ({what}), but a request has only one",
    hint="use one `in: body` parameter with an object, or only `in: formData` parameters",
    explanation="In Swagger 2.0 a body is either one parameter `in: body` or a form of parameters "
    "`in: formData`. The body that the API expects is unknown.",
)
UNFIT_FORM = Code(
    "MG227",
    "unfit-form",
    Severity.WARNING,
    "the form of `{operation}` is sent as `{used}`: {reason}",
    hint="list `{used}` in `consumes`",
    explanation="Parameters `in: formData` are sent as a URL-encoded form or, with files, as a "
    "multipart form. `consumes` lists the forms that the operation accepts.",
)
NESTED_ARRAY = Code(
    "MG228",
    "nested-array",
    Severity.ERROR,
    "{place} parameter `{name}` of `{operation}` is an array of arrays that cannot be sent",
    hint="give the inner arrays another `collectionFormat`, or put the value into a JSON body",
    explanation="Two levels of arrays can be written into paths, queries and headers if each "
    "level has its own separator. Deeper arrays, arrays of arrays in forms, and two levels with "
    "the same separator cannot. An optional parameter is left out, and the rest of the operation "
    "is built.",
)
EMPTY_VALUE = Code(
    "MG229",
    "empty-value",
    Severity.NOTE,
    "parameter `{name}` of `{operation}` may be sent without a value; the tool never sends the name alone",
    hint="leave out `allowEmptyValue`, which OpenAPI has deprecated",
    explanation="`allowEmptyValue` allows a request with the name of a parameter alone. A plain text "
    "may be empty, but the schema of this parameter forbids an empty text.",
)
MALFORMED_SCHEMA = Code(
    "MG230",
    "malformed-schema",
    Severity.WARNING,
    "{what}; {repair}",
    hint="correct the schema",
    explanation="The schema is not valid in the dialect of the document. mcpgen repairs the "
    "schema if the intention is clear, otherwise the malformed part is left out.",
)
UNKNOWN_TYPE = Code(
    "MG231",
    "unknown-type",
    Severity.WARNING,
    "`{type}` is not a type; it is read as {used}",
    hint="use one of: string, number, integer, boolean, array, object",
    explanation="JSON Schema has seven types. Kinds of text, such as dates, are given by `format`.",
)
DROPPED_PATTERN = Code(
    "MG232",
    "dropped-pattern",
    Severity.WARNING,
    "the pattern `{pattern}` is left out: validators do not accept the regular expression",
    hint="write the pattern in the syntax of ECMA-262 with the `u` flag",
    explanation="Generated servers compile the schemas of the document. A pattern that does not "
    "compile would stop the server, so only the API checks the pattern.",
)
MENDED_PATTERN = Code(
    "MG233",
    "corrected-pattern",
    Severity.WARNING,
    "the pattern `{pattern}` is read as `{mended}`",
    hint="write the pattern in the syntax of ECMA-262 with the `u` flag",
    explanation="The pattern is written in another dialect of regular expressions, and has an "
    "equivalent that validators accept.",
)
MISPLACED_REQUIRED = Code(
    "MG234",
    "misplaced-required",
    Severity.WARNING,
    "`required: {value}` is on {where}; {repair}",
    hint="list required properties in `required` of the object that has them",
    explanation="In a schema, `required` is a list of property names. A boolean on the property "
    "is the form of JSON Schema draft 3.",
)
UNFIT_VALUE = Code(
    "MG235",
    "unfit-value",
    Severity.WARNING,
    "the {keyword} `{value}` does not have the type `{type}`; it is left out{times}",
    hint="correct the {keyword} or the type",
    explanation="Defaults and examples are announced to models and used in tests, so a value that "
    "the schema forbids would mislead both. Examples with the same wrong type are reported once, "
    "at the first example, with their number.",
)
NULL_EXAMPLE = Code(
    "MG255",
    "null-example",
    Severity.NOTE,
    "`{keyword}: null` is not allowed by the schema{times}; it is left out",
    hint="leave out the keyword, or allow `null` in the schema",
    explanation="Some serializers write `example: null` and `default: null` for an absent value, "
    "so all places are reported once.",
)
UNKNOWN_KEYWORD = Code(
    "MG236",
    "unknown-keyword",
    Severity.NOTE,
    "`{keyword}` is not a keyword of {dialect} schemas; it is ignored{times}",
    hint="{nearest}",
    explanation="An unknown keyword has no effect on validation. Usually the keyword is "
    "misspelled.",
)
FOREIGN_KEYWORD = Code(
    "MG237",
    "foreign-keyword",
    Severity.NOTE,
    "`{keyword}` does not belong to {dialect}; it is read as {meaning}{times}",
    hint="declare the version of OpenAPI that the document uses",
    explanation="The keyword belongs to another version of the specification; mcpgen reads the keyword "
    "as that version defines it.",
)
ENDLESS_SCHEMA = Code(
    "MG238",
    "endless-schema",
    Severity.WARNING,
    "the schema `{name}` requires its value to be itself (through {through}); this adds nothing",
    hint="remove the reference, or put it into a property or into `items`",
    explanation="A schema that applies itself to the same value adds nothing, and some validators "
    "never finish. Recursion through properties or items is allowed.",
)
DEEP_SCHEMA = Code(
    "MG239",
    "deep-schema",
    Severity.ERROR,
    "the schema is nested deeper than {limit} levels",
    hint="move inner schemas to `components/schemas` and refer to them with `$ref`",
    explanation="The deepest known API description has fewer than 30 levels. Documents with far "
    "more levels are made to exhaust programs.",
)
UNUSABLE_MAPPING = Code(
    "MG240",
    "unusable-mapping",
    Severity.WARNING,
    "the discriminator maps {value} to {target}; this mapping is ignored",
    hint="use the name of a schema, or a reference to a schema",
    explanation="A mapping connects a value of the discriminator's property with a schema, by "
    "name or by reference; `defaultMapping` names the schema for all other values.",
)
RENAMED_DEFINITION = Code(
    "MG241",
    "renamed-definition",
    Severity.NOTE,
    "another schema is called `{wanted}`; this schema becomes `{name}`",
    hint="give the schemas of the files different names to choose the names yourself",
    explanation="The schemas of all files are collected in one place, where names are unique.",
)
DYNAMIC_REFERENCE = Code(
    "MG242",
    "dynamic-reference",
    Severity.WARNING,
    "`{keyword}: {reference}` is read as a plain reference",
    hint="use `$ref` if the target does not depend on the context",
    explanation="A validator may resolve a dynamic reference to different schemas, depending on the "
    "way by which it came. mcpgen always takes one: for `$dynamicRef` the schema that `$ref` would "
    "find, for `$recursiveRef` the outermost schema around it with `$recursiveAnchor: true`.",
)
MALFORMED_REFERENCE = Code(
    "MG243",
    "malformed-reference",
    Severity.ERROR,
    "`{keyword}` must be a text, but it is {reason}",
    hint="write the reference as a text, such as `{example}`",
    explanation="A reference is a text: a document, `#`, and a JSON Pointer into the document or the "
    "name of an anchor.",
)
TANGLED_SCHEMA = Code(
    "MG245",
    "tangled-schema",
    Severity.WARNING,
    "the schema `{name}` {reason}; it is read as a schema that allows any value",
    hint="let fewer schemas refer to one another in `oneOf`, `anyOf` and `allOf`",
    explanation="A union of references to unions of references multiplies: ten branches that lead to "
    "ten branches each make a hundred schemas for one value, and a few steps more make billions, "
    "which no validator finishes. Known descriptions have fewer than a hundred.",
)
CONTRADICTORY_KEYWORDS = Code(
    "MG248",
    "contradictory-keywords",
    Severity.WARNING,
    "no value fits both {first} and {second}; {repair}",
    hint="remove the wrong keyword",
    explanation="Literally, the schema allows no value, so no request could be sent. The more "
    "specific keyword is kept: the values of an `enum` before type, pattern and bounds, and a "
    "property declared in one part of an `allOf` before the `additionalProperties` of another "
    "part.",
)
UNDEFINED_SCHEME = Code(
    "MG250",
    "undefined-scheme",
    Severity.WARNING,
    "{who} asks for the security scheme `{scheme}`, which {reason}; {outcome}{times}",
    hint="{hint}",
    explanation="The entries of `security` are alternatives, and an entry may name several schemes. "
    "An entry with this scheme is not used. If no other entry is left, the remaining schemes of the "
    "entry are sent, and the API may refuse the calls; `hooks.py` can add the missing credential.",
    remedy="define the scheme under `components.securitySchemes`, or send the credential in `hooks.py`",
)
UNREAD_ENCODING = Code(
    "MG244",
    "unread-encoding",
    Severity.WARNING,
    "the `{keyword}` inside the encoding of {name} is not read; the part is written with "
    "the defaults of its content type",
    hint="give the part a content type that needs no encoding of its own, such as application/json",
    explanation="Since OpenAPI 3.2 an entry of `encoding` may have `encoding`, `prefixEncoding` and "
    "`itemEncoding` for the values inside its part. mcpgen does not support these keywords.",
)
UNSUPPORTED_SCHEME = Code(
    "MG251",
    "unsupported-scheme",
    Severity.WARNING,
    "the security scheme `{scheme}` cannot be used: {reason}",
    hint="use an API key, bearer, basic, OAuth 2, OpenID Connect or mutual TLS, or a hook",
    explanation="A generated server takes credentials from its environment and sends credentials "
    "in the forms listed in the hint.",
)
UNUSABLE_TOKEN_URL = Code(
    "MG252",
    "unusable-token-url",
    Severity.WARNING,
    "the token URL `{url}` of `{scheme}` is neither an http or https URL nor a path; it is ignored",
    hint="write the whole URL",
    explanation="With client credentials, or with the name and password of a user, a generated "
    "server fetches tokens from this URL. Without the URL, the server takes an access token from "
    "its environment.",
)
TEMPLATED_TOKEN_URL = Code(
    "MG254",
    "templated-token-url",
    Severity.WARNING,
    "the token URL `{url}` of `{scheme}` has a placeholder, so the server cannot fetch a token there",
    hint="write the whole URL, in the document or with an overlay, if the server should fetch "
    "tokens",
    explanation="OpenAPI has no variables in token URLs, so the URL is unknown. Another flow of the "
    "scheme with a whole URL is used. Without one, the server takes a ready access token from the "
    "environment variable that the README of the project names, unless the credentials of callers "
    "are forwarded.",
)
UNUSABLE_SERVER = Code(
    "MG260",
    "unusable-server",
    Severity.WARNING,
    "the server `{url}` is left out: {reason}",
    hint="correct the server, or set `upstream` in mcpgen.toml",
    explanation="A server's URL is absolute (http or https) or relative to the document, and each "
    "of its variables has a default.",
)
ASSUMED_SCHEME = Code(
    "MG261",
    "assumed-scheme",
    Severity.NOTE,
    "the document does not say how `{host}` is reached; `{scheme}` is used",
    hint="name the scheme in `schemes`",
    explanation="Without `schemes`, the scheme of the API is the scheme by which the description "
    "was fetched (Swagger 2.0), which is unknown for a file.",
)
YAML_NAMED_JSON = Code(
    "MG262",
    "yaml-named-json",
    Severity.NOTE,
    "this file has the ending `.json` but is YAML; it is read as YAML",
    hint="rename the file to `.yaml`",
    explanation="The text begins with a key and a colon, which is not JSON. Other programs refuse "
    "the file.",
)
MALFORMED_EXTENSION = Code(
    "MG270",
    "malformed-extension",
    Severity.ERROR,
    "`{key}` must be {expected}, but it is {actual}",
    hint="correct the value, or remove the key",
    explanation="`x-mcp` controls how an operation becomes a tool: `name`, `title`, "
    "`description`, `hidden`, `annotations`, `scopes`, `fields`, `arguments` and `resource`; at "
    "the root of the document, `prompts`. A malformed value is an error, because it could expose "
    "an operation that should be hidden.",
)
UNKNOWN_EXTENSION_KEY = Code(
    "MG271",
    "unknown-extension-key",
    Severity.ERROR,
    "`{key}` is not a key of `{parent}`",
    hint="{nearest}",
    explanation="A misspelled key would have no effect, and a misspelled `hidden` would expose an "
    "operation. docs/curating.md and docs/resources.md list the keys of `x-mcp`.",
)
UNENFORCED_SCOPES = Code(
    "MG272",
    "unenforced-scopes",
    Severity.WARNING,
    "the scopes of `{operation}` are recorded, but the generated server does not enforce them",
    hint="set `required = true` under `[authentication]` in mcpgen.toml, or hide the operation",
    explanation="`scopes` of `x-mcp` are the scopes that a caller of the tool needs. A server "
    "without authentication does not know its callers, so a gateway in front of the server has to "
    "decide. With authentication the server enforces the scopes.",
)
VALIDATOR_FINDING = Code(
    "MG280",
    "specification-violation",
    Severity.WARNING,
    "{message}",
    hint="correct the document at this place; the build goes on without the correction",
    explanation="openapi-spec-validator compared the document with the OpenAPI Specification. "
    "Many working documents have such findings, so the findings do not stop the build.",
)
MORE_VALIDATOR_FINDINGS = Code(
    "MG281",
    "more-specification-violations",
    Severity.NOTE,
    "the document violates the specification in {count} more places",
    hint="`openapi-spec-validator --validation-errors all` lists every violation",
    explanation="Only the first findings of openapi-spec-validator are shown.",
)
VALIDATOR_FAILURE = Code(
    "MG282",
    "unfinished-validation",
    Severity.NOTE,
    "openapi-spec-validator could not finish: {reason}",
    hint="correct the place that the reason names; the build goes on without the rest of the findings",
    explanation="The validator fails for some documents, most often at references that it cannot "
    "resolve. The findings so far are shown, and the build goes on.",
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
    explanation="OpenAPI 3 describes bodies and forms in `requestBody`, by media type. A "
    "parameter is in `path`, `query`, `header` or `cookie`.",
)
NO_STATUS = Code(
    "MG264",
    "no-status",
    Severity.WARNING,
    "`{status}` is not an HTTP status (100 to 599); this response of `{operation}` is ignored",
    hint="write a status such as 200 or 4XX, or `default`",
    explanation="Responses are found by status. No response has this status, so the description "
    "is never used.",
)
FORBIDDEN_NULL = Code(
    "MG265",
    "forbidden-null",
    Severity.NOTE,
    "`nullable: true` {keyword} has no effect in OpenAPI 3.0; mcpgen still allows null{times}",
    hint="{hint}",
    explanation="In OpenAPI 3.0.3 and later, `nullable` needs `type` in the same schema, an `enum` "
    "must list null, and the schemas of `allOf`, `oneOf` and `anyOf` still decide whether null is "
    "allowed. Authors mean that null is allowed, and most APIs accept null, so mcpgen allows null.",
    remedy="write `type` beside `nullable`, allow null in the schemas of `allOf`, `oneOf` and `anyOf` "
    "too, and list null in `enum`",
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
