"""The smoke test: the project is started before a built-in API and every tool is called."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import IO

from mcpgen import conformance
from mcpgen.conformance import (
    CallableTools,
    CheckOptions,
    CheckOutcome,
    CheckStatus,
    Level,
    Report,
    official,
)
from mcpgen.conformance.checks.run_checks import REQUEST_ARRIVES, STARTS
from mcpgen.conformance.official.scenarios import RUNS
from mcpgen.conformance.profiles import PROJECT
from mcpgen.conformance.revisions import ALL
from mcpgen.conformance.selection import select_checks
from mcpgen.conformance.targets import supervised_child
from mcpgen.conformance.targets.command import free_port
from mcpgen.ir.policy import PassthroughSpec, Policy
from mcpgen.ir.server import DiscoverySpec, Server, ToolScenario, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.openspec.model.declared_answer import CONTENT_ACTS, TEXT_ACTS
from mcpgen.smoke_test.environment import (
    caller_headers,
    child_environment,
    endpoint_path,
    satisfiable,
)
from mcpgen.smoke_test.inspect_project import hook_keys, read_settings
from mcpgen.smoke_test.stub_upstream import StubUpstream, run_stub, upstream_of

LAST_LINES = 15
FRAME = re.compile(r'^  File "([^"\n]+)", line (\d+)', re.MULTILINE)
"""A frame of a traceback: the file and the line."""


@dataclass(frozen=True, slots=True)
class StartedProcess:
    """A started process. `ready`: the process has answered; `output`: the last lines of a process
    that has not; `seconds`: the start-up time."""

    ready: bool
    output: str
    seconds: float


@contextmanager
def run_project_server(
    package: str, folder: Path, environment: Mapping[str, str], port: int, timeout: float
) -> Iterator[StartedProcess]:
    """Runs `python -m package` in `folder`, from the first answer on `/healthz` to the end of the
    block.

    The process and its children are stopped however the block ends, and if this process is killed.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-I", supervised_child.__file__, sys.executable, "-m", package],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield _await_health(process, port, timeout, output)
        finally:
            _stop_process(process)


def _await_health(
    process: subprocess.Popen[bytes], port: int, timeout: float, output: IO[bytes]
) -> StartedProcess:
    started = time.monotonic()
    while process.poll() is None and time.monotonic() - started < timeout:
        if _healthy(port):
            return StartedProcess(True, "", time.monotonic() - started)
        time.sleep(0.02)
    seconds = time.monotonic() - started
    code = process.poll()
    end = f"no answer within {timeout:.0f} s" if code is None else f"it ended with code {code}"
    return StartedProcess(False, f"{end}\n{_last_output(output)}".strip(), seconds)


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _last_output(output: IO[bytes]) -> str:
    """The last lines of output; of a traceback, the last frame and the exception."""
    output.seek(0)
    text = output.read().decode("utf-8", "replace")
    frames = FRAME.findall(text)
    lines = text.splitlines()
    if not frames or not lines:
        return "\n".join(lines[-LAST_LINES:])
    file, line = frames[-1]
    return f"{lines[-1]} ({PurePath(file).name}, line {line})"


