"""Renders docs/official.md, and the scenarios of the official suite with their needs for the
reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from mcpgen.conformance.official import REVISIONS, VERSION
from mcpgen.conformance.official.scenarios import HEADER_TOOL, SCENARIOS, SESSIONS, SuiteScenario

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "official.md"
Needs = Mapping[str, tuple[str, ...]]

SCORED = {"2025-06-18": 27, "2025-11-25": 33, "2026-07-28": 40}
"""Number of scenarios of `--suite all` for each revision; all pass."""

REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}
"""Number of required scenarios for each revision; all pass."""

_PARTLY: Needs = {
    "server-sse-multiple-streams": (SESSIONS,),
    "server-stateless": (
        "tool test_missing_capability",
        "tool test_streaming_elicitation",
        "tool test_logging_tool",
    ),
    "caching": ("prompts", "resources"),
}
"""Needs of single checks of a scenario, as in `PARTS`."""

_HEAD = """\
# The official conformance suite

How do I run the conformance suite of the MCP project against a server? With `--official` a check also runs
[@modelcontextprotocol/conformance]({url}) {version} against the server:

```sh
mcpgen check --official --run "python -m my_server --port {{port}}" "http://127.0.0.1:{{port}}/mcp"
```

Each scenario is a check named `official-…` in the profile `official`. The suite has scenarios for {revisions}. Node 22 or newer is
required: from `pip install 'mcpgen[official]'` or, without that package, from PATH. npm fetches the suite on first use. If Node or npm is missing, the
command ends with code 2 before the first request. The suite sends no headers and no credentials, so `--header`, `--bearer-env` and `--oauth-…` are
refused.

The suite was made for test servers of SDKs, with tools, resources and prompts of agreed names; for other servers many scenarios are *not applicable*. The
page *Scenarios of the official suite* of the documentation site lists the needs of every scenario, from
[the declarations](../generator/mcpgen/conformance/official/scenarios.py). `python -m tests.official` rewrites the page that you read.
"""


_WHOLE = """\
## A server that passes every scenario

[generated/touchstone](../generated/touchstone) has everything that the suite needs, without handwritten code: the tools are
[described as data](declared-answers.md) in [specs/openspec/touchstone](../specs/openspec/touchstone), the resources and prompts in `mcpgen.toml`. The
tests start the project and run the suite.

| run | passes |
| --- | --- |
{counts}
{required}

Not scored and not passed: nine scenarios of the extension `io.modelcontextprotocol/tasks`, because the SDK has no server for tasks.
`json-schema-2020-12`, `http-header-validation`, `http-custom-header-server-validation`, `server-session-lifecycle` and
`server-sse-polling` are not scored in `--requirements` either, and pass.
"""


def _counts(scenario_counts: Mapping[str, int]) -> str:
    """A row for each revision with the command."""
    command = (
        "`conformance server --requirements {}`"
        if scenario_counts is REQUIRED
        else "`conformance server --suite all --spec-version {}`"
    )
    return "\n".join(
        f"| {command.format(revision)} | {count} of {count} scenarios |"
        for revision, count in scenario_counts.items()
    )


def document() -> str:
    """The whole page."""
    url = "https://github.com/modelcontextprotocol/conformance"
    revisions = ", ".join(REVISIONS[:-1]) + f" and {REVISIONS[-1]}"
    text = _WHOLE.format(counts=_counts(SCORED), required=_counts(REQUIRED))
    return _HEAD.format(url=url, version=VERSION, revisions=revisions) + "\n" + text


def scenario_tables() -> str:
    """The scenarios for every server, and the scenarios with needs."""
    applying = [scenario for scenario in SCENARIOS if not scenario.needs]
    suite_scenarios = [scenario for scenario in SCENARIOS if scenario.needs]
    return "\n".join(
        [
            f"## {len(applying)} scenarios for every server\n",
            *_table(applying, "needs of a part", _PARTLY),
            f"## {len(suite_scenarios)} scenarios with needs\n",
            *_table(
                suite_scenarios,
                "needs",
                {scenario.name: scenario.needs for scenario in suite_scenarios},
            ),
        ]
    ).rstrip()


def _table(scenarios: list[SuiteScenario], title: str, needs: Needs) -> Iterator[str]:
    yield f"| scenario | subject | {title} |"
    yield "| --- | --- | --- |"
    for scenario in scenarios:
        cells = ", ".join(_need_in_words(need) for need in needs.get(scenario.name, ()))
        yield f"| `{scenario.name}` | {scenario.about} | {cells} |"
    yield ""


def _need_in_words(need: str) -> str:
    """A need in words."""
    if need in (HEADER_TOOL, SESSIONS):
        return need
    word, _, name = need.partition(" ")
    return f"the {word} `{name}`" if name else f"the capability `{word}`"
