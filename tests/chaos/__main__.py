"""`python -m tests.chaos [--seed N] [--minutes M]` runs servers under faults, and prints the verdicts."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter

from tests.chaos.history import verdicts
from tests.chaos.instance import RATE_CALLS, RATE_SECONDS
from tests.chaos.run import chaos

MAX_MINUTES = 5


def main() -> int:
    """Runs once; returns 1 if a law was violated."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--minutes", type=float, default=1)
    options = parser.parse_args()
    minutes = min(options.minutes, MAX_MINUTES)
    print(f"seed {options.seed}, {minutes:g} minutes", flush=True)
    history = asyncio.run(chaos(options.seed, minutes * 60))
    print(f"faults: {dict(Counter(history.faults))}")
    for tool in ("order", "remove"):
        outcomes = Counter(call.outcome for call in history.calls if call.tool == tool)
        print(f"{tool}: {dict(outcomes)}")
    result = verdicts(history, RATE_CALLS, RATE_SECONDS)
    for law, violations in result.items():
        print(f"{'BROKEN' if violations else 'holds'}  {law}")
        for violation in violations[:10]:
            print(f"        {violation}")
    return min(sum(map(len, result.values())), 1)


if __name__ == "__main__":
    sys.exit(main())
