"""Findings of the config stage and of optional packages that are not installed: MG6xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

MISSING_CONFIG = Code(
    "MG601",
    "missing-config",
    Severity.ERROR,
    "there is no file `{path}`",
    hint="correct the path of `--config`, or omit the option",
    explanation="The configuration was named on the command line, so a build without it would "
    "give another result. Without `--config`, mcpgen reads `mcpgen.toml` in the project's folder, "
    "and uses defaults if there is none.",
)
BROKEN_CONFIG = Code(
    "MG602",
    "broken-config",
    Severity.ERROR,
    "this is not TOML: {reason}",
    hint="correct the file; https://toml.io shows the syntax on one page",
    explanation="`mcpgen.toml` is not UTF-8 text in TOML 1.0, so nothing was built. The parser "
    "stopped at this place; the fault is here or directly before.",
)
UNKNOWN_KEY = Code(
    "MG603",
    "unknown-key",
    Severity.ERROR,
    "mcpgen has no key `{key}`{nearest}",
    hint="correct or delete the key; `mcpgen schema mcpgen.toml` lists all keys",
    explanation="A misspelled key would have no effect, and the project would differ from your "
    "intention. Keys are lower case, and belong to the table of their documentation.",
)
RENAMED_TABLE = Code(
    "MG657",
    "renamed-table",
    Severity.WARNING,
    "the table `[{old}]` is named `[{new}]` now",
    hint="write `[{new}]`; the next minor version does not read the old name",
    explanation="The name of a table changed. The values of the table count as before, for one minor "
    "version.",
)
WRONG_TYPE = Code(
    "MG604",
    "wrong-type",
    Severity.ERROR,
    "`{key}` must be {expected}, and is {found}",
    hint="write the value as {expected}",
    explanation="Every key has values of one type. Strings are in quotes, numbers and `true` or "
    "`false` are not; lists are in square brackets.",
)
ILLEGAL_VALUE = Code(
    "MG605",
    "illegal-value",
    Severity.ERROR,
    "`{key}` must be {must}, and is {value}",
    hint="choose an allowed value",
    explanation="The value has the right type but is not allowed: a number out of range, a word "
    "that is not a choice, or a name that Python, packaging tools or MCP hosts refuse. The "
    "message has the rule.",
)
ILLEGAL_SELECTOR = Code(
    "MG606",
    "illegal-selector",
    Severity.ERROR,
    "this selector must {must}",
    hint='write for example "tag:pets", "GET /pets/*" or {{ path = "/pets/*", method = ' '"GET" }}',
    explanation="A selector is a string or a table with any of the keys `operation`, `tag`, "
    "`path`, `method`, `scope`, `deprecated` and `read_only`; all fields must match an operation. "
    "Patterns use `*`, `?` and `[…]` as in a shell. A selector that can match nothing is a "
    "mistake, and would silently exclude or include tools.",
)
OTHER_SPEC = Code(
    "MG607",
    "other-spec",
    Severity.NOTE,
    "the project is built from `{given}`, and `spec` names `{named}`",
    hint="change `spec` if later builds should use the same file",
    explanation="The API description on the command line takes precedence over `spec` in "
    "`mcpgen.toml`. A build without an argument, as in the project's CI workflow, uses `spec`, "
    "and would report a changed project.",
)
NO_SPEC = Code(
    "MG608",
    "no-spec",
    Severity.ERROR,
    "neither the command line nor `spec` in `{path}` names an API description",
    hint='write `spec = "openapi.yaml"` in `{path}`, relative to that file, or give `mcpgen build` the '
    "path of the OpenAPI file",
    explanation="mcpgen builds from an API description: the path on the command line, or the key "
    "`spec` in the project's `mcpgen.toml`, relative to that file. A description from standard "
    "input has no path and must be given again.",
)
ABSENT_SPEC = Code(
    "MG658",
    "absent-spec",
    Severity.ERROR,
    "`spec` names `{named}`, and `{path}` does not exist",
    hint="correct `spec`, or name the API description: `mcpgen build SPEC -o {folder}`",
    explanation="A relative path under `spec` starts at the folder of `mcpgen.toml`. The path no longer fits when the project or "
    "the API description has moved.",
)
OTHER_NAME = Code(
    "MG609",
    "other-name",
    Severity.WARNING,
    "the project was called `{before}` and is `{name}` now",
    hint="set `{new}_*` wherever `{old}_*` is set, or keep the old `name`",
    explanation="The name of a project is the prefix of its environment variables and the name "
    "that clients see. Rename the variables wherever the server runs, otherwise the server "
    "starts without its credentials.",
)
TWO_OWN_TOOLS = Code(
    "MG610",
    "two-own-tools",
    Severity.ERROR,
    "`[{table}]` names its tool `{name}`, which is also the name of another built-in tool",
    hint="set another `name` under `[{table}]` in mcpgen.toml",
    explanation="The tool for scripts, the tool for documentation and the tools of discovery mode "
    "are called by name, so each needs a unique name.",
)
UNREADABLE_ATTACHMENT = Code(
    "MG611",
    "unreadable-attachment",
    Severity.ERROR,
    "the file `{path}` cannot be included: {reason}",
    hint="{nearest}",
    explanation="Resources and prompts may name files in or below the folder of mcpgen.toml, of "
    "at most 1 MiB each. The build copies the files into the project.",
)
CONFIRMATION_WITHOUT_REDIS = Code(
    "MG616",
    "confirmation-without-redis",
    Severity.WARNING,
    "the Kubernetes manifests start several pods, which need Redis because users confirm calls",
    hint='set `limits.store = "redis"`',
    explanation="A confirmation must allow one call only. Pods without a shared Redis would each "
    "accept the same confirmation once, so a server with `[confirm]` refuses to start as one of "
    'several instances. With `limits.store = "redis"` all processes share the list of used '
    "confirmations.",
)
CHANGED_SOURCE = Code(
    "MG620",
    "changed-source",
    Severity.WARNING,
    "`{path}` is not the document at `{url}`",
    hint="`mcpgen build --refresh` takes the document of the URL",
    explanation="`mcpgen build --check --refresh` fetches the `source` of mcpgen.toml and "
    "compares it, byte by byte, with the copy in the project. Builds use the copy.",
)
OTHER_SOURCE = Code(
    "MG621",
    "other-source",
    Severity.ERROR,
    "the project is not built from `{url}`, as `spec` and `source` in mcpgen.toml say",
    hint='set `spec = "{path}"` and `source = "{url}"`, then run `mcpgen build --refresh`',
    explanation="mcpgen.toml is yours, so mcpgen does not change it, and a document in the "
    "project is only replaced by a fetched document if `source` names its URL.",
)
UNFETCHED_FILE = Code(
    "MG622",
    "unfetched-file",
    Severity.ERROR,
    "`{path}` exists and is not the document at `{url}`",
    hint="move the file away, or choose another folder with `-o`",
    explanation="The fetched document would be written to this path. A file that mcpgen did not "
    "fetch is never overwritten.",
)
NO_SOURCE = Code(
    "MG623",
    "no-source",
    Severity.ERROR,
    "mcpgen.toml has no `source`, so there is nothing to fetch again",
    hint="set `source` to the URL of the document, or omit `--refresh`",
    explanation="`--refresh` fetches the document of a project from the URL in `source`, which "
    "`mcpgen build URL` writes into a new mcpgen.toml.",
)
UNWRITTEN_CREDENTIALS = Code(
    "MG624",
    "unwritten-credentials",
    Severity.NOTE,
    "the credentials in the URL are not stored; `source` is `{url}`",
    hint="give the URL with its credentials again for `--refresh`",
    explanation="A user name, a password and query parameters such as `token` or `key` are sent "
    "to the host of the URL and not stored, since mcpgen.toml belongs under version control.",
)
UNPINNED_IMAGE = Code(
    "MG626",
    "unpinned-image",
    Severity.NOTE,
    "`{key}` names `{image}` by tag, whose content the registry can change",
    hint="`docker buildx imagetools inspect {image}` prints the digest; set `{name}` under "
    "`[deploy]` to `{image}@sha256:…`",
    explanation="mcpgen contacts no registry, so look up and renew the digest of an image "
    "yourself. An image with a digest never changes. The note comes with `compose` or "
    "`kubernetes` under `[deploy]`.",
)
UNLOCKED_REQUIREMENT = Code(
    "MG627",
    "unlocked-requirement",
    Severity.WARNING,
    "no lock file has a version that meets `{requirement}` of pyproject.toml",
    hint="pin the package with its hashes in a file such as `own.lock`, and set `lock` under "
    "`[deploy]` to its name",
    explanation="The Dockerfile and the workflow install only the lock files, and fail if "
    "`pyproject.toml` requires more. `requirements.lock` holds the packages of the server, at "
    "versions tested with this release of mcpgen. docs/supply-chain.md shows how to write a lock "
    "file for other packages.",
)
MISSING_LOCK = Code(
    "MG628",
    "missing-lock",
    Severity.WARNING,
    "there is no file `{path}`, which `deploy.lock` names",
    hint="write the file as docs/supply-chain.md shows, or delete the key",
    explanation="The Dockerfile copies the file and installs its packages, as the workflow does. "
    "Both fail without the file.",
)
SBOM_WITHOUT_LOCK = Code(
    "MG629",
    "sbom-without-lock",
    Severity.ERROR,
    '`deploy.sbom` lists the packages of `requirements.lock`, and a project with `runtime = "package"` '
    "has no such file",
    hint='delete `sbom`, or set `runtime = "vendored"`',
    explanation="You maintain the lock file of a project that depends on `mcpgen-runtime`, because the "
    "package comes from your index; mcpgen does not know the versions that are installed. Tools "
    "such as `syft` or `cyclonedx-py` list the packages of the built image.",
)
OVER_BUDGET = Code(
    "MG650",
    "over-budget",
    Severity.ERROR,
    "`budgets.{key}` allows {limit} {unit}, and the tool list has {found}; the largest tools are "
    "{largest}",
    hint="{cuts}",
    explanation="`[budgets]` limits the size of the tool list, which is part of every "
    "conversation. Nothing is built above a budget. `mcpgen tools` shows the size of each tool "
    "and possible reductions; tokens are estimates.",
    remedy="choose fewer or smaller tools under `[select]` (`mcpgen tools` shows what would be saved), or raise the budget",
)
OVER_TOOL_BUDGET = Code(
    "MG651",
    "over-tool-budget",
    Severity.ERROR,
    "the tool `{name}` has {found} bytes, and `tool_bytes` allows {limit}; {part}",
    hint="exclude the operation, or lower `flatten.max_arguments` and `descriptions.limit` until it fits",
    explanation="One tool is larger than `tool_bytes` under `[budgets]`. The size is the "
    "announced tool as compact JSON: name, description, arguments, output schema and hints.",
)
UNMEETABLE_BUDGET = Code(
    "MG652",
    "unmeetable-budget",
    Severity.ERROR,
    "`{key}` allows {limit}, and the smallest tool alone takes {least}",
    hint="raise the budget",
    explanation="No selection of tools can keep this budget.",
)
MANY_TOOLS = Code(
    "MG653",
    "many-tools",
    Severity.WARNING,
    "the server has {count} tools; models choose well among at most {limit}",
    hint="{cuts}; or choose fewer under `[select]`, or set `tools` under `[budgets]` to the "
    "number that you want",
    explanation="Hosts stop at 40, 80, 100 or 128 tools of all servers together, and models "
    "choose wrong tools from shorter lists already. No budget is set, so this is a warning. In discovery mode the list "
    "has a search tool, a tool that describes another tool, and one or two tools that call others.",
)


VALIDATOR_MISSING = Code(
    "MG654",
    "validator-missing",
    Severity.WARNING,
    "the description was not validated: openapi-spec-validator is not installed",
    hint="run `pip install 'mcpgen[validate]'`",
    explanation="openapi-spec-validator compares a description with the OpenAPI Specification. "
    "`pip install 'mcpgen[validate]'` installs the validator, and so does `mcpgen[all]`. Without "
    "the validator a build reports only the findings of mcpgen; `--strict`, and any build with "
    "the environment variable CI, requires the validator.",
)

OVERLAYS_MISSING = Code(
    "MG655",
    "overlay-library-missing",
    Severity.ERROR,
    "the overlay cannot be applied: python-jsonpath is not installed",
    hint="run `pip install 'mcpgen[overlay]'`",
    explanation="The targets of an overlay are JSONPath queries, for which mcpgen uses "
    "python-jsonpath. It comes with `pip install 'mcpgen[overlay]'`, or with `mcpgen[all]`.",
)

PACKAGES_MISSING = Code(
    "MG656",
    "packages-missing",
    Severity.WARNING,
    "the server was not started and checked: it needs {packages}, not installed beside mcpgen",
    hint="run `pip install 'mcpgen[{extras}]'`, then the same command again",
    explanation="A build ends by starting the new server and calling every tool. A server with "
    "limits, a Redis store, OpenTelemetry, Prometheus, authentication or scripts needs packages "
    "that mcpgen only installs as extras. The project is complete and written, the exit code is 0 "
    "(1 with `--strict`), and the lock records that the server was not checked, so the next build "
    "checks it. `mcpgen check` of such a project fails. `pip install 'mcpgen[all]'` installs the "
    "packages of every feature.",
)
