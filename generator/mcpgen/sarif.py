"""The common parts of the SARIF 2.1.0 logs of `lint` and `check`; code hosts show such logs beside
the code.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LINK_CHARACTERS = re.compile(r"[\\\[\]]")

Object = dict[str, Any]
"""An object of the SARIF format."""


def sarif_log(driver: Object, results: Sequence[Object], **run: Any) -> Object:
    """A SARIF log with one run; `run` holds further properties of the Run object (§3.14).

    Columns count Unicode characters, as `Location.column` does.
    """
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [{"executionSuccessful": True}],
                "columnKind": "unicodeCodePoints",
                "results": list(results),
                **run,
            }
        ],
    }


def sarif_rule_name(words: str) -> str:
    """A rule's name in Pascal case: `duplicate-key` gives `DuplicateKey`."""
    return "".join(word.capitalize() for word in words.split("-"))


def sarif_message(text: str) -> Object:
    """A Message object; brackets are escaped, since `[text](target)` is a link (§3.11.6)."""
    return {"text": _LINK_CHARACTERS.sub(r"\\\g<0>", text)}


def sarif_location(file: str, logical: Mapping[str, str], line: int = 1, column: int = 0) -> Object:
    """A Location object: `line` and `column` from 1, column 0 if unknown."""
    region = {"startLine": line, "startColumn": column} if column else {"startLine": line}
    return {
        "physicalLocation": {"artifactLocation": {"uri": quote(file)}, "region": region},
        "logicalLocations": [dict(logical)],
    }


def sarif_fingerprint(*parts: str, count: int | None = None) -> dict[str, str]:
    """The `partialFingerprints` of a result, by which a reader of SARIF (§3.27.17) can recognize the
    result in the next log. GitHub reads only `primaryLocationLineHash`, which its upload action computes
    from the source if the file is there.

    `parts` must not hold line numbers, which move. `count` separates results with equal parts.
    """
    # 128 bits tell the results of a log apart.
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
    return {"mcpgenFinding/v1": digest if count is None else f"{digest}:{count}"}
