"""The steps of a scenario during the run."""

from __future__ import annotations

from dataclasses import dataclass

from tests.scenario_engine.outcome import ActionOutcome

LONGEST = 1000
"""Characters of the last answer shown with a failure."""


@dataclass
class StepResult:
    """A step of the scenario. `status` is passed, failed, pending or manual; `told` is the reason.
    `asserts` counts the assertions of the step."""

    number: int
    text: str
    status: str
    told: str = ""
    asserts: int = 0


class StepScope:
    """The context of a step: adds the step's text to failures. `steps` and `outcomes` are the
    scenario's so far."""

    def __init__(
        self, steps: list[StepResult], outcomes: list[ActionOutcome], step: StepResult
    ) -> None:
        self.steps, self.outcomes, self.step = steps, outcomes, step
        self.acted = len(outcomes)

    def __enter__(self) -> None:
        self.steps.append(self.step)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        __tracebackhide__ = True
        step = self.step
        idle = step.status == "failed" and not step.asserts and len(self.outcomes) == self.acted
        if error is None and idle:
            error = AssertionError("something, but nothing was done or asserted")
        if error is None:
            step.status = "passed" if step.status == "failed" else step.status
            return
        step.status, step.told = "failed", str(error) or type(error).__name__
        last = f"\n  {self.outcomes[-1].summary[:LONGEST]}" if self.outcomes else ""
        told = f"step {step.number}: {step.text}\n  asserted: {error}{last}"
        if type(error) is AssertionError:
            raise AssertionError(told) from None
