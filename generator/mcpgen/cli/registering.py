"""The card of a target of the command line, or the words that tell why there is none."""

from __future__ import annotations

import typer

from mcpgen.cli.console import progress
from mcpgen.cli.login import Login, login
from mcpgen.config.tables.endpoint import is_public
from mcpgen.pipeline import Unreadable, is_url
from mcpgen.pipeline.cards import Card, card_at


def card_of(url: str, address: str, headers: tuple[str, ...], bearer_env: str) -> Card:
    """The card of the server at a URL. Raises BadParameter for what cannot be asked."""
    problems: list[str] = []
    if not is_url(url):
        problems.append(f"{url} is no URL (http://…, https://…).")
    if address and not is_public(address):
        problems.append(f"--address: `{address}` is no https URL, nor an http one of this machine.")
    found = login(Login(headers, bearer_env, ("", "", ""), (), url), problems)
    if problems:
        raise typer.BadParameter("\n".join(problems))
    try:
        with progress() as tell:
            tell("list")
            return card_at(url, address, found.headers, found.secrets)
    except Unreadable as error:
        raise typer.BadParameter(f"{error}.") from error
