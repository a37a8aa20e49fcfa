"""Classifies the reasons in refusals of a server."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

REASONS = (
    ("path segment", r"path segment `\.|must not be empty"),
    ("control characters", r"control characters"),
    ("ASCII in headers and cookies", r"printable ASCII"),
    ("delimiter inside a value", r"stands between the values"),
    ("nulls beside a value", r"has a value as well"),
    ("half a surrogate pair", r"surrogate"),
    ("not JSON", r"is not JSON|nested too deeply|too many digits"),
    ("not base64", r"base64"),
    ("required", r"required"),
    ("original schema", r""),
)
"""A reason and what the server says for it; the first that fits."""

TRUTH = {
    "path segment": "an empty segment, `.` and `..` are taken out of a path before it is looked up "
    "(RFC 3986, 5.2.4 and 3.3), so another operation would be called",
    "control characters": "servers and proxies end or rewrite a path at a control character, percent-"
    "encoded or not",
    "ASCII in headers and cookies": "a field value is visible ASCII, space and tab (RFC 9110, 5.5)",
    "delimiter inside a value": "`simple` does not escape the comma in a header, so the value would be "
    "read as two (OpenAPI 3.1.1, Appendix D)",
    "nulls beside a value": "one member of a body cannot be null and have a value",
    "half a surrogate pair": "UTF-8 cannot write it (RFC 3629, 3)",
    "not JSON": "an argument that holds JSON text is read before it is placed",
    "not base64": "bytes are given as base64",
    "required": "what the original schema requires below an optional argument",
    "original schema": "what the flat schema cannot say: the value does not meet the original schema",
}


def refusal_reasons(said: str) -> set[str]:
    """The reasons in the text of a refusal."""
    lines = re.findall(r"^- (.*)$", said, re.MULTILINE) or [said]
    return {next(name for name, pattern in REASONS if re.search(pattern, line)) for line in lines}


def count_reasons(texts: Iterable[str]) -> Counter[str]:
    """Number of refused calls by reason; a call may have several reasons."""
    return Counter(reason for said in texts for reason in refusal_reasons(said))
