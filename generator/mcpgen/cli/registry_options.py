"""Loads the card and the registry for a command; ends the command on errors."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import typer

from mcpgen.cli.auth_options import resolve_header_options
from mcpgen.cli.console import progress
from mcpgen.config.tables.server import is_public_url
from mcpgen.config.validators import is_base_url
from mcpgen.conformance.targets.credentials import transport_problem
from mcpgen.pipeline import TargetUnreadable, is_server_target, is_stdio_target
from mcpgen.pipeline.registry_client import RegistryConnection
from mcpgen.pipeline.server_card import Card, card_at, card_in


def fetch_card(url: str, address: str, headers: tuple[str, ...], bearer_env: str) -> Card:
    """Returns the card of the server at a URL. Raises BadParameter for an unreachable server."""
    problems = _address_problems(address)
    if is_stdio_target(url) and not address:
        problems.append("a server over stdio has no address; set --address.")
    if not is_server_target(url):
        problems.append(f"{url} is not a URL (http://…, https://…).")
    credentials = resolve_header_options(headers, bearer_env, problems)
    try:
        with progress() as tell:
            tell("list")
            return card_at(url, address, credentials.headers, credentials.secrets)
    except TargetUnreadable as error:
        raise typer.BadParameter(f"{error}.") from error


def load_card(target: str, address: str, headers: tuple[str, ...], bearer_env: str) -> Card:
    """Returns the card of a server, of a project's folder or in a file, with a reachable address.
    Raises BadParameter, and OSError for an unreadable file."""
    if is_server_target(target):
        return fetch_card(target, address, headers, bearer_env)
    problems = _address_problems(address)
    if headers or bearer_env:
        problems.append("--header and --bearer-env are for the URL of a server.")
    if problems:
        raise typer.BadParameter("\n".join(problems))
    path = Path(target) / "server-card.json" if Path(target).is_dir() else Path(target)
    try:
        card = card_in(path.read_bytes(), path.as_posix(), address)
    except TargetUnreadable as error:
        raise typer.BadParameter(f"{error}.") from error
    if not is_server_target(card.address):
        raise typer.BadParameter(f"{path.as_posix()} has no host of the server; set --address.")
    if (
        not card.address.isprintable()
        or " " in card.address
        or "@" in urlsplit(card.address).netloc
    ):
        raise typer.BadParameter(f"{path.as_posix()} has an address that cannot be published.")
    return card


def registry_of(
    url: str, headers: tuple[str, ...], bearer_env: str, timeout: float
) -> RegistryConnection:
    """Returns the registry at a URL. Raises BadParameter for an invalid URL."""
    problems: list[str] = []
    if not is_base_url(url):
        problems.append(f"--registry: `{url}` is not an http or https URL without user and query.")
    elif (headers or bearer_env) and (problem := transport_problem(url)):
        problems.append(f"--registry: {problem}.")
    credentials = resolve_header_options(headers, bearer_env, problems)
    return RegistryConnection(url.rstrip("/"), credentials.headers, timeout, credentials.secrets)


def _address_problems(address: str) -> list[str]:
    """Returns the problem of an address as a list; empty for a valid address."""
    if not address or is_public_url(address):
        return []
    return [f"--address: `{address}` is neither an https URL nor an http URL of this machine."]
