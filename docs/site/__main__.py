"""`make docs`: builds the documentation site in `site/`, strictly and without a network.

`--version 0.2` builds into `site/0.2/` instead and adds the version to `site/versions.json`, which
the menu of versions reads; the newest version is the target of `site/index.html`.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from docs.site.pages import ROOT, write_sources

_LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc\s*=\s*["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b(?![^>]*rel=["']?(?:canonical|next|prev))[^>]*?\bhref\s*=\s*["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|@import\s+(?:url\()?["']?((?:https?:)?//[^"'\s)]+)"""
    r"""|url\(["']?((?:https?:)?//[^"'\s)]+)""",
    re.IGNORECASE,
)
_LOCAL = re.compile(r"""<[^>]+?\s(?:src|href)\s*=\s*["']?(?!\w+:|//|#)([^"'#?>\s]+)""")
_SELECTOR = '\n[project.extra.version]\nprovider = "mike"\n'


def build(folder: Path, version: str = "", repository: str = "") -> str:
    """Builds the site into `folder`. Returns the output of Zensical if the build fails, else `""`."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        write_sources(place, repository)
        if version:
            with (place / "zensical.toml").open("a", encoding="utf-8") as configuration:
                configuration.write(_SELECTOR)
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        finished = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        output = finished.stdout + finished.stderr
        if finished.returncode or "warning" in output.lower():
            return output or f"zensical ended with {finished.returncode}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(place / "site", folder)
    return ""


def foreign_loads(folder: Path) -> Iterator[str]:
    """The addresses on other hosts that a page or style sheet of the site loads, with the file."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".html", ".css", ".svg"}:
            for match in _LOADED.finditer(path.read_text("utf-8")):
                yield f"{path.relative_to(folder)}: {next(filter(None, match.groups()))}"


def missing_files(folder: Path) -> Iterator[str]:
    """The pictures and pages that a page names and the site lacks; Zensical looks at pages only."""
    for path in sorted(folder.rglob("*.html")):
        for target in _LOCAL.findall(path.read_text("utf-8")):
            # `404.html` names files from the root of the site.
            start = folder if target.startswith("/") else path.parent
            if target not in (".", "/") and not (start / unquote(target).lstrip("/")).exists():
                yield f"{path.relative_to(folder)}: {target}"


def add_version(folder: Path, version: str) -> None:
    """Adds a version to the list of the site's versions, newest first; `index.html` leads to the
    newest."""
    listing = folder / "versions.json"
    rows = json.loads(listing.read_text("utf-8")) if listing.exists() else []
    names = {row["version"] for row in rows} | {version}
    ordered = sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    rows = [{"version": name, "title": name, "aliases": []} for name in ordered]
    listing.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    page = f'<!doctype html><meta http-equiv="refresh" content="0; url={ordered[0]}/index.html">\n'
    (folder / "index.html").write_text(page, "utf-8")


def main() -> int:
    """Builds the site; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "site")
    parser.add_argument("--version", default="", help="build this version, such as 0.2")
    parser.add_argument("--repository", default="", help="URL of the files at a code host")
    options = parser.parse_args()
    folder = options.output / options.version
    if output := build(folder, options.version, options.repository.rstrip("/")):
        print(output, file=sys.stderr)
        return 1
    faults = [f"loaded from another host: {load}" for load in foreign_loads(folder)]
    faults += [f"missing: {name}" for name in missing_files(folder)]
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        return 1
    if options.version:
        add_version(options.output, options.version)
    print(f"The documentation is in {folder}: open {folder / 'index.html'},")
    print(f"or with search: python -m http.server -d {options.output} 8080")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
