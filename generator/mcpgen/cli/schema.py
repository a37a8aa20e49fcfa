"""`mcpgen schema`: prints a JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib.resources import files
from typing import Annotated, Any

import typer

from mcpgen.cli.console import echo_json


class SchemaName(StrEnum):
    """The files and results with a schema."""

    CONFIG = "mcpgen.toml"
    COMPANION = "mcp.yaml"
    EXTENSION = "x-mcp"
    LOCK = "mcpgen.lock"
    REPORT = "report"
    BUILD = "build"
    LINT = "lint"


def schema(
    name: Annotated[
        SchemaName,
        typer.Argument(
            help="One of mcpgen.toml, mcp.yaml, mcpgen.lock; x-mcp (the extensions of an OpenAPI "
            "document); report (the report of check); build or lint (the output with --format json; "
            "build also for new, eject and check).",
            metavar="NAME",
        ),
    ],
) -> None:
    """Print the JSON Schema of a file or of a result.

    For editors and validators: mcpgen schema mcp.yaml > mcp.schema.json
    """
    echo_json(schema_of(name))


def schema_of(name: SchemaName) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a file or of a result. Example: `schema_of(SchemaName.LOCK)`."""
    from mcpgen.config import config_schema
    from mcpgen.conformance import report_schema
    from mcpgen.openspec.bind import companion_schema
    from mcpgen.pipeline import extension_schema, lock_schema

    makers: Mapping[SchemaName, Callable[[], dict[str, Any]]] = {
        SchemaName.CONFIG: config_schema,
        SchemaName.COMPANION: companion_schema,
        SchemaName.EXTENSION: extension_schema,
        SchemaName.LOCK: lock_schema,
        SchemaName.REPORT: report_schema,
        SchemaName.BUILD: lambda: _output_schema("build", report_schema()),
        SchemaName.LINT: lambda: _output_schema("lint"),
    }
    return makers[name]()


def _output_schema(command: str, report: dict[str, Any] | None = None) -> dict[str, Any]:
    """The schema of a command's result or error. `report` is the schema of the member of the same
    name, embedded with an identifier of its own, because the references inside start at its root.
    """
    parts = json.loads(files(__package__).joinpath("output.schema.json").read_text("utf-8"))
    embedded = {"report": {"$id": "urn:mcpgen:report", **report}} if report else {}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"mcpgen {command} --format json",
        "description": "A result, or an error. New members may come at any time.",
        "anyOf": [{"$ref": f"#/$defs/{command}"}, {"$ref": "#/$defs/error"}],
        "$defs": {name: parts[name] for name in (command, "error", "finding")} | embedded,
    }
