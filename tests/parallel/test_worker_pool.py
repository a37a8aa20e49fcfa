"""A second process changes the time that work takes, never its results or errors."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.time_limits import ends_within

from mcpgen.parallel import MIN_PARTS, PIECE, WorkerPool


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    """A pool whose second process has started."""
    with WorkerPool() as pool:
        pool.start()
        yield pool


def doubled_with_process(common: tuple[int, str]) -> Callable[[Sequence[int]], list[Any]]:
    """Doubles numbers and names the process. The first process waits until the other one has begun."""
    first, begun_file = common

    def double(parts: Sequence[int]) -> list[tuple[int, int]]:
        if os.getpid() != first:
            Path(begun_file).touch()
        elif begun_file:
            deadline = time.monotonic() + 60
            while not Path(begun_file).exists() and time.monotonic() < deadline:
                time.sleep(0.01)
        return [(2 * part, os.getpid()) for part in parts]

    return double


def divided_by_zero(first: int) -> Callable[[Sequence[int]], list[float]]:
    """Divides by zero in the process `first`; takes two minutes in any other."""

    def divide(parts: Sequence[int]) -> list[float]:
        if os.getpid() != first:
            time.sleep(120)
        return [part / 0 for part in parts]

    return divide


def identity_failing_elsewhere(first: int) -> Callable[[Sequence[int]], list[int]]:
    """Returns the parts in the process `first`; raises in any other."""

    def identity(parts: Sequence[int]) -> list[int]:
        if os.getpid() != first:
            raise OSError(28, "No space left on device")
        time.sleep(0.1)
        return [*parts]

    return identity


def identity_exiting_elsewhere(first: int) -> Callable[[Sequence[int]], list[int]]:
    """Returns the parts in the process `first`; any other process exits."""

    def identity(parts: Sequence[int]) -> list[int]:
        if os.getpid() != first:
            os._exit(1)
        return [*parts]

    return identity


def second_of(common: Sequence[Any]) -> Callable[[Sequence[int]], list[Any]]:
    """Returns the second item of `common` for every part, slowly."""

    def second(parts: Sequence[int]) -> list[Any]:
        time.sleep(0.02)
        return [common[1] for _ in parts]

    return second


def nested_list() -> list[Any]:
    """A list in a list, deeper than pickle goes."""
    nested: list[Any] = []
    for _ in range(20_000):
        nested = [nested]
    return nested


def test_results_are_in_the_order_of_the_parts_and_come_from_both_processes(
    tmp_path: Path,
) -> None:
    common = (os.getpid(), str(tmp_path / "begun"))
    calls: list[str] = []

    with WorkerPool(meanwhile=lambda: calls.append("called")) as pool:
        pool.start()
        results = pool.map(doubled_with_process, common, range(60 * PIECE))
        pool.map(doubled_with_process, common, range(60 * PIECE))

    assert calls == ["called"]
    assert [number for number, _ in results] == [2 * number for number in range(60 * PIECE)]
    assert len({process for _, process in results}) == 2


def test_few_parts_are_done_in_this_process(pool: WorkerPool) -> None:
    results = pool.map(doubled_with_process, (os.getpid(), ""), range(MIN_PARTS - 1))

    assert {process for _, process in results} == {os.getpid()}


def test_an_error_in_this_process_is_raised_without_waiting_for_the_other(
    pool: WorkerPool,
) -> None:
    with ends_within(30), pytest.raises(ZeroDivisionError):
        pool.map(divided_by_zero, os.getpid(), range(10 * MIN_PARTS))


def test_an_error_before_the_results_are_wanted_ends_the_other_process(pool: WorkerPool) -> None:
    parts = range(10 * MIN_PARTS)
    with (
        ends_within(30),
        pytest.raises(KeyError),
        pool.submit(divided_by_zero, os.getpid(), parts),
    ):
        raise KeyError

    assert pool.map(second_of, ["a", "b"], range(MIN_PARTS)) == ["b"] * MIN_PARTS


def test_the_executor_may_notice_the_end_of_the_process_at_any_moment(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in a thread of the executor fails the test."""
    shutdown = ProcessPoolExecutor.shutdown

    def delayed_shutdown(executor: ProcessPoolExecutor, **options: bool) -> None:
        time.sleep(0.3)
        shutdown(executor, **options)

    monkeypatch.setattr(ProcessPoolExecutor, "shutdown", delayed_shutdown)

    with pytest.raises(ZeroDivisionError):
        pool.map(divided_by_zero, os.getpid(), range(10 * MIN_PARTS))


