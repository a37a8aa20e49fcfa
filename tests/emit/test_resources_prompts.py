"""Files for resources, prompts and notifications: complete for the configuration, and nothing
more."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

from emit_servers import GET_PET, server, tool
from test_emit import emit_texts, write_project

from mcpgen.ir.resources_prompts import (
    CompletionSource,
    Notifications,
    PromptArgumentSpec,
    PromptMessageSpec,
    PromptSpec,
    ResourceInvalidation,
    ResourceSpec,
    ServerFeatures,
)

EVIL = '"""\n{{ x }}\'\\"\nimport os\n# ' + chr(0x2028) + "{% if %}"
OFFERS = ServerFeatures(
    resources=(
        ResourceSpec("pets://{petId}", "pet", EVIL, EVIL, tool=GET_PET.name),
        ResourceSpec("pets://a", "a", file='a"b.md', size=3),
        ResourceSpec("pets://b", "b", mime_type="image/png", file="b.png", size=2),
    ),
    prompts=(
        PromptSpec(
            "look",
            EVIL,
            EVIL,
            (
                PromptArgumentSpec(
                    "it", EVIL, EVIL, True, complete=CompletionSource(tool="x", value=EVIL)
                ),
            ),
            (PromptMessageSpec("user", EVIL), PromptMessageSpec("assistant", uri="pets://{{it}}")),
        ),
    ),
    notices=Notifications(
        True, True, {"add": (ResourceInvalidation("pets://{petId}", {"petId": EVIL}),)}
    ),
    files={'a"b.md': EVIL.encode(), "b.png": b"\xff\x00", "unused": b"no"},
)
ADD = tool("add")
OWN = ("resources", "prompts", "completion", "changes", "log_levels")


def files(**more: object) -> dict[str, str]:
    """Returns the text of each file of a project, by path."""
    return emit_texts(server(GET_PET, ADD, **more))


def test_a_project_without_them_has_nothing_of_them() -> None:
    names = {Path(path).name for path in files()}

    for name in (*OWN, "resources", "prompts", "completion_values"):
        assert f"{name}.py" not in names
    assert not {"files.json", "test_resources.py", "log_level.py", "subscriptions.py"} & names


def test_a_project_with_them_has_a_module_for_each_and_the_runtime_they_reach() -> None:
    result = files(offers=OFFERS)

    for name in OWN:
        assert f"pets_mcp/{name}.py" in result
    for name in (
        "resources/resources",
        "resources/prompts",
        "resources/completion",
        "resources/subscriptions",
        "server/log_level",
    ):
        assert f"pets_mcp/_runtime/{name}.py" in result
    assert (
        "offers=(RESOURCES, PROMPTS, COMPLETION, changes(settings), LOG_LEVELS)"
        in result["pets_mcp/server.py"]
    )


def test_files_are_text_or_base64_and_only_those_that_are_used() -> None:
    stored_files = json.loads(files(offers=OFFERS)["pets_mcp/files.json"])

    assert stored_files == {'a"b.md': {"text": EVIL}, "b.png": {"blob": "/wA="}}


def test_no_text_of_theirs_becomes_code() -> None:
    result = files(offers=OFFERS)

    for name in OWN:
        tree = ast.parse(result[f"pets_mcp/{name}.py"])
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
        assert imports == []
    module_tree = ast.parse(result["pets_mcp/resources.py"])
    texts = [node.value for node in ast.walk(module_tree) if isinstance(node, ast.Constant)]
    assert EVIL in texts


def test_the_tests_of_the_project_hold_what_is_announced(tmp_path: Path) -> None:
    write_project(tmp_path, server(GET_PET, ADD, offers=OFFERS))
    text = (tmp_path / "tests" / "test_resources.py").read_text("utf-8")

    values = {
        node.target.id: ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.value is not None
    }

    announced_resources = [resource.announced for resource in OFFERS.resources]
    assert values["TEMPLATES"] == announced_resources[:1]
    assert values["RESOURCES"] == announced_resources[1:]
    assert values["PROMPTS"] == [OFFERS.prompts[0].announced]


def test_a_text_that_is_json_is_answered_as_json_in_the_test_of_a_resource() -> None:
    scenario, *_ = GET_PET.scenarios
    with_answer = replace(scenario, stub_response=replace(scenario.stub_response, body="Rex"))
    resource = ResourceSpec("pets://{pet_id}", "pet", tool=GET_PET.name)

    result = emit_texts(
        server(
            replace(GET_PET, scenarios=(with_answer,)), offers=ServerFeatures(resources=(resource,))
        )
    )

    read = """READ = [("pets://7", "GET /pets/7", "application/json", '"Rex"')]"""
    assert read in result["tests/test_resources.py"]


def test_a_tool_that_is_withheld_has_no_test_of_its_own_and_stands_in_no_list() -> None:
    hidden_tool = tool("hidden", withheld=True)

    result = emit_texts(server(GET_PET, hidden_tool))

    assert "tests/tools/test_hidden.py" not in result
    assert '"hidden"' not in result["tests/test_contract.py"]
    assert '"hidden"' not in result["tests/support.py"]
    assert "pets_mcp/tools/hidden.py" in result
