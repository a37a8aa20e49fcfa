"""Findings about optional packages that are not installed: MG654–MG656."""

from mcpgen.diagnostics.diagnostic import Code, Severity

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
