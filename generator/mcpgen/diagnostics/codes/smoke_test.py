"""Findings of the trial stage: MG7xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

DID_NOT_START = Code(
    "MG701",
    "server-did-not-start",
    Severity.ERROR,
    "the built server did not start: {reason}",
    hint="run `python -m {package}` in the project's folder to see it fail",
    explanation=(
        "After a build the new server is started on a free port, with made-up credentials, against "
        "an API that answers from your document. It did not answer. Usual causes: a hook that fails "
        "on import, or a package of the project that is not installed where mcpgen runs. "
        "`--no-verify` builds without starting the server."
    ),
)

CHECK_FAILED = Code(
    "MG702",
    "check-failed",
    Severity.ERROR,
    "{subject} fails the check `{check}`: expected {expected}; saw {saw}",
    hint="`mcpgen explain {check}` tells what the check means",
    explanation=(
        "Every build ends with a conformance run on the new server. A check that fails means that "
        "some host or client will not get along with the server. If no hook of yours changed the "
        "tool, this is a fault of the generator: please report it."
    ),
)

CHECK_WARNED = Code(
    "MG703",
    "check-warned",
    Severity.WARNING,
    "{subject} could do better in the check `{check}`: expected {expected}; saw {saw}",
    hint="`mcpgen explain {check}` tells what the check means",
    explanation=(
        "The conformance run at the end of the build found a departure from a recommendation. The "
        "server works; some clients may show less than they could."
    ),
)

NOT_TRIED = Code(
    "MG704",
    "server-not-tried",
    Severity.NOTE,
    "the server was not started and checked: {reason}",
    explanation=(
        "The project was built without the run that starts it and calls every tool. "
        "`mcpgen check` does it at any time."
    ),
)
