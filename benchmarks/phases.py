"""Builds one project and prints the phases as JSON: `python -m benchmarks.phases SPEC FOLDER`.

Runs in a process of its own, so that the memory of the process is the memory of one build. Keys: `good`,
`worst` (the first diagnostic), `seconds` by phase, `validation`, `tools`, `missing` (operations without a
tool), `files`, `bytes`, `findings`.
"""

from __future__ import annotations

import json
import sys

from mcpgen.pipeline import BuildOptions, build


def main() -> None:
    """Builds without `verify` and prints one line of JSON."""
    result = build(sys.argv[1], sys.argv[2], BuildOptions(verify=False, keep_going=True))
    facts = {
        "good": result.status.good,
        "worst": result.diagnostics[0].message if result.diagnostics else "",
        "seconds": dict(result.seconds),
        "validation": result.validation,
        "tools": len(result.tools),
        "missing": len(result.missing),
        "files": len(result.changes),
        "bytes": sum(len((change.text or "").encode()) for change in result.changes),
        "findings": len(result.diagnostics),
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
