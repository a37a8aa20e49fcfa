"""How the scenarios of the text are performed, as the companion says."""

from __future__ import annotations

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.companion.actions import NAMES, read_actions
from mcpgen.openspec.companion.assertions import AssertionReader
from mcpgen.openspec.companion.keys import (
    ANY,
    DIGEST,
    LIST,
    POSITIVE,
    REASON,
    CompanionKey,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, as_texts, read_text
from mcpgen.openspec.model.companion import ScenarioBinding, StepBinding
from mcpgen.parse.node import Node, format_value

KEYS: dict[str, CompanionKey] = {
    "of": text_key(DIGEST),
    "given": texts_key(),
    **dict.fromkeys(NAMES, ANY),
    "then": LIST,
    "manual": text_key(REASON),
}
STEP = {"step": number_key(POSITIVE, needed=True), "assert": ANY, "manual": text_key(REASON)}
BETWEEN = " / "
"""What stands between the names of a requirement and its scenario."""


def read_scenarios(
    reader: CompanionReader, node: Node | None, budgets: Node
) -> tuple[ScenarioBinding, ...]:
    """The bindings under `scenarios`, in the order written; `budgets` are the limits by name."""
    members = node.members() if node else ()
    return tuple(_binding(reader, name, member, budgets) for name, member in members)


def _binding(reader: CompanionReader, name: str, node: Node, budgets: Node) -> ScenarioBinding:
    owner = f"the scenario `{format_value(name)}`"
    found = reader.members(node, owner, KEYS)
    doing = next((key for key in NAMES if node.has(key)), None)
    if doing:
        reader.only_one(node, owner, ("manual", doing))
    reader.only_one(node, owner, ("manual", "then"))
    actions = read_actions(reader, node, owner)
    requirement, between, scenario = name.partition(BETWEEN)
    steps = _steps(reader, found.get("then"), AssertionReader(reader, budgets, len(actions)))
    return ScenarioBinding(
        requirement=requirement.strip() if between else "",
        scenario=scenario.strip() if between else name.strip(),
        digest=read_text(found, "of"),
        given=as_texts(found.get("given")),
        actions=actions,
        steps=steps,
        at=node.at,
        manual=read_text(found, "manual"),
    )


def _steps(
    reader: CompanionReader, node: Node | None, assertions: AssertionReader
) -> tuple[StepBinding, ...]:
    steps: list[StepBinding] = []
    bound: set[int] = set()
    for element in node.elements() if node else ():
        found = reader.members(element, "a step", STEP)
        reader.only_one(element, "a step", ("assert", "manual"))
        if type(element.value) is dict and not (element.has("assert") or element.has("manual")):
            reader.tell(codes.MISSING_COMPANION_KEY, element, owner="a step", key="assert")
        asserted = assertions.of(found["assert"]) if "assert" in found else ()
        if "step" not in found:
            continue
        number_ = int(found["step"].value)
        if number_ in bound:
            reader.tell(codes.STEP_BOUND_TWICE, element, step=number_)
        bound.add(number_)
        steps.append(StepBinding(number_, asserted, element.at, read_text(found, "manual")))
    return tuple(steps)
