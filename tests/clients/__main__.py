"""`python -m tests.clients [NAME …]`: run the clients, and write the table of all into docs/clients.md.

Each client is installed into an environment of its own below the virtual environment. With names, only
those clients run, and their verdicts are printed.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tests.clients.matrix import (
    CLIENTS,
    FEATURES,
    ClientProgram,
    FeatureVerdict,
    hold,
    judge,
    servers,
)

from mcpgen import __version__

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
START, END = "<!-- table -->\n", "<!-- end of table -->\n"
REASON_CHARACTERS = 200


def main() -> int:
    """Runs the clients; returns 1 if a feature fails with a client."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *(client.name for client in CLIENTS)])
    names = parser.parse_args().names
    verdicts = {}
    with tempfile.TemporaryDirectory() as folder, servers(Path(folder)) as urls:
        for client in CLIENTS:
            if names and client.name not in names:
                continue
            print(f"{client.title} {client.version}", flush=True)
            verdicts[client] = run(client, urls)
            for feature, verdict in verdicts[client].items():
                print(f"  {feature}: {'yes' if verdict.works else f'no: {verdict.reason}'}")
    if not names:
        write(table(verdicts, datetime.now(UTC).date().isoformat()))
    all_verdicts = [verdict for row in verdicts.values() for verdict in row.values()]
    return 0 if all(verdict.works for verdict in all_verdicts) else 1


def run(client: ClientProgram, urls: Mapping[str, str]) -> dict[str, FeatureVerdict]:
    """Verdicts on a client; a program that fails has the same reason in every column."""
    try:
        return judge(hold(client.command(), urls))
    except (RuntimeError, subprocess.SubprocessError) as error:
        last = (str(error).strip().splitlines() or [""])[-1]
        return dict.fromkeys(FEATURES, FeatureVerdict(False, f"the program fails: {last}"))


def table(verdicts: Mapping[ClientProgram, Mapping[str, FeatureVerdict]], day: str) -> str:
    """The table in Markdown: a row per client, and numbered notes."""
    notes: list[str] = []
    lines = [
        f"Run on {day} with mcpgen {__version__}.",
        "",
        f"| client | version | {' | '.join(FEATURES)} |",
    ]
    lines.append("| --- " * (len(FEATURES) + 2) + "|")
    for client, row in verdicts.items():
        cells = [_cell(row[feature], notes) for feature in FEATURES]
        lines.append(
            f"| {client.title} | `{client.package}` {client.version} | {' | '.join(cells)} |"
        )
    lines += ["", *(f"{number}. {note}" for number, note in enumerate(notes, 1))]
    return "\n".join(lines).rstrip() + "\n"


def write(text: str) -> None:
    """Replaces the table in the page."""
    page = PAGE.read_text("utf-8")
    before, _, after = page.partition(START)
    PAGE.write_text(f"{before}{START}\n{text}\n{END}{after.partition(END)[2]}", "utf-8")


def _cell(verdict: FeatureVerdict, notes: list[str]) -> str:
    if verdict.works and not verdict.reason.startswith("the text only"):
        return "yes"
    note = " ".join(verdict.reason.split())[:REASON_CHARACTERS].replace("|", "\\|")
    if note not in notes:
        notes.append(note)
    return f"{'yes' if verdict.works else 'no'} ({notes.index(note) + 1})"


if __name__ == "__main__":
    raise SystemExit(main())
