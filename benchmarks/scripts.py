"""Measures scripts beside the calls that they make: `python -m benchmarks.scripts`.

Server and API run in this process, so that the figures hold Deno's start and end but neither network nor
another program. After a pause, as in a conversation, a script finds a Deno process that has been started
in advance; a script that follows another at once does not.
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
from tests.runtime.scripting import script_value, scripting

from benchmarks.markdown import markdown_table

BOUND = 120.0
"""Milliseconds of a script beyond the milliseconds of its calls."""

RUNS = 30

PAUSE = 0.5
"""Seconds; longer than the start of a Deno process."""

Once = Callable[[Client], Awaitable[object]]


async def no_call(client: Client) -> None:
    """A script that computes."""
    assert await script_value(client, "[1, 2, 3].map((x: number) => x * 2).length") == 3


async def ten_calls(client: Client) -> None:
    """A script that makes ten calls in sequence."""
    script = "let n = 0\nfor (let i = 1; i <= 10; i++) { await db.orders.get({ id: i }); n++ }\nn"
    assert await script_value(client, script) == 10


async def ten_direct(client: Client) -> None:
    """The same ten calls without a script."""
    for number in range(1, 11):
        assert not (await client.call("get_order", id=number))["isError"]


async def time_script_runs(client: Client, run_once: Once, pause: float) -> list[float]:
    """Milliseconds of `RUNS` runs, with `pause` seconds before each run."""
    await run_once(client)
    times = []
    for _ in range(RUNS):
        await asyncio.sleep(pause)
        start = perf_counter()
        await run_once(client)
        times.append((perf_counter() - start) * 1000)
    return times


async def main() -> None:
    """Prints a table, and a line that says if the bound is kept."""
    async with upstream_running() as api:
        async with scripting(api.url) as client:
            direct = await time_script_runs(client, ten_direct, 0)
            after = await time_script_runs(client, no_call, PAUSE)
            calls = await time_script_runs(client, ten_calls, PAUSE)
            at_once = await time_script_runs(client, no_call, 0)
        async with scripting(api.url, script_warm=0) as client:
            cold = await time_script_runs(client, no_call, 0)
    times_over_direct = [time - median(direct) for time in calls]
    rows = {
        "no call, a process waits": after,
        "no call, at once after another": at_once,
        "no call, no process ever waits": cold,
        "ten calls, a process waits": calls,
        "the ten calls alone": direct,
        "ten calls, over the calls alone": times_over_direct,
    }
    head = ("script", "median ms", "90 % within ms", "longest ms")
    print(markdown_table(head, [(name, *_figures(times)) for name, times in rows.items()]))
    worst = max(median(times) for times in (after, at_once, cold, times_over_direct))
    print(
        f"\nThe bound of {BOUND:g} ms is {'kept' if worst < BOUND else 'NOT kept'}: {worst:.0f} ms"
    )


def _figures(times: list[float]) -> tuple[str, str, str]:
    return (f"{median(times):.0f}", f"{quantiles(times, n=10)[-1]:.0f}", f"{max(times):.0f}")


if __name__ == "__main__":
    asyncio.run(main())
