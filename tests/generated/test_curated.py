"""Curated servers, from a few lines of configuration to a project that passes its own tests."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.generated.run_module import run

from mcpgen.pipeline import BuildOptions
from mcpgen.pipeline.load_tools import load_tools

pytestmark = pytest.mark.xdist_group("curated")

ROOT = Path(__file__).parents[2]
CHOICES = ROOT / "docs" / "examples" / "github.toml"
COUNTER = ROOT / "docs" / "examples" / "counter.toml"
PAGE = (ROOT / "docs" / "curating.md").read_text(encoding="utf-8")
STRIPE_CHOICES = CHOICES.with_name("stripe.toml")
GITHUB = ROOT.parent / "shared" / "corpus" / "openapi" / "github.json"

STRIPE = GITHUB.with_name("stripe.yaml")
needs_github = pytest.mark.skipif(not GITHUB.exists(), reason="needs the real documents")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project, built as a user builds a project."""
    folder = tmp_path_factory.mktemp("github")
    shutil.copy(CHOICES, folder / "mcpgen.toml")
    with pytest.MonkeyPatch.context() as patch:
        # With `CI` set, the build validates in full, which takes longer than the rest of the build.
        patch.delenv("CI", raising=False)
        completed = run("mcpgen", "build", str(GITHUB), "-o", ".", "--no-verify", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize("choices", [CHOICES, STRIPE_CHOICES])
def test_choices_are_thirty_lines(choices: Path) -> None:
    assert len(choices.read_text(encoding="utf-8").splitlines()) <= 30


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.skipif(not STRIPE.exists(), reason="needs the real documents")
def test_choices_for_stripe_leave_few_tools_and_no_errors() -> None:
    listing = load_tools(str(STRIPE), BuildOptions(config=str(STRIPE_CHOICES))).listing

    assert listing is not None
    assert len(listing.tools) == 11
    assert "list_invoices" in [tool["name"] for tool in listing.tools]
    assert all("expand" not in str(tool["inputSchema"]) for tool in listing.tools)


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@needs_github
def test_few_tools_are_left_and_their_own_tests_pass(project: Path) -> None:
    tools = sorted(path.stem for path in (project / "github_mcp" / "tools").glob("[a-z]*.py"))

    test_run = run("pytest", folder=project)

    assert len(tools) == 10
    assert "list_issues" in tools
    assert test_run.returncode == 0, test_run.stdout + test_run.stderr


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@needs_github
def test_owner_is_a_setting_and_no_argument(project: Path) -> None:
    declaration = (project / "github_mcp" / "tools" / "list_issues.py").read_text(encoding="utf-8")
    settings = (project / "github_mcp" / "settings.py").read_text(encoding="utf-8")

    assert 'settings={"owner": "owner"},' in declaration
    assert 'filled={"per_page": 20},' in declaration
    assert "    owner: str = Field(default=...)\n" in settings


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@needs_github
def test_server_does_not_start_without_its_owner(project: Path) -> None:
    server_run = run("github_mcp", "--port", "0", folder=project)

    assert server_run.returncode == 2
    assert server_run.stderr.startswith(
        "github_mcp: GITHUB_OWNER: is not set; tools send its value"
    )


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_page_shows_the_example_it_names() -> None:
    output = "\n".join(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL))
    example = COUNTER.read_text(encoding="utf-8")

    lines = set(output.splitlines()) - {""}

    assert lines == set(example.splitlines()) - {"", 'name = "counter"'}


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_example_is_built_checked_at_every_endpoint_and_passes_its_own_tests(
    tmp_path: Path,
) -> None:
    shutil.copy(COUNTER, tmp_path / "mcpgen.toml")
    workshop = ROOT / "specs" / "openapi" / "workshop.yaml"

    completed = run("mcpgen", "build", str(workshop), "-o", ".", folder=tmp_path)
    test_run = run("pytest", folder=tmp_path)

    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "built (7 tools" in completed.stdout
    assert test_run.returncode == 0, test_run.stdout + test_run.stderr
    assert '"repairs": "Orders repairs' in (tmp_path / "counter_mcp" / "server.py").read_text()
