"""One run of the suite's program against a server."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpgen.conformance.official.node import node
from mcpgen.conformance.strict_json import Json

_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")

Results = Mapping[str, list[dict[str, Json]]]
"""What each scenario found: the suite's own checks, as it wrote them to `checks.json`."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The results of one run; `problem` tells why they are not complete, or is `""`."""

    results: Results
    problem: str = ""


def run(program: Path, url: str, revision: str, timeout: float) -> SuiteRun:
    """The scenarios of a revision, run against the server at `url` within `timeout` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(node()), str(program), "server", "--url", url, "--suite", "all"]
        command += ["--spec-version", revision, "--output-dir", folder]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=max(timeout, 0.0),
                check=False,
            )
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        except subprocess.TimeoutExpired:
            return SuiteRun(read_results(Path(folder)), f"it did not end within {timeout:.0f} s")
        found = read_results(Path(folder))
    if not found:
        return SuiteRun(found, f"it wrote no results: {said[-1] if said else 'it said nothing'}")
    return SuiteRun(found)


def read_results(folder: Path) -> Results:
    """The results that the suite wrote into a folder. What it was about to write when it was stopped
    is left out."""
    found = {}
    for place in sorted(folder.iterdir()):
        if match := _FOLDER.fullmatch(place.name):
            try:
                found[match["scenario"]] = json.loads((place / "checks.json").read_text("utf-8"))
            except (FileNotFoundError, json.JSONDecodeError):
                continue
    return found
