"""One project gives identical answers in every way of running it; docs/ways.md has the table."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.generated.run_module import run
from tests.generated.ways import DOCUMENT, HOOKS, PACKAGE, WAYS, Way, WayClient, run_api
from tests.runtime.fast_path_equivalence import CALLS
from tests.runtime.stdio_client import MODERN, modern, request
from tests.runtime.test_stdio_equivalence import METHODS, mask_random_parts
from tests.thorough import keep

pytestmark = pytest.mark.xdist_group("ways")

PAGE = Path(__file__).parents[2] / "docs" / "ways.md"
HANDSHAKE = "2025-11-25"
REVISIONS = (MODERN, HANDSHAKE)

COLUMNS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "list": METHODS,
    "call": (
        *(
            ("tools/call", {"name": name, "arguments": arguments})
            for name, arguments in CALLS
            if name != "asks"
        ),
        ("tools/call", {"name": "note", "arguments": {"id": "1"}}),
    ),
    "error": (
        ("tools/call", {"name": "note", "arguments": {"id": "2"}}),
        ("tools/call", {"name": "note", "arguments": {"id": 2}}),
        ("tools/call", {"name": "broken", "arguments": {}}),
        ("tools/call", {"name": "large", "arguments": {"size": "many"}}),
    ),
    "big result": (("tools/call", {"name": "large", "arguments": {"size": 1_000_000}}),),
}


@pytest.fixture(name="project", scope="module")
def project_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built project."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "desk.json").write_text(json.dumps(DOCUMENT), "utf-8")
    choices = 'spec = "desk.json"\nin_process = true\n\n[deploy]\nlambda = true\n\n'
    choices += "[budgets]\nresult_bytes = 8000000\n\n[elicitation]\nhooks = true\n"
    (folder / "mcpgen.toml").write_text(choices, "utf-8")
    completed = run("mcpgen", "build", "-o", ".", "--no-verify", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    (folder / PACKAGE / "hooks.py").write_text(HOOKS, "utf-8")
    return folder


@pytest.fixture(name="upstream", scope="module")
def upstream_fixture() -> Iterator[str]:
    """The address of the API."""
    with run_api() as address:
        yield address


Reference = dict[tuple[str, str], list[Any]]

MAIN_WAYS = {"http", "stdio", "mounted"}
"""Ways that the other ways start with another command."""


@pytest.fixture(name="expected", scope="module")
def expected_fixture(
    project: Path, upstream: str, tmp_path_factory: pytest.TempPathFactory
) -> Reference:
    """The answers of the mounted server, which starts fastest, by column and revision."""
    with WAYS["mounted"].run(project, upstream, tmp_path_factory.mktemp("first")) as connection:
        return {
            (column, revision): answers_of(connection, column, revision)
            for column in COLUMNS
            for revision in REVISIONS
        }


@pytest.fixture(
    name="way",
    scope="module",
    params=keep(WAYS, MAIN_WAYS, "repeats the answers in one more way", {*WAYS} - MAIN_WAYS),
)
def way_fixture(request: pytest.FixtureRequest) -> Way:
    """A way of running the project."""
    if request.param == "lambda" and find_spec("awslambdaric") is None:
        pytest.skip("there are wheels of awslambdaric for Linux only")
    return WAYS[request.param]


@pytest.fixture(name="connection", scope="module")
def connection_fixture(
    way: Way, project: Path, upstream: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WayClient]:
    """A client of a running project."""
    with way.run(project, upstream, tmp_path_factory.mktemp("way")) as connection:
        yield connection


@cache
def messages(column: str, revision: str) -> list[dict[str, Any]]:
    """The requests of a column in a revision."""
    make = modern if revision == MODERN else request
    return [
        make(method, number, **params) for number, (method, params) in enumerate(COLUMNS[column], 1)
    ]


def answers_of(connection: WayClient, column: str, revision: str) -> list[Any]:
    """The answers to the requests of a column, without their random parts."""
    return [
        mask_random_parts(connection.exchange(message, revision))
        for message in messages(column, revision)
        # The newest revision repeats the name in a header, so HTTP refuses another type earlier.
        if revision != MODERN or isinstance(message["params"].get("name", ""), str)
    ]


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("revision", REVISIONS)
def test_answers_are_identical_in_every_way(
    connection: WayClient, expected: Reference, column: str, revision: str
) -> None:
    assert answers_of(connection, column, revision) == expected[column, revision]


def test_user_is_asked_and_the_answer_reaches_the_call(connection: WayClient, way: Way) -> None:
    forms: dict[str, Any] = {"elicitation": {}}

    def call(id: int, **more: Any) -> dict[str, Any]:
        return modern("tools/call", id, capabilities=forms, name="asks", arguments={}, **more)

    question_result = connection.exchange(call(1), MODERN)[-1]["result"]
    (key,) = question_result["inputRequests"]
    answers = {key: {"action": "accept", "content": {"sure": True}}}
    retry = call(2, inputResponses=answers, requestState=question_result["requestState"])
    replies = [connection.exchange(retry, MODERN)[-1]]
    if way.handshake:
        message = request("tools/call", 3, name="asks", arguments={})
        replies.append(connection.exchange(message, HANDSHAKE)[-1])

    assert question_result["resultType"] == "input_required"
    for answer in replies:
        content = json.loads(answer["result"]["content"][0]["text"])
        assert content == {"action": "accept", "content": {"sure": True}}


def test_result_is_as_big_as_the_page_says(connection: WayClient, way: Way) -> None:
    arguments = {"size": 7_000_000}
    message = modern("tools/call", 1, name="large", arguments=arguments)

    (answer,) = connection.exchange(message, MODERN)

    if way.most == "6 MB":
        assert "larger than the 6 MB" in answer["error"]["message"]
    else:
        assert len(answer["result"]["content"][0]["text"]) > 7_000_000


@pytest.mark.repeated("tests/runtime holds the same for each transport")
def test_cancelled_call_ends(connection: WayClient, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    message = modern("tools/call", 1, name="wait", arguments={"marker": str(marker)})

    connection.cancel(message, MODERN)
    end = time.monotonic() + 30
    while not marker.exists() and time.monotonic() < end:
        time.sleep(0.02)
    after = connection.exchange(modern("tools/call", 2, name="nothing", arguments={}), MODERN)

    assert marker.exists()
    assert after[-1]["result"]["content"] == []


def test_page_has_the_table() -> None:
    rows = re.findall(r"^\| (?!way|---).*\|$", PAGE.read_text("utf-8"), re.MULTILINE)

    assert [row for row in rows if row in {way.row for way in WAYS.values()}] == [
        way.row for way in WAYS.values()
    ]
