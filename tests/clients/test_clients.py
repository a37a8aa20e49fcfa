"""The official clients in Python and TypeScript against generated servers; `make clients` runs every client."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import pytest
from tests.clients.__main__ import table
from tests.clients.matrix import CLIENTS, FEATURES, HERE, FeatureVerdict, hold, judge, servers

BY_NAME = {client.name: client for client in CLIENTS}


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The URL of a running server of each kind."""
    with servers(tmp_path_factory.mktemp("servers")) as urls:
        yield urls


def test_the_official_python_client_has_every_feature(urls: Mapping[str, str]) -> None:
    # Version 2 is installed beside mcpgen: no environment has to be made.
    program = HERE / "python" / "official_2.py"

    verdicts = judge(hold([sys.executable, str(HERE / "drive.py"), str(program)], urls))

    assert_works(verdicts)


@pytest.mark.repeated("repeats with the TypeScript client the proof of the Python client")
def test_the_official_typescript_client_has_every_feature(urls: Mapping[str, str]) -> None:
    verdicts = judge(hold(BY_NAME["typescript_2"].command(), urls))

    assert_works(verdicts)


def test_every_client_has_a_program_and_a_locked_version() -> None:
    programs = {client.name: (client.lock, client.version) for client in CLIENTS}

    assert len(programs) == len(CLIENTS) == 13
    assert all(version[0].isdigit() for _, version in programs.values())
    in_python = {path.stem for path in (HERE / "python").glob("*.py")}
    in_javascript = {path.parent.name for path in (HERE / "javascript").glob("*/client.mjs")}
    assert in_python | in_javascript == programs.keys()


def test_a_feature_that_fails_stands_in_the_table_with_its_reason() -> None:
    row = {feature: FeatureVerdict(True) for feature in FEATURES} | {
        "file": FeatureVerdict(False, "a | b\nc")
    }

    lines = table({BY_NAME["crewai"]: row}, "2026-01-01").splitlines()

    version = BY_NAME["crewai"].version
    assert (
        lines[4]
        == f"| CrewAI | `crewai-tools` {version} | yes | yes | no (1) | yes | yes | yes | yes |"
    )
    assert lines[-1] == "1. a \\| b c"


def test_a_program_that_fails_makes_every_feature_fail() -> None:
    report = {
        kind: {"raised": "ConnectError: nobody answers"} for kind in ("plain", "key", "discovery")
    }

    verdicts = judge(report)

    assert set(verdicts.values()) == {FeatureVerdict(False, "ConnectError: nobody answers")}


def assert_works(verdicts: Mapping[str, FeatureVerdict]) -> None:
    """Fails with the reasons of the features that do not work."""
    assert {
        name: feature_verdict.reason
        for name, feature_verdict in verdicts.items()
        if not feature_verdict.works
    } == {}
