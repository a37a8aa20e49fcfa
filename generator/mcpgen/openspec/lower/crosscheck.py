"""Compares a companion with the text of the requirements, and the scenarios of both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.result_path import Steps, is_deep, is_each, path_steps
from mcpgen.ir.source import Json
from mcpgen.openspec.lower.companion_steps import match_definition
from mcpgen.openspec.lower.extraction import Fact, FactKind, Facts
from mcpgen.openspec.lower.scenario_lookup import (
    Pair,
    ScenarioMatch,
    ScenarioNames,
    all_scenarios,
    binding_name,
    full_name,
)
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    Companion,
    DeclaredTool,
    ScenarioAction,
    ScenarioBinding,
)
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.model.step_pattern import pattern_names

_EVERY = ("_meta", "resultType", "code", "message", "data")
"""Members allowed in every result or error."""

_CACHED = ("ttlMs", "cacheScope")
_ASKING = ("inputRequests", "requestState")
"""Members of an intermediate result with requests to the client."""

_CALL = ("content", "structuredContent", "isError", *_ASKING, *_EVERY)
_REQUESTS: Mapping[str, tuple[str, ...]] = {
    "tools/call": _CALL,
    "tools/list": ("tools", "nextCursor", *_CACHED, *_EVERY),
    "initialize": ("protocolVersion", "capabilities", "serverInfo", "instructions", *_EVERY),
}
"""Result members by method; other methods are not checked."""

_SCALARS = frozenset({"isError", "code", "message", "resultType", "nextCursor", "protocolVersion"})
_LISTS = frozenset({"content", "tools"})


def check_paths(binding: ScenarioBinding, companion: Companion, diagnostics: Diagnostics) -> None:
    """Reports result paths that cannot exist, except in `absent` assertions."""
    for step in binding.steps:
        for assertion in step.assertions:
            action = _looked_at(binding, assertion)
            if action is None or assertion.subject is not AssertionTarget.PATH:
                continue
            if "absent" not in assertion.claims:
                _check_assertion(assertion, action, companion, diagnostics)


def _looked_at(binding: ScenarioBinding, assertion: Assertion) -> ScenarioAction | None:
    """Returns the action an assertion is about; None if a step definition supplies the action."""
    number = assertion.call or len(binding.actions)
    return binding.actions[number - 1] if 0 < number <= len(binding.actions) else None


def _check_assertion(
    assertion: Assertion, action: ScenarioAction, companion: Companion, diagnostics: Diagnostics
) -> None:
    steps = path_steps(assertion.name)
    method = "tools/call" if action.kind is ActionKind.CALL else action.name
    members = (
        _REQUESTS.get(method) if action.kind in (ActionKind.CALL, ActionKind.REQUEST) else None
    )
    if steps is None or members is None or any(map(is_deep, steps)):
        return
    why, hint = _fault(steps, members, method)
    if why:
        diagnostics.add(
            codes.IMPOSSIBLE_PATH, assertion.at, path=assertion.name, why=why, nearest=hint
        )
        return
    output = next((tool.output for tool in companion.tools if tool.name == action.name), None)
    if action.kind is ActionKind.CALL and steps[0] == "structuredContent" and output is not None:
        why, hint = _outside(steps[1:], output)
        if why:
            # An error may have content of its own, outside the schema.
            diagnostics.add(
                codes.IMPOSSIBLE_PATH,
                assertion.at,
                severity=Severity.WARNING,
                path=assertion.name,
                why=why,
                nearest=hint,
            )


def _fault(steps: Steps, members: tuple[str, ...], method: str) -> tuple[str, str]:
    """Returns the reason a method's result has no value at a path, and a suggestion.

    Both are `""` for a possible path.
    """
    first, *rest = steps
    if first not in members:
        return f"a result of `{method}` has no member `{first}`", _near(str(first), members)
    if first in _SCALARS and rest:
        return f"`{first}` has no parts", f"look at `{first}` itself"
    if first in _LISTS and rest and not isinstance(rest[0], int) and not is_each(rest[0]):
        return f"`{first}` is a list", f"write `{first}[0]` or `{first}[*]`"
    return "", ""


def _outside(steps: Steps, schema: Json) -> tuple[str, str]:
    """Returns the reason an output schema excludes a path, and a suggestion.

    Both are `""` for a possible path.
    """
    for step in steps:
        if not isinstance(schema, dict):
            return "", ""
        if isinstance(step, int) or is_each(step):
            if schema.get("type") == "object" and isinstance(step, int):
                return "the `output` of the tool says that there is no list", "leave the index out"
            schema = schema.get("items")
            continue
        properties = schema.get("properties")
        if schema.get("type") == "array":
            return "the `output` of the tool says that there is a list", "write `[0]` or `[*]`"
        if not isinstance(properties, dict) or {"$ref", "anyOf", "oneOf", "allOf"} & schema.keys():
            return "", ""
        if step not in properties:
            return f"the `output` of the tool has no `{step}`", _near(step, tuple(properties))
        schema = properties[step]
    return "", ""


def _near(word: str, names: tuple[str, ...]) -> str:
    return closest_match(word, list(names)) or f"it has {', '.join(f'`{name}`' for name in names)}"


def check_bindings(
    requirements: Requirements,
    companion: Companion,
    diagnostics: Diagnostics,
    elsewhere: Collection[str] = (),
) -> None:
    """Reports wrong or stale bindings, unknown steps, and impossible calls and paths."""
    changed = bool(companion.sha256) and companion.sha256 != requirements.sha256
    names = ScenarioNames.of(requirements)
    bound: set[int] = set()
    for binding in companion.scenarios:
        pairs = names.pairs_of(binding)
        if len(pairs) != 1:
            _tell_unmatched(requirements, binding, pairs, diagnostics)
            continue
        match = ScenarioMatch(*pairs[0], binding)
        if id(match.scenario) in bound:
            diagnostics.add(codes.SCENARIO_BOUND_TWICE, binding.at, name=match.scenario.name)
        bound.add(id(match.scenario))
        _check_steps(match, diagnostics)
        _tell_stale(match, changed, diagnostics)
        if not expects_refusal(binding):
            for action in binding.actions:
                _check_call(action, companion, elsewhere, diagnostics)
        check_paths(binding, companion, diagnostics)


def check_definitions(
    requirements: Requirements,
    companion: Companion,
    diagnostics: Diagnostics,
    elsewhere: Collection[str] = (),
) -> None:
    """Reports step definitions without a step, and unknown calls of step definitions and fixtures."""
    steps = [step for _, scenario in all_scenarios(requirements) for step in scenario.steps]
    for definition in companion.definitions:
        if not any(match_definition(step, [definition]) for step in steps):
            diagnostics.add(codes.UNUSED_DEFINITION, definition.at, pattern=definition.pattern)
        placeholders = {f"${{{name}}}" for name in pattern_names(definition.pattern)}
        for action in definition.actions:
            if action.name not in placeholders:
                _check_call(action, companion, elsewhere, diagnostics)
    for fixture in companion.fixtures:
        for action in fixture.setup:
            _check_call(action, companion, elsewhere, diagnostics)


def expects_refusal(binding: ScenarioBinding) -> bool:
    """Returns whether a binding expects an error, so an undeclared call is intended."""
    claims = [assertion for step in binding.steps for assertion in step.assertions]
    return any(
        assertion.subject is AssertionTarget.CODE
        or (
            assertion.subject in (AssertionTarget.IS_ERROR, AssertionTarget.REFUSED)
            and assertion.claims.get("equals") is True
        )
        for assertion in claims
    )


def _tell_unmatched(
    requirements: Requirements,
    binding: ScenarioBinding,
    pairs: Sequence[Pair],
    diagnostics: Diagnostics,
) -> None:
    name = binding_name(binding)
    if pairs:
        full = [f"`{full_name(*pair)}`" for pair in pairs]
        distinct = len(set(full)) == len(full)
        hint = f"write {' or '.join(full)}" if distinct else "give them different names in the text"
        diagnostics.add(
            codes.AMBIGUOUS_SCENARIO, binding.at, name=name, count=len(pairs), full=hint
        )
        return
    every = list(all_scenarios(requirements))
    full_names = [full_name(*pair) for pair in every] if binding.requirement else []
    hint = closest_match(name, [*full_names, *(scenario.name for _, scenario in every)])
    hint = hint or "delete the entry, or write a scenario of this name in the requirements"
    diagnostics.add(codes.UNKNOWN_SCENARIO, binding.at, name=name, nearest=hint)


def _check_steps(match: ScenarioMatch, diagnostics: Diagnostics) -> None:
    count = len(match.scenario.steps)
    for step in match.binding.steps:
        if step.step > count:
            diagnostics.add(
                codes.UNKNOWN_STEP,
                step.at / "step",
                name=match.scenario.name,
                step=step.step,
                count=count,
            )


def _tell_stale(match: ScenarioMatch, changed: bool, diagnostics: Diagnostics) -> None:
    name, at = match.scenario.name, match.scenario.at
    if match.stale:
        where = f"{at.file}:{at.line}" if at.line else at.file
        diagnostics.add(codes.STALE_BINDING, match.binding.at, name=name, where=where)
    elif changed and not match.binding.digest:
        entry = binding_name(match.binding)
        diagnostics.add(codes.UNSTAMPED_BINDING, match.binding.at, name=entry)


def _check_call(
    action: ScenarioAction,
    companion: Companion,
    elsewhere: Collection[str],
    diagnostics: Diagnostics,
) -> None:
    if action.kind is not ActionKind.CALL or action.name in elsewhere:
        return
    tools = {tool.name: tool for tool in companion.tools}
    if action.name not in tools:
        hint = closest_match(action.name, list(tools)) or "declare it under `tools`"
        diagnostics.add(codes.UNDECLARED_CALL, action.at, name=action.name, nearest=hint)
        return
    inputs = tools[action.name].inputs
    if inputs is None or not isinstance(action.value, dict):
        return
    names = [argument.name for argument in inputs]
    for name in action.value:
        if name not in names:
            hint = closest_match(name, names) or "declare it under `input`"
            diagnostics.add(
                codes.UNDECLARED_CALL_ARGUMENT,
                action.at / "arguments" / name,
                name=name,
                tool=action.name,
                nearest=hint,
            )


_QUOTED = 100


def check_tool_list(
    companion: Companion, facts: Facts, diagnostics: Diagnostics, elsewhere: Collection[str] = ()
) -> None:
    """Reports missing, forbidden and unlisted tools, and missing or forbidden arguments."""
    _check_exact(companion, facts, elsewhere, diagnostics)
    _check_forbidden(companion, facts, diagnostics)
    for fact in facts.of(FactKind.FORBIDDEN_ARGUMENT, FactKind.ARGUMENT):
        if fact.demanded:
            _check_arguments(companion, fact, diagnostics)


def matches_name(name: str, patterns: Iterable[str]) -> bool:
    """Returns whether a name matches any pattern; `*` stands for any characters.

    Example: `matches_name("list_notes", ["*notes"])` gives `True`.
    """
    plain = (pattern.replace("[", "[[]").replace("?", "[?]") for pattern in patterns)
    return any(fnmatchcase(name, pattern) for pattern in plain)


def _check_exact(
    companion: Companion, facts: Facts, elsewhere: Collection[str], diagnostics: Diagnostics
) -> None:
    lists = list(facts.of(FactKind.EXACT_TOOLS))
    if not lists:
        return
    first = lists[0]
    contradicting = [fact for fact in lists if set(fact.names) != set(first.names)]
    for contradiction in contradicting:
        diagnostics.add(codes.CONTRADICTING_LISTS, contradiction.at, where=_where(first.at))
    if contradicting:
        return
    declared = {*elsewhere, *(tool.name for tool in companion.tools)}
    missing = [name for name in first.names if name not in declared]
    for name in missing:
        diagnostics.add(codes.UNDECLARED_TOOL, first.at, name=name)
    for tool in companion.tools:
        if tool.name not in first.names:
            diagnostics.add(
                codes.TOOL_BEYOND_LIST,
                tool.at,
                severity=None,
                name=tool.name,
                **_describe_fact(first),
            )


def _check_forbidden(companion: Companion, facts: Facts, diagnostics: Diagnostics) -> None:
    glossary = {_folded(phrase): names for phrase, names in companion.glossary.items()}
    for fact in facts.of(FactKind.FORBIDDEN_TOOLS):
        patterns = list(fact.names)
        for phrase in fact.phrases:
            if _folded(phrase) in glossary:
                patterns += glossary[_folded(phrase)]
            else:
                diagnostics.add(codes.UNKNOWN_PHRASE, fact.at, phrase=phrase)
        for tool in companion.tools:
            if matches_name(tool.name, patterns):
                diagnostics.add(
                    codes.FORBIDDEN_TOOL,
                    tool.at,
                    severity=None,
                    name=tool.name,
                    **_describe_fact(fact),
                )


def _check_arguments(companion: Companion, fact: Fact, diagnostics: Diagnostics) -> None:
    for tool in _concerned(companion.tools, fact.tools):
        places = {argument.name: argument.at for argument in tool.inputs or ()}
        for name in fact.names:
            facts = {"name": name, "tool": tool.name, **_describe_fact(fact)}
            if fact.kind is FactKind.FORBIDDEN_ARGUMENT and name in places:
                diagnostics.add(codes.FORBIDDEN_ARGUMENT, places[name], severity=None, **facts)
            elif fact.kind is FactKind.ARGUMENT and name not in places:
                diagnostics.add(codes.MISSING_ARGUMENT, tool.at, severity=None, **facts)


def _concerned(tools: Sequence[DeclaredTool], names: Sequence[str]) -> Iterator[DeclaredTool]:
    """Returns the tools of a sentence, except tools with the operation's own arguments."""
    return (tool for tool in tools if tool.inputs is not None and (not names or tool.name in names))


def _describe_fact(fact: Fact) -> Mapping[str, str]:
    """Returns quote and position of a fact for messages."""
    quote = fact.sentence.text[fact.span[0] : fact.span[1]].strip()
    short = quote if len(quote) <= _QUOTED else quote[: _QUOTED - 1] + "…"
    return {"quote": f"“{short}”", "where": _where(fact.at)}


def _where(at: Location) -> str:
    return f"{at.file}:{at.line}" if at.line else at.file


def _folded(phrase: str) -> str:
    """Normalizes case, hyphens and plural of a phrase."""
    return " ".join(phrase.lower().replace("-", " ").split()).removesuffix("s")


__all__ = ["crosscheck"]


def crosscheck(
    requirements: Requirements,
    companion: Companion,
    facts: Facts,
    diagnostics: Diagnostics,
    elsewhere: Collection[str] = (),
) -> None:
    """Reports contradictions and gaps between companion and text. Adds MG745–MG760.

    `elsewhere` are the tools of other capabilities of the server: scenarios may call these tools.
    """
    check_tool_list(companion, facts, diagnostics, elsewhere)
    check_bindings(requirements, companion, diagnostics, elsewhere)
    check_definitions(requirements, companion, diagnostics, elsewhere)
