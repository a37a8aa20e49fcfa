"""Findings of the config stage: MG6xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

MISSING_CONFIG = Code(
    "MG601",
    "missing-config",
    Severity.ERROR,
    "there is no file `{path}`",
    hint="give `--config` the path of an existing file, or leave it out",
    explanation="The configuration was named on the command line, so building without it would "
    "build something else than you asked for. Without `--config`, mcpgen reads `mcpgen.toml` in "
    "the project's folder, and builds with defaults where there is none.",
)
BROKEN_CONFIG = Code(
    "MG602",
    "broken-config",
    Severity.ERROR,
    "this is not TOML: {reason}",
    hint="mend the file; https://toml.io shows the syntax on one page",
    explanation="`mcpgen.toml` could not be read as UTF-8 text in TOML 1.0, so none of your "
    "choices are known and nothing was built. The place is where the parser gave up; the fault "
    "is there or just before it.",
)
UNKNOWN_KEY = Code(
    "MG603",
    "unknown-key",
    Severity.ERROR,
    "mcpgen knows no key `{key}`{nearest}",
    hint="correct or delete the key; docs/configuration.md lists all of them",
    explanation="A misspelt key would otherwise be ignored, and the project would differ from "
    "what you asked for without a word. Keys are lower case, and each belongs to the table it is "
    "documented in.",
)
WRONG_TYPE = Code(
    "MG604",
    "wrong-type",
    Severity.ERROR,
    "`{key}` must be {expected}, and is {found}",
    hint="write the value as {expected}",
    explanation="Every key takes one type of value. Strings stand in quotes, numbers and `true` or "
    "`false` do not; lists stand in square brackets.",
)
ILLEGAL_VALUE = Code(
    "MG605",
    "illegal-value",
    Severity.ERROR,
    "`{key}` must be {must}, and is {value}",
    explanation="The value has the right type and still cannot work: a number out of its range, a "
    "word that is none of the choices, or a name that Python, packaging tools or MCP hosts refuse. "
    "The message says what the value must be.",
)
ILLEGAL_SELECTOR = Code(
    "MG606",
    "illegal-selector",
    Severity.ERROR,
    "this selector must {must}",
    hint='write for example "tag:pets", "GET /pets/*" or {{ path = "/pets/*", method = "GET" }}',
    explanation="A selector is a string or a table with any of the keys `operation`, `tag`, `path`, "
    "`method`, `scope`, `deprecated` and `read_only`; an operation is selected when all of them match. Patterns use `*`, `?` and "
    "`[…]` as in a shell. A selector that can match nothing is a mistake, and would silently leave "
    "tools out or in.",
)
OTHER_SPEC = Code(
    "MG607",
    "other-spec",
    Severity.NOTE,
    "the project is built from `{given}`, and `spec` names `{named}`",
    hint="change `spec` if later builds shall use the same file",
    explanation="The API description on the command line wins over `spec` in `mcpgen.toml`. A build "
    "without an argument, as the project's CI workflow runs it, uses `spec`, and would find the "
    "project changed.",
)
NO_SPEC = Code(
    "MG608",
    "no-spec",
    Severity.ERROR,
    "neither the command line nor `spec` in `{path}` names an API description",
    hint="run `mcpgen build SPEC`, or set `spec` to the path of the API description",
    explanation="mcpgen builds from an API description. It takes the path from the command line, or "
    "from the key `spec` in the project's `mcpgen.toml`, relative to that file. A description that "
    "came from standard input has no path; give it again.",
)
OTHER_NAME = Code(
    "MG609",
    "other-name",
    Severity.WARNING,
    "the project was called `{before}` and is `{name}` now",
    hint="set `{new}_*` wherever `{old}_*` is set, or keep the old `name`",
    explanation="The name of a project is the prefix of its environment variables and the name that "
    "clients see. Whoever runs the server has to rename the variables, or it starts without its "
    "credentials.",
)
TWO_OWN_TOOLS = Code(
    "MG610",
    "two-own-tools",
    Severity.ERROR,
    "`[{table}]` calls its tool `{name}`, and so another tool of the server's own is called",
    hint="set another `name` under `[{table}]` in mcpgen.toml",
    explanation="The tool that runs scripts, the one that gives documentation and those of discovery "
    "mode are called by their names, so each needs one of its own.",
)
UNREADABLE_ATTACHMENT = Code(
    "MG611",
    "unreadable-attachment",
    Severity.ERROR,
    "the file `{path}` cannot be brought along: {reason}",
    hint="{nearest}",
    explanation="Resources and prompts may name files in the folder of mcpgen.toml, or below it, of at "
    "most a megabyte each. They are copied into the project.",
)
CONFIRMED_BY_ONE = Code(
    "MG616",
    "confirmed-by-one",
    Severity.WARNING,
    "the Kubernetes manifests start several pods, which do not start where users confirm calls without Redis",
    hint='set `limits.store = "redis"`',
    explanation="A confirmation must make one call. Pods that share no Redis would each take the same "
    "confirmation once, so a server with `[confirm]` refuses to start as one of several instances. With "
    '`limits.store = "redis"` all processes and machines share which confirmations were used.',
)
CHANGED_SOURCE = Code(
    "MG620",
    "changed-source",
    Severity.WARNING,
    "`{path}` is not the document at `{url}`",
    hint="`mcpgen build --refresh` takes the document of the URL",
    explanation="`mcpgen build --check --refresh` fetches the `source` of mcpgen.toml and compares it, byte by "
    "byte, with the copy in the project. Builds use the copy.",
)
OTHER_SOURCE = Code(
    "MG621",
    "other-source",
    Severity.ERROR,
    "the project is not built from `{url}`, as `spec` and `source` in mcpgen.toml say",
    hint='set `spec = "{path}"` and `source = "{url}"`, then run `mcpgen build --refresh`',
    explanation="mcpgen.toml is yours, so mcpgen does not change it, and a document that you keep in the "
    "project is not replaced by a fetched one unless `source` says that it comes from there.",
)
UNFETCHED_FILE = Code(
    "MG622",
    "unfetched-file",
    Severity.ERROR,
    "`{path}` is there already and is not the document at `{url}`",
    hint="move the file away, or choose another folder with `-o`",
    explanation="The fetched document would be written to this path. A file that mcpgen did not fetch is "
    "never overwritten.",
)
NO_SOURCE = Code(
    "MG623",
    "no-source",
    Severity.ERROR,
    "mcpgen.toml names no `source`, so there is nothing to fetch again",
    hint="set `source` to the URL of the document, or leave `--refresh` out",
    explanation="`--refresh` fetches the document of a project from the URL in `source`, which "
    "`mcpgen build URL` writes into a new mcpgen.toml.",
)
UNWRITTEN_CREDENTIALS = Code(
    "MG624",
    "unwritten-credentials",
    Severity.NOTE,
    "the credentials in the URL are not written down; `source` is `{url}`",
    hint="name the URL with its credentials again for `--refresh`",
    explanation="A user name, a password and query parameters such as `token` or `key` are sent to the host of "
    "the URL and kept nowhere: mcpgen.toml belongs under version control.",
)
UNPINNED_IMAGE = Code(
    "MG626",
    "unpinned-image",
    Severity.NOTE,
    "`{key}` names `{image}` by tag, which the registry can give another content",
    hint="`docker buildx imagetools inspect {image}` prints the digest; set `{name}` under `[deploy]` to "
    "`{image}@sha256:…`",
    explanation="mcpgen asks no registry, so the digest of an image is yours to look up and to renew. With "
    "a digest the image is the same for everybody until you change it. The note comes with `compose` or "
    "`kubernetes` under `[deploy]`.",
)
UNLOCKED_REQUIREMENT = Code(
    "MG627",
    "unlocked-requirement",
    Severity.WARNING,
    "no lock file has a package for `{requirement}`",
    hint="pin the package with its hashes in a file such as `own.lock`, and set `lock` under `[deploy]` to "
    "its name",
    explanation="The Dockerfile and the workflow install the lock files and nothing else, and fail where "
    "`pyproject.toml` requires more. `requirements.lock` holds the packages that the server itself needs, "
    "at versions that this release of mcpgen was tested with. docs/supply-chain.md shows how to write a "
    "lock file for others.",
)
MISSING_LOCK = Code(
    "MG628",
    "missing-lock",
    Severity.WARNING,
    "there is no file `{path}`, which `deploy.lock` names",
    hint="write the file as docs/supply-chain.md shows, or delete the key",
    explanation="The Dockerfile copies the file and installs its packages, as the workflow does. Both fail "
    "without the file.",
)
OVER_BUDGET = Code(
    "MG650",
    "over-budget",
    Severity.ERROR,
    "`{key}` allows {limit}, and the tools come to {found}; the largest are {largest}",
    hint="{cuts}",
    explanation="`[budgets]` holds the size of what models are shown: every conversation pays for it. "
    "Nothing is built beyond a budget that somebody has set. `mcpgen tools` shows what each tool "
    "weighs, and what each choice would save; tokens are estimates.",
)
OVER_TOOL_BUDGET = Code(
    "MG651",
    "over-tool-budget",
    Severity.ERROR,
    "the tool `{name}` has {found} bytes, and `tool_bytes` allows {limit}; {part}",
    hint="exclude the operation, or lower `max_arguments` and `limit` until it fits",
    explanation="One tool is larger than `tool_bytes` under `[budgets]` allows. Its bytes are those of its "
    "announced form as compact JSON: name, description, arguments, output schema and hints.",
)
UNMEETABLE_BUDGET = Code(
    "MG652",
    "unmeetable-budget",
    Severity.ERROR,
    "`{key}` allows {limit}, and the smallest tool alone comes to {least}",
    hint="raise the budget",
    explanation="No selection of tools could meet this budget, so it can only be a mistake.",
)
MANY_TOOLS = Code(
    "MG653",
    "many-tools",
    Severity.WARNING,
    "{count} tools are more than the {limit} among which models choose well",
    hint="{cuts}; or choose fewer under `[select]`, or set `tools` under `[budgets]` to the number "
    "that is meant",
    explanation="Hosts stop at 40, 80, 100 or 128 tools of all servers together, and models choose worse "
    "long before. Nobody has said how many there may be, so this is only told. In discovery mode "
    "the list has a search, a tool that describes another, and one or two that call them.",
)
