"""What was looked at of each action, so that nothing is shown by an action that was not done."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.scenario_engine.outcome import Outcome
from tests.scenario_engine.steps import LONGEST, Step

FAILED = "the action failed, and no step says that it does"


@dataclass
class Looks:
    """What steps have asserted of actions. `denied` are the actions, each with the first step that
    asserts only what is not there; `affirmed` are those of which a step asserts something else."""

    denied: list[tuple[Outcome, Step]] = field(default_factory=list)
    affirmed: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome, step: Step | None, denying: bool) -> None:
        """Keeps that a step looks at an action; `denying` tells that what it asserts holds of an action
        that failed, too. Raises AssertionError for a call that nothing answers."""
        if not outcome.answered:
            raise AssertionError(f"something of a call that nothing answers: {outcome.text}")
        if not denying:
            self.affirmed.append(outcome)
        elif step:
            self.denied.append((outcome, step))

    def refuse_failed(self) -> None:
        """Raises AssertionError for a step that is true because an action failed, where no step says
        so: a result without a secret is not shown by a call that went wrong."""
        __tracebackhide__ = True
        for outcome, step in self.denied:
            if outcome.failed and not any(outcome is one for one in self.affirmed):
                step.status, step.told = "failed", FAILED
                told = f"step {step.number}: {step.text}\n  asserted: {FAILED}"
                raise AssertionError(f"{told}\n  {outcome.told[:LONGEST]}")