@pytest.mark.parametrize("unpicklable", [nested_list, threading.Lock])
def test_values_that_cannot_be_pickled_leave_nothing_behind_for_the_next_request(
    pool: WorkerPool, unpicklable: Callable[[], object]
) -> None:
    # More than a pipe holds, so that the beginning has arrived when pickle fails.
    texts = [f"text {number}" for number in range(20_000)]

    first = pool.map(second_of, [texts, "first", unpicklable()], range(3 * MIN_PARTS))
    second = pool.map(second_of, ["hello"] * 3, range(3 * MIN_PARTS))

    assert first == ["first"] * 3 * MIN_PARTS
    assert second == ["hello"] * 3 * MIN_PARTS


def test_work_after_the_end_of_the_process_is_done_here(pool: WorkerPool) -> None:
    pool.end()

    results = pool.map(doubled_with_process, (os.getpid(), ""), range(MIN_PARTS))

    assert {process for _, process in results} == {os.getpid()}


def test_the_process_ends_after_the_last_part_and_has_done_the_submitted_parts(
    pool: WorkerPool, tmp_path: Path
) -> None:
    (process,) = pool._processes
    common = (os.getpid(), str(tmp_path / "begun"))

    with pool.submit(doubled_with_process, common, range(4), min_parts=1) as finish:
        pool.end_when_done()
        results = finish()
    # `process.join` would not do: a thread of the executor joins the process, and of two threads
    # that join a process, one may get no exit code.
    with ends_within(60):
        while process.exitcode is None:
            time.sleep(0.01)
    later = pool.map(doubled_with_process, (os.getpid(), ""), range(MIN_PARTS))

    assert [value for value, _ in results] == [0, 2, 4, 6]
    assert {number for _, number in results} == {process.pid}
    assert process.exitcode == 0
    assert {number for _, number in later} == {os.getpid()}


def test_an_error_kills_a_process_that_would_end_after_its_work(pool: WorkerPool) -> None:
    def interrupt_work() -> None:
        with pool.submit(divided_by_zero, os.getpid(), range(4), min_parts=1):
            pool.end_when_done()
            raise KeyError

    with ends_within(30), pytest.raises(KeyError):
        interrupt_work()


def test_a_process_that_exits_at_work_is_replaced_by_this_one(pool: WorkerPool) -> None:
    parts = [*range(20 * PIECE)]

    assert pool.map(identity_exiting_elsewhere, os.getpid(), parts) == parts
    assert pool.map(identity_exiting_elsewhere, os.getpid(), parts) == parts


def test_an_error_in_the_other_process_is_repaired_here_and_not_printed(
    pool: WorkerPool, capfd: pytest.CaptureFixture[str]
) -> None:
    results = pool.map(identity_failing_elsewhere, os.getpid(), range(20 * PIECE))

    assert results == [*range(20 * PIECE)]
    assert capfd.readouterr().err == ""


def test_the_second_process_does_not_run_the_main_script_or_modules_of_the_current_folder(
    tmp_path: Path,
) -> None:
    scripts, current = tmp_path / "scripts", tmp_path / "current"
    scripts.mkdir()
    current.mkdir()
    (current / "pickle.py").write_text("print('a file of the current folder runs')")
    (scripts / "pids.py").write_text(
        "import os, time\n\n"
        "def work(first):\n"
        "    def pids(parts):\n"
        "        time.sleep(0.3 * (os.getpid() == first))\n"
        "        return [os.getpid() for _ in parts]\n"
        "    return pids\n"
    )
    (scripts / "script.py").write_text(
        "import os, pids\n"
        "from mcpgen.parallel import WorkerPool\n\n"
        "with WorkerPool(['mcpgen.cache']) as pool:\n"
        "    pool.start()\n"
        "    print(len({*pool.map(pids.work, os.getpid(), range(500))}), 'processes')\n"
    )

    completed = subprocess.run(
        [sys.executable, str(scripts / "script.py")],
        cwd=current,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (completed.stdout, completed.stderr) == ("2 processes\n", "")
