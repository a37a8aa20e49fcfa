"""The card of a server that runs, whoever wrote it."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.conformance.findings import Unmet
from mcpgen.conformance.introduced import introduced
from mcpgen.conformance.options import Options
from mcpgen.conformance.redaction import hidden
from mcpgen.conformance.secrets import in_address
from mcpgen.conformance.strict_json import loads
from mcpgen.ir.card import Announced, Card, card_from
from mcpgen.pipeline.targets import Unreadable


def card_at(
    url: str,
    address: str = "",
    headers: Mapping[str, str] | None = None,
    secrets: frozenset[str] = frozenset(),
) -> Card:
    """The card of the server at `url`, which is told to be at `address`, or at `url` if that is `""`.

    `headers` are sent to it; `secrets` and those in the URL stand in no card and in no message. Raises
    Unreadable for a server that cannot be asked, or that says back a secret.
    """
    secrets |= in_address(url)
    try:
        said = introduced(url, Options(headers=headers or {}))
    except Unmet as error:
        told = f"{url}: expected that {error.finding.expected}; saw {error.finding.saw}"
        raise Unreadable(hidden(told, secrets)) from error
    card = Card(
        said.revision,
        said.identity,
        address or url,
        said.instructions,
        Announced(
            said.capabilities,
            said.lists["tools"],
            said.lists["resources"],
            said.lists["resourceTemplates"],
            said.lists["prompts"],
        ),
    )
    _refuse_secrets(card, url, address, secrets)
    return card


def card_in(content: bytes, name: str, address: str = "") -> Card:
    """The card in the bytes of a file, which messages call `name`; its server is told to be at
    `address`, unless that is `""`. Raises Unreadable for what is no card."""
    try:
        return card_from(loads(content), address)
    except ValueError as error:
        raise Unreadable(f"{name} is no card of a server: {error}") from error


def _refuse_secrets(card: Card, url: str, address: str, secrets: frozenset[str]) -> None:
    """Raises Unreadable if the card would tell everybody what only its maker may know."""
    try:
        text = card.text
    except RecursionError:
        text = ""
    if not text:
        raise Unreadable(hidden(f"{url}: a schema is nested too deep to be written", secrets))
    if hidden(text, secrets) == text:
        return
    if not address and in_address(url):
        raise Unreadable("the URL holds a secret that its card would tell; say --address")
    raise Unreadable(hidden(f"{url}: the server says back a secret that it was sent", secrets))


__all__ = ["Card", "card_at", "card_in"]
