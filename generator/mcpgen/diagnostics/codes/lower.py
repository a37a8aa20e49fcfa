"""Findings of the lower stage: MG3xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

UNMATCHED_SELECTOR = Code(
    "MG301",
    "unmatched-selector",
    Severity.ERROR,
    "the {list} selector `{selector}` matches no operation",
    hint="{nearest}",
    explanation="A selector that matches nothing is a slip of the pen, and in `exclude` it would "
    "expose what should stay hidden. Operations are matched by operationId or `GET /path`, by "
    "tag, by a path glob, by method, by a scope that they need, by whether they are deprecated and "
    "by whether they only read; all fields of one selector must match.",
)
NOTHING_SELECTED = Code(
    "MG302",
    "nothing-selected",
    Severity.ERROR,
    "no operation is selected, so there is no tool to generate",
    hint="widen `include`, or remove an `exclude`",
    explanation="Every operation of the document is excluded, hidden with `x-mcp`, or not "
    "included. A server without tools is of no use to anyone.",
)
ILLEGAL_TOOL_NAME = Code(
    "MG303",
    "illegal-tool-name",
    Severity.ERROR,
    "`{name}` cannot be the name of a tool for `{operation}`",
    hint="use 1 to 40 small letters, digits and single underscores, beginning with a letter",
    explanation="Hosts prefix and restrict tool names; a name of `[a-z][a-z0-9_]{0,39}` without "
    "a double underscore is accepted by all of them.",
)
TAKEN_TOOL_NAME = Code(
    "MG304",
    "taken-tool-name",
    Severity.ERROR,
    "the tool name `{name}` is wanted by `{operation}` and by `{other}`",
    hint="give one of the two another name",
    explanation="Tool names are unique in a server. Both names were chosen by hand, or one is kept "
    "in mcpgen.lock because the tool is published under it, so mcpgen does not choose which one "
    "yields.",
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
    explanation="Two operations lead to the same tool name. The later one gets a name told apart "
    "by its method and path, else a number.",
)
UNMATCHED_NAME = Code(
    "MG307",
    "unmatched-name",
    Severity.ERROR,
    "`names` has an entry for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `names` are operationIds or `GET /path`, of operations that are "
    "selected.",
)
UNMATCHED_FIELDS = Code(
    "MG308",
    "unmatched-fields",
    Severity.ERROR,
    "`fields` has an entry for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `fields` are operationIds or `GET /path`, of operations that are "
    "selected.",
)
UNKNOWN_FIELD = Code(
    "MG309",
    "unknown-field",
    Severity.ERROR,
    "no result of `{operation}` has a field `{field}`",
    hint="{nearest}",
    explanation="`fields` reduces the results of a tool to what is listed: names, with a `.` "
    "between those of nested objects; arrays are passed through. A name that no result has would "
    "leave nothing to show.",
)
RENAMED_ARGUMENT = Code(
    "MG310",
    "renamed-argument",
    Severity.NOTE,
    "`{wanted}` of `{operation}` is already a {other}; this {own} is announced as `{name}`",
    hint="set `x-mcp-name` on the parameter or property to choose the name",
    explanation="A tool's arguments are one flat object, so the same name in path and body needs "
    "two names. The first keeps its name; the wire is not affected.",
)
LEGALISED_ARGUMENT = Code(
    "MG311",
    "legalised-argument",
    Severity.NOTE,
    "`{wanted}` of `{operation}` is no legal argument name; it is announced as `{name}`",
    explanation="Hosts reject whole requests for one property key outside "
    "`[A-Za-z_][A-Za-z0-9_]{0,63}`. The name on the wire stays as the document has it.",
)
LEFT_OUT_PARAMETER = Code(
    "MG312",
    "left-out-parameter",
    Severity.NOTE,
    "{place} parameter `{name}` of `{operation}` is no argument: {reason}",
    explanation="Credentials and the headers that frame a request are set by the server and are "
    "never under the control of a model. Parameters such as `X-HTTP-Method-Override` change the method or the path "
    "of a request, so that a tool announced as read-only could delete; `flatten.method_override` keeps them.",
)
IGNORED_ARGUMENT_NAME = Code(
    "MG313",
    "ignored-argument-name",
    Severity.WARNING,
    "`x-mcp-name: {name}` is no legal argument name and is ignored",
    hint="use letters, digits and underscores, at most 64, not beginning with a digit",
    explanation="Hosts reject whole requests for one illegal property key.",
)
UNUSABLE_PATTERN = Code(
    "MG314",
    "unusable-pattern",
    Severity.WARNING,
    "the pattern `{pattern}` is no regular expression that validators can compile; it is not enforced",
    hint="write the pattern as ECMA-262 with the `u` flag",
    explanation="JSON Schema patterns are ECMA-262 regular expressions. One that does not compile "
    "would make every call of the tool fail, so it is left to the API to check.",
)
CONTRADICTION = Code(
    "MG315",
    "contradictory-schema",
    Severity.WARNING,
    "no value can meet the schema of `{name}` ({reason}); it is left out of `{operation}`",
    hint="mend the `allOf` or the bounds",
    explanation="The parts of a schema exclude each other, so whatever a caller sent would be "
    "invalid. An optional value is left out; a required one makes the operation impossible.",
)
BEYOND_LIMIT = Code(
    "MG316",
    "beyond-limit",
    Severity.NOTE,
    "`{name}` of `{operation}` lies beyond the {limit}; it is announced as JSON text",
    hint="raise the limit under `[flatten]`, or keep it: JSON text can express everything",
    explanation="Nested objects become flat arguments up to a number of levels and of arguments. "
    "Beyond that, one string argument holds JSON, with the type written in its description.",
)
MANY_ARGUMENTS = Code(
    "MG317",
    "many-arguments",
    Severity.NOTE,
    "`{operation}` has {count} parameters, more than the limit of {limit}; all are announced",
    explanation="Parameters outside the body cannot be put together into JSON text, so the limit "
    "on arguments does not apply to them.",
)
TOLD_BY_DISCRIMINATOR = Code(
    "MG318",
    "told-by-discriminator",
    Severity.NOTE,
    "the schemas of this union do not tell its forms apart; `{key}` chooses the one that is checked",
    hint="give `{key}` in each form a `const`",
    explanation="The schemas alone would take one form for another, or refuse a value that meets "
    "several of a `oneOf`. The `discriminator` says which form is meant, so a value is held against that "
    "one, and against the union where the discriminator chooses none.",
)
OTHER_MEDIA_TYPES = Code(
    "MG320",
    "other-media-types",
    Severity.NOTE,
    "the body of `{operation}` is sent as `{chosen}`, not as {others}",
    explanation="A body is sent in one representation: JSON if the document has it, then other "
    "JSON types, forms, multipart, JSON lines, XML, text and bytes. `bodies` in `mcpgen.toml` chooses "
    "another.",
)
UNCHECKED_SCHEMA = Code(
    "MG321",
    "unchecked-schema",
    Severity.WARNING,
    "`{name}` is not a schema that validators can compile; values are not checked against it",
    hint="mend the schema: {reason}",
    explanation="What the flat arguments cannot say is checked against the original schema before "
    "a request is sent. A schema that JSON Schema 2020-12 rejects cannot be used for that.",
)
XML_AS_TEXT = Code(
    "MG322",
    "xml-as-text",
    Severity.NOTE,
    "the XML of the body of `{operation}` is an argument as it stands: {reason}",
    hint="describe it with a named schema and its `xml` objects",
    explanation="A body of XML is made from flat arguments where its schema says how. Where it does "
    "not, the caller writes the document; it has to be well-formed and may hold no DOCTYPE.",
)
FORM_AS_TEXT = Code(
    "MG323",
    "form-as-text",
    Severity.NOTE,
    "the body of `{operation}` is a form (`{media_type}`) whose schema has no properties; it is an "
    "argument as it stands",
    hint="give the schema properties",
    explanation="A form is pairs of names and values. A schema that is no object names none, so the "
    "caller writes the whole form.",
)
UNNAMED_PART = Code(
    "MG324",
    "unnamed-part",
    Severity.WARNING,
    "the multipart body of `{operation}` has no properties; its part is sent under the name `{name}`",
    hint="describe the body as an object with one property for each part",
    explanation="Each part of `multipart/form-data` has a name. The document gives none, so a usual "
    "one is taken.",
)
UNMATCHED_BODY = Code(
    "MG325",
    "unmatched-body",
    Severity.ERROR,
    "`bodies` has an entry for `{operation}`, which is not an operation of this server",
    hint="{nearest}",
    explanation="The keys of `bodies` are operationIds or `GET /path`, of operations that are "
    "selected, or `*` for all of them.",
)
UNOFFERED_MEDIA_TYPE = Code(
    "MG326",
    "unoffered-media-type",
    Severity.ERROR,
    "{operation} {verb} a body of `{wanted}`",
    hint="{nearest}",
    explanation="A body can only be sent in one of the media types that the document lists for it.",
)
UNANNOUNCED_VALUES = Code(
    "MG327",
    "unannounced-values",
    Severity.NOTE,
    "`{name}` of `{operation}` has more values than hosts take; they are checked, not announced",
    explanation="Hosts refuse requests whose enumerations are too long: 1,000 values in a tool, and "
    "15,000 characters in one of more than 250 values. The first values stand in the description, and "
    "the server refuses a value that is not among them.",
)
NOT_STRICT = Code(
    "MG328",
    "not-strict",
    Severity.WARNING,
    "`{operation}` is too large for strict mode: {reason}",
    hint="exclude the operation, or set `mode` under `[flatten]` to `flat`",
    explanation="OpenAI's strict mode refuses a request with a tool of more than 5,000 properties, or "
    "of more than 120,000 characters in names and values.",
)
UNSENT_EMPTY_BODY = Code(
    "MG329",
    "unsent-empty-body",
    Severity.NOTE,
    "the body of `{operation}` may be left out and may be `{value}`; without arguments it is {outcome}",
    hint="set `required: true` on the body if the API wants an object",
    explanation="The description allows a call without a body and a call with a body that holds no value a "
    "caller chooses. Flat arguments cannot tell them apart. An empty object is not sent, since APIs treat "
    "no body the same; a body that can only hold fixed values is always sent.",
)
MISSING_OPERATION = Code(
    "MG330",
    "missing-operation",
    Severity.ERROR,
    "`{operation}` cannot become a tool: {reason}",
    hint="{hint}",
    explanation="A tool must be able to send a valid request. With `--keep-going` the others are "
    "built, and what is missing is listed in the output and in the project's README.",
)
LEFT_OUT_DEPRECATED = Code(
    "MG331",
    "left-out-deprecated",
    Severity.NOTE,
    "`{name}` of `{operation}` is deprecated and left out",
    hint="remove `deprecated` under `[flatten]` to keep it",
    explanation="The configuration drops optional arguments that the API calls deprecated.",
)
UNWRITTEN_PART = Code(
    "MG332",
    "unwritten-part",
    Severity.WARNING,
    "the part `{name}` of `{operation}` is sent as application/json, not as {types}",
    hint="describe the part as a string, and the caller writes it; or offer application/json",
    explanation="A part that is an object or a list of them is written as JSON, or as XML that its "
    "schema describes. The document gives it another content type, which the API may insist on.",
)
UNSENT_EMPTY_OBJECT = Code(
    "MG333",
    "unsent-empty-object",
    Severity.NOTE,
    "`{name}` of `{operation}` may be an empty object; without a value inside it is left out",
    hint="offer the body as application/json if the API tells the two apart",
    explanation="In forms, parts and XML, an object is made of the values inside it. One that is there "
    "and empty cannot be told from one that is not there.",
)
DOUBTFUL_TEXT = Code(
    "MG381",
    "doubtful-text",
    Severity.WARNING,
    "the text may be an order to the model; it is kept: `{sentence}`",
    hint="read the sentence, and remove it if it does not describe the operation",
    explanation="Phrases such as `you must first call` address developers more often than models, and a "
    "long base64 text is a sample more often than a hidden order. mcpgen keeps them and tells of them; "
    "orders that no documentation holds are removed (MG340).",
)
SUSPICIOUS_TEXT = Code(
    "MG340",
    "suspicious-text",
    Severity.WARNING,
    "a sentence that speaks to the model instead of describing the API is left out: `{sentence}`",
    hint="describe what the operation does; remove instructions",
    explanation="Descriptions of tools are read by models. Text that gives them orders is how "
    "tool poisoning works, whoever wrote it.",
)
CUT_DESCRIPTION = Code(
    "MG341",
    "cut-description",
    Severity.NOTE,
    "the description of `{name}` is cut to {limit} characters",
    hint="set `x-mcp` `description`, or raise `limit` under `[descriptions]`",
    explanation="Hosts reject or cut descriptions of tools that are longer than about 1,000 "
    "characters.",
)
NO_UPSTREAM = Code(
    "MG350",
    "no-upstream",
    Severity.NOTE,
    "the document names no absolute server URL; the server does not start before the address of the "
    "API is known",
    hint="set `upstream` in mcpgen.toml, or the variable `…_UPSTREAM` where the server runs, or start it "
    "with `--upstream URL`",
    explanation="A relative server URL means nothing away from the document's own address. The last "
    "line of a build names the variables that the server needs, this one among them.",
)
PRIVATE_UPSTREAM = Code(
    "MG351",
    "private-upstream",
    Severity.WARNING,
    "`{url}` points into a private network or at this machine",
    hint="check that the server shall call it; set `upstream` otherwise",
    explanation="A description from somewhere else could aim the server at addresses only you can "
    "reach. Private addresses are usual in development, so they are only told.",
)
REFUSED_UPSTREAM = Code(
    "MG352",
    "refused-upstream",
    Severity.ERROR,
    "`{url}` is refused as an address: {reason}",
    hint="{remedy}",
    explanation="Addresses of cloud metadata services, user names in URLs and schemes other than "
    "http and https are how server-side request forgery is done; no API lives there. `upstream` in "
    "mcpgen.toml replaces the address of the whole API; an operation that names a server of its own "
    "keeps that server, so its address has to be corrected, or the operation excluded.",
)
REFUSED_TOKEN_URL = Code(
    "MG382",
    "refused-token-url",
    Severity.WARNING,
    "the token URL `{url}` of `{scheme}` is refused: {reason}; a ready token is taken from the environment",
    hint="correct the address in the document or with an overlay, if the server shall fetch tokens",
    explanation="A server sends the secrets of an OAuth client to the token URL, so addresses of cloud "
    "metadata services, user names in URLs and schemes other than http and https are not used. "
    "`upstream` has no effect on token URLs. The operations of the scheme work with an access token that "
    "somebody else has fetched; the README of the project names its variable.",
)
UNKNOWN_SECURITY_SCHEME = Code(
    "MG353",
    "unknown-security-scheme",
    Severity.WARNING,
    "`{operation}` asks for the security scheme `{scheme}`, which the document does not define",
    hint="define it under `securitySchemes`",
    explanation="The alternative that names the unknown scheme is left out. The API will refuse "
    "calls that lack the credential.",
)
UNSENT_CREDENTIAL = Code(
    "MG354",
    "unsent-credential",
    Severity.WARNING,
    "`{operation}` requires {place} parameter `{name}`, but no security scheme supplies it",
    hint="declare the credential as a security scheme",
    explanation="The parameter is one a model must not control, and the document does not say how "
    "the server should fill it, so calls may be refused by the API.",
)
INCOMPLETE_CREDENTIALS = Code(
    "MG355",
    "incomplete-credentials",
    Severity.ERROR,
    "`credentials.mode` is `{mode}`, which needs `{key}`",
    hint="set `{key}` in mcpgen.toml",
    explanation="The credential of a caller is only sent where the configuration says: to hosts on "
    "a list, or to the issuer that exchanges it. Without either, every call would be refused.",
)
UNTRUSTED_UPSTREAM = Code(
    "MG356",
    "untrusted-upstream",
    Severity.ERROR,
    "{what} is at `{url}`, which is not on the list of hosts that callers' credentials may be sent "
    "to over https",
    hint="add the host to `credentials.trusted`, or leave the operation out",
    explanation="Every call would be refused when it is to be sent. `*.example.com` on the list is "
    "the domain and every one below it, `example.com` only itself; plain http is for this machine.",
)
UNKNOWN_OWN_SCHEME = Code(
    "MG357",
    "unknown-own-scheme",
    Severity.ERROR,
    "`credentials.own` names `{scheme}`, which is no security scheme of the document",
    hint="name a key of `securitySchemes`",
    explanation="The server would send no credential where one was wanted.",
)
UNUSED_CREDENTIALS = Code(
    "MG358",
    "unused-credentials",
    Severity.WARNING,
    "`{key}` means nothing while the API gets the server's own credentials",
    hint="set `credentials.mode`, or delete the key",
    explanation="The list of trusted hosts and the issuer belong to the modes in which the API "
    "gets the credentials of callers.",
)
EXCHANGE_FOR_ANYBODY = Code(
    "MG359",
    "exchange-for-anybody",
    Severity.ERROR,
    "`credentials.mode` is `exchange`, and callers need not prove who they are",
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
    explanation="Scenarios are made from examples and schemas. One whose request does not meet the "
    "document's own schema would test nothing.",
)
NO_SCENARIO = Code(
    "MG361",
    "no-scenario",
    Severity.NOTE,
    "`{operation}` has no scenario, so no test calls its tool with success",
    hint="add a request example that is valid",
    explanation="No example and no made-up value met the schema of the request.",
)
UNTESTED_METHOD = Code(
    "MG376",
    "untested-method",
    Severity.NOTE,
    "no test of the project calls `{operation}`: their HTTP server refuses the method",
    hint="try the tool against the API",
    explanation="The API of a project's tests is a server of aiohttp, which knows the registered methods "
    "in capitals. The generated server sends every method as the document writes it.",
)
UNSENT_HEADER = Code(
    "MG378",
    "unsent-header",
    Severity.WARNING,
    "{place} parameter `{name}` of `{operation}` is required, but not sent: {reason}",
    hint="declare it as optional, or exclude the operation",
    explanation="The header belongs to the connection or to the way that a request has come. A model must "
    "not choose it and HTTP clients do not send it, so an API that insists on it refuses the call.",
)
BORROWED_XML_NAME = Code(
    "MG379",
    "borrowed-xml-name",
    Severity.NOTE,
    "the property `{name}` is written as `<{element}>`, the `xml.name` of the schema `{schema}` that it "
    "refers to",
    hint="write `xml: {{name: …}}` beside the property if the API expects its own name",
    explanation="The `xml` object of a schema names every property that refers to the schema, as Swagger UI "
    "shows it, too. Many servers use the name for the root of a document alone, and the property's own name "
    "elsewhere; two properties of one object may even get the same name.",
)
DESTRUCTIVE_READ_ONLY = Code(
    "MG371",
    "destructive-read-only",
    Severity.WARNING,
    "`{operation}` cannot be destructive and read-only; it is announced as destructive",
    hint="remove one of the two from `x-mcp`",
    explanation="Hosts run read-only tools without asking. What may destroy is never announced "
    "as read-only.",
)
UNKNOWN_LIMITED_TOOL = Code(
    "MG385",
    "unknown-limited-tool",
    Severity.ERROR,
    "there is no tool `{tool}` whose calls could be limited",
    hint="{nearest}",
    explanation="Rates under `limits` are for tools, by the name that clients see. One for a tool "
    "that is not there would limit nothing, and the tool that was meant would have no limit.",
)
ILLEGAL_PROJECT_NAME = Code(
    "MG380",
    "illegal-project-name",
    Severity.ERROR,
    "`{name}` cannot be the {what} of a project",
    hint="{hint}",
    explanation="The name becomes a folder, a package and the prefix of environment variables.",
)
UNKNOWN_CONFIRMED = Code(
    "MG386",
    "unknown-confirmed",
    Severity.ERROR,
    "`{table}` under `[confirm]` names `{name}`, which {fault}",
    hint="{nearest}",
    explanation="The user is asked before calls of the tools that `[confirm]` chooses: by their names, "
    "or by scopes that they need. A name that fits none would leave the call that was meant "
    "unconfirmed. Tools of the server's own, such as `do`, are not asked about: the calls that a script "
    "makes are, and are refused there.",
)
NOTHING_CONFIRMED = Code(
    "MG387",
    "nothing-confirmed",
    Severity.WARNING,
    "`[confirm]` asks the user before calls that destroy something, and no tool does",
    hint="name the tools under `confirm.tools`, or leave the table out",
    explanation="Whether a tool destroys something is decided by its method, and by what overlays and "
    "`[tools]` say of it.",
)
IDLE_KEY = Code(
    "MG388",
    "idle-key",
    Severity.WARNING,
    "`{key}` changes nothing without {needed}",
    hint="choose {needed}, or leave the key out",
    explanation="The key says how something is done that this server does not do. Most likely the key that "
    "switches it on was forgotten.",
)
UNKNOWN_TOOL = Code(
    "MG390",
    "unknown-tool",
    Severity.ERROR,
    "`[{table}]` names `{asked}`, which is no tool of this server",
    hint="{nearest}",
    explanation="A rule for a tool that does not exist protects nothing, and the tool that was meant "
    "would stand open. Tools are named as clients see them, by operationId, or by method and path.",
)
UNKNOWN_SCOPE = Code(
    "MG391",
    "unknown-scope",
    Severity.ERROR,
    "`{asked}` asks for the scope `{name}`, which is not among `authorisation.known_scopes`",
    hint="{nearest}",
    explanation="`known_scopes` lists all scopes there are. Nobody can ever hold one that is "
    "misspelt, and a tool that asks for it could be called by operators only.",
)
UNUSABLE_SCOPE = Code(
    "MG399",
    "unusable-scope",
    Severity.ERROR,
    "the scope `{name}` holds spaces, quotes or what is not ASCII, so no token can have it",
    hint="name the scopes of this operation under `[scopes]`, or repair the document with an overlay",
    explanation="With `authorisation.from_security` callers need the scopes of the document, and are "
    "told in a header which ones they lack. RFC 6749 allows printable ASCII without spaces, quotes and "
    "backslashes there.",
)
UNKNOWN_ROLE = Code(
    "MG392",
    "unknown-role",
    Severity.ERROR,
    "`{asked}` asks for the role `{name}`, which is not among `authorisation.known_roles`",
    hint="{nearest}",
    explanation="`known_roles` lists all roles there are. Nobody can ever have one that is misspelt, "
    "and the tool would exist for no one.",
)
UNBOUND_PARAMETER = Code(
    "MG393",
    "unbound-parameter",
    Severity.WARNING,
    "no operation has the parameter `{name}` of `endpoint.path` in its path",
    hint="{nearest}",
    explanation="A parameter of the endpoint goes into every request whose path has a parameter of "
    "the same name. This one goes nowhere: it only tells callers and keys apart.",
)
RIGHTS_OF_NOBODY = Code(
    "MG394",
    "rights-of-nobody",
    Severity.ERROR,
    "`[{table}]` says what callers of `{asked}` need, but nobody has to prove who they are",
    hint="set `required = true` under `[authentication]` in mcpgen.toml",
    explanation="Scopes and roles belong to callers who are known. Without authentication every call "
    "would be let through, or none.",
)
UNKNOWN_PARAMETER = Code(
    "MG395",
    "unknown-parameter",
    Severity.ERROR,
    "`authentication.path_claims` names `{name}`, which is no parameter of `endpoint.path`",
    hint="{nearest}",
    explanation="A claim is compared with the value of a parameter in the path of the endpoint. "
    "Without the parameter every token would be refused.",
)
UNKNOWN_FEATURE = Code(
    "MG396",
    "unknown-feature",
    Severity.ERROR,
    "`[feature_needs]` names `{asked}`, which is no feature",
    hint="{nearest}",
    explanation="A feature is a group of tools under `[features]`. The needs of one that has no tools "
    "would be asked for by nobody, and the feature that was meant would lack them.",
)
ISSUER_ALONE = Code(
    "MG373",
    "issuer-alone",
    Severity.NOTE,
    "`authentication.issuer` is named, and not how its tokens are verified",
    hint="set `authentication.jwks_url` or `authentication.introspection_url`, or `…_CALLER_JWKS_URL` "
    "or `…_CALLER_INTROSPECTION_URL` where the server runs",
    explanation="A token is good if the issuer's keys have signed it, or if the issuer says so when it is "
    "asked. A server that is told of neither place takes no token; with keys of callers alone it runs, "
    "and the issuer means nothing.",
)
LOGIN_OPERATION = Code(
    "MG389",
    "login-operation",
    Severity.WARNING,
    "`{operation}` logs in: its tool takes {arguments} from the model",
    hint="leave it out with `exclude`, and give the server its credentials by its environment (see the "
    "project's README)",
    explanation="A password that a model sends stands in the conversation, in the logs of the host and "
    "wherever these go. A generated server fetches tokens by itself, with a name and a password or with "
    "a client's id and secret from its environment, and needs no tool for it. An operation is taken for "
    "a login if it is the token endpoint of a security scheme, if it takes OAuth's `grant_type`, or if "
    "it takes a password, with a name or with `format: password`, and asks for no credential.",
)
FOREIGN_HOST = Code(
    "MG397",
    "foreign-host",
    Severity.WARNING,
    "{what} to `{url}`, which is not where the API is; {outcome}",
    hint="add `{host}` to `credentials.own_hosts` if it belongs to the API, or leave out what leads there",
    explanation="An operation may have a server of its own, and a security scheme a token endpoint. A "
    "description from somebody else could send the server's credentials anywhere in this way. A "
    "credential goes to the scheme, host and port of the API's base URL, and to the hosts in "
    "`credentials.own_hosts`; calls that would send it elsewhere are refused when the server runs. "
    "Secrets that fetch tokens go to the token endpoint of their scheme, which is told as a note.",
)
UNMATCHED_PIN = Code(
    "MG398",
    "unmatched-pin",
    Severity.ERROR,
    "the operation `{operation}` under `pinned` is none that becomes a tool",
    hint="{nearest}",
    explanation="A pinned operation is one whose tool is listed beside the search. It is named by "
    "its operationId or `GET /pets/{id}`.",
)
RENAMED_PUBLISHED_TOOL = Code(
    "MG374",
    "renamed-published-tool",
    Severity.WARNING,
    "the published tool `{name}` is now `{now}`: `{operation}` is gone, and `{found}` is in its place",
    hint='to keep the old name, set `"{found}" = "{name}"` under `[names]` in mcpgen.toml',
    explanation="Clients, prompts and hooks know a tool by its name. `mcpgen.lock` keeps the name while the "
    "operation keeps its operationId, or its method and path. Here both have changed, as they do where "
    "a framework makes operationIds of paths and a path moves. `[names]`, or `name` under `[tools]`, "
    "gives the operation the name that was published.",
)
LOST_PUBLISHED_TOOL = Code(
    "MG375",
    "lost-published-tool",
    Severity.WARNING,
    "the published tool `{name}` is gone: `{operation}` is no longer in the document",
    hint="{hint}",
    explanation="Clients, prompts and hooks that call this tool get an error from now on. No operation of "
    "the document has the operationId, or the method and path, that the tool was made of. An "
    "operation that replaces it can have the published name: `[names]`, or `name` under `[tools]`. "
    "The finding is told by the build that deletes the tool, and by `--check` before.",
)
