"""Which scenarios of the official suite apply to which servers, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from mcpgen.conformance.official import REVISIONS, VERSION
from mcpgen.conformance.official.scenarios import HEADER_TOOL, SCENARIOS, SESSIONS, SuiteScenario

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "official.md"
Needs = Mapping[str, tuple[str, ...]]

SCORED = {"2025-06-18": 27, "2025-11-25": 33, "2026-07-28": 40}
"""How many scenarios the suite runs of a revision with `--suite all`, all of which pass."""

REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}
"""How many scenarios a revision requires, all of which pass."""

_PARTLY: Needs = {
    "server-sse-multiple-streams": (SESSIONS,),
    "server-stateless": (
        "tool test_missing_capability",
        "tool test_streaming_elicitation",
        "tool test_logging_tool",
    ),
    "caching": ("prompts", "resources"),
}
"""By scenario, the needs that `PARTS` has for single checks of it."""

_HEAD = """\
# The official suite

`mcpgen check TARGET --official` runs [@modelcontextprotocol/conformance]({url}) {version} against the server, too,
and shows its verdicts beside ours: each scenario is a check, `official-` and its name, in the profile
`official`. It has scenarios for {revisions}. It needs Node 22 or newer: the
one that `pip install 'mcpgen[official]'` brings or, without that package, the one on PATH. npm fetches
the suite on first use. Without them the command ends with code 2 before the server is asked. The suite sends no headers and no credentials, so it cannot go with
`--header`, `--bearer-env` or `--oauth-…`.

The suite was made for SDKs, whose test servers offer tools, resources and prompts with agreed names. What a
server needs for a scenario is in the tables below; where it does not offer that, the scenario is *not
applicable*. `python -m tests.official` writes this page anew.
"""


_WHOLE = """\
## Whole

[generated/touchstone](../generated/touchstone) has all that the suite looks for, and nothing in it is written for it: its tools are
[described as data](openspec.md#answers-described-as-data) in [specs/openspec/touchstone](../specs/openspec/touchstone), its resources and
prompts in its `mcpgen.toml`. The tests start it and run the suite for real.

| run | passes |
| --- | --- |
{counts}
{required}

Not scored by the suite, and not passed: nine scenarios of the extension `io.modelcontextprotocol/tasks`, for which the SDK has no
server yet. `json-schema-2020-12`, `http-header-validation`, `http-custom-header-server-validation`, `server-session-lifecycle` and
`server-sse-polling` are not scored in `--requirements` either, and pass.
"""


def _counts(counted: Mapping[str, int]) -> str:
    """A row for each revision, as the suite is called for it."""
    called = (
        "`conformance server --requirements {}`"
        if counted is REQUIRED
        else "`conformance server --suite all --spec-version {}`"
    )
    return "\n".join(
        f"| {called.format(revision)} | {count} of {count} scenarios |"
        for revision, count in counted.items()
    )


def document() -> str:
    """The whole page."""
    url = "https://github.com/modelcontextprotocol/conformance"
    revisions = ", ".join(REVISIONS[:-1]) + f" and {REVISIONS[-1]}"
    applying = [scenario for scenario in SCENARIOS if not scenario.needs]
    others = [scenario for scenario in SCENARIOS if scenario.needs]
    return "\n".join(
        [
            _HEAD.format(url=url, version=VERSION, revisions=revisions),
            _WHOLE.format(counts=_counts(SCORED), required=_counts(REQUIRED)),
            f"## The {len(applying)} that apply to a server with tools and nothing else\n",
            *_table(applying, "a part of it needs", _PARTLY),
            f"## The {len(others)} that do not, and why\n",
            *_table(others, "needs", {scenario.name: scenario.needs for scenario in others}),
        ]
    )


def _table(scenarios: list[SuiteScenario], title: str, needs: Needs) -> Iterator[str]:
    yield f"| scenario | what it is about | {title} |"
    yield "| --- | --- | --- |"
    for scenario in scenarios:
        told = ", ".join(_told(need) for need in needs.get(scenario.name, ()))
        yield f"| `{scenario.name}` | {scenario.about} | {told} |"
    yield ""


def _told(need: str) -> str:
    """A need in words: a capability, a thing with an agreed name, or something of its own."""
    if need in (HEADER_TOOL, SESSIONS):
        return need
    word, _, name = need.partition(" ")
    return f"the {word} `{name}`" if name else f"the capability `{word}`"
