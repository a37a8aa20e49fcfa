"""Runs the official suite against a server and says what came of it."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpgen.conformance.model import Check, Outcome, Status
from mcpgen.conformance.official.node import Unavailable, node, suite
from mcpgen.conformance.official.scenarios import (
    CHECKS,
    HEADER_TOOL,
    NEEDS,
    PARTS,
    REVISIONS,
    SESSIONS,
    check,
)
from mcpgen.conformance.strict_json import Json

_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")
_EXPECTED = "the scenario holds"
_SHOWN = 300
"""Characters of a message of the suite."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server offers in one revision: capabilities (`resources`, and `resources.subscribe` for
    a flag of it), tools by name, whether one mirrors arguments in headers, and sessions."""

    capabilities: frozenset[str]
    tools: frozenset[str]
    mirrors: bool = False
    sessions: bool = False

    def lacks(self, needs: Iterable[str]) -> list[str]:
        """Which of these needs the server does not meet."""
        has = self.capabilities | {f"tool {name}" for name in self.tools}
        has |= {HEADER_TOOL} if self.mirrors else set()
        has |= {SESSIONS} if self.sessions else set()
        return [need for need in needs if need not in has]


def opinions(
    url: str, offers: Mapping[str, Offer], cache: Path, *, timeout: float
) -> Iterator[Outcome]:
    """One outcome or more of every scenario, in each revision of `offers` that the suite knows.

    `timeout` are the seconds for one revision. Raises Unavailable if the suite cannot be run here.
    """
    program = suite(cache)
    for revision in REVISIONS:
        if revision in offers:
            found = _run(program, url, revision, timeout)
            yield from _outcomes(found, revision, offers[revision])


def _run(
    program: Path, url: str, revision: str, timeout: float
) -> dict[str, list[dict[str, Json]]]:
    """What the suite wrote down: the checks of each scenario."""
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
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Unavailable(f"the suite did not end within {timeout:g} s") from None
        found = {
            match["scenario"]: json.loads((place / "checks.json").read_text("utf-8"))
            for place in sorted(Path(folder).iterdir())
            if (match := _FOLDER.fullmatch(place.name)) and (place / "checks.json").exists()
        }
    if not found:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Unavailable(f"the suite wrote no results: {said[-1] if said else 'it said nothing'}")
    return found


def _outcomes(
    found: Mapping[str, list[dict[str, Json]]], revision: str, offer: Offer
) -> Iterator[Outcome]:
    unknown = [name for name in found if name not in CHECKS]
    for name in [name for name in CHECKS if name in found] + unknown:
        judged = CHECKS.get(name) or check(name)
        if offer.lacks(NEEDS.get(name, ())):
            yield Outcome(judged, Status.NOT_APPLICABLE, revision=revision)
        else:
            yield from _of_scenario(judged, found[name], revision, offer)


_STATUS = {"FAILURE": Status.FAILED, "WARNING": Status.WARNING}


def _of_scenario(
    judged: Check, results: list[dict[str, Json]], revision: str, offer: Offer
) -> Iterator[Outcome]:
    """What is wrong, or that nothing is; a part that the server offers nothing for is left out, and
    a scenario that looked at nothing says nothing."""
    bad = [
        result
        for result in results
        if result["status"] in _STATUS and not offer.lacks(PARTS.get(result["id"], ()))
    ]
    for result in bad:
        said = str(result.get("errorMessage") or result.get("description") or "")
        saw = f"{result['id']}: {said}"[:_SHOWN]
        yield Outcome(judged, _STATUS[result["status"]], _EXPECTED, saw, "", revision)
    if not bad:
        looked = any(result["status"] == "SUCCESS" for result in results)
        status = Status.PASSED if looked else Status.NOT_APPLICABLE
        yield Outcome(judged, status, revision=revision)
