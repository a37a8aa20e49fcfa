"""The HTML document, with inline style and script and without external resources."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files

from mcpgen.conformance.report.html.markup import Child, Markup, element, fragment

SECTIONS = {
    "changes": "Changes",
    "profiles": "Profiles",
    "savings": "Savings",
    "hosts": "Hosts",
    "findings": "Findings",
    "scenarios": "Scenarios",
    "matrix": "Checks",
    "tools": "Tools",
    "latency": "Latency",
}
"""Titles of the sections in the navigation, by id."""


def html_document(title: str, header: Child, sections: Mapping[str, Child], footer: Child) -> str:
    """The whole document. `sections` are by id, in order; None is left out.

    The Content-Security-Policy allows no request and, by hash, only the inline script: text that
    escapes the escaping cannot run.
    """
    style, script = _read_asset("page.css"), _read_asset("page.js")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        _meta_element("viewport", "width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        _meta_element("referrer", "no-referrer"),
        _meta_element("color-scheme", "light dark"),
        element("title", title),
        _own("style", style),
    )
    present = {id: section for id, section in sections.items() if section is not None}
    body = element(
        "body",
        header,
        _navigation(list(present)),
        element("main", list(present.values())),
        element("footer", footer),
        _own("script", script),
    )
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en").text + "\n"


def _navigation(ids: list[str]) -> Markup:
    links = [element("a", SECTIONS[id], href=f"#{id}") for id in ids]
    label = "Search checks, findings and tools"
    controls = element(
        "div",
        element("output", aria_live="polite"),
        element("input", type="search", placeholder="Search …", aria_label=label),
        element("button", "Only what is wrong", type="button", aria_pressed="false"),
        class_="filter",
        hidden=True,
    )
    return element("nav", links, controls, aria_label="Parts of this page")


def _meta_element(name: str, content: str) -> Markup:
    return element("meta", name=name, content=content)


def _own(name: str, text: str) -> Markup:
    """The project's own style or script, without escaping."""
    assert f"</{name}" not in text
    return fragment(Markup(f"<{name}>{text}</{name}>"))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _read_asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
