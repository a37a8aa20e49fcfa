"""`python -m tests.update_schemas` (`make schemas`) writes docs/schemas/, the schemas of `mcpgen schema`."""

from __future__ import annotations

import json
from pathlib import Path

from mcpgen.cli.schema import SchemaName, schema_of

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"


def schema_files() -> dict[str, str]:
    """The text of every schema, by name of the file."""
    return {
        f"{name.value}.schema.json": json.dumps(schema_of(name), indent=2) + "\n"
        for name in SchemaName
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in schema_files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
