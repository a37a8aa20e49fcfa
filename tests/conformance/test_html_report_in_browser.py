"""The HTML report in a browser: script, console, requests, search and filter."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from report_fixtures import NAME, SMALL, hostile_report
from tests.programs import CHROMIUM, find_program

from mcpgen.conformance import CheckOutcome, CheckStatus, Report, as_html

FLAGS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    *("--enable-logging=stderr", "--v=0", "--virtual-time-budget=2000"),
)
"""Headless, without requests by the browser itself."""


@dataclass(frozen=True)
class RenderedPage:
    """The page in the browser: its elements after the script ran, and its console."""

    dom: str
    console: list[str]


def render_page(page: str, folder: Path, *flags: str) -> RenderedPage:
    """Opens the page in the browser."""
    file = folder / "page.html"
    file.write_bytes(page.encode())
    # As root, in a container, Chromium has no sandbox to lock itself into.
    sandbox = ("--no-sandbox",) if hasattr(os, "getuid") and os.getuid() == 0 else ()
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [
        find_program(CHROMIUM),
        *FLAGS,
        *sandbox,
        profile,
        *flags,
        "--dump-dom",
        file.as_uri(),
    ]
    completed = subprocess.run(command, capture_output=True, timeout=120)
    messages = completed.stderr.decode("utf-8", "replace").splitlines()
    assert completed.returncode == 0, messages
    return RenderedPage(completed.stdout.decode(), [line for line in messages if "CONSOLE" in line])


pytestmark = pytest.mark.xdist_group("browser")

FETCHES = (
    "<img src={url}>",
    "<link rel=stylesheet href={url}>",
    "<script src={url}></script>",
    "<iframe src={url}></iframe>",
    "</style><style>@import '{url}';</style>",
    "<svg><image href={url} /></svg>",
    '"><video poster={url}>',
    "<meta http-equiv=refresh content='0;url={url}'>",
)
"""Texts that would send requests if they were markup."""


@contextmanager
def record_paths() -> Iterator[tuple[str, list[str]]]:
    """A URL, and the paths requested there."""
    paths: list[str] = []

    class PathRecordingHandler(BaseHTTPRequestHandler):
        """Keeps requested paths."""

        def do_GET(self) -> None:
            """Answers with nothing."""
            paths.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the tests' output is not a log."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), PathRecordingHandler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}", paths
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


def hidden_tags(page: RenderedPage) -> list[str]:
    """Rows and tools hidden by the script, by the beginning of their tags."""
    return [tag for tag in re.findall(r"<[^>]*data-status[^>]*>", page.dom) if " hidden" in tag]


def acted(report: Report, act: str) -> str:
    """The page after user actions by a test script; the page's policy, which blocks the test
    script, is removed.
    """
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", as_html(report))
    return page.replace("</body>", f"<script>{act}</script></body>")


def test_the_script_runs_under_its_policy_without_a_complaint(tmp_path: Path) -> None:
    page = render_page(as_html(SMALL), tmp_path)

    assert page.console == []
    assert re.search(r'<div class="filter">', page.dom)
    assert hidden_tags(page) == []


def test_hostile_text_runs_no_script(tmp_path: Path) -> None:
    page = render_page(as_html(hostile_report()), tmp_path)

    assert page.console == []
    assert "<title>owned" not in page.dom
    assert page.dom.count("<script") == 1
    assert "<img" not in page.dom


def test_page_makes_no_requests(tmp_path: Path) -> None:
    with record_paths() as (url, paths):
        messages = [text.format(url=f"{url}/{number}") for number, text in enumerate(FETCHES)]
        outcomes = tuple(
            CheckOutcome(NAME, CheckStatus.FAILED, text, text, text) for text in messages
        )
        tools = tuple({"name": text, "description": text} for text in messages)
        page = render_page(as_html(replace(SMALL, outcomes=outcomes, tools=tools)), tmp_path)

    assert paths == []
    assert page.console == []


def test_policy_blocks_markup_that_escapes_the_escaping(tmp_path: Path) -> None:
    with record_paths() as (url, paths):
        markup = f"<img src={url}/1><script>document.title = 'owned'</script></body>"
        page = render_page(as_html(SMALL).replace("</body>", markup), tmp_path)

    assert paths == []
    assert "<title>owned" not in page.dom
    assert any("Content Security Policy" in line for line in page.console)


def test_search_hides_other_rows(tmp_path: Path) -> None:
    act = "search.value = 'PING-answers'; search.dispatchEvent(new Event('input'));"

    page = render_page(acted(SMALL, act), tmp_path)

    assert len(hidden_tags(page)) == len(re.findall(r"<[^>]*data-status", page.dom)) - 2
    assert re.search(r"<output[^>]*>2 of \d+</output>", page.dom)


def test_filter_hides_passed_checks(tmp_path: Path) -> None:
    report = replace(
        SMALL, outcomes=(*SMALL.outcomes, CheckOutcome(NAME, CheckStatus.PASSED, tool="x"))
    )

    page = render_page(acted(report, "only.click();"), tmp_path)

    assert 'aria-pressed="true"' in page.dom
    assert all('data-status="passed"' in tag for tag in hidden_tags(page))


def test_link_unfolds_its_target(tmp_path: Path) -> None:
    act = (
        "const folded = document.querySelector('.tools details');"
        "folded.querySelector('pre').id = 'deep'; location.hash = '#deep';"
    )

    page = render_page(acted(SMALL, act), tmp_path)

    assert re.search(r'<div class="tools"><details[^>]* open=""', page.dom)


@pytest.mark.repeated("repeats the look at the page with other widths")
@pytest.mark.parametrize("width", [1400, 400])
def test_the_page_is_no_wider_than_its_window(width: int, tmp_path: Path) -> None:
    act = (
        "document.title = 'wide ' + document.documentElement.scrollWidth"
        " + ' of ' + document.documentElement.clientWidth;"
    )

    page = render_page(acted(hostile_report(), act), tmp_path, f"--window-size={width},900")

    match = re.search(r"<title>wide (\d+) of (\d+)</title>", page.dom)
    assert match
    assert int(match[1]) <= int(match[2])
