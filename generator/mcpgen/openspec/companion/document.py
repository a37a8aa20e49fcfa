"""`mcp.yaml` as a whole."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.source import Document
from mcpgen.openspec.companion.fixtures import fixtures_of
from mcpgen.openspec.companion.keys import (
    MAPPING,
    NAME,
    POSITIVE,
    REASON,
    SHA256,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, as_texts, read_text
from mcpgen.openspec.companion.references import report_references
from mcpgen.openspec.companion.scenarios import read_scenarios
from mcpgen.openspec.companion.tools import tools_of
from mcpgen.openspec.model.companion import Companion
from mcpgen.parse.node import Node

VERSION = 1
KEYS = {
    "mcpgen": number_key(
        (lambda found: found == VERSION, f"{VERSION}, the version of this format"), needed=True
    ),
    "spec": MAPPING,
    "title": text_key(REASON),
    "instructions": text_key(),
    "tools": MAPPING,
    "glossary": MAPPING,
    "budgets": MAPPING,
    "fixtures": MAPPING,
    "scenarios": MAPPING,
}
SPEC = {"path": text_key(), "sha256": text_key(SHA256)}
GLOSSARY = texts_key(
    (lambda name: name.strip() != "", "the name of a tool, with `*` for any letters")
)
BUDGET = number_key(POSITIVE)


def parse_companion(document: Document, diagnostics: Diagnostics) -> Companion | None:
    """The companion that a document holds, or None where it is no mapping.

    What is wrong is told and left out, so that all findings come at once: whoever goes on has to look
    at the diagnostics. Adds MG730–MG744.
    """
    root = Node(document.tree, document, ())
    reader = CompanionReader(diagnostics)
    found = reader.members(root, "the companion", KEYS)
    if type(root.value) is not dict:
        return None
    spec = reader.members(found["spec"], "`spec`", SPEC) if "spec" in found else {}
    budgets = _budgets(reader, found.get("budgets"))
    companion = Companion(
        sha256=read_text(spec, "sha256"),
        tools=tools_of(reader, found.get("tools")),
        glossary=_glossary(reader, found.get("glossary")),
        budgets=budgets,
        fixtures=fixtures_of(reader, found.get("fixtures")),
        scenarios=read_scenarios(reader, found.get("scenarios"), root.child("budgets")),
        at=root.at,
        title=read_text(found, "title"),
        instructions=read_text(found, "instructions"),
    )
    report_references(companion, root, reader)
    return companion


def _glossary(reader: CompanionReader, node: Node | None) -> Mapping[str, tuple[str, ...]]:
    members = node.members() if node else ()
    return {
        phrase: as_texts(names)
        for phrase, names in members
        if reader.sound(names, phrase, GLOSSARY)
    }


def _budgets(reader: CompanionReader, node: Node | None) -> Mapping[str, int]:
    named = reader.named(node, "budgets", NAME)
    return {name: int(limit.value) for name, limit in named if reader.sound(limit, name, BUDGET)}
