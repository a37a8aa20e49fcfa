"""Findings of the lower stage: MG3xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

UNMATCHED_SELECTOR = Code(
    "MG301",
    "unmatched-selector",
    Severity.ERROR,
    "the selector `{selector}` of {list} matches no {operation}",
    hint="{nearest}",
    explanation="A selector without operations is probably misspelled, and in `exclude` would "
    "expose an operation that should be hidden. Operations are matched by operationId or `GET "
    "/path`, by tag, path glob, method or required scope, by `deprecated` and by `read_only`; all "
    "fields of one selector must match. Selectors of `[toolsets]` see only the operations that "
    "`[select]` chooses.",
    remedy="correct the selector",
)
NOTHING_SELECTED = Code(
    "MG302",
    "nothing-selected",
    Severity.ERROR,
    "no operation is selected, so there is no tool to generate",
    hint="widen `include`, or remove an `exclude`",
    explanation="Every operation of the document is excluded, hidden with `x-mcp`, or not "
    "included. A server needs at least one tool.",
)
ILLEGAL_TOOL_NAME = Code(
    "MG303",
    "illegal-tool-name",
    Severity.ERROR,
    "`{name}` cannot be the name of a tool for `{operation}`",
    hint="use 1 to 40 lower-case letters, digits and single underscores, beginning with a letter",
    explanation="Hosts prefix and restrict tool names. All hosts accept names of the form "
    "`[a-z][a-z0-9_]{0,39}` without a double underscore.",
)
TAKEN_TOOL_NAME = Code(
    "MG304",
    "taken-tool-name",
    Severity.ERROR,
    "the tool name `{name}` is requested by `{operation}` and by `{other}`",
    hint="give one of the operations another name",
    explanation="Tool names are unique in a server. Both names are configured, or one is kept in "
    "mcpgen.lock because the tool is published under that name, so mcpgen does not choose.",
)
SHORTENED_TOOL_NAME = Code(
    "MG305",
    "shortened-tool-name",
    Severity.NOTE,
    "the name of `{operation}` is too long for a tool; it is announced as `{name}`",
    hint="set `x-mcp-name` or an entry of `names` to choose the name",
    explanation="Hosts allow about 60 characters for a server's prefix and the tool's name "
    "together, so names are shortened to 40 at word boundaries.",
)
RENAMED_TOOL = Code(
    "MG306",
    "renamed-tool",
    Severity.NOTE,
    "the tool name `{wanted}` of `{operation}` is taken; it is announced as `{name}`",
    hint="set `x-mcp-name` or an entry of `names` to choose the name",
    explanation="Two operations lead to the same tool name. The later operation gets a name with "
    "method and path, or with a number.",
)
UNMATCHED_NAME = Code(
    "MG307",
    "unmatched-name",
    Severity.ERROR,
    "`names` has an entry for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `names` are operationIds or `GET /path` of selected operations.",
)
UNMATCHED_FIELDS = Code(
    "MG308",
    "unmatched-fields",
    Severity.ERROR,
    "`fields` has an entry for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `fields` are operationIds or `GET /path` of selected operations.",
    remedy="name a selected operation, include the operation under `[select]`, or delete the entry",
)
UNKNOWN_FIELD = Code(
    "MG309",
    "unknown-field",
    Severity.ERROR,
    "no result of `{operation}` has a field `{field}`",
    hint="{nearest}",
    explanation="`fields` reduces the results of a tool to the listed names, with `.` between the "
    "names of nested objects; arrays are passed through. A wrong name would leave an empty result.",
)
RENAMED_ARGUMENT = Code(
    "MG310",
    "renamed-argument",
    Severity.NOTE,
    "`{argument}` of `{operation}` is already a {other_place}; this {place} is announced as `{name}`",
    hint="set `x-mcp-name` on the parameter or property to choose the name",
    explanation="The arguments of a tool are one flat object, so a name in path and body needs "
    "two argument names. The first argument keeps its name; the request is not affected.",
)
LEGALISED_ARGUMENT = Code(
    "MG311",
    "adjusted-argument-name",
    Severity.NOTE,
    "`{wanted}` of `{operation}` is not a legal argument name; it is announced as `{name}`",
    hint="rename the parameter in the document, or keep the adjusted name",
    explanation="Hosts reject whole requests for one property key outside "
    "`[A-Za-z_][A-Za-z0-9_]{0,63}`. The name in the request is unchanged.",
)
LEFT_OUT_PARAMETER = Code(
    "MG312",
    "left-out-parameter",
    Severity.NOTE,
    "{place} parameter `{name}` of `{operation}` is not an argument: {reason}",
    hint='the server sends credentials and framing headers; `flatten.method_override = "keep"` keeps '
    "a method override",
    explanation="The server sets credentials and the headers that frame a request; a model never "
    "controls them. Parameters such as `X-HTTP-Method-Override` change the method or the path of "
    "a request, so that a tool announced as read-only could delete; `flatten.method_override` "
    "keeps such parameters.",
)
IGNORED_ARGUMENT_NAME = Code(
    "MG313",
    "ignored-argument-name",
    Severity.WARNING,
    "`x-mcp-name: {name}` is not a legal argument name and is ignored",
    hint="use letters, digits and underscores, at most 64, not beginning with a digit",
    explanation="Hosts reject whole requests for one illegal property key.",
)
UNUSABLE_PATTERN = Code(
    "MG314",
    "unusable-pattern",
    Severity.WARNING,
    "the pattern `{pattern}` is not a regular expression that validators can compile; it is not "
    "enforced",
    hint="write the pattern as ECMA-262 with the `u` flag",
    explanation="JSON Schema patterns are ECMA-262 regular expressions. A pattern that does not "
    "compile would make every call of the tool fail, so only the API checks the pattern.",
)
CONTRADICTION = Code(
    "MG315",
    "contradictory-schema",
    Severity.WARNING,
    "no value fits the schema of `{name}` ({reason}); `{operation}` is sent without `{name}`",
    hint="correct the keywords that the reason names, or remove `{name}`",
    explanation="The parts of a schema exclude each other, so every value would be invalid. An "
    "optional parameter or property is left out. With a required one, or with a body that allows no "
    "value, the operation cannot become a tool.",
)
BEYOND_LIMIT = Code(
    "MG316",
    "beyond-limit",
    Severity.NOTE,
    "`{name}` of `{operation}` is beyond the {limit}; it is announced as JSON text",
    hint="raise the limit under `[flatten]`, or keep it: JSON text can express everything",
    explanation="Nested objects become flat arguments up to a limit of levels and of arguments. "
    "Beyond the limit, one string argument holds JSON, and its description gives the type.",
)
MANY_ARGUMENTS = Code(
    "MG317",
    "many-arguments",
    Severity.NOTE,
    "`{operation}` has {count} parameters, more than the limit of {limit}; all are announced",
    hint='give rarely used arguments `hidden = true` under `[tools."…".arguments]` in mcpgen.toml',
    explanation="Parameters outside the body cannot be combined into JSON text, so the limit on "
    "arguments does not apply.",
)
TOLD_BY_DISCRIMINATOR = Code(
    "MG318",
    "told-by-discriminator",
    Severity.NOTE,
    "the schemas of this union do not distinguish its branches; values are checked against the "
    "branch that `{key}` names",
    hint="give `{key}` a `const` in each branch",
    explanation="By the schemas alone a value could fit a wrong branch, or several branches of a "
    "`oneOf`. The `discriminator` names the branch, so a value is checked against that branch, "
    "and against the union if the discriminator names none.",
)
OTHER_MEDIA_TYPES = Code(
    "MG320",
    "other-media-types",
    Severity.NOTE,
    "the body of `{operation}` is sent as `{chosen}`, not as {others}",
    hint="choose another media type under `[bodies]` in mcpgen.toml",
    explanation="A body is sent in one media type: JSON if the document has it, then other JSON "
    "types, forms, multipart, JSON lines, XML, text and bytes. `bodies` in `mcpgen.toml` chooses "
    "another.",
)
UNCHECKED_SCHEMA = Code(
    "MG321",
    "unchecked-schema",
    Severity.WARNING,
    "`{name}` is not a schema that validators can compile; values are not checked against it",
    hint="correct the schema: {reason}",
    explanation="Before a request is sent, the values are checked against the original schema, "
    "which says more than the flat arguments. A schema that JSON Schema 2020-12 rejects cannot be "
    "used for the check.",
)
XML_AS_TEXT = Code(
    "MG322",
    "xml-as-text",
    Severity.NOTE,
    "the XML body of `{operation}` is one text argument: {reason}",
    hint="describe the body with a named schema and its `xml` objects",
    explanation="An XML body is built from flat arguments if its schema says how. Otherwise the "
    "caller writes the document, which must be well-formed and must not have a DOCTYPE.",
)
FORM_AS_TEXT = Code(
    "MG323",
    "form-as-text",
    Severity.NOTE,
    "the body of `{operation}` is a form (`{media_type}`) whose schema is not an object; the form "
    "is one text argument",
    hint="describe the form with `type: object` and `properties`",
    explanation="A form consists of pairs of names and values, which only the schema of an object "
    "describes. Otherwise the caller writes the whole form.",
)
UNNAMED_PART = Code(
    "MG324",
    "unnamed-part",
    Severity.WARNING,
    "the multipart body of `{operation}` has no properties; its part is sent under the name "
    "`{name}`",
    hint="describe the body as an object with one property for each part",
    explanation="Each part of `multipart/form-data` has a name. The document gives no name, so a "
    "common name is used.",
)
UNMATCHED_BODY = Code(
    "MG325",
    "unmatched-body",
    Severity.ERROR,
    "`bodies` has an entry for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `bodies` are operationIds or `GET /path` of selected operations, or "
    "`*` for all operations.",
)
UNOFFERED_MEDIA_TYPE = Code(
    "MG326",
    "unoffered-media-type",
    Severity.ERROR,
    "{operation} {verb} a body of `{wanted}`",
    hint="{nearest}",
    explanation="A body can only be sent in one of the media types that the document lists.",
)
UNANNOUNCED_VALUES = Code(
    "MG327",
    "unannounced-values",
    Severity.NOTE,
    "`{name}` of `{operation}` has more values than hosts accept; they are checked, not announced",
    hint="shorten the enumeration in the document or with an overlay to announce every value",
    explanation="Hosts refuse requests with long enumerations: more than 1,000 values in a tool, "
    "or more than 15,000 characters in an enumeration of more than 250 values. The first values "
    "are in the description, and the server refuses all other values.",
)
NOT_STRICT = Code(
    "MG328",
    "not-strict",
    Severity.WARNING,
    "`{operation}` is too large for strict mode: {reason}",
    hint="exclude the operation, or set `mode` under `[flatten]` to `flat`",
    explanation="OpenAI's strict mode refuses a request with a tool of more than 5,000 "
    "properties, or of more than 120,000 characters in names and values.",
)
UNSENT_EMPTY_BODY = Code(
    "MG329",
    "unsent-empty-body",
    Severity.NOTE,
    "the body of `{operation}` may be left out and may be `{value}`; without arguments it is "
    "{outcome}",
    hint="set `required: true` on the body if the API wants an object",
    explanation="The description allows a call without a body and a call with a body without "
    "values from the caller. Flat arguments cannot express the difference. An empty object is not "
    "sent, since APIs treat both the same; a body with fixed values only is always sent.",
)
MISSING_OPERATION = Code(
    "MG330",
    "missing-operation",
    Severity.ERROR,
    "`{operation}` cannot become a tool: {reason}",
    hint="{hint}",
    explanation="A tool must be able to send a valid request with every part of the operation, an "
    "optional body included. With `--keep-going` the other tools "
    "are built, and the missing operations are listed in the output and in the project's README.",
    remedy="correct the operation, exclude it under `[select]`, or build the others with `--keep-going`",
)
LEFT_OUT_DEPRECATED = Code(
    "MG331",
    "left-out-deprecated",
    Severity.NOTE,
    "`{name}` of `{operation}` is deprecated and left out",
    hint="remove `deprecated` under `[flatten]` to keep it",
    explanation="The configuration drops deprecated optional arguments.",
)
UNWRITTEN_PART = Code(
    "MG332",
    "unwritten-part",
    Severity.WARNING,
    "the part `{name}` of `{operation}` is sent as application/json, not as {types}",
    hint="describe the part as a string, which the caller writes; or offer application/json",
    explanation="A part that is an object, or a list of objects, is written as JSON, or as XML "
    "described by the schema. The document gives another content type, which the API may require.",
)
UNSENT_EMPTY_OBJECT = Code(
    "MG333",
    "unsent-empty-object",
    Severity.NOTE,
    "`{name}` of `{operation}` may be an empty object; without a value inside it is left out",
    hint="offer the body as application/json if the API distinguishes both",
    explanation="In forms, parts and XML, an object consists of its values. An empty object "
    "cannot be distinguished from an absent object.",
)
DOUBTFUL_TEXT = Code(
    "MG381",
    "doubtful-text",
    Severity.WARNING,
    "the text may be an instruction to the model; it is kept: `{sentence}`",
    hint="read the sentence, and remove it if it does not describe the operation",
    explanation="Phrases such as `you must first call` address developers more often than models, "
    "and a long base64 text is usually a sample. mcpgen keeps and reports such texts; "
    "instructions that no documentation contains are removed (MG340).",
)
SUSPICIOUS_TEXT = Code(
    "MG340",
    "suspicious-text",
    Severity.WARNING,
    "a sentence that instructs the model instead of describing the API is left out: `{sentence}`",
    hint="describe the operation; remove instructions",
    explanation="Models read the descriptions of tools. Instructions in these texts are known as "
    "tool poisoning.",
)
CUT_DESCRIPTION = Code(
    "MG341",
    "cut-description",
    Severity.NOTE,
    "the description of `{name}` is cut to {limit} characters",
    hint="set `x-mcp` `description`, or raise `limit` under `[descriptions]`",
    explanation="Hosts reject or truncate descriptions of more than about 1,000 characters.",
)
NO_UPSTREAM = Code(
    "MG350",
    "no-upstream",
    Severity.NOTE,
    "{reason}; the server does not start before the address of the API is set",
    hint="set `upstream` in mcpgen.toml, or set the variable `…_UPSTREAM` for the server, or start "
    "the server with `--upstream URL`",
    explanation="Only the first usable server of the API description counts, and its URL has to be "
    "absolute: mcpgen does not resolve a relative URL, not even of a description that it fetched. "
    "The last line of a build names the environment variables that the server needs.",
)
PRIVATE_UPSTREAM = Code(
    "MG351",
    "private-upstream",
    Severity.WARNING,
    "`{url}` points into a private network or at this machine",
    hint="check that the server should call this address; otherwise set `upstream`",
    explanation="A downloaded description could direct the server to addresses of your network. "
    "Private addresses are common in development, so the finding is a warning.",
)
REFUSED_UPSTREAM = Code(
    "MG352",
    "refused-upstream",
    Severity.ERROR,
    "`{url}` is refused as an address: {reason}",
    hint="{remedy}",
    explanation="Addresses of cloud metadata services, user names in URLs and schemes other than "
    "http and https are used for server-side request forgery; no API has such an address. "
    "`upstream` in mcpgen.toml replaces the address of the whole API. An operation with its own "
    "server keeps that server: correct its address, or exclude the operation.",
    remedy="correct the address in the document, or set `upstream` in mcpgen.toml",
)
REFUSED_TOKEN_URL = Code(
    "MG382",
    "refused-token-url",
    Severity.WARNING,
    "the token URL `{url}` of `{scheme}` is refused: {reason}; a ready token is taken from the "
    "environment",
    hint="correct the address in the document or with an overlay, if the server should fetch "
    "tokens",
    explanation="A server sends the secrets of an OAuth client to the token URL, so addresses of "
    "cloud metadata services, user names in URLs and schemes other than http and https are not "
    "used. `upstream` has no effect on token URLs. The operations of the scheme use an access "
    "token that was fetched elsewhere; the README of the project names the environment variable.",
)
UNKNOWN_SECURITY_SCHEME = Code(
    "MG353",
    "unknown-security-scheme",
    Severity.WARNING,
    "`{operation}` asks for the security scheme `{scheme}`, which the document does not define",
    hint="define the scheme under `securitySchemes`",
    explanation="The alternative with the unknown scheme is left out. The API refuses calls "
    "without the credential.",
)
UNSENT_CREDENTIAL = Code(
    "MG354",
    "unsent-credential",
    Severity.WARNING,
    "`{operation}` requires {place} parameter `{name}`, but no security scheme supplies it",
    hint="declare the credential as a security scheme",
    explanation="A model must not control this parameter, and the document does not say how the "
    "server should fill it, so the API may refuse calls.",
)
INCOMPLETE_CREDENTIALS = Code(
    "MG355",
    "incomplete-credentials",
    Severity.ERROR,
    "`credentials.mode` is `{mode}`, which needs `{key}`",
    hint="set `{key}` in mcpgen.toml",
    explanation="The credential of a caller is only sent to hosts on a list, or to the issuer "
    "that exchanges the credential. Without such a configuration every call would be refused.",
)
UNTRUSTED_UPSTREAM = Code(
    "MG356",
    "untrusted-upstream",
    Severity.ERROR,
    "{what} is at `{url}`, which is not on the list of hosts that callers' credentials may be "
    "sent to over https",
    hint="add the host to `credentials.trusted`, or leave the operation out",
    explanation="The server would refuse to send every call. `*.example.com` on the list matches "
    "the domain and all subdomains, `example.com` only the domain; plain http is allowed for this "
    "machine only.",
)
UNKNOWN_OWN_SCHEME = Code(
    "MG357",
    "unknown-own-scheme",
    Severity.ERROR,
    "`credentials.own` names `{scheme}`, which is not a usable security scheme of the document",
    hint="{nearest}",
    explanation="`credentials.own` lists the schemes whose credentials the server itself sends, beside the "
    "credentials of callers. The API would not get the credential of the misspelled scheme. Schemes that mcpgen "
    "cannot send (MG251) are not usable.",
    remedy="name a security scheme of the document, or delete the entry",
)
UNUSED_CREDENTIALS = Code(
    "MG358",
    "unused-credentials",
    Severity.WARNING,
    "`{key}` has no effect while the API gets the server's own credentials",
    hint="set `credentials.mode`, or delete the key",
    explanation="The list of trusted hosts and the issuer belong to the modes that send the "
    "credentials of callers to the API.",
)
EXCHANGE_FOR_ANYBODY = Code(
    "MG359",
    "exchange-for-anybody",
    Severity.ERROR,
    "`credentials.mode` is `exchange`, and callers need not authenticate",
    hint="set `authentication.required` in mcpgen.toml",
    explanation="Only an access token that the server has verified is exchanged, so every call "
    "would be refused.",
)
DROPPED_SCENARIO = Code(
    "MG360",
    "dropped-scenario",
    Severity.NOTE,
    "scenario `{scenario}` of `{operation}` is left out: {reason}",
    hint="add an example to the operation",
    explanation="Scenarios are made from examples and schemas. A scenario with a request outside "
    "the document's own schema would test nothing.",
)
NO_SCENARIO = Code(
    "MG361",
    "no-scenario",
    Severity.NOTE,
    "`{operation}` has no scenario, so no test calls its tool successfully",
    hint="add a valid request example",
    explanation="No example and no generated value is valid for the schema of the request.",
)
UNTESTED_METHOD = Code(
    "MG376",
    "untested-method",
    Severity.NOTE,
    "no test of the project calls `{operation}`: their HTTP server refuses the method",
    hint="try the tool against the API",
    explanation="The test API of a project is an aiohttp server, which only knows registered "
    "methods in upper case. The generated server sends every method as the document writes it.",
)
UNSENT_HEADER = Code(
    "MG378",
    "unsent-header",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` is required, but not sent: {reason}",
    hint="declare the header as optional, or exclude the operation",
    explanation="The header belongs to the connection or to the route of a request. A model must "
    "not choose the value and HTTP clients do not send the header, so an API that requires the "
    "header refuses the call. A header `X-Forwarded-…` with a scalar schema can get its value from a "
    "setting: `setting` under `[tools.NAME.arguments]`.",
)
BORROWED_XML_NAME = Code(
    "MG379",
    "borrowed-xml-name",
    Severity.NOTE,
    "the property `{name}` is written as `<{element}>`, the `xml.name` of the schema `{schema}` "
    "that it refers to",
    hint="write `xml: {{name: …}}` beside the property if the API expects its own name",
    explanation="The `xml` object of a schema names every property that refers to the schema, as "
    "in Swagger UI. Many servers use the name only for the root of a document, and elsewhere the "
    "name of the property; two properties of one object may even get the same name.",
)
DESTRUCTIVE_READ_ONLY = Code(
    "MG371",
    "destructive-read-only",
    Severity.WARNING,
    "`{operation}` is marked as read-only and as destructive; it is announced as destructive",
    hint="remove `readOnlyHint` or `destructiveHint` from `annotations` in {place}",
    explanation="Hosts run read-only tools without confirmation. A tool that may destroy data is "
    "never announced as read-only.",
)
UNKNOWN_LIMITED_TOOL = Code(
    "MG385",
    "unknown-limited-tool",
    Severity.ERROR,
    "there is no tool `{tool}` to limit",
    hint="{nearest}",
    explanation="Rates under `limits` apply to tools, by the name that clients see. A rate for an "
    "unknown tool has no effect, and the intended tool would have no limit.",
)
ILLEGAL_PROJECT_NAME = Code(
    "MG380",
    "illegal-project-name",
    Severity.ERROR,
    "`{name}` cannot be the {what} of a project",
    hint="{hint}",
    explanation="The name becomes a folder, a package and the prefix of environment variables.",
    remedy="set `name` in mcpgen.toml to lower-case words of letters and digits, joined by `-`",
)
UNKNOWN_CONFIRMED = Code(
    "MG386",
    "unknown-confirmed",
    Severity.ERROR,
    "`{table}` under `[confirm]` names `{name}`, which {fault}",
    hint="{nearest}",
    explanation="The user confirms calls of the tools that `[confirm]` chooses, by name or by "
    "required scope. A wrong name would leave the intended calls unconfirmed. Built-in tools such "
    "as `do` cannot be named; a script's call of a confirmed tool is refused.",
)
NOTHING_CONFIRMED = Code(
    "MG387",
    "nothing-confirmed",
    Severity.WARNING,
    "`[confirm]` applies to no tool: {reason}",
    hint="name the tools under `tools` in `[confirm]`, or remove the table `[confirm]`",
    explanation="`destructive` applies to tools of PUT, PATCH and DELETE, and to tools of POST with "
    "a word such as `cancel` or `reset` in the operationId, the summary or the last segment of the "
    "path (for a tool without an operation, in the tool's name). `readOnlyHint` and `destructiveHint` in `annotations` of `x-mcp`, or of a tool in "
    "`mcp.yaml`, count before these rules. `scopes` applies to tools that need one of the scopes.",
)
IDLE_KEY = Code(
    "MG388",
    "idle-key",
    Severity.WARNING,
    "`{key}` has no effect without {needed}",
    hint="choose {needed}, or remove the key",
    explanation="The key configures a feature that is off. Probably the key that enables the "
    "feature is missing.",
)
UNKNOWN_TOOL = Code(
    "MG390",
    "unknown-tool",
    Severity.ERROR,
    "`[{table}]` names `{entry}`, which is not a tool of this server",
    hint="{nearest}",
    explanation="A rule for an unknown tool has no effect, and the intended tool would be "
    "unprotected. Tools are named as clients see them, by operationId, or by method and path.",
)
UNKNOWN_SCOPE = Code(
    "MG391",
    "unknown-scope",
    Severity.ERROR,
    "`{entry}` requires the scope `{name}`, which is not among `authorization.known_scopes`",
    hint="{nearest}",
    explanation="`known_scopes` lists all scopes. No caller can have a misspelled scope, so only "
    "callers that need no scopes (`authentication.unscoped`, keys without scopes) could call the tool.",
)
UNUSABLE_SCOPE = Code(
    "MG399",
    "unusable-scope",
    Severity.ERROR,
    "the scope `{name}` has characters that no token can carry, such as spaces or quotes",
    hint="name the scopes of this operation under `[scopes]`, or repair the document with an "
    "overlay",
    explanation="With `authorization.from_security` callers need the scopes of the document, and "
    "a header lists missing scopes. RFC 6749 allows printable ASCII without spaces, quotes and "
    "backslashes.",
)
UNKNOWN_ROLE = Code(
    "MG392",
    "unknown-role",
    Severity.ERROR,
    "`{entry}` requires the role `{name}`, which is not among `authorization.known_roles`",
    hint="{nearest}",
    explanation="`known_roles` lists all roles. No caller can have a misspelled role, so nobody "
    "could call the tool.",
)
UNBOUND_PARAMETER = Code(
    "MG393",
    "unbound-parameter",
    Severity.WARNING,
    "no operation has the parameter `{name}` of `endpoint.path` in its path",
    hint="{nearest}",
    explanation="A parameter of the endpoint goes into every request whose path has a parameter "
    "of the same name. This parameter goes into no request: it only distinguishes callers and "
    "keys.",
)
RIGHTS_WITHOUT_AUTHENTICATION = Code(
    "MG394",
    "rights-without-authentication",
    Severity.ERROR,
    "`[{table}]` restricts {entry}, but callers need not authenticate",
    hint="set `required = true` under `[authentication]` in mcpgen.toml",
    explanation="Scopes and roles belong to authenticated callers. A caller without authentication "
    "has none of them, so no caller would be allowed.",
)
UNKNOWN_PARAMETER = Code(
    "MG395",
    "unknown-parameter",
    Severity.ERROR,
    "`authentication.path_claims` names `{name}`, which is not a parameter of `endpoint.path`",
    hint="{nearest}",
    explanation="A claim is compared with the value of a parameter in the path of the endpoint. "
    "Without the parameter every token would be refused.",
)
UNKNOWN_FEATURE = Code(
    "MG396",
    "unknown-feature",
    Severity.ERROR,
    "`[feature_needs]` names `{entry}`, which is not a feature",
    hint="{nearest}",
    explanation="A feature is a group of tools under `[features]`. The needs of an unknown "
    "feature have no effect, and the intended feature would have none.",
)
ISSUER_ALONE = Code(
    "MG373",
    "issuer-alone",
    Severity.NOTE,
    "`authentication.issuer` is set, but nothing tells how to verify the issuer's tokens",
    hint="set `jwks_url` or `introspection_url` under `[authentication]`, or, where the server runs, "
    "the variable that ends with `_CALLER_JWKS_URL` or `_CALLER_INTROSPECTION_URL`",
    explanation="A token is valid if signed by the issuer's keys, or if the issuer confirms it by "
    "introspection. Without either URL the server accepts no token; with API keys alone the "
    "server starts, and the issuer has no effect.",
)
LOGIN_OPERATION = Code(
    "MG389",
    "login-operation",
    Severity.WARNING,
    "`{operation}` is a login: its tool takes {arguments} from the model",
    hint="exclude the operation, and give the server its credentials by environment variables "
    "(see the project's README)",
    explanation="A password from a model is in the conversation, in the logs of the host and in "
    "every copy of both. A generated server fetches tokens with a user name and password, or with "
    "a client id and secret, from its environment, and needs no tool for a login. An operation "
    "counts as a login if it is the token endpoint of a security scheme, if it takes OAuth's "
    "`grant_type`, or if it takes a password, with a name or with `format: password`, and needs "
    "no credential.",
)
FOREIGN_HOST = Code(
    "MG397",
    "foreign-host",
    Severity.WARNING,
    "{what} to `{url}`, which is not a host of the API; {outcome}",
    hint="add `{host}` to `credentials.own_hosts` if the host belongs to the API, or exclude the "
    "operation",
    explanation="An operation may have its own server, and a security scheme a token endpoint, so "
    "a downloaded description could send the server's credentials to any host. A credential goes "
    "to the scheme, host and port of the API's base URL, and to the hosts in "
    "`credentials.own_hosts`; the server refuses calls that would send a credential elsewhere. "
    "Secrets for tokens go to the token endpoint of their scheme, which is reported as a note.",
)
UNMATCHED_PIN = Code(
    "MG398",
    "unmatched-pin",
    Severity.ERROR,
    "the operation `{operation}` under `pinned` does not become a tool",
    hint="{nearest}",
    explanation="The tool of a pinned operation is listed beside the search tool. Operations are "
    "named by operationId or `GET /pets/{id}`.",
)
RENAMED_PUBLISHED_TOOL = Code(
    "MG374",
    "renamed-published-tool",
    Severity.WARNING,
    "the published tool `{name}` is now `{now}`: `{operation}` is gone, and `{found}` is in its "
    "place",
    hint='to keep the old name, set `"{found}" = "{name}"` under `[names]` in mcpgen.toml',
    explanation="Clients, prompts and hooks know a tool by its name. `mcpgen.lock` keeps the name "
    "while the operation keeps its operationId, or its method and path. Here both have changed, "
    "for example because a framework derives operationIds from paths and a path has moved. "
    "`[names]`, or `name` under `[tools]`, gives the operation the published name.",
)
LOST_PUBLISHED_TOOL = Code(
    "MG375",
    "lost-published-tool",
    Severity.WARNING,
    "the published tool `{name}` is gone: `{operation}` is no longer in the document",
    hint="{hint}",
    explanation="Clients, prompts and hooks that call this tool get an error. No operation of the "
    "document has the operationId, or the method and path, of the published tool. A replacement "
    "can have the published name: `[names]`, or `name` under `[tools]`. The finding is reported "
    "by the build that deletes the tool, and by `--check` before.",
    remedy="give the replacement the published name under `[names]`, or tell the callers that the tool is gone",
)
