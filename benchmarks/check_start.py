"""Measures the start of `mcpgen check`: CPU seconds of the check of a saved list with one tool, beside
`python -c pass`. Run: `python -m benchmarks.check_start`.

CPU time, because the wall clock of a shared machine measures its neighbors.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 7
LIMIT = 0.3
"""CPU seconds that the start may take."""

TOOL = {"name": "echo", "description": "Echoes.", "inputSchema": {"type": "object"}}


def cpu_seconds(command: list[str], folder: Path) -> float:
    """Median CPU seconds of a command, with bytecode that an earlier run wrote."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    samples = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        samples.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(samples[1:])


def main() -> int:
    """Prints both medians. Exit code 1 above the limit."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tools.json").write_text(json.dumps({"tools": [TOOL]}), "utf-8")
        python = cpu_seconds([sys.executable, "-c", "pass"], folder)
        check = cpu_seconds([sys.executable, "-m", "mcpgen", "check", "tools.json"], folder)
    print(f"python -c pass: {python:.2f} s; mcpgen check tools.json: {check:.2f} s of CPU time")
    return 1 if check > LIMIT else 0


if __name__ == "__main__":
    raise SystemExit(main())
