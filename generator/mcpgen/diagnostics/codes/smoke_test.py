"""Findings of the trial stage: MG7xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

DID_NOT_START = Code(
    "MG701",
    "server-did-not-start",
    Severity.ERROR,
    "the built server did not start: {reason}",
    hint="run `python -m {package}` in the project's folder to see the error",
    explanation="After a build the new server is started on a free port, with made-up "
    "credentials, against an API that responds from your document. The server did not respond. "
    "Usual causes: a hook that fails on import, or a package of the project that is not installed "
    "beside mcpgen. `--no-verify` builds without starting the server.",
)

CHECK_FAILED = Code(
    "MG702",
    "check-failed",
    Severity.ERROR,
    "{subject} fails the check `{check}`: expected {expected}; saw {saw}",
    hint="`mcpgen explain {check}` describes the check",
    explanation="Every build ends with a conformance run on the new server. After a failed check, "
    "some hosts or clients cannot use the server correctly. If no hook of yours changed the tool, "
    "this is a bug in the generator: please report it.",
)

CHECK_WARNED = Code(
    "MG703",
    "check-warned",
    Severity.WARNING,
    "{subject} does not follow a recommendation of the check `{check}`: expected {expected}; saw "
    "{saw}",
    hint="`mcpgen explain {check}` describes the check",
    explanation="The conformance run at the end of the build found a departure from a "
    "recommendation. The server works; some clients may lack a feature.",
)

NOT_TRIED = Code(
    "MG704",
    "server-not-tried",
    Severity.NOTE,
    "the server was not started and checked: {reason}",
    hint="start and check the server with `mcpgen check`",
    explanation="The project was built without the run that starts the server and calls every "
    "tool. `mcpgen check` runs it at any time.",
)
