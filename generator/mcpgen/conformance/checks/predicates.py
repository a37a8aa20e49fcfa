"""Predicates that several checks use. Functions named `…_problem` give a text, `""` for no problem."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
from collections.abc import Iterable, Mapping

from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.strict_json import Json

OPTIONAL_TEXTS = ("title", "description", "websiteUrl")
BLOCKS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
"""Required string members of each kind of content block."""

SINCE = {"audio": "2025-03-26", "resource_link": "2025-06-18"}
"""First revision of a kind of content block, if not 2024-11-05."""

FEATURES: dict[str, tuple[str, ...]] = {
    "tools": ("listChanged",),
    "prompts": ("listChanged",),
    "resources": ("listChanged", "subscribe"),
    "completions": (),
    "logging": (),
}
"""Boolean members of each capability."""

URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")

PRIVATE_SUFFIXES = (".localhost", ".local", ".internal", ".test", ".home.arpa")
"""Suffixes of host names that public DNS does not resolve."""


def implementation_problem(value: Json) -> str:
    """The defect of an Implementation object (`name`, `version`), or `""`."""
    if not isinstance(value, dict):
        return printable(value)
    return texts_problem(value, ("name", "version"), OPTIONAL_TEXTS)


def texts_problem(
    value: Mapping[str, Json], required: Iterable[str], optional: Iterable[str] = ()
) -> str:
    """The first required or optional member that is not a string, or `""`."""
    for key in required:
        if not isinstance(value.get(key), str):
            return f"`{key}` is {printable(value.get(key))!r}"
    for key in optional:
        if not isinstance(value.get(key, ""), str):
            return f"`{key}` is {printable(value[key])!r}"
    return ""


def capabilities_problem(value: Json) -> str:
    """The defect of a ServerCapabilities object, or `""`."""
    if not isinstance(value, dict):
        return f"`capabilities` is {printable(value)!r}"
    for name, flags in FEATURES.items():
        declared = value.get(name, {})
        if not isinstance(declared, dict):
            return f"`{name}` is {printable(declared)!r}"
        for flag in flags:
            if not isinstance(declared.get(flag, False), bool):
                return f"`{name}.{flag}` is {printable(declared[flag])!r}"
    return ""


def block_problem(block: Json, revision: str = "") -> str:
    """The defect of a content block (in `revision`, if given), or `""`.

    Example: `block_problem({"type": "image"})` is ``a image block has no string `data` ``.
    """
    if not isinstance(block, dict):
        return f"a block is {printable(block)!r}"
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in BLOCKS:
        return f"a block has the type {printable(kind)!r}"
    if revision and revision < SINCE.get(kind, ""):
        return f"a block has the type {kind!r}, which came with {SINCE[kind]}"
    for key in BLOCKS[kind]:
        if not isinstance(block.get(key), str):
            return f"a {kind} block has no string `{key}`"
    if "data" in BLOCKS[kind] and not is_base64(block["data"]):
        return f"the `data` of a {kind} block is not base64"
    if kind == "resource" and (problem := contents_problem(block.get("resource"))):
        return f"in a resource block {problem}"
    return annotations_problem(block.get("annotations", {}))


def contents_problem(contents: Json) -> str:
    """The defect of ResourceContents, or `""`."""
    if not isinstance(contents, dict):
        return f"the contents are {printable(contents)!r}"
    if problem := texts_problem(contents, ("uri",), ("mimeType",)):
        return problem
    text, blob = contents.get("text"), contents.get("blob")
    if isinstance(text, str):
        return ""
    if not isinstance(blob, str):
        return "there is neither a string `text` nor a string `blob`"
    return "" if is_base64(blob) else "`blob` is not base64"


def annotations_problem(value: Json) -> str:
    """The defect of an Annotations object, or `""`."""
    if not isinstance(value, dict):
        return f"`annotations` is {printable(value)!r}"
    audience = value.get("audience", [])
    if not isinstance(audience, list) or any(
        role not in ("user", "assistant") for role in audience
    ):
        return f"`audience` is {printable(audience)!r}"
    priority = value.get("priority", 0)
    if isinstance(priority, bool) or not isinstance(priority, int | float):
        return f"`priority` is {printable(priority)!r}"
    return "" if 0 <= priority <= 1 else f"`priority` is {priority}"


def is_base64(text: str) -> bool:
    """True for base64 with padding.

    Example: `is_base64("YQ")` gives `False`.
    """
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def is_uri(value: Json) -> bool:
    """True for an absolute URI (RFC 3986).

    Example: `is_uri("notes/1")` gives `False`.
    """
    return isinstance(value, str) and URI.fullmatch(value) is not None


def blocks(result: Json) -> list[Json]:
    """The content blocks of a result; `[]` if `content` is not a list."""
    content = result.get("content") if isinstance(result, dict) else None
    return content if isinstance(content, list) else []


def is_text_block(block: Json) -> bool:
    """True for a content block of type `text`."""
    return (
        isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )


def is_refusal(exchange: HttpExchange) -> bool:
    """True for a 4xx status or a JSON-RPC error."""
    return 400 <= exchange.status < 500 or exchange.error is not None


def is_rejection(exchange: HttpExchange) -> bool:
    """True for a status of 400 or more, or a JSON-RPC error of any code.

    No revision forbids HTTP 5xx or -32603 as the answer to a wrong request.
    """
    return exchange.status >= 400 or exchange.error is not None


def is_crash(exchange: HttpExchange) -> bool:
    """True for a 5xx status, the error -32603, or no answer."""
    return exchange.status >= 500 or exchange.status == 0 or exchange.code == -32603


def private(hostname: str) -> bool:
    """True for a host name or IP address that only a local network can reach.

    Example: `private("10.0.0.7")` and `private("api.internal")` are true.
    """
    name = hostname.lower().rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(PRIVATE_SUFFIXES)
    return address.is_private or address.is_loopback or address.is_link_local


def covers_host(hostname: str, domains: tuple[str, ...]) -> bool:
    """True if one of the domains covers the host name. Case is ignored.

    `*.example.com` covers example.com and all names below. Example: `covers_host("a.example.com",
    ("*.example.com",))` is true.
    """
    name = hostname.lower()
    for domain in (pattern.lower() for pattern in domains):
        bare = domain.removeprefix("*.")
        if name == bare or (bare != domain and name.endswith(f".{bare}")):
            return True
    return False
