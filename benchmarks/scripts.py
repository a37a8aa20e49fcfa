"""What a script costs over the calls that it makes: `python -m benchmarks.scripts`.

The server is asked in its own process, and the API answers in it too, so that neither the network nor
another program is in the figures; Deno's start and its end are. A script that finds a process waiting
is one after a pause, as in a conversation; one that does not comes at once after another.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.runtime.conftest import Client, upstream_running
from tests.runtime.scripting import ran, scripting

from benchmarks.markdown import table

BOUND = 120.0
"""Milliseconds that a script may cost over its calls."""

RUNS = 30

PAUSE = 0.5
"""Seconds in which a process can start."""

Once = Callable[[Client], Awaitable[object]]


async def no_call(client: Client) -> None:
    """A script that computes."""
    assert await ran(client, "[1, 2, 3].map((x: number) => x * 2).length") == 3


async def ten_calls(client: Client) -> None:
    """A script that makes ten calls, one after the other."""
    script = "let n = 0\nfor (let i = 1; i <= 10; i++) { await db.orders.get({ id: i }); n++ }\nn"
    assert await ran(client, script) == 10


async def ten_direct(client: Client) -> None:
    """The same ten calls without a script."""
    for number in range(1, 11):
        assert not (await client.call("get_order", id=number))["isError"]


async def measured(client: Client, once: Once, pause: float) -> list[float]:
    """Milliseconds of each run."""
    await once(client)
    found = []
    for _ in range(RUNS):
        await asyncio.sleep(pause)
        began = perf_counter()
        await once(client)
        found.append((perf_counter() - began) * 1000)
    return found


async def main() -> None:
    """Prints a table, and says whether the bound is kept."""
    async with upstream_running() as api:
        async with scripting(api.url) as client:
            direct = await measured(client, ten_direct, 0)
            after = await measured(client, no_call, PAUSE)
            calls = await measured(client, ten_calls, PAUSE)
            at_once = await measured(client, no_call, 0)
        async with scripting(api.url, script_warm=0) as client:
            cold = await measured(client, no_call, 0)
    over = [each - median(direct) for each in calls]
    rows = {
        "no call, a process waits": after,
        "no call, at once after another": at_once,
        "no call, no process ever waits": cold,
        "ten calls, a process waits": calls,
        "the ten calls alone": direct,
        "ten calls, over the calls alone": over,
    }
    head = ("script", "median ms", "90 % within ms", "longest ms")
    print(table(head, [(name, *_figures(found)) for name, found in rows.items()]))
    worst = max(median(found) for found in (after, at_once, cold, over))
    print(
        f"\nThe bound of {BOUND:g} ms is {'kept' if worst < BOUND else 'NOT kept'}: {worst:.0f} ms"
    )


def _figures(found: list[float]) -> tuple[str, str, str]:
    return (f"{median(found):.0f}", f"{quantiles(found, n=10)[-1]:.0f}", f"{max(found):.0f}")


if __name__ == "__main__":
    asyncio.run(main())