def _stop_process(process: subprocess.Popen[bytes]) -> None:
    # The supervisor stops the server when the pipe closes, and kills what outlives its `PATIENCE`.
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(3 * supervised_child.PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


Calls = dict[str, tuple[Mapping[str, Json], ...]]
"""The arguments of each call, by the called name."""


def successful_scenarios(tool: ToolSpec) -> list[ToolScenario]:
    """The scenarios in which the API answers with a status below 400, in order."""
    return [scenario for scenario in tool.scenarios if scenario.stub_response.status < 400]


def direct_calls(tools: Iterable[ToolSpec]) -> Calls:
    """The calls of tools by their own names."""
    return {
        tool.name: tuple(scenario.arguments for scenario in successful_scenarios(tool))
        for tool in tools
    }


def calls_of(server: Server, tools: Iterable[ToolSpec]) -> Calls:
    """The calls that cause the requests of these tools' scenarios, by names listed at the main
    endpoint."""
    discovery = server.discovery
    if discovery is None:
        return direct_calls(tools) | _documentation_calls(server)
    calls = _discovery_calls(discovery, server.served("")) | _documentation_calls(server)
    for tool in tools:
        called = discovery.caller_for(tool)
        arguments = tuple(scenario.arguments for scenario in successful_scenarios(tool))
        if tool.name in discovery.pinned:
            calls[tool.name] = arguments
        elif called:
            planned_calls = tuple(
                {"name": tool.name, "arguments": json.dumps(values)} for values in arguments
            )
            calls[called.name] = calls.get(called.name, ()) + planned_calls
    return calls


def _documentation_calls(server: Server) -> Calls:
    """Calls of the tools that run scripts and return documentation."""
    calls: Calls = {}
    if server.script:
        scripts = (f"{server.script.root}.md", "1 + 1")
        calls[server.script.tool.name] = tuple({"script": script} for script in scripts)
    if server.docs:
        calls[server.docs.tool.name] = ({},)
    return calls


def _discovery_calls(discovery: DiscoverySpec, tools: tuple[ToolSpec, ...]) -> Calls:
    """Calls of the tools for finding and describing tools."""
    if not tools:
        return {}
    query = tools[0].title or tools[0].name
    return {
        discovery.search.name: ({"query": query},),
        discovery.describe.name: ({"name": tools[0].name},),
    }


FUZZED_REQUESTS = "fuzzed-requests-answered"
SECONDS = 300.0
"""Of a smoke test, from the start of the server to the last check."""

START_SECONDS = 120.0
EVENT_BYTES = 1024 * 1024
"""The largest event that the official Python client takes (`DEFAULT_MAX_SSE_EVENT_SIZE` of `mcp`).
"""

ELSEWHERE = frozenset({"workspace-https"})
"""Checks of the address: the address of the smoke test differs from the server's later address."""
NOT_FLAT = frozenset({"universal-flat", "universal-enum"})
"""Rules of every known host that a project without flat arguments does not meet."""

JUDGED_BY_THE_API = frozenset({"workspace-fails-closed"})
"""Checks for authentication by the server; without, the API checks the credentials of callers."""

FIRST_TEXT = frozenset({"first-block-text"})
"""Checks about the content of a declared answer, chosen by the author."""

CONDITIONAL = NOT_FLAT | {"universal-schema-root"}
"""Rules of every known host that a tool with conditions among arguments does not meet."""

OF_ISSUERS = frozenset({"auth-metadata-found"})
"""Checks of metadata about token issuers, which a server with keys only does not have."""

OF_SCOPES = frozenset({"auth-challenge-scope"})
"""Checks of scopes in a challenge, for servers without calls that need a scope."""

OFFICIAL = frozenset({RUNS.id, *(check.id for check in official.CHECKS.values())})
"""Checks by the official suite, which cannot send a credential."""

_NOT_LET_IN = "the official suite was not asked, as it shows no credential (`required` under `[authentication]`)"

TOLD_ON_REQUEST = frozenset({"host-schema-keyword", "workspace-no-secrets"})
"""Checks about the API rather than the generated server: keywords that some hosts drop before the
model, and secrets that an operation takes as arguments."""


def run_smoke_test(
    server: Server,
    folder: Path,
    checks: CheckOptions | None = None,
    *,
    environment: Mapping[str, str] | None = None,
) -> Report:
    """Starts the project in `folder` and returns the report of every check; `checks` may choose
    profiles and single checks, and shorten the time limits for each answer and in total.

    Every scenario of every tool must succeed, and the request must arrive at the API, except for
    tools replaced by a hook and tools with credentials that cannot be invented. The stub stands for
    every base URL, so no request reaches the real API. Writes nothing into `folder`. `environment`
    overrides the server's environment.
    """
    upstream = upstream_of(server)
    port = free_port()
    with run_stub(upstream) as url:
        declared = read_settings(folder / server.package / "settings.py")
        settings = child_environment(server, declared, url, port) | dict(environment or {})
        with run_project_server(server.package, folder, settings, port, START_SECONDS) as started:
            if not started.ready:
                return _not_started(folder, started)
            options = _options(checks or CheckOptions(deadline=SECONDS), SECONDS - started.seconds)
            return _check_running(server, folder, upstream, port, options)


def _options(checks: CheckOptions, seconds: float) -> CheckOptions:
    """The options of the checks: the user's, with strict pass criteria for a generated project.

    Requests made from the grammar need `--active`, as for any server: a build would take seconds
    longer.
    """
    is_fuzzed = checks.active or FUZZED_REQUESTS in checks.only
    return replace(
        checks,
        skip=checks.skip if is_fuzzed else checks.skip | {FUZZED_REQUESTS},
        call=CallableTools.ALL,
        profiles=checks.profiles or PROJECT,
        require=() if checks.profiles else ALL,
        enforce=frozenset({Level.MUST, Level.HOST}),
        active=True,
        event_bytes=EVENT_BYTES,
        deadline=min(checks.deadline, seconds),
    )


def _not_started(folder: Path, started: StartedProcess) -> Report:
    expected = "HTTP 200 from `/healthz`"
    outcome = CheckOutcome(STARTS, CheckStatus.FAILED, expected, started.output)
    return Report(folder.name, (outcome,), seconds=started.seconds)


def _check_running(
    server: Server, folder: Path, upstream: StubUpstream, port: int, options: CheckOptions
) -> Report:
    hooked = frozenset(key.name for key in hook_keys(folder / server.package / "hooks.py"))
    called = [tool for tool in server.tools if not tool.withheld]
    tried = [tool for tool in called if _must_succeed(server, tool, hooked)]
    if REQUEST_ARRIVES.id in options.only:
        # Requests arrive only through calls, and calls are made only for the checks of calls.
        options = replace(options, only=options.only | {"vouched-call-succeeds"})
    exempt = _exempt(server, on_request=options.profiles is not PROJECT)
    notes = tuple(_omission_notes(exempt, server, options))
    left_out = frozenset().union(*exempt.values(), OFFICIAL if _NOT_LET_IN in notes else ())
    headers = {**options.headers, **caller_headers(server)}
    options = replace(options, skip=options.skip | left_out, headers=headers)
    url = f"http://127.0.0.1:{port}{endpoint_path(server.policy)}"
    report = _checked_everywhere(server, tried, url, options)
    started = CheckOutcome(STARTS, CheckStatus.PASSED)
    arrived = tuple(_arrived(tried, upstream)) if _selects_request_check(options) else ()
    outcomes = (started, *report.outcomes, *arrived)
    return replace(report, target=folder.name, outcomes=outcomes, notes=(*report.notes, *notes))


def _exempt(server: Server, *, on_request: bool) -> dict[str, frozenset[str]]:
    """The ids of the checks that do not apply to the server, by reason. `on_request`: the user
    chose the profiles."""
    exempt: dict[str, frozenset[str]] = {}
    if not server.flat:
        exempt["the arguments are not flat: `mode` under `[flatten]`"] = NOT_FLAT
    elif server.elicit:
        exempt[f"`{server.elicit.name}` takes a form, which is an object"] = NOT_FLAT
    if (
        isinstance(server.forwarded_credential, PassthroughSpec)
        and not server.policy.authentication
    ):
        judged = "the API judges callers' credentials: `mode` under `[credentials]`"
        exempt[judged] = JUDGED_BY_THE_API
    if _takes_keys_alone(server.policy):
        exempt["nobody issues tokens: `issuer` under `[authentication]`"] = OF_ISSUERS
    if server.policy.authentication and not server.policy.all_scopes:
        exempt["no tool needs a scope: `[scopes]`"] = OF_SCOPES
    if any(tool.conditions for tool in server.tools):
        exempt["arguments have conditions: `conditions` in `mcp.yaml`"] = CONDITIONAL
    if any(not _speaks_first(tool) for tool in server.tools):
        exempt["an answer begins with something else than text"] = FIRST_TEXT
    if not on_request:
        exempt["the API decides them; `--profile` includes them"] = TOLD_ON_REQUEST
    return exempt | {"the server runs on this machine": ELSEWHERE}


def _omission_notes(
    exempt: Mapping[str, frozenset[str]], server: Server, options: CheckOptions
) -> Iterator[str]:
    """A line with the selected checks that the smoke test leaves out, each with the reason; another
    line if the official suite is left out."""
    unnamed = {choice.check.id for choice in select_checks(options)}
    parts = []
    for reason, ids in exempt.items():
        if left_out := sorted(ids & unnamed):
            parts.append(f"{', '.join(left_out)} ({reason})")
            unnamed -= ids
    if parts:
        yield f"not checked: {'; '.join(parts)}"
    if server.policy.authentication and options.official is not None:
        yield _NOT_LET_IN


def _takes_keys_alone(policy: Policy) -> bool:
    """True if callers authenticate only with keys, never with tokens."""
    authentication = policy.authentication
    if authentication is None:
        return False
    return not (
        authentication.issuer or authentication.jwks_url or authentication.introspection_url
    )


def _speaks_first(tool: ToolSpec) -> bool:
    """True unless the declared answer of a tool begins with other content than text."""
    contents = [act.kind for act in tool.answer if act.kind in CONTENT_ACTS]
    return not contents or contents[0] in TEXT_ACTS


def _checked_everywhere(
    server: Server, tried: Sequence[ToolSpec], url: str, options: CheckOptions
) -> Report:
    """The report on the main endpoint, with the failures at the endpoints of toolsets. Each tool is
    called at the first endpoint that serves the tool."""
    called = {tool.name for tool in server.served("")}
    first = calls_of(server, [tool for tool in tried if tool.name in called])
    report = conformance.check(url, replace(options, arguments=first))
    outcomes = {replace(outcome, revision="") for outcome in report.outcomes}
    wrong: list[CheckOutcome] = []
    seconds = report.seconds
    for toolset in server.toolsets:
        fresh = set(toolset.tools) - called
        toolset_options = replace(
            options,
            deadline=max(options.deadline - seconds, 1.0),
            never_call=options.never_call | called,
            arguments=direct_calls(tool for tool in tried if tool.name in fresh),
        )
        toolset_report = conformance.check(f"{url}/{toolset.name}", toolset_options)
        called |= fresh
        seconds += toolset_report.seconds
        wrong += [
            replace(outcome, saw=f"{outcome.saw} (in the set {toolset.name})")
            for outcome in toolset_report.outcomes
            if outcome.status in (CheckStatus.FAILED, CheckStatus.WARNING, CheckStatus.BLOCKED)
            and replace(outcome, revision="") not in outcomes
        ]
    return replace(report, outcomes=(*report.outcomes, *wrong), seconds=seconds)


def _selects_request_check(options: CheckOptions) -> bool:
    """True if the options include the check that requests arrive. Skipped calls send no request."""
    id = REQUEST_ARRIVES.id
    return id not in options.skip and (not options.only or id in options.only)


def _must_succeed(server: Server, tool: ToolSpec, hooked: frozenset[str]) -> bool:
    """True if the scenarios of a tool must succeed unchanged."""
    if tool.route is None or tool.name in hooked:
        return False
    return bool(successful_scenarios(tool)) and satisfiable(server, tool.route.security)


def _arrived(tools: list[ToolSpec], upstream: StubUpstream) -> Iterator[CheckOutcome]:
    """An outcome per scenario without a request, or a single passed outcome."""
    missing = [
        CheckOutcome(
            REQUEST_ARRIVES,
            CheckStatus.FAILED,
            f"{scenario.expected_request.method} {scenario.expected_request.target} in the scenario "
            f"`{scenario.name}`",
            "no such request came",
            tool.name,
        )
        for tool in tools
        for scenario in successful_scenarios(tool)
        if not upstream.got(
            tool, scenario.expected_request.method, scenario.expected_request.target
        )
    ]
    yield from missing or [CheckOutcome(REQUEST_ARRIVES, CheckStatus.PASSED)]
