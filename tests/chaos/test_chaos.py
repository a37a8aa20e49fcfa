"""Three instances under faults keep every law, and each verdict sees the violation of its law."""

from __future__ import annotations

import sys
from collections import Counter

import pytest
from tests.chaos.history import Call, History, verdicts
from tests.chaos.instance import RATE_CALLS, RATE_SECONDS
from tests.chaos.run import chaos

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals"),
]

TOGETHER = pytest.mark.thorough(
    "tests/runtime holds each law alone: test_shared_state, test_shared_rates, test_no_doubled_writes"
)


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the tests run on."""
    return "asyncio"


@TOGETHER
@pytest.mark.parametrize(("seed", "seconds"), [(1, 0), (2, 60)])
async def test_three_instances_keep_every_law_under_faults(seed: int, seconds: float) -> None:
    history = await chaos(seed, seconds)

    result = verdicts(history, RATE_CALLS, RATE_SECONDS)
    assert {law: violations for law, violations in result.items() if violations} == {}
    assert len(set(history.faults)) == 5
    assert {call.outcome for call in history.calls} >= {"done", "failed", "refused", "asked"}


ONCE = Call("order", "o1", 0, 0.1, "done")


@pytest.mark.parametrize(
    ("law", "calls", "received_counts"),
    [
        ("no rate is exceeded", [Call("order", f"o{n}", n / 10, n / 10, "done") for n in range(4)],
         {("order", f"o{n}"): 1 for n in range(4)}),
        ("no answer is used twice", [Call("remove", "r1", 0, 1, "done"),
                                     Call("remove", "r1", 0, 1, "failed", "broke off")],
         {("remove", "r1"): 1}),
        ("no write is doubled", [ONCE], {("order", "o1"): 2}),
        ("no call is told as done that was not", [ONCE], {}),
        ("every call is answered or refused", [Call("order", "o1", 0, 1, "lost", "cut")], {}),
    ],
)  # fmt: skip
def test_each_verdict_sees_the_violation_of_its_law(
    law: str, calls: list[Call], received_counts: dict[tuple[str, str], int]
) -> None:
    result = verdicts(History(calls, received=Counter(received_counts)), limit=3, seconds=2)

    assert [name for name, violations in result.items() if violations] == [law]


def test_calls_that_need_not_lie_in_one_window_exceed_no_rate() -> None:
    calls = [Call("order", f"o{n}", 0, 2.5, "done") for n in range(4)]
    received_counts = Counter({("order", f"o{n}"): 1 for n in range(4)})

    result = verdicts(History(calls, received=received_counts), limit=3, seconds=2)

    assert not any(result.values())
