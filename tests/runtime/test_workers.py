"""Several worker processes at one address: shared load, replacement of workers, and shutdown."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.runtime.test_cli import ROOT, environment, slow_upstream
from tests.thorough import keep

PATIENCE = 120
"""Seconds to wait for a server. A wait ends with the server's answer."""

ONE_PROCESS = "repeats the proof with one process, whose shutdown tests/runtime/test_cli.py shows"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@dataclass
class Running:
    """Server with several processes; `line` is the printed line."""

    process: subprocess.Popen[str]
    line: str

    @property
    def url(self) -> str:
        """URL of the MCP endpoint."""
        return self.line.removeprefix("Serving Canary at ").strip()

    def call(self, tool: str) -> str:
        """Returns the text of a result, over a new connection."""
        return result_text(httpx2.post(self.url, json=message(tool), timeout=PATIENCE))

    def pids(self, count: int) -> set[int]:
        """Waits for answers from `count` processes, and returns the process ids."""
        result: set[int] = set()

        def has_all_processes() -> bool:
            result.add(int(self.call("pid")))
            return len(result) == count

        wait_until(has_all_processes)
        return result


def call_ask(url: str, **more: object) -> dict[str, Any]:
    """Calls `ask` in revision 2026-07-28, and returns the result."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    }
    params = {"name": "ask", "_meta": meta, **more}
    content = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "ask"}
    response = httpx2.post(url, json=content, headers=headers, timeout=PATIENCE)
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.json()["result"]
    return result


def message(tool: str) -> dict[str, object]:
    """Returns the message of a call."""
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool}}


def result_text(response: httpx2.Response) -> str:
    """Returns the text of a result."""
    assert response.status_code == 200, response.text
    return str(response.json()["result"]["content"][0]["text"])


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition is true. Raises TimeoutError after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)


def more_than(numbers: list[int], count: int) -> bool:
    """True if a list is longer."""
    return len(numbers) > count


def is_alive(pid: int) -> bool:
    """True if the process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def start_workers(*arguments: str, **variables: str) -> Iterator[Running]:
    """Runs a server on a free port."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.runtime.process_server", "--port", "0", *arguments],
        env=environment(**{"CANARY_UPSTREAM": "http://127.0.0.1:9", **variables}),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        try:
            yield Running(process, process.stdout.readline())
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


@dataclass
class Load:
    """Threads of clients that call repeatedly, over connections kept open."""

    url: str
    pids: list[int] = field(default_factory=list)
    faults: list[BaseException] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Calls until the event `over` is set."""
        with httpx2.Client(timeout=PATIENCE) as client:
            # Without the pause of 5 ms the clients take the processor from the server.
            while not self.over.wait(0.005):
                try:
                    self.pids.append(int(result_text(client.post(self.url, json=message("pid")))))
                except (httpx2.HTTPError, AssertionError, LookupError) as fault:
                    self.faults.append(fault)


@contextmanager
def load(url: str) -> Iterator[Load]:
    """Four clients at work."""
    work = Load(url)
    threads = [threading.Thread(target=work.run) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield work
    finally:
        work.over.set()
        for thread in threads:
            thread.join()


def test_workers_share_an_address_that_is_told_once() -> None:
    with start_workers("--workers", "2") as server:
        pids = server.pids(2)
        for pid in pids:
            os.kill(pid, signal.SIGHUP)
        assert server.pids(2) == pids
        server.process.send_signal(signal.SIGTERM)
        output, errors = server.process.communicate(timeout=PATIENCE)

    assert server.line.startswith("Serving Canary at http://127.0.0.1:")
    assert server.process.pid not in pids
    assert output == ""
    assert sum(line.endswith(" serves") for line in errors.splitlines()) == 2
    assert sum(line.endswith(" has stopped") for line in errors.splitlines()) == 3
    assert errors.count("Serving Canary at") == 1
    assert server.process.returncode == 0
    assert not any(is_alive(pid) for pid in pids)


def test_a_worker_that_dies_is_replaced() -> None:
    with start_workers(CANARY_WORKERS="2") as server:
        before = server.pids(2)
        victim = min(before)

        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: not is_alive(victim))
        after = server.pids(2)

    assert victim not in after
    assert len(after & before) == 1


