"""The steps of a scenario during the run."""

from __future__ import annotations

from dataclasses import dataclass

from tests.scenario_engine.outcome import ActionOutcome

MAX_ANSWER_CHARACTERS = 1000
"""Characters of the last answer shown with a failure."""


@dataclass
class StepResult:
    """A step of the scenario. The field names are keys of the JSON matrix.

    `status` is passed, failed, pending or manual; `told` is the reason for another status than
    passed. `asserts` counts the assertions of the step.
    """

    number: int
    text: str
    status: str
    told: str = ""
    asserts: int = 0


class StepScope:
    """The context of a step: sets the status of the step, and adds the step's text to failures.

    `steps` and `outcomes` are the scenario's so far. A step without actions and without assertions
    fails, so that a deleted assertion is noticed.
    """

    def __init__(
        self, steps: list[StepResult], outcomes: list[ActionOutcome], step: StepResult
    ) -> None:
        self.steps, self.outcomes, self.step = steps, outcomes, step
        self.outcome_count = len(outcomes)

    def __enter__(self) -> None:
        self.steps.append(self.step)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        __tracebackhide__ = True
        step = self.step
        # Only `Scene.pending` and `Scene.manual` change the status "failed" inside of the block.
        is_undecided = step.status == "failed"
        has_actions = len(self.outcomes) > self.outcome_count
        if error is None and is_undecided and not step.asserts and not has_actions:
            error = AssertionError("nothing was done or asserted")
        if error is None:
            step.status = "passed" if is_undecided else step.status
            return
        step.status, step.told = "failed", str(error) or type(error).__name__
        last_answer = (
            f"\n  {self.outcomes[-1].summary[:MAX_ANSWER_CHARACTERS]}" if self.outcomes else ""
        )
        message = f"step {step.number}: {step.text}\n  asserted: {error}{last_answer}"
        # Any other exception is a mistake in the test or the engine, and keeps its traceback.
        if type(error) is AssertionError:
            raise AssertionError(message) from None
