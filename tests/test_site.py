"""The documentation site: menu, pages made from the repository's pages and from the source."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath

import pytest
import typer.main
from docs.site import __main__ as site
from docs.site.pages import PICTURES, ROOT, TOP, navigation, site_page, sources
from docs.site.pictures import draw
from docs.site.reference import PAGES, RUNTIME_MODULES, escape

from mcpgen.analysis.change_kinds import ChangeKind
from mcpgen.cli.app import app
from mcpgen.conformance.checks import TABLE as CHECKS
from mcpgen.conformance.hosts.facts import facts
from mcpgen.conformance.official.scenarios import SCENARIOS
from mcpgen.diagnostics.codes import TABLE as CODES
from mcpgen.openspec.companion import assertions, document, scenarios, tools

LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)#?([^)\s]*)\)")
STABLE = "the runtime's public API: "


def anchors_of(text: str) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_menu_names_every_page_once() -> None:
    pages = [*sources().values(), *(f"reference/{name}.md" for name in PAGES)]

    assert sorted(navigation()) == sorted(pages), "see `nav` in docs/site/zensical.toml"


def test_the_command_line_page_names_every_option() -> None:
    page = PAGES["cli"]()
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]

    options = {option for command in commands.values() for p in command.params for option in p.opts}

    assert [name for name in commands if f"## mcpgen {name}" not in page] == []
    assert {o for o in options if o.startswith("--") and o not in page} <= {"--help"}


def test_the_companion_page_names_every_key() -> None:
    companion = PAGES["companion"]()
    claims = {claim for keys in assertions.CLAIMS.values() for claim in keys}
    keys = {*document.KEYS, *document.FIXTURE_KEYS, *tools.KEYS, *scenarios.KEYS, *claims}

    assert [key for key in keys if f"| `{key}` |" not in companion] == []


def test_every_code_check_and_host_has_a_section() -> None:
    diagnostics, checks, hosts = PAGES["diagnostics"](), PAGES["checks"](), PAGES["hosts"]()

    assert [id for id in CODES if f"\n### {id} {CODES[id].name}\n" not in diagnostics] == []
    assert [id for id in CHECKS if f"\n### {id}\n" not in checks] == []
    assert [host for host in facts() if f"Profile `{host}`" not in hosts] == []


def test_the_page_of_diagnostics_says_what_angle_brackets_mean() -> None:
    introduction, _ = PAGES["diagnostics"]().split("\n## ", 1)

    assert "A word in angle brackets, such as &lt;operation>, stands for " in introduction


def test_the_page_of_the_official_suite_names_every_scenario() -> None:
    page = PAGES["official"]()

    assert [
        suite_scenario.name
        for suite_scenario in SCENARIOS
        if f"| `{suite_scenario.name}` |" not in page
    ] == []


def test_the_page_of_changes_names_every_kind() -> None:
    page = PAGES["changes"]()

    assert [kind for kind in ChangeKind if f"| `{kind}` |" not in page] == []


def test_links_of_the_reference_lead_to_headings() -> None:
    texts = {f"reference/{name}.md": render() for name, render in PAGES.items()}
    texts |= {page: (ROOT / source).read_text("utf-8") for source, page in sources().items()}
    links = [
        (normpath(f"reference/{path}"), anchor)
        for name in PAGES
        for path, anchor in LINK.findall(texts[f"reference/{name}.md"])
    ]

    anchors = {page: anchors_of(texts[page]) for page, _ in links if page in texts}

    assert len(links) > 200
    assert [link for link in links if link[1] and link[1] not in anchors.get(link[0], ())] == []
    assert {page for page, _ in links} <= texts.keys()


def test_the_runtime_page_has_the_modules_that_stay() -> None:
    page = (ROOT / "docs" / "versioning.md").read_text("utf-8")
    (line,) = (row for row in page.splitlines() if STABLE in row)

    assert line.split("|")[1].count("`") == 2 * len(RUNTIME_MODULES)
    assert all(f"`{name}`" in line for name in RUNTIME_MODULES)
    assert "### hooks.Call\n" in PAGES["runtime"]()


def test_text_outside_of_code_shows_as_written() -> None:
    assert escape("a <b> of `x <y>` | [c] *d*") == r"a &lt;b> of `x <y>` \| \[c\] \*d\*"
    assert escape("`` @ ` * [ `` <a>") == "`` @ ` * [ `` &lt;a>"


def test_links_lead_to_pages_of_the_site_or_to_the_code_host() -> None:
    text = "[a](../ARCHITECTURE.md#layers) [b](tools.md) [c](../specs/x.yaml) ![d](pictures/e.svg)"
    pages = TOP | {"docs/tools.md": "tools.md", "docs/page.md": "page.md"}

    local_page = site_page(text, "docs/page.md", pages, "")
    hosted_page = site_page(text, "docs/page.md", pages, "https://code.example/mcpgen/blob/main")

    assert local_page == "[a](architecture.md#layers) [b](tools.md) c ![d](pictures/e.svg)"
    assert "[c](https://code.example/mcpgen/blob/main/specs/x.yaml)" in hosted_page


def test_code_blocks_keep_their_text_and_the_name_of_their_file() -> None:
    text = "```sh run\ncat [x](y)\n```\n\n```python hooks.py\nx = 1\n```\n"

    page = site_page(text, "docs/page.md", {"docs/page.md": "page.md"}, "")

    assert page == '```sh\ncat [x](y)\n```\n\n``` {.python title="hooks.py"}\nx = 1\n```\n'


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example/a.js"></script>',
        "<img alt=x src=//cdn.example/a.png>",
        '<link rel="stylesheet" href="https://fonts.example/css">',
        "<style>@import 'https://fonts.example/css';</style>",
        "<p style='background: url(https://cdn.example/a.png)'>",
    ],
)
def test_an_address_that_a_page_loads_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(text, "utf-8")

    assert len(list(site.foreign_loads(tmp_path))) == 1


def test_links_to_other_hosts_are_not_loaded(tmp_path: Path) -> None:
    text = '<a href="https://a.example">a</a><link rel="canonical" href="https://b.example">'
    (tmp_path / "index.html").write_text(text, "utf-8")

    assert list(site.foreign_loads(tmp_path)) == []


def test_a_picture_that_the_site_lacks_is_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<img alt="x" src="pictures/x.svg"><a href="#y">', "utf-8")

    assert list(site.missing_files(tmp_path)) == ["index.html: pictures/x.svg"]


def test_pictures_are_small_and_load_nothing() -> None:
    assert list(site.foreign_loads(PICTURES)) == []
    assert {path.name for path in PICTURES.iterdir() if path.stat().st_size > 60_000} == set()


def test_a_recording_shows_every_line_at_its_moment_and_wraps_long_lines() -> None:
    picture = draw([(0.0, "$ make demo"), (3.0, f"{100 * 'a'}b & c")], "demo")

    assert picture.count("animation-delay:0.00s") == 1
    assert picture.count("animation-delay:1.00s") == 2
    assert ">b&#160;&amp;&#160;c<" in picture


def test_the_newest_version_is_the_one_that_the_address_of_the_site_leads_to(
    tmp_path: Path,
) -> None:
    for version in ("0.9", "0.10", "0.2"):
        site.add_version(tmp_path, version)

    assert "url=0.10/index.html" in (tmp_path / "index.html").read_text("utf-8")
    listing = (tmp_path / "versions.json").read_text("utf-8")
    assert listing.index('"0.10"') < listing.index('"0.9"') < listing.index('"0.2"')


@pytest.mark.thorough("tests/test_docs.py holds the links of all pages but the generated ones")
def test_the_site_builds_without_a_warning_and_loads_nothing_from_other_hosts(
    tmp_path: Path,
) -> None:
    assert site.build(tmp_path / "site") == ""

    assert list(site.foreign_loads(tmp_path / "site")) == []
    assert list(site.missing_files(tmp_path / "site")) == []
