"""Reads `scenarios` of a companion: bindings of scenarios, and the actions of a step."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.companion.assertions import AssertionReader
from mcpgen.openspec.companion.keys import (
    ANY,
    DIGEST,
    FILE,
    FLAG,
    HEADER_NAME,
    HEADER_VALUE,
    LIST,
    MAPPING,
    METHOD,
    MODULE,
    PATH,
    PLACEHOLDER,
    POSITIVE,
    REASON,
    REVISION,
    STEP_PATTERN,
    TARGET,
    VARIABLE,
    VARIABLE_VALUE,
    CompanionKey,
    CompanionType,
    Keys,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, as_texts, read_text
from mcpgen.openspec.model.companion import (
    ActionKind,
    CompanionDefinition,
    ScenarioAction,
    ScenarioBinding,
    StepBinding,
)
from mcpgen.parse.node import Node, format_value

_HEADERS = MAPPING.about("Headers of the request.")
_SAVE = MAPPING.about("Values of the result kept for later actions as `${name}`, by name: a path.")
_SPOKEN: Keys = {
    "headers": _HEADERS,
    "version": text_key(REVISION).about("The revision of the protocol."),
    "save": _SAVE,
}
ACTION_KEYS: Mapping[ActionKind, Keys] = {
    ActionKind.CALL: {
        "tool": text_key(REASON, needed=True).about("The tool that is called."),
        "arguments": MAPPING.about("The arguments by name."),
        **_SPOKEN,
    },
    ActionKind.REQUEST: {
        "method": text_key(REASON, needed=True).about("The method of MCP, such as `tools/list`."),
        "params": MAPPING.about("The parameters of the request."),
        **_SPOKEN,
    },
    ActionKind.HTTP: {
        "method": text_key(METHOD, needed=True),
        "path": text_key(TARGET).about("The path; that of MCP without it."),
        "body": ANY.about("The body of the request."),
        "headers": _HEADERS,
        "save": _SAVE,
    },
    ActionKind.COMMAND: {
        "module": text_key(MODULE, needed=True),
        "arguments": LIST,
        "environment": MAPPING,
        "input": text_key(),
    },
}
"""Keys of every action; `file` has only a text."""

PARTS: Mapping[ActionKind, tuple[str, str]] = {
    ActionKind.CALL: ("tool", "arguments"),
    ActionKind.REQUEST: ("method", "params"),
    ActionKind.HTTP: ("method", "body"),
    ActionKind.COMMAND: ("module", "arguments"),
}
"""The keys of an action's name and value."""

SEVERAL = "do"
NAMES = (*(doing.value for doing in ActionKind), SEVERAL)
"""Keys of a scenario that declare actions."""


def read_actions(reader: CompanionReader, node: Node, owner: str) -> tuple[ScenarioAction, ...]:
    """Reads the actions of a scenario, in execution order."""
    reader.only_one(node, owner, NAMES)
    key = next((key for key in NAMES if node.has(key)), None)
    if key is None:
        return ()
    if key != SEVERAL:
        actions = [_read_action(reader, ActionKind(key), node.child(key))]
    elif type(node.get(key)) is not list:
        reader.wrong_type(node.child(key), key, CompanionType.LIST)
        actions = []
    else:
        actions = [_read_listed_action(reader, element) for element in node.child(key).elements()]
    return tuple(action for action in actions if action is not None)


def _read_listed_action(reader: CompanionReader, node: Node) -> ScenarioAction | None:
    """Reads an action of a list: a mapping with one key."""
    kinds = {kind.value: MAPPING for kind in ACTION_KEYS} | {ActionKind.FILE.value: text_key()}
    members = reader.members(node, "an action", kinds)
    if type(node.value) is dict and not any(node.has(key) for key in kinds):
        reader.tell(codes.MISSING_COMPANION_KEY, node, owner="an action", key=ActionKind.CALL.value)
    reader.only_one(node, "an action", kinds)
    key = next(iter(members), None)
    return _read_action(reader, ActionKind(key), members[key]) if key else None


def _read_action(reader: CompanionReader, kind: ActionKind, node: Node) -> ScenarioAction | None:
    if kind is ActionKind.FILE:
        sound = reader.sound(node, kind.value, text_key(FILE))
        return ScenarioAction(kind, node.value, None, node.at) if sound else None
    members = reader.members(node, f"`{kind.value}`", ACTION_KEYS[kind])
    name_key, valued = PARTS[kind]
    value = members[valued].value if valued in members else None
    if kind is ActionKind.COMMAND:
        value = _words(reader, members.get(valued))
    if name_key not in members:
        return None
    return ScenarioAction(
        kind=kind,
        name=read_text(members, name_key),
        value=value,
        at=node.at,
        path=read_text(members, "path"),
        headers=reader.pairs(members.get("headers"), HEADER_NAME, HEADER_VALUE),
        environment=reader.pairs(members.get("environment"), VARIABLE, VARIABLE_VALUE),
        version=read_text(members, "version"),
        save=reader.pairs(members.get("save"), PLACEHOLDER, PATH),
        input=read_text(members, "input"),
    )


def _words(reader: CompanionReader, node: Node | None) -> list[str]:
    """Reads the arguments of a command line."""
    elements = node.elements() if node else ()
    return [
        str(word.value)
        for word in elements
        if reader.sound(word, "arguments", text_key(VARIABLE_VALUE))
    ]


