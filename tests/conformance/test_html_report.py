"""The HTML report: its content, and the escaping of text from servers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from report_fixtures import HOSTILE, NAME, SMALL, hostile_report

import mcpgen.conformance
from mcpgen.conformance import CheckOutcome, CheckStatus, Report, as_html
from mcpgen.conformance.exchange import mark_invisible
from mcpgen.conformance.report.html.markup import element, fragment, prose

REPORT = Path(mcpgen.conformance.__file__).parent / "report"
FETCHING = ("src", "srcset", "action", "formaction", "data", "poster", "background", "ping")
"""Attributes that make a browser send requests."""


class Elements(HTMLParser):
    """A parser that collects elements with attributes, and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes down an element."""
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects a self-closing element."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Closes the innermost element; its name has to match."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Takes down text."""
        self.text += data


def find_elements(page: Elements, name: str) -> list[dict[str, str | None]]:
    """Attributes of each element with this name."""
    return [attributes for tag, attributes in page.elements if tag == name]


def test_elements_are_nested_correctly_and_ids_are_unique() -> None:
    page = Elements(as_html(SMALL))

    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert page.open == []
    assert len(ids) == len(set(ids))
    assert {"profiles", "findings", "matrix", "tools", "latency"} <= set(ids)


def test_links_within_the_page_lead_somewhere() -> None:
    page = Elements(as_html(SMALL))

    ids = {attributes.get("id") for _, attributes in page.elements}
    targets = [str(item["href"]) for item in find_elements(page, "a")]
    anchor_names = [target[1:] for target in targets if target.startswith("#")]
    assert anchor_names
    assert set(anchor_names) <= ids


@pytest.mark.parametrize("report", [SMALL, hostile_report()])
def test_page_fetches_nothing_and_runs_only_its_script(report: Report) -> None:
    page = Elements(as_html(report))

    names = {tag for tag, _ in page.elements}
    keys = {key for _, attributes in page.elements for key in attributes}
    assert not names & {"img", "iframe", "object", "embed", "link", "base", "form", "video"}
    assert not keys & set(FETCHING)
    assert not [key for key in keys if key.startswith("on")]
    assert "style" not in keys
    assert (len(find_elements(page, "script")), len(find_elements(page, "style"))) == (1, 1)
    assert all(re.match(r"#|https://", str(item["href"])) for item in find_elements(page, "a"))


def test_the_policy_of_the_page_allows_nothing_but_its_own_style_and_script() -> None:
    (policy,) = [
        item["content"]
        for item in find_elements(Elements(as_html(SMALL)), "meta")
        if item.get("http-equiv") == "Content-Security-Policy"
    ]

    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_text_of_the_server_is_complete() -> None:
    text = Elements(as_html(hostile_report())).text

    assert all(mark_invisible(item) in text for item in HOSTILE)


def test_invisible_characters_are_marked() -> None:
    page = as_html(hostile_report())

    assert not re.search("[\x00\x07\x1b\u202e\ud800]", page)


def test_the_same_report_gives_the_same_page() -> None:
    assert as_html(SMALL) == as_html(replace(SMALL))


def test_a_page_without_tools_or_measurements_has_no_part_for_them() -> None:
    bare = as_html(replace(SMALL, tools=(), measurements=()))

    assert 'href="#tools"' not in bare
    assert 'href="#latency"' not in bare


def test_findings_beyond_the_limit_are_counted() -> None:
    outcomes = [
        CheckOutcome(NAME, CheckStatus.FAILED, "short", "long", f"tool{n}") for n in range(20)
    ]
    outcome = CheckOutcome(NAME, CheckStatus.FAILED, "short", "280 more of this kind")

    page = as_html(Report("x", (*outcomes, outcome)))

    assert "20 times, and 280 more of this kind" in page


def test_tables_name_their_rows_and_columns() -> None:
    page = Elements(as_html(SMALL))

    assert all(item.get("scope") in ("row", "col") for item in find_elements(page, "th"))
    assert len(find_elements(page, "caption")) == len(find_elements(page, "table"))


def test_headings_leave_no_level_out() -> None:
    levels = [int(tag[1]) for tag, _ in Elements(as_html(SMALL)).elements if re.match(r"h\d", tag)]

    assert levels[0] == 1
    assert all(later - before <= 1 for before, later in pairwise(levels))


def test_invalid_link_is_left_out() -> None:
    assert element("a", "x", href="javascript:alert(1)").text == "<a>x</a>"


def test_text_cannot_break_out_of_an_attribute() -> None:
    text = element("p", title='"><script>').text

    assert text == '<p title="&quot;&gt;&lt;script&gt;"></p>'


def test_only_text_between_backticks_is_code() -> None:
    paired_fragment, odd_fragment = fragment(*prose("use `a<b`")), fragment(*prose("a ` b"))

    assert paired_fragment.text == "use <code>a&lt;b</code>"
    assert odd_fragment.text == "a ` b"


def markup_made_of_text() -> Iterator[str]:
    """Calls of `Markup` in the modules of the HTML report, by module and line."""
    for path in sorted(REPORT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Markup":
                yield path.name


def test_only_element_turns_text_into_markup() -> None:
    assert set(markup_made_of_text()) == {"markup.py", "document.py"}
    assert list(markup_made_of_text()).count("document.py") == 1


def luminance(color: str) -> float:
    """The relative luminance of a colour, https://www.w3.org/TR/WCAG21/#dfn-relative-luminance."""
    parts = [int(color[offset : offset + 2], 16) / 255 for offset in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(color: str, background: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(color), luminance(background)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast(theme: str) -> None:
    style = (REPORT / "html" / "page.css").read_text("utf-8")
    light, dark = re.findall(r":root \{(.+?)\}", style, re.DOTALL)
    result = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", light if theme == "light" else dark))

    on_paper = [(result[name], result["paper"]) for name in ("ink", "quiet", "accent", "failed")]
    on_card = [(result[name], result["card"]) for name in ("ink", "quiet", "accent")]
    states = ("failed", "warning", "known", "passed", "none")
    on_soft = [(result[name], result[f"{name}-soft"]) for name in states]
    pairs = [*on_paper, *on_card, *on_soft, (result["quiet"], result["soft"])]

    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []
