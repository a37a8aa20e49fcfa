"""A built project is started, called and checked; no process and no file is left behind."""

from __future__ import annotations

import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import base_server
import pytest
import stub_project
from mcp.client.streamable_http import DEFAULT_MAX_SSE_EVENT_SIZE

from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.conformance import CheckOptions, CheckOutcome, CheckStatus, Report, as_text
from mcpgen.conformance.targets import supervised_child
from mcpgen.conformance.targets.command import free_port
from mcpgen.diagnostics import Location
from mcpgen.ir.api import ApiSecurityScheme, Place, SchemeKind, Style
from mcpgen.ir.policy import Policy
from mcpgen.ir.server import (
    ArgumentSpec,
    BodyPlan,
    ExpectedRequest,
    HintsSpec,
    RouteSpec,
    Server,
    StubResponse,
    ToolScenario,
    ToolSpec,
)
from mcpgen.smoke_test import runner as trial_run
from mcpgen.smoke_test.runner import run_project_server, run_smoke_test

SETTINGS = """
class Settings(ServerSettings):
    model_config = SettingsConfigDict(env_prefix="PETSTORE_")
    upstream: str = "https://pets.example/v1"
    api_key: SecretStr | None = None
    oauth_client_id: SecretStr | None = None
"""

AT = Location("petstore.yaml")
PATHS = [str(Path(str(module.__file__)).parent) for module in (stub_project, base_server)]


def pet_server(base_url: str = "") -> Server:
    """Returns the server of the tested project."""
    own_path = base_url if base_url.startswith("/") else ""
    get_pet = ToolSpec(
        "get_pet",
        "get_pet",
        "Get pet",
        "Reads a pet.",
        (ArgumentSpec("pet_id", {"type": "integer"}, True, Place.PATH, ("id",), AT, Style.SIMPLE),),
        (),
        RouteSpec("GET", "/pets/{id}", (("apiKey",),), base_url=base_url),
        HintsSpec(True, False, True, False),
        "GET /pets/{id}",
        AT,
        scenarios=(
            ToolScenario(
                "required_only",
                {"pet_id": 7},
                ExpectedRequest("GET", f"{own_path}/pets/7", {}, {}),
                StubResponse(200, "application/json", {"id": 7}),
            ),
            ToolScenario(
                "not_found",
                {"pet_id": 8},
                ExpectedRequest("GET", f"{own_path}/pets/8", {}, {}),
                StubResponse(404, "application/json", {}),
            ),
        ),
    )
    add_pet = ToolSpec(
        "add_pet",
        "add_pet",
        "Add pet",
        "Adds a pet.",
        (ArgumentSpec("name", {"type": "string"}, True, Place.BODY, ("name",), AT),),
        (),
        RouteSpec("POST", "/pets", (("apiKey",),), body=BodyPlan("application/json", True)),
        HintsSpec(False, False, False, False),
        "POST /pets",
        AT,
        scenarios=(
            ToolScenario(
                "required_only",
                {"name": "Rex"},
                ExpectedRequest("POST", "/pets", {}, {}, {"name": "Rex"}, "application/json"),
                StubResponse(204, "", None),
            ),
        ),
    )
    key = ApiSecurityScheme("apiKey", SchemeKind.API_KEY, AT, Place.HEADER, "X-Api-Key")
    return Server(
        "petstore",
        "petstore_mcp",
        "Petstore",
        "1",
        "",
        "https://pets.example/v1",
        (get_pet, add_pet),
        (key,),
        {},
    )


def project(folder: Path, defect: str = "", hooks: str = "HOOKS = Hooks()\n") -> Path:
    """Writes a project that serves the pets, with an optional defect."""
    package = folder / "petstore_mcp"
    package.mkdir()
    main = stub_project.MAIN.format(paths=PATHS, defect=defect)
    (package / "__main__.py").write_text(main)
    (package / "hooks.py").write_text(hooks)
    (package / "settings.py").write_text(SETTINGS)
    return folder


def failed_outcomes(report: Report) -> list[CheckOutcome]:
    """Returns the failed outcomes."""
    return [outcome for outcome in report.outcomes if outcome.status is CheckStatus.FAILED]


def test_right_project_passes_every_check(tmp_path: Path) -> None:
    folder = project(tmp_path)

    report = run_smoke_test(pet_server(), folder)

    assert not report.failed, as_text(report)
    assert {o.check.id for o in report.outcomes} >= {"trial-starts", "trial-request-arrives"}
    assert "vouched-call-succeeds" in {o.check.id for o in report.outcomes}


def test_trial_writes_nothing_into_the_project(tmp_path: Path) -> None:
    folder = project(tmp_path)
    before = sorted(folder.rglob("*"))

    run_smoke_test(pet_server(), folder)

    assert sorted(folder.rglob("*")) == before


def test_request_to_the_wrong_path_fails_and_names_the_request(tmp_path: Path) -> None:
    folder = project(tmp_path, "wrong path")

    report = run_smoke_test(pet_server(), folder)

    wrong = [o for o in failed_outcomes(report) if o.check.id == "trial-request-arrives"]
    assert [o.tool for o in wrong] == ["get_pet", "add_pet"]
    assert "GET /pets/7" in wrong[0].expected
    assert "vouched-call-succeeds" in {o.check.id for o in failed_outcomes(report)}