KEYS: dict[str, CompanionKey] = {
    "of": text_key(DIGEST).about("The digest of the bound scenario, in quotation marks."),
    "given": texts_key().about("The fixtures, one or several."),
    ActionKind.CALL.value: ANY.about("Calls a tool."),
    ActionKind.REQUEST.value: ANY.about("Makes a request of MCP."),
    ActionKind.HTTP.value: ANY.about("Sends an HTTP request."),
    ActionKind.FILE.value: ANY.about("Reads a text file of the project."),
    ActionKind.COMMAND.value: ANY.about("Runs a module of Python."),
    SEVERAL: ANY.about("Several actions, in order."),
    "then": LIST.about("The assertions of steps."),
    "manual": text_key(REASON).about("The reason why no machine can check the scenario."),
    "guessed": FLAG.about(
        "True if `mcpgen bind` guessed the entry, which is not performed; delete the line after review."
    ),
}
STEP = {
    "step": number_key(POSITIVE, needed=True).about(
        "Number of the step, from 1; GIVEN and WHEN count."
    ),
    "assert": ANY.about("One assertion, or a list."),
    "unchecked": text_key(REASON).about(
        "Words of the step that no assertion checks; the step stays pending."
    ),
    "manual": text_key(REASON).about("The reason why no machine can check the step."),
}
DEFINITION: Keys = {
    "given": texts_key().about("The fixtures of a scenario with a GIVEN or WHEN of these words."),
    **{name: KEYS[name] for name in NAMES},
    "assert": ANY.about("One assertion, or a list."),
    "manual": text_key(REASON).about("The reason why no machine can check the step."),
}
"""Keys of a step definition."""

BETWEEN = " / "
"""Separator between the names of a requirement and its scenario."""


def read_scenarios(
    reader: CompanionReader, node: Node | None, budgets: Node
) -> tuple[ScenarioBinding, ...]:
    """Reads the bindings under `scenarios`, in document order; `budgets` are the limits by name."""
    members = node.members() if node else ()
    return tuple(_binding(reader, name, member, budgets) for name, member in members)


def _binding(reader: CompanionReader, name: str, node: Node, budgets: Node) -> ScenarioBinding:
    owner = f"the scenario `{format_value(name)}`"
    members = reader.members(node, owner, KEYS)
    kind = next((key for key in NAMES if node.has(key)), None)
    if kind:
        reader.only_one(node, owner, ("manual", kind))
    reader.only_one(node, owner, ("manual", "then"))
    actions = read_actions(reader, node, owner)
    requirement, between, scenario = name.partition(BETWEEN)
    steps = _steps(reader, members.get("then"), AssertionReader(reader, budgets, len(actions)))
    return ScenarioBinding(
        requirement=requirement.strip() if between else "",
        scenario=scenario.strip() if between else name.strip(),
        digest=read_text(members, "of"),
        given=as_texts(members.get("given")),
        actions=actions,
        steps=steps,
        at=node.at,
        manual=read_text(members, "manual"),
        guessed="guessed" in members and bool(members["guessed"].value),
    )


def read_definitions(
    reader: CompanionReader, node: Node | None, budgets: Node
) -> tuple[CompanionDefinition, ...]:
    """Reads the step definitions under `steps`, in document order."""
    assertions = AssertionReader(reader, budgets, 0)
    return tuple(
        _definition(reader, pattern, member, assertions)
        for pattern, member in reader.named(node, "steps", STEP_PATTERN)
    )


def _definition(
    reader: CompanionReader, pattern: str, node: Node, assertions: AssertionReader
) -> CompanionDefinition:
    owner = f"the step definition `{format_value(pattern)}`"
    members = reader.members(node, owner, DEFINITION)
    if node.value == {}:
        reader.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key="given")
    kind = next((key for key in NAMES if node.has(key)), "given")
    reader.only_one(node, owner, (kind, "assert", "manual"))
    return CompanionDefinition(
        pattern=" ".join(pattern.split()),
        given=as_texts(members.get("given")),
        actions=read_actions(reader, node, owner),
        assertions=assertions.of(members["assert"]) if "assert" in members else (),
        at=node.at,
        manual=read_text(members, "manual"),
    )


def _steps(
    reader: CompanionReader, node: Node | None, assertions: AssertionReader
) -> tuple[StepBinding, ...]:
    steps: list[StepBinding] = []
    bound: set[int] = set()
    for element in node.elements() if node else ():
        members = reader.members(element, "a step", STEP)
        reader.only_one(element, "a step", ("assert", "manual"))
        reader.only_one(element, "a step", ("unchecked", "manual"))
        if type(element.value) is dict and not (element.has("assert") or element.has("manual")):
            reader.tell(codes.MISSING_COMPANION_KEY, element, owner="a step", key="assert")
        asserted = assertions.of(members["assert"]) if "assert" in members else ()
        if "step" not in members:
            continue
        step_number = int(members["step"].value)
        if step_number in bound:
            reader.tell(codes.STEP_BOUND_TWICE, element, step=step_number)
        bound.add(step_number)
        steps.append(
            StepBinding(
                step_number,
                asserted,
                element.at,
                manual=read_text(members, "manual"),
                unchecked=read_text(members, "unchecked"),
            )
        )
    return tuple(steps)
