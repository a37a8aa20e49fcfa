"""Reads a whole companion and its fixtures, and checks references between its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from mcpgen.config.validators import ValueRule
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Document, Json, texts_in
from mcpgen.openspec.companion.keys import (
    ANY,
    FLAG,
    FUNCTION,
    HEADER_NAME,
    HEADER_VALUE,
    HTTP_STATUS,
    LIST,
    MAPPING,
    METHOD,
    NAME,
    POSITIVE,
    QUERY_NAME,
    REASON,
    ROUTE,
    SHA256,
    VARIABLE,
    VARIABLE_VALUE,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, as_texts, read_text
from mcpgen.openspec.companion.scenarios import (
    SEVERAL,
    read_actions,
    read_definitions,
    read_scenarios,
)
from mcpgen.openspec.companion.tools import tools_of
from mcpgen.openspec.model.companion import (
    Assertion,
    Companion,
    CompanionDefinition,
    Fixture,
    FixtureExchange,
    ScenarioAction,
    ScenarioBinding,
)
from mcpgen.openspec.model.step_pattern import pattern_names
from mcpgen.parse.node import Node

FIXTURE_KEYS = {
    "description": text_key().about("For people."),
    "environment": MAPPING.about("Environment variables of the server, and so its settings."),
    "headers": MAPPING.about("Headers of every client request."),
    "upstream": LIST.about("Canned answers of the API."),
    "app": text_key(FUNCTION).about(
        "In place of `upstream`: a function in `tests/fixtures.py` that takes `values` and returns "
        "the API as an ASGI application."
    ),
    "values": MAPPING.about("The mapping for the function `app`."),
    SEVERAL: LIST.about("Actions before those of the scenario, which bring the state about."),
    "arguments": MAPPING.about("Values of arguments that a step names without a value, by name."),
    "guessed": FLAG.about(
        "True if `mcpgen bind` named the state of a step; delete the line once the fixture has the state."
    ),
}
EXCHANGE = {
    "method": text_key(METHOD, needed=True).about("The HTTP method."),
    "path": text_key(ROUTE, needed=True).about("The path; `*` is any segment."),
    "query": MAPPING.about("Parameters by name; parameters not named may have any value."),
    "status": number_key(HTTP_STATUS).about("The status of the answer, 200 without it."),
    "headers": MAPPING.about("Headers of the answer."),
    "body": ANY.about("The body of the answer."),
}
OK = 200


def fixtures_of(reader: CompanionReader, node: Node | None) -> tuple[Fixture, ...]:
    """Reads the fixtures under `fixtures`, in document order."""
    members = reader.named(node, "fixtures", NAME)
    return tuple(_fixture(reader, name, member) for name, member in members)


def _fixture(reader: CompanionReader, name: str, node: Node) -> Fixture:
    owner = f"the fixture `{name}`"
    members = reader.members(node, owner, FIXTURE_KEYS)
    reader.only_one(node, owner, ("upstream", "app"))
    elements = members["upstream"].elements() if "upstream" in members else ()
    exchanges = [_exchange(reader, element) for element in elements]
    values: Mapping[str, Node] = dict(members["values"].members()) if "values" in members else {}
    return Fixture(
        name=name,
        description=read_text(members, "description"),
        environment=reader.pairs(members.get("environment"), VARIABLE, VARIABLE_VALUE),
        headers=reader.pairs(members.get("headers"), HEADER_NAME, HEADER_VALUE),
        exchanges=tuple(exchange for exchange in exchanges if exchange is not None),
        app=read_text(members, "app"),
        values={key: value.value for key, value in values.items()},
        at=node.at,
        guessed="guessed" in members and bool(members["guessed"].value),
        setup=read_actions(reader, node, owner) if SEVERAL in members else (),
        arguments=dict(members["arguments"].value) if "arguments" in members else {},
    )


def _exchange(reader: CompanionReader, node: Node) -> FixtureExchange | None:
    members = reader.members(node, "an answer of the upstream", EXCHANGE)
    if not {"method", "path"} <= members.keys():
        return None
    return FixtureExchange(
        method=read_text(members, "method"),
        path=read_text(members, "path"),
        query=reader.pairs(members.get("query"), QUERY_NAME, VARIABLE_VALUE),
        status=int(members["status"].value) if "status" in members else OK,
        headers=reader.pairs(members.get("headers"), HEADER_NAME, HEADER_VALUE),
        body=members["body"].value if "body" in members else None,
        at=node.at,
    )


DEFAULT = "default"
"""Fixture used by every scenario."""

UNIQUE = "unique"
"""Name of a value that every scenario has from its beginning: a text of its own."""

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")


def report_references(companion: Companion, root: Node, reader: CompanionReader) -> None:
    """Reports unknown fixtures, unsaved values, and unused fixtures."""
    used: set[str] = {DEFAULT}
    declared = [name for name, _ in root.child("fixtures").members()]
    owners: tuple[ScenarioBinding | CompanionDefinition, ...] = (
        *companion.scenarios,
        *companion.definitions,
    )
    for owner in owners:
        for name in owner.given:
            used.add(name)
            if name not in declared and name != DEFAULT:
                hint = closest_match(name, declared) or "add it under `fixtures`"
                reader.diagnostics.add(
                    codes.UNKNOWN_FIXTURE, owner.at / "given", name=name, nearest=hint
                )
    _report_all_unsaved(companion, reader)
    for fixture in companion.fixtures:
        if fixture.name not in used:
            reader.diagnostics.add(codes.UNUSED_FIXTURE, fixture.at, name=fixture.name)


def _report_all_unsaved(companion: Companion, reader: CompanionReader) -> None:
    """Reports unsaved values of scenarios, fixtures and step definitions.

    The fixtures and step definitions of a scenario are known only with the text, so a step
    definition may use the values of every fixture and of every other step definition.
    """
    setups = {fixture.name: fixture.setup for fixture in companion.fixtures}
    every = {UNIQUE} | _saved([action for setup in setups.values() for action in setup])
    own = [action for binding in companion.scenarios for action in binding.actions]
    defined = [_saved(definition.actions) for definition in companion.definitions]
    anywhere = (every | _saved(own)).union(*defined)
    for binding in companion.scenarios:
        names = (DEFAULT, *binding.given)
        before = [action for name in names for action in setups.get(name, ())]
        saved = {UNIQUE} | _saved(before)
        _report_unsaved(binding.actions, saved, reader)
        # Without an action or `given`, the actions are those of step definitions.
        is_own = binding.actions or binding.given
        saved = saved | _saved(binding.actions) if is_own else anywhere
        for step in binding.steps:
            _report_unknown(step.assertions, saved, reader)
    for number, definition in enumerate(companion.definitions):
        texts = {*pattern_names(definition.pattern)}
        elsewhere = every.union(*defined[:number], *defined[number + 1 :])
        _report_unsaved(definition.actions, elsewhere | texts, reader)
        _report_unknown(definition.assertions, anywhere | texts, reader)
    for fixture in companion.fixtures:
        earlier = () if fixture.name == DEFAULT else setups.get(DEFAULT, ())
        _report_unsaved(fixture.setup, {UNIQUE} | _saved(earlier), reader)
        for name in _placeholders(dict(fixture.arguments)):
            if name not in every:
                at = fixture.at / "arguments"
                reader.diagnostics.add(codes.UNSAVED_VALUE, at, name=name)


def _saved(actions: Iterable[ScenarioAction]) -> set[str]:
    return {name for action in actions for name in action.save}


def _report_unsaved(
    actions: Iterable[ScenarioAction], available: Set[str], reader: CompanionReader
) -> None:
    """Reports placeholders in actions that no earlier action saves; `available` are saved before."""
    saved = set(available)
    for action in actions:
        for name in _placeholders(_used(action)):
            if name not in saved:
                reader.diagnostics.add(codes.UNSAVED_VALUE, action.at, name=name)
        saved |= action.save.keys()


def _report_unknown(
    assertions: Iterable[Assertion], available: Set[str], reader: CompanionReader
) -> None:
    """Reports placeholders in assertions that no action saves."""
    for assertion in assertions:
        for name in _placeholders([assertion.name, *assertion.claims.values()]):
            if name not in available:
                reader.diagnostics.add(codes.UNSAVED_VALUE, assertion.at, name=name)


def _used(action: ScenarioAction) -> Json:
    """Returns all parts of an action that may contain saved values."""
    return [
        action.name,
        action.value,
        action.path,
        action.input,
        *action.headers.values(),
        *action.environment.values(),
    ]


def _placeholders(value: Json) -> Iterator[str]:
    """Yields the names between `${` and `}` in the texts of a value."""
    for text in texts_in(value):
        yield from (match[1] for match in _PLACEHOLDER.finditer(text))


VERSION = 1
KEYS = {
    "mcpgen": number_key(
        (ValueRule(minimum=VERSION, maximum=VERSION), f"{VERSION}, the version of this format"),
        needed=True,
    ).about("The version of this format."),
    "spec": MAPPING.about("The requirements that this file belongs to."),
    "title": text_key(REASON).about("The server's title."),
    "instructions": text_key().about("The server's instructions for hosts."),
    "tools": MAPPING.about("The tools by name."),
    "glossary": MAPPING.about("Names that a phrase of the text stands for; `*` is any letters."),
    "budgets": MAPPING.about("Limits by name, in bytes."),
    "fixtures": MAPPING.about("The state before a scenario, by name; `default` is for every one."),
    "steps": MAPPING.about(
        "Step definitions by the words of steps; `*` is any text, `{name}` a text used as `${name}`."
    ),
    "scenarios": MAPPING.about(
        "Actions and assertions of the scenarios, by name or `Requirement / Scenario`."
    ),
}
SPEC = {
    "path": text_key().about("Path of the requirements."),
    "sha256": text_key(SHA256).about("Digest of the requirements at the time of writing."),
}
GLOSSARY = texts_key(
    (
        ValueRule(min_length=1, also=lambda name: name.strip() != ""),
        "the name of a tool, with `*` for any letters",
    )
)
BUDGET = number_key(POSITIVE)


def parse_companion(document: Document, diagnostics: Diagnostics) -> Companion | None:
    """Parses the companion in a document; None if the document is no mapping.

    Invalid parts are reported and left out, so all findings come at once; callers check
    `diagnostics.failed`. Adds MG730–MG744.
    """
    root = Node(document.tree, document, ())
    reader = CompanionReader(diagnostics)
    members = reader.members(root, "the companion", KEYS)
    if type(root.value) is not dict:
        return None
    spec = reader.members(members["spec"], "`spec`", SPEC) if "spec" in members else {}
    budgets = _budgets(reader, members.get("budgets"))
    companion = Companion(
        sha256=read_text(spec, "sha256"),
        tools=tools_of(reader, members.get("tools")),
        glossary=_glossary(reader, members.get("glossary")),
        budgets=budgets,
        fixtures=fixtures_of(reader, members.get("fixtures")),
        scenarios=read_scenarios(reader, members.get("scenarios"), root.child("budgets")),
        definitions=read_definitions(reader, members.get("steps"), root.child("budgets")),
        at=root.at,
        title=read_text(members, "title"),
        instructions=read_text(members, "instructions"),
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
    members = reader.named(node, "budgets", NAME)
    return {name: int(limit.value) for name, limit in members if reader.sound(limit, name, BUDGET)}
