"""Hosts take every tool of the examples and of the petstore, except for reasons that a document prescribes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.analysis.report import HostVerdict, host_report
from mcpgen.pipeline import BuildOptions
from mcpgen.pipeline.load_tools import load_tools

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "openapi"
PETSTORE = CORPUS / "petstore-v3.yaml"
GITHUB = CORPUS / "github.json"
HOSTS = 21

NO_OUTPUT_SCHEMA = ("chatgpt_apps", "host-output-schema")
"""A warning of the review, no refusal: the host takes the tool. `output.schemas` is off by default, since the
protocol then sends every result twice."""

PRESCRIBED = {
    # The plain example keeps the defaults, and so the smallest copy of the runtime.
    "tides": {NO_OUTPUT_SCHEMA},
    # Two tools answer with a file and with a line of text.
    "workshop": {NO_OUTPUT_SCHEMA},
    # The descriptions set `destructiveHint: false` for tools that write.
    "pressroom": {("claude_ai_desktop", "host-annotations")},
    "reading-room": {("claude_ai_desktop", "host-annotations")},
    # The description of the system gives the tool `elicit` an object, a form, as argument. `do` and
    # `elicit` are tools of the runtime and give back text.
    "launchpad": {NO_OUTPUT_SCHEMA, ("experience-workspace", "universal-flat")},
}
"""Reasons, as host and check, by the name of the example's folder."""

EXAMPLES = sorted(
    path
    for path in (ROOT / "generated").iterdir()
    # The official conformance suite calls a tool of `touchstone` with `allOf`, `if` and references in
    # its schema, which mcpgen announces unchanged there: 13 of the 21 hosts take it, eight refuse or drop
    # parts of such schemas.
    if (path / "mcpgen.toml").exists() and path.name != "touchstone"
)


def reasons(target: Path, config: Path | None = None) -> tuple[int, set[tuple[str, str]]]:
    """The number of hosts that take all tools, and the reasons of the others as host and check."""
    options = BuildOptions(config=str(config)) if config else BuildOptions()
    listing = load_tools(str(target), options).listing
    assert listing is not None
    report = host_report(listing)
    assert len(report.hosts) == HOSTS
    result = {(reason.host, reason.check) for reason in report.reasons}
    advice = {(r.host, r.check) for r in report.reasons if r.verdict is HostVerdict.ADVISES}
    assert advice == result & {NO_OUTPUT_SCHEMA}
    return len(report.taking_all), result


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_every_host_takes_every_tool_of_an_example_but_for_named_reasons(example: Path) -> None:
    hosts, result = reasons(example)

    assert result == PRESCRIBED.get(example.name, set())
    assert hosts == HOSTS - len({host for host, _ in result - {NO_OUTPUT_SCHEMA}})


@pytest.mark.skipif(not PETSTORE.exists(), reason="needs the real documents")
def test_all_hosts_take_the_petstore_and_one_review_warns() -> None:
    assert reasons(PETSTORE) == (HOSTS, {NO_OUTPUT_SCHEMA})


@pytest.mark.skipif(not PETSTORE.exists(), reason="needs the real documents")
def test_all_hosts_take_the_petstore_with_names_of_result_fields(tmp_path: Path) -> None:
    config = tmp_path / "mcpgen.toml"
    config.write_text('[output]\nschemas = "names"\n', encoding="utf-8")

    assert reasons(PETSTORE, config) == (HOSTS, set())


@pytest.mark.repeated("the petstore shows the same; reading GitHub's document takes 5 s")
@pytest.mark.skipif(not GITHUB.exists(), reason="needs the real documents")
def test_all_hosts_take_ten_tools_of_github_and_one_review_warns() -> None:
    choices = ROOT / "docs" / "examples" / "github.toml"

    assert reasons(GITHUB, choices) == (HOSTS, {NO_OUTPUT_SCHEMA})