@pytest.mark.repeated("holds under load what the tests of one death and one end hold at rest")
def test_workers_are_replaced_under_load_without_a_lost_request() -> None:
    with start_workers("--workers", "2") as server:
        pids_before = server.pids(2)
        with load(server.url) as work:
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: not any(is_alive(pid) for pid in pids_before))
            pids_after = server.pids(2)
            seen_count = len(work.pids)
            wait_until(lambda: len(work.pids) > seen_count + 20)

    assert work.faults == []
    assert pids_after.isdisjoint(pids_before)
    assert set(work.pids) <= pids_before | pids_after


@pytest.mark.repeated("holds under load what the tests of one death and one end hold at rest")
def test_one_process_begins_anew_under_load_without_a_lost_request() -> None:
    with start_workers("--workers", "1") as server:
        assert server.process.stdout
        with load(server.url) as work:
            wait_until(lambda: len(work.pids) > 20)
            for _ in range(2):
                server.process.send_signal(signal.SIGHUP)
                line = server.process.stdout.readline()
                target_count = len(work.pids) + 20
                wait_until(partial(more_than, work.pids, target_count))

    assert work.faults == []
    assert line == server.line
    assert set(work.pids) == {server.process.pid}


@pytest.mark.thorough("the same as with SIGTERM, for one process that begins anew")
def test_a_call_under_way_finishes_before_the_process_begins_anew() -> None:
    with slow_upstream(1) as (url, request_event), start_workers(CANARY_UPSTREAM=url) as server:
        results: list[httpx2.Response] = []

        def call() -> None:
            results.append(httpx2.post(server.url, json=message("slow"), timeout=PATIENCE))

        calling = threading.Thread(target=call)
        calling.start()
        request_event.wait(PATIENCE)
        server.process.send_signal(signal.SIGHUP)
        calling.join()
        after = int(server.call("pid"))

    assert results[0].json()["result"]["isError"] is False
    assert after == server.process.pid


@pytest.mark.repeated("holds under load what the tests of one death and one end hold at rest")
def test_workers_that_cannot_start_or_hang_are_replaced_and_hold_up_no_end(tmp_path: Path) -> None:
    variables = {
        "CANARY_BROKEN": str(tmp_path / "broken"),
        "CANARY_HANG_SECONDS": "2",
        "CANARY_GRACE_SECONDS": "0",
    }
    with start_workers("--workers", "2", **variables) as server:
        pids_before = server.pids(2)
        victim = min(pids_before)
        os.kill(victim, signal.SIGSTOP)
        wait_until(lambda: not is_alive(victim))
        pids_after = server.pids(2)
        os.kill(min(pids_after), signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        _, errors = server.process.communicate(timeout=PATIENCE)

    assert pids_after - pids_before
    assert not any(is_alive(pid) for pid in pids_before | pids_after)
    assert errors.count("RuntimeError: this worker is broken") == 1
    assert f"worker {victim} gave no sign of life for 2 s; it is killed" in errors


@pytest.mark.repeated("holds under load what the tests of one death and one end hold at rest")
def test_a_server_that_ends_under_load_answers_all_that_it_has_taken() -> None:
    with start_workers("--workers", "2") as server, load(server.url) as work:
        wait_until(lambda: len(work.pids) > 50)
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(PATIENCE)

    assert server.process.returncode == 0
    assert {type(fault) for fault in work.faults} <= {httpx2.ConnectError}


@pytest.mark.thorough("holds under load what the tests of one death and one end hold at rest")
def test_a_server_whose_workers_are_replaced_is_ready_all_the_time() -> None:
    with start_workers(CANARY_WORKERS="2", CANARY_DRAIN_SECONDS="600") as server:
        ready_url = server.url.removesuffix("/mcp") + "/readyz"
        pids_before, statuses = server.pids(2), set[int]()

        def workers_are_gone() -> bool:
            statuses.add(httpx2.get(ready_url, timeout=PATIENCE).status_code)
            return not any(is_alive(pid) for pid in pids_before)

        server.process.send_signal(signal.SIGHUP)
        wait_until(workers_are_gone)
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: httpx2.get(ready_url, timeout=PATIENCE).status_code == 503)

    assert statuses == {200}


@pytest.mark.repeated("the test of one process holds that calls finish before the end")
def test_calls_under_way_finish_when_the_workers_end() -> None:
    with (
        slow_upstream(1) as (url, request_event),
        start_workers("--workers", "2", CANARY_UPSTREAM=url) as server,
    ):
        results: list[httpx2.Response] = []

        def call() -> None:
            results.append(httpx2.post(server.url, json=message("slow"), timeout=PATIENCE))

        calling = threading.Thread(target=call)
        calling.start()
        request_event.wait(PATIENCE)
        server.process.send_signal(signal.SIGTERM)
        calling.join()
        server.process.wait(PATIENCE)

    assert results[0].json()["result"]["isError"] is False
    assert server.process.returncode == 0