def test_list_in_an_event_that_the_official_client_refuses_fails(tmp_path: Path) -> None:
    folder = project(tmp_path, "large event")

    report = run_smoke_test(
        pet_server(), folder, CheckOptions(only=frozenset({"tools-list-shape"}))
    )

    assert trial_run.EVENT_BYTES == DEFAULT_MAX_SSE_EVENT_SIZE
    assert {o.check.id for o in failed_outcomes(report)} == {"tools-list-shape"}
    assert "clients take 1,048,576" in failed_outcomes(report)[0].saw


def test_hooked_tool_may_send_something_else(tmp_path: Path) -> None:
    hooks = 'HOOKS = Hooks(tools={"get_pet": other, "add_pet": other})\n'
    folder = project(tmp_path, "wrong path", hooks)

    report = run_smoke_test(pet_server(), folder)

    assert not report.failed, as_text(report)


def test_tool_with_a_base_url_of_its_own_is_called_at_the_given_upstream(tmp_path: Path) -> None:
    folder = project(tmp_path)

    report = run_smoke_test(pet_server(base_url="https://elsewhere.example"), folder)

    assert not report.failed, as_text(report)
    assert not any("tools were not called" in note for note in report.notes)


def test_tool_with_a_base_path_of_its_own_must_ask_there(tmp_path: Path) -> None:
    folder = project(tmp_path)

    report = run_smoke_test(pet_server(base_url="/v2"), folder)

    failed_ids = {
        outcome.check.id for outcome in report.outcomes if outcome.status is CheckStatus.FAILED
    }
    assert "trial-request-arrives" in failed_ids


def test_project_that_does_not_start_fails_with_its_last_lines(tmp_path: Path) -> None:
    folder = project(tmp_path, "no start")

    report = run_smoke_test(pet_server(), folder)

    (outcome,) = report.outcomes
    assert outcome.check.id == "trial-starts"
    assert outcome.status is CheckStatus.FAILED
    assert "the hook of get_pet cannot be imported" in outcome.saw
    assert "ended with code 1" in outcome.saw


def test_process_is_stopped_when_the_trial_is_interrupted(tmp_path: Path) -> None:
    folder = project(tmp_path)
    port = free_port()
    variables = {"PETSTORE_PORT": str(port), "PYTHONDONTWRITEBYTECODE": "1"}

    with pytest.raises(KeyboardInterrupt):
        interrupt_project(folder, variables, port)

    with socket.socket() as caller:
        assert caller.connect_ex(("127.0.0.1", port)) != 0


def interrupt_project(folder: Path, variables: dict[str, str], port: int) -> None:
    """Runs the project until Ctrl-C."""
    with run_project_server("petstore_mcp", folder, variables, port, 20) as project_server:
        assert project_server.ready
        raise KeyboardInterrupt


def test_process_ends_by_itself_when_whoever_started_it_is_gone(tmp_path: Path) -> None:
    package = tmp_path / "waiting"
    package.mkdir()
    (package / "__main__.py").write_text('import time; print("up", flush=True); time.sleep(60)')
    command = [sys.executable, supervised_child.__file__, sys.executable, "-m", "waiting"]
    pipe = subprocess.PIPE

    with subprocess.Popen(command, cwd=tmp_path, stdin=pipe, stdout=pipe) as child:
        assert child.stdin
        assert child.stdout
        first_line = child.stdout.readline()
        child.stdin.close()  # As the system does when the parent ends, also by SIGKILL.
        code = child.wait(120)

    # The code of a process that SIGTERM ended.
    assert (first_line.strip(), code) == (b"up", 143)


def test_what_every_host_takes_is_not_asked_of_a_project_that_is_not_flat(tmp_path: Path) -> None:
    report = run_smoke_test(replace(pet_server(), flat=False), project(tmp_path))

    checked_ids = {outcome.check.id for outcome in report.outcomes}
    assert not checked_ids & {"universal-flat", "universal-enum"}
    assert "universal-tool-name" in checked_ids
    (note,) = [note for note in report.notes if note.startswith("not checked: ")]
    reason = "(the arguments are not flat: `mode` under `[flatten]`)"
    assert f"universal-enum, universal-flat {reason}" in note
    assert "workspace-https (the server runs on this machine)" in note


def test_where_nobody_issues_tokens_and_no_scope_is_needed_neither_is_looked_for(
    tmp_path: Path,
) -> None:
    keys_alone = replace(pet_server(), policy=Policy(authentication=AuthenticationConfig()))
    looks = frozenset({"auth-metadata-found", "auth-challenge-scope"})

    report = run_smoke_test(keys_alone, project(tmp_path), CheckOptions(only=looks))

    assert not looks & {outcome.check.id for outcome in report.outcomes}
    assert any("nobody issues tokens" in note for note in report.notes)
    assert any("no tool needs a scope" in note for note in report.notes)
