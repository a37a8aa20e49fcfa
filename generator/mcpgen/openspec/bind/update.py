"""Adds new entries to the text of a companion, and marks bindings as reviewed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.openspec.bind.draft import new_fixtures, operation_lines, scenario_lines, tool_lines
from mcpgen.openspec.bind.yaml_insert import (
    CannotInsert,
    flow,
    insert_entries,
    insert_first,
    replace_scalar,
    yaml_comment,
)
from mcpgen.openspec.companion import SCHEMA_LINE
from mcpgen.openspec.companion.keys import TOOL_NAME
from mcpgen.openspec.lower.companion_steps import match_definition
from mcpgen.openspec.lower.drafted_tools import inputs_of
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.lower.operation_matches import MIN_CONFIDENCE, OperationMatch, matched_tools
from mcpgen.openspec.lower.scenario_lookup import (
    Pair,
    ScenarioMatch,
    ScenarioNames,
    all_scenarios,
    binding_name,
    full_name,
    match_bindings,
)
from mcpgen.openspec.lower.step_definitions import StepContext, ToolArguments, subject_of
from mcpgen.openspec.model.companion import Companion, DeclaredTool
from mcpgen.openspec.model.requirements import Requirement, Requirements, Role, Scenario

EXPLAINED = "what the requirements cannot say: schemas, fixtures, assertions (docs/openspec.md)"
NO_BLOCK = "is not written as a block"
KEPT = "`mcpgen bind` adds what is new in the text, and changes nothing that stands here"


@dataclass(frozen=True, slots=True)
class CompanionUpdate:
    """The new text of the companion and the names of added tools and scenarios."""

    text: str
    tools: tuple[str, ...]
    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherTool:
    """A tool that the companion of another capability has or gets; `guessed`: nobody has reviewed it."""

    arguments: ToolArguments | None
    guessed: bool


@dataclass(frozen=True, slots=True)
class OtherCapabilities:
    """What the other capabilities of a server have: tools by name, and the facts of their texts."""

    tools: Mapping[str, OtherTool]
    facts: tuple[Fact, ...]


NO_OTHERS = OtherCapabilities({}, ())


def update_companion(
    requirements: Requirements,
    facts: Facts,
    companion: Companion | None,
    text: str,
    diagnostics: Diagnostics,
    matches: Sequence[OperationMatch] = (),
    elsewhere: OtherCapabilities = NO_OTHERS,
) -> CompanionUpdate:
    """Returns the companion's text with entries for all new tools and scenarios.

    `text` is `""` without a companion. `matches` are operations of an API that the text names.
    Adds MG709 for a name not drafted as a tool, MG761 for a scenario without a unique name, and MG762
    if the text has no place for an entry.
    """
    new = list(_new_scenarios(requirements, companion))
    keyed = list(_keyed(requirements, new, diagnostics))
    operations = dict(_new_operations(requirements, companion, new, matches))
    drafted = _drafted_tools(facts, companion, new, diagnostics)
    tools = [name for name in drafted if name not in operations and name not in elsewhere.tools]
    every = Facts((*facts.all, *elsewhere.facts))
    by_scenario: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts.all:
        by_scenario[fact.sentence.requirement, fact.sentence.scenario].append(fact)
    for match in matches:
        for evidence in match.evidence:
            if evidence.confidence >= MIN_CONFIDENCE:
                sentence = evidence.sentence
                call = Fact(FactKind.TOOL, (match.tool,), sentence, (0, 0))
                by_scenario[sentence.requirement, sentence.scenario].append(call)
    context = _step_context(every, companion, tools)
    by_tool = {match.tool: match.arguments for match in matches}
    declared = context.tools.items()
    context = replace(
        context,
        tools={
            **{name: other_tool.arguments for name, other_tool in elsewhere.tools.items()},
            **{name: by_tool[name] for name in operations},
            **{name: tool or by_tool.get(name) for name, tool in declared},
        },
    )
    declared_here = companion.tools if companion else ()
    guessed = {*tools, *operations, *(tool.name for tool in declared_here if tool.guessed)}
    guessed |= {name for name, other_tool in elsewhere.tools.items() if other_tool.guessed}
    bindings = [
        scenario_lines(
            key,
            requirement,
            scenario,
            by_scenario[requirement.name, scenario.name],
            replace(context, subject=subject_of(requirement, scenario, context.tools)),
            guessed,
        )
        for key, requirement, scenario in keyed
    ]
    fixtures = {fixture.name for fixture in companion.fixtures} if companion else set()
    blocks = {
        "tools": [*operations.values(), *(tool_lines(name, every) for name in tools)],
        "fixtures": [*new_fixtures([scenario for _, _, scenario in keyed], bindings, fixtures)],
        "scenarios": bindings,
    }
    entries = {key: lines for key, lines in blocks.items() if lines}
    start = text or _beginning(requirements, facts)
    page = insert_entries(start, entries) if entries else start
    if isinstance(page, CannotInsert):
        at = companion.at if companion else Location(requirements.at.file)
        name = f"`{page.path[-1]}`" if page.path else "the file"
        place = at / page.path[-1] if page.path else at
        diagnostics.add(codes.NO_ROOM, place, name=name, why=NO_BLOCK)
        return CompanionUpdate(text, (), ())
    added = (*operations, *tools)
    return CompanionUpdate(page, added, tuple(key for key, _, _ in keyed))


def _new_operations(
    requirements: Requirements,
    companion: Companion | None,
    new: Sequence[Pair],
    matches: Sequence[OperationMatch],
) -> Iterator[tuple[str, list[str]]]:
    """Yields entries of tools for operations that no tool calls, by tool name.

    In a file that exists, only operations that new parts of the text name: the author may have
    removed older entries on purpose.
    """
    declared = companion.tools if companion else ()
    operations = {tool.upstream.operation for tool in declared if tool.upstream}
    places = {(requirement.name, scenario.name) for requirement, scenario in new}
    for tool, match in matched_tools(matches, operations):
        sentences = {
            (evidence.sentence.requirement, evidence.sentence.scenario)
            for evidence in match.evidence
        }
        is_new = companion is None or sentences <= places | {(name, "") for name, _ in places}
        if is_new and tool.name not in {entry.name for entry in declared}:
            yield tool.name, operation_lines(tool, match.reason)


def _step_context(facts: Facts, companion: Companion | None, new: Sequence[str]) -> StepContext:
    """Returns the context of step definitions: tools with their declared or drafted arguments."""
    tools: dict[str, ToolArguments | None] = {name: drafted_arguments(name, facts) for name in new}
    for tool in companion.tools if companion else ():
        tools[tool.name] = arguments_of_companion(tool)
    if companion is None:
        return StepContext(tools)
    return StepContext(tools, companion.glossary, companion.budgets)


def drafted_arguments(name: str, facts: Facts) -> ToolArguments:
    """Returns the arguments of a tool as the text has them."""
    inputs = inputs_of(name, facts)
    return ToolArguments(
        frozenset(inputs), frozenset(key for key in inputs if "required" in inputs[key])
    )


def arguments_of_companion(tool: DeclaredTool) -> ToolArguments | None:
    """Returns the arguments of a declared tool, None for those of its operation."""
    if tool.inputs is None and tool.upstream is not None:
        return None
    inputs = tool.inputs or ()
    needs = frozenset(argument.name for argument in inputs if argument.required)
    return ToolArguments(frozenset(argument.name for argument in inputs), needs)


def _beginning(requirements: Requirements, facts: Facts) -> str:
    """Returns the first lines of a new companion."""
    name = requirements.at.file.rpartition("/")[2]
    lines = [
        SCHEMA_LINE,
        yaml_comment(f"Beside {name}: {EXPLAINED}."),
        yaml_comment(f"{KEPT}."),
        "mcpgen: 1",
        f"spec: {flow({'path': name, 'sha256': requirements.sha256})}",
    ]
    phrases = {
        phrase: None for fact in facts.of(FactKind.FORBIDDEN_TOOLS) for phrase in fact.phrases
    }
    if phrases:
        lines.append("# glossary:  # which names a phrase of the text stands for")
        lines += [yaml_comment(f'  {flow({phrase: ["*…*"]})[1:-1]}') for phrase in phrases]
    return "\n".join(lines) + "\n"


def _new_scenarios(requirements: Requirements, companion: Companion | None) -> Iterator[Pair]:
    bound = (
        {id(match.scenario) for match in match_bindings(requirements, companion)}
        if companion
        else set()
    )
    return (
        pair
        for pair in all_scenarios(requirements)
        if id(pair[1]) not in bound and not _is_defined(pair[1], companion)
    )


def _is_defined(scenario: Scenario, companion: Companion | None) -> bool:
    """Returns whether the author's step definitions have the action of a scenario."""
    definitions = [
        definition
        for definition in (companion.definitions if companion else ())
        if definition.actions or definition.manual
    ]
    return any(
        step.role is Role.WHEN and match_definition(step, definitions) for step in scenario.steps
    )


