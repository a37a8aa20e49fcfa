"""Copies the pages of the repository to the site's sources and adapts links and code blocks."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any

from docs.site.reference import PAGES as REFERENCE

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = Path(__file__).with_name("zensical.toml")
PICTURES = ROOT / "docs" / "pictures"
STYLE = Path(__file__).with_name("site.css")
ASSETS = ("docs/pictures/", "docs/schemas/")
"""Folders whose files the pages show or link."""

TOP = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security-policy.md",
}
"""Pages of the site at the root of the repository."""

_FENCE = re.compile(r"^```(\w*) ([\w./-]+)$", re.MULTILINE)
_LINK = re.compile(
    r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)"
)
_CODE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\|.*$", re.MULTILINE)
_SPAN = re.compile(r"`[^`]*`")


def sources() -> dict[str, str]:
    """The site's pages by the path of their source in the repository."""
    pages = {f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob("*.md"))}
    return TOP | pages


def listed(nav: Any) -> Iterator[str]:
    """The pages of a navigation, in order."""
    if isinstance(nav, str):
        yield nav
    for entry in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else ():
        yield from listed(entry)


def navigation() -> list[str]:
    """The pages that the site's menu names, in order."""
    return list(listed(tomllib.loads(CONFIGURATION.read_text("utf-8"))["project"]["nav"]))


def write_sources(folder: Path, repository: str = "") -> None:
    """Writes the sources of the site and its configuration to an empty folder.

    `repository` is the URL below which a code host shows files of the repository; without it a link
    to a file that is no page shows as the file's name.
    """
    docs = folder / "docs"
    (docs / "reference").mkdir(parents=True)
    pages = sources()
    for source, page in pages.items():
        text = (ROOT / source).read_text("utf-8")
        (docs / page).write_text(site_page(text, source, pages, repository), "utf-8")
    for name, render in REFERENCE.items():
        (docs / "reference" / f"{name}.md").write_text(render(), "utf-8")
    for asset in ASSETS:
        shutil.copytree(ROOT / asset, docs / asset.removeprefix("docs/"))
    shutil.copy(STYLE, docs)
    shutil.copy(CONFIGURATION, folder)


def site_page(text: str, source: str, pages: dict[str, str], repository: str) -> str:
    """The text of a page of the repository as a page of the site."""
    parts = _CODE.split(text)
    for number, part in enumerate(parts):
        if number % 2:
            parts[number] = _FENCE.sub(_named_block, part)
        else:
            linked = _LINK.sub(lambda match: _link(match, source, pages, repository), part)
            parts[number] = _ROW.sub(_row, linked)
    return "".join(parts)


def _named_block(match: re.Match[str]) -> str:
    # `run` marks a block for the tests; other words name the file that the block shows.
    language, name = match.groups()
    return f"```{language}" if "." not in name else f'``` {{.{language} title="{name}"}}'


def _link(match: re.Match[str], source: str, pages: dict[str, str], repository: str) -> str:
    image, label, target, anchor = match.groups()
    path = normpath(os.path.join(os.path.dirname(source), target))
    if path in pages:
        page = relpath(pages[path], os.path.dirname(pages[source]) or ".")
        return f"[{label}]({page}{anchor or ''})"
    if image or path.startswith(ASSETS):
        return f"{image}[{label}]({path.removeprefix('docs/')})"
    return f"[{label}]({repository}/{path}{anchor or ''})" if repository else label


def _row(match: re.Match[str]) -> str:
    # Python-Markdown shows the backslash of `\|` inside a code span; code hosts need it.
    return _SPAN.sub(lambda span: span.group().replace("\\|", "|"), match.group())
