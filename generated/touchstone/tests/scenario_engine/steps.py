"""The steps of a scenario while they are performed."""

from __future__ import annotations

from dataclasses import dataclass

from tests.scenario_engine.outcome import ActionOutcome

LONGEST = 1000
"""Characters of the last answer that are told with what is false."""


@dataclass
class StepResult:
    """One step of the scenario. `status` is passed, failed, pending or manual; `told` says why.
    `asserts` counts what was asserted for it."""

    number: int
    text: str
    status: str
    told: str = ""
    asserts: int = 0


class StepScope:
    """The context in which a step is performed: what is false in it is told with the step's words.
    `steps` and `outcomes` are those of the scenario so far."""

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