def _keyed(
    requirements: Requirements,
    new: Sequence[Pair],
    diagnostics: Diagnostics,
) -> Iterator[tuple[str, Requirement, Scenario]]:
    """Yields new scenarios with their unique keys."""
    names = ScenarioNames.of(requirements)
    for requirement, scenario in new:
        key = names.key_of(requirement, scenario)
        if key is None:
            diagnostics.add(codes.UNNAMEABLE_SCENARIO, scenario.at, name=scenario.name)
        else:
            yield key, requirement, scenario


def _drafted_tools(
    facts: Facts, companion: Companion | None, new: Sequence[Pair], diagnostics: Diagnostics
) -> Iterator[str]:
    """Yields new tools to draft: names accepted by every host, or names in an exact list."""
    exact = {name for fact in facts.of(FactKind.EXACT_TOOLS) for name in fact.names}
    places: dict[str, Location] = {}
    for fact in facts.of(FactKind.TOOL):
        for name in fact.names:
            places.setdefault(name, fact.at)
    for name in _new_tools(facts, companion, new):
        if "." in name and name not in exact:
            diagnostics.add(codes.UNDRAFTED_TOOL, places[name], name=name)
        elif TOOL_NAME[0](name):
            yield name


def _new_tools(facts: Facts, companion: Companion | None, new: Sequence[Pair]) -> list[str]:
    """Returns the tools to declare.

    Without a companion: all tools named. Later: tools of an exact list, and tools named only in new
    parts of the text, because the author may have removed older entries on purpose.
    """
    if companion is None:
        return list(facts.tools)
    declared = {tool.name for tool in companion.tools}
    exact = {name for fact in facts.of(FactKind.EXACT_TOOLS) for name in fact.names}
    places = {(requirement.name, scenario.name) for requirement, scenario in new}
    # The body of a requirement is as new as its scenarios.
    places |= {(requirement.name, "") for requirement, _ in new}
    old = {
        name
        for fact in facts.of(FactKind.TOOL)
        if (fact.sentence.requirement, fact.sentence.scenario) not in places
        for name in fact.names
    }
    return [
        name for name in facts.tools if name not in declared and (name in exact or name not in old)
    ]


def accepted(
    requirements: Requirements,
    companion: Companion,
    text: str,
    names: Sequence[str],
    diagnostics: Diagnostics,
) -> str:
    """Returns the text with the current digests of the named scenarios.

    Replaces the digest of the whole text once no binding is stale. Adds MG790 for a name without an
    entry, and MG762. An entry that fits no scenario is left to `check_bindings`.
    """
    entries = {binding_name(binding) for binding in companion.scenarios}
    matches = {
        binding_name(match.binding): match for match in match_bindings(requirements, companion)
    }
    stamped = set()
    for name in names:
        entry = " ".join(name.split())
        match = matches.get(entry)
        if match is None:
            if entry not in entries:
                hint = _hint_about_entry(entry, matches, requirements)
                place = companion.at / "scenarios" if entries else companion.at
                diagnostics.add(codes.UNKNOWN_ENTRY, place, name=entry, hint=hint)
            continue
        page = _stamped(match, text)
        if isinstance(page, CannotInsert):
            diagnostics.add(codes.NO_ROOM, match.binding.at, name=f"`{name}`", why=NO_BLOCK)
            continue
        text = page
        stamped.add(binding_name(match.binding))
    stale = {name for name, match in matches.items() if match.stale}
    if stamped and not stale - stamped and companion.sha256:
        page = replace_scalar(text, ("spec", "sha256"), f'"{requirements.sha256}"')
        text = text if isinstance(page, CannotInsert) else page
    return text


_MAX_SHOWN_ENTRIES = 10


def _scenario_names(requirement: Requirement, scenario: Scenario) -> tuple[str, str]:
    """Returns the two names of a scenario that an entry may have."""
    return " ".join(scenario.name.split()), " ".join(full_name(requirement, scenario).split())


def _hint_about_entry(
    name: str, matches: Mapping[str, ScenarioMatch], requirements: Requirements
) -> str:
    """Returns what to write in place of a name that no entry has."""
    same = [
        entry
        for entry, match in matches.items()
        if name in _scenario_names(match.requirement, match.scenario)
    ]
    if same:
        return f"write {' or '.join(f'`{entry}`' for entry in same)}"
    if any(name in _scenario_names(*pair) for pair in all_scenarios(requirements)):
        return (
            "leave out `--accept`: the entry that `mcpgen bind` adds for the scenario is up to date"
        )
    shown_entries = ", ".join(f"`{entry}`" for entry in [*matches][:_MAX_SHOWN_ENTRIES])
    known = (
        f"choose from {shown_entries}"
        if matches
        else "leave out `--accept`: no entry fits a scenario"
    )
    return closest_match(name, list(matches)) or known


def _stamped(match: ScenarioMatch, text: str) -> str | CannotInsert:
    path = match.binding.at.path
    digest = f'"{match.scenario.digest}"'
    if match.binding.digest:
        return replace_scalar(text, (*path, "of"), digest)
    return insert_first(text, path, f"of: {digest}")
