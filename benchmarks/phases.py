"""One build, stage by stage, in a process of its own: `python -m benchmarks.phases SPEC FOLDER`.

Prints one JSON object: status, seconds by phase, tools, operations left out, files, findings.
"""

from __future__ import annotations

import json
import sys

from mcpgen.pipeline import BuildOptions, build


def phases(spec: str, folder: str) -> dict[str, object]:
    """A cold build of one description, without the check, and what each phase took."""
    outcome = build(spec, folder, BuildOptions(verify=False, keep_going=True))
    worst = outcome.diagnostics[0].message if outcome.diagnostics else ""
    return {
        "good": outcome.status.good,
        "worst": worst,
        "seconds": dict(outcome.seconds),
        "validation": outcome.validation,
        "tools": len(outcome.tools),
        "missing": len(outcome.missing),
        "files": len(outcome.changes),
        "bytes": sum(len((change.text or "").encode()) for change in outcome.changes),
        "findings": len(outcome.diagnostics),
    }


if __name__ == "__main__":
    print(json.dumps(phases(sys.argv[1], sys.argv[2])))
