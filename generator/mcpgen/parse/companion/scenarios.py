"""How the scenarios of the text are performed, as the companion says."""

from __future__ import annotations

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.companion import ScenarioBinding, StepBinding
from mcpgen.parse.companion.actions import NAMES, actions_of
from mcpgen.parse.companion.assertions import Assertions
from mcpgen.parse.companion.keys import (
    ANY,
    DIGEST,
    LIST,
    POSITIVE,
    REASON,
    Key,
    number,
    text,
    texts,
)
from mcpgen.parse.companion.reader import Reader, as_text, as_texts
from mcpgen.parse.node import Node, shown

KEYS: dict[str, Key] = {
    "of": text(DIGEST),
    "given": texts(),
    **dict.fromkeys(NAMES, ANY),
    "then": LIST,
    "manual": text(REASON),
}
STEP = {"step": number(POSITIVE, needed=True), "assert": ANY, "manual": text(REASON)}
BETWEEN = " / "
"""What stands between the names of a requirement and its scenario."""


def scenarios_of(reader: Reader, node: Node | None, budgets: Node) -> tuple[ScenarioBinding, ...]:
    """The bindings under `scenarios`, in the order written; `budgets` are the limits by name."""
    members = node.members() if node else ()
    return tuple(_binding(reader, name, member, budgets) for name, member in members)


def _binding(reader: Reader, name: str, node: Node, budgets: Node) -> ScenarioBinding:
    owner = f"the scenario `{shown(name)}`"
    found = reader.members(node, owner, KEYS)
    doing = next((key for key in NAMES if node.has(key)), None)
    if doing:
        reader.only_one(node, owner, ("manual", doing))
    reader.only_one(node, owner, ("manual", "then"))
    actions = actions_of(reader, node, owner)
    requirement, between, scenario = name.partition(BETWEEN)
    steps = _steps(reader, found.get("then"), Assertions(reader, budgets, len(actions)))
    return ScenarioBinding(
        requirement=requirement.strip() if between else "",
        scenario=scenario.strip() if between else name.strip(),
        digest=as_text(found, "of"),
        given=as_texts(found.get("given")),
        actions=actions,
        steps=steps,
        at=node.at,
        manual=as_text(found, "manual"),
    )


def _steps(reader: Reader, node: Node | None, assertions: Assertions) -> tuple[StepBinding, ...]:
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
        steps.append(StepBinding(number_, asserted, element.at, as_text(found, "manual")))
    return tuple(steps)
