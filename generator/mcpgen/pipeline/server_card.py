"""Makes the card of a running server."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.redaction import in_address, redact_text
from mcpgen.conformance.server_info import describe_server
from mcpgen.conformance.strict_json import loads
from mcpgen.ir.server_card import Card, ListedFeatures, card_from
from mcpgen.pipeline.load_tools import TargetUnreadable, report_unreachable


def card_at(
    url: str,
    address: str = "",
    headers: Mapping[str, str] | None = None,
    secrets: frozenset[str] = frozenset(),
) -> Card:
    """Returns the card of the server at `url` with the public address `address`, default `url`.

    `headers` are sent to the server; `secrets` and credentials in the URL are redacted. Raises
    TargetUnreadable for an unreachable server, and for a server with a secret in the answers.
    """
    secrets |= in_address(url)
    with report_unreachable(url, secrets):
        info = describe_server(url, CheckOptions(headers=headers or {}))
    card = Card(
        revision=info.revision,
        identity=info.identity,
        address=address or url,
        instructions=info.instructions,
        announced=ListedFeatures(
            capabilities=info.capabilities,
            tools=info.lists["tools"],
            resources=info.lists["resources"],
            templates=info.lists["resourceTemplates"],
            prompts=info.lists["prompts"],
        ),
    )
    _refuse_secrets(card, url, address, secrets)
    return card


def card_in(content: bytes, name: str, address: str = "") -> Card:
    """Parses the card in the bytes of a file named `name`; `address` overrides the card's address.
    Raises TargetUnreadable for invalid cards."""
    try:
        return card_from(loads(content), address)
    except ValueError as error:
        raise TargetUnreadable(f"{name} is no card of a server: {error}") from error


def _refuse_secrets(card: Card, url: str, address: str, secrets: frozenset[str]) -> None:
    """Raises TargetUnreadable if the card contains a secret."""
    try:
        text = card.text
    except RecursionError:
        text = ""
    if not text:
        raise TargetUnreadable(
            redact_text(f"{url}: a schema is nested too deep to be written", secrets)
        )
    if redact_text(text, secrets) == text:
        return
    if not address and in_address(url):
        raise TargetUnreadable("the URL holds a secret that its card would publish; set --address")
    raise TargetUnreadable(
        redact_text(f"{url}: the server says back a secret that it was sent", secrets)
    )


__all__ = ["Card", "card_at", "card_in"]
