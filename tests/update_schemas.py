"""`python -m tests.update_schemas FOLDER` rewrites the published schemas that the checks use.

FOLDER is `schema` of a clone of the specification, with `REVISION/schema.json`. Only definitions that
describe messages of a server are kept, without descriptions: 80 KB in place of 680 KB.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mcpgen.conformance.published_schemas import FILE, NOTIFICATIONS, RESULTS
from mcpgen.conformance.revisions import ALL


def reduced(schema: dict[str, Any]) -> dict[str, Any]:
    """The definitions of results and notifications, and the definitions that these refer to."""
    definitions = schema.get("$defs") or schema["definitions"]
    roots = [*RESULTS.values(), *NOTIFICATIONS.values()]
    waiting = [name for name in roots if name in definitions]
    kept: dict[str, Any] = {}
    while waiting:
        name = waiting.pop()
        if name not in kept:
            kept[name] = _without_texts(definitions[name], waiting)
    return dict(sorted(kept.items()))


def _without_texts(value: Any, references: list[str]) -> Any:
    """A schema without descriptions; appends the names of referenced definitions."""
    if isinstance(value, list):
        return [_without_texts(entry, references) for entry in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, member in value.items():
        if key == "$ref":
            name = member.rpartition("/")[2]
            references.append(name)
            found[key] = f"#/$defs/{name}"
        elif key == "properties":
            found[key] = {n: _without_texts(s, references) for n, s in member.items()}
        elif key not in ("description", "$comment", "default"):
            found[key] = _without_texts(member, references)
    return found


def main() -> None:
    """Writes the file, a line for each definition."""
    lines = []
    for revision in ALL:
        path = Path(sys.argv[1]) / revision / "schema.json"
        found = reduced(json.loads(path.read_text("utf-8")))
        rows = [f'"{n}": {json.dumps(d, separators=(",", ":"))}' for n, d in found.items()]
        lines.append(f'"{revision}": {{\n' + ",\n".join(rows) + "\n}")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
