"""YAML 1.2 text to a tree."""

from __future__ import annotations

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.read.findings import Findings
from mcpgen.read.loaded_document import LoadedDocument
from mcpgen.read.yaml_composer import Composer, YamlRejected
from mcpgen.read.yaml_events import BrokenYaml, YamlEvents


def load_yaml(text: str, file: str, findings: Findings) -> LoadedDocument | None:
    """The one document of the text, or None when there is none.

    Adds MG104, MG107, MG109–MG116 and MG123–MG125.
    """
    composer = Composer(file, findings)
    try:
        composer.run(YamlEvents(text))
    except BrokenYaml as error:
        at = Location(file, line=error.at.line, column=error.at.column)
        findings.add(codes.BROKEN_YAML, at, problem=error.problem, hint=error.hint)
        return None
    except YamlRejected:
        return None
    if not composer.documents:
        findings.add(codes.EMPTY_FILE, Location(file))
        return None
    return LoadedDocument(composer.documents[0], composer.places.find)