@pytest.mark.repeated(
    "repeats with several processes what tests/runtime/test_cli.py shows with one process"
)
@pytest.mark.parametrize("workers", keep(["1", "2"], {"2"}, ONE_PROCESS))
def test_a_second_signal_ends_the_server_at_once(workers: str) -> None:
    with (
        slow_upstream(PATIENCE) as (url, request_event),
        start_workers(
            CANARY_UPSTREAM=url, CANARY_WORKERS=workers, CANARY_GRACE_SECONDS="600"
        ) as server,
    ):
        faults: list[Exception] = []

        def call() -> None:
            try:
                httpx2.post(server.url, json=message("slow"), timeout=PATIENCE)
            except httpx2.TransportError as fault:
                faults.append(fault)

        calling = threading.Thread(target=call)
        calling.start()
        request_event.wait(PATIENCE)
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: refuses(server.url))
        server.process.send_signal(signal.SIGTERM)
        calling.join()

    assert len(faults) == 1


def refuses(url: str) -> bool:
    """True if the port has no listener."""
    try:
        httpx2.get(url, timeout=PATIENCE)
    except httpx2.TransportError:
        return True
    return False


@pytest.mark.repeated(
    "repeats with several processes what tests/runtime/test_cli.py shows with one process"
)
@pytest.mark.parametrize("workers", keep(["1", "2"], {"2"}, ONE_PROCESS))
def test_a_server_that_leaves_says_so_and_goes_on_for_a_while(workers: str) -> None:
    with start_workers(CANARY_WORKERS=workers, CANARY_DRAIN_SECONDS="600") as server:
        ready_url = server.url.removesuffix("/mcp") + "/readyz"
        before = httpx2.get(ready_url, timeout=PATIENCE).status_code

        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: httpx2.get(ready_url, timeout=PATIENCE).status_code == 503)
        response = httpx2.post(server.url, json=message("pid"), timeout=PATIENCE)

    assert before == 200
    assert result_text(response).isdigit()
    assert response.headers["connection"] == "close"


@pytest.mark.repeated("holds under load what the tests of one death and one end hold at rest")
def test_workers_do_not_outlive_their_supervisor() -> None:
    with start_workers("--workers", "2") as server:
        pids = server.pids(2)

        server.process.kill()
        wait_until(lambda: not any(is_alive(pid) for pid in pids))


def test_workers_that_cannot_start_end_the_server() -> None:
    with start_workers("--workers", "2", CANARY_BROKEN="yes") as server:
        errors = server.process.communicate(timeout=PATIENCE)[1]

    assert server.line == ""
    assert server.process.returncode == 2
    assert "this worker is broken" in errors
    assert errors.rstrip().splitlines()[-1] == "canary_mcp: a worker ended before it served"


@pytest.mark.parametrize(
    "count", keep(["0", "-1", "many"], {"0"}, "repeats the proof with other wrong numbers")
)
def test_a_number_of_workers_that_is_none_is_refused(count: str) -> None:
    with start_workers("--workers", count) as server:
        errors = server.process.communicate(timeout=PATIENCE)[1]

    assert server.process.returncode == 2
    assert errors.startswith("canary_mcp: CANARY_WORKERS: ")


@pytest.mark.repeated(
    "repeats with several processes what tests of the sealed state show with one process"
)
def test_call_that_asked_goes_on_at_any_worker() -> None:
    """All workers share the key that seals the state. The kernel assigns connections to workers at
    random: among ten calls, some continue at another worker."""
    with start_workers("--workers", "2") as server:
        server.pids(2)
        texts: set[object] = set()

        def reaches_both_workers() -> bool:
            question = call_ask(server.url)
            (key,) = question["inputRequests"]
            answers = {key: {"action": "accept", "content": {}}}
            state = question["requestState"]
            result = call_ask(server.url, inputResponses=answers, requestState=state)
            texts.add(result["content"][0]["text"])
            return len(texts) == 2

        for _ in range(10):
            reaches_both_workers()
        wait_until(reaches_both_workers)

    assert all(str(item).startswith("accept ") for item in texts)
