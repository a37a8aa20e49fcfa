"""Which scopes and roles callers need, by tool."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.config.validators import is_scope
from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.ir.api import Operation
from mcpgen.lower.builtin_tools import beside_names
from mcpgen.lower.policy.tool_aliases import ToolAliases
from mcpgen.lower.selectors import closest_match

_FAMILIES = {"resources": "resource_scopes", "prompts": "prompt_scopes"}
"""The key of the scopes that requests about something need."""


def tool_scopes(known: ToolAliases) -> dict[str, tuple[str, ...]]:
    """The scopes of each tool that asks for any: what the user says, else what `x-mcp` says, else
    what `security` says, if that is to count. Adds UNKNOWN_TOOL, UNKNOWN_SCOPE and
    UNUSABLE_SCOPE."""
    chosen = known.config.authorisation
    beside = beside_names(known.config)
    told = known.by_tool("scopes", chosen.scopes, beside)
    _tell_strangers(known, "scopes", chosen.known_scopes, codes.UNKNOWN_SCOPE)
    found: dict[str, tuple[str, ...]] = {}
    for tool in known.tools:
        operation = known.operation(tool)
        needed = told.get(tool.name) or _documented(known, operation)
        if needed:
            found[tool.name] = needed
    return found | {name: told[name] for name in beside if name in told}


def tool_roles(known: ToolAliases) -> dict[str, tuple[str, ...]]:
    """The roles of each tool of which callers need one. Adds UNKNOWN_TOOL and UNKNOWN_ROLE."""
    chosen = known.config.authorisation
    _tell_strangers(known, "roles", chosen.known_roles, codes.UNKNOWN_ROLE)
    return known.by_tool("roles", chosen.roles)


def family_scopes(known: ToolAliases) -> dict[str, tuple[str, ...]]:
    """The scopes of requests about resources and prompts, where they need any. Adds
    UNKNOWN_SCOPE."""
    chosen = known.config.authorisation
    needed: dict[str, tuple[str, ...]] = {}
    for family, key in _FAMILIES.items():
        path = ("authorisation", key)
        if listed := getattr(chosen, key):
            needed[family] = listed
            _tell_strange(known, path, key, listed, chosen.known_scopes, codes.UNKNOWN_SCOPE)
    return needed


def report_unenforced_rights(known: ToolAliases) -> None:
    """Adds RIGHTS_OF_NOBODY where the user asks for rights of callers whom nobody knows, and
    UNENFORCED_SCOPES where the document does."""
    config = known.config
    if config.authentication.required:
        return
    for table in ("scopes", "roles"):
        for asked in getattr(config.authorisation, table):
            at = known.at(table, asked)
            known.diagnostics.add(codes.RIGHTS_OF_NOBODY, at, table=table, asked=asked)
    for family, key in _FAMILIES.items():
        if getattr(config.authorisation, key):
            at = known.at("authorisation", key)
            known.diagnostics.add(codes.RIGHTS_OF_NOBODY, at, table="authorisation", asked=family)
    for tool in known.tools:
        operation = known.operation(tool)
        if operation.extension.scopes:
            at = operation.at / "x-mcp" / "scopes"
            known.diagnostics.add(parse_codes.UNENFORCED_SCOPES, at, operation=operation.key)


def _documented(known: ToolAliases, operation: Operation) -> tuple[str, ...]:
    """The scopes that the document asks for; of alternatives the first that names any. Adds
    UNUSABLE_SCOPE."""
    if operation.extension.scopes is not None or not known.config.authorisation.from_security:
        return operation.extension.scopes or ()
    for together in operation.security:
        if found := dict.fromkeys(scope for use in together for scope in use.scopes):
            for name in found:
                if not is_scope(name):
                    at = operation.at / "security"
                    known.diagnostics.add(codes.UNUSABLE_SCOPE, at, name=name)
            return tuple(found)
    return ()


def _tell_strangers(known: ToolAliases, table: str, names: Sequence[str], code: Code) -> None:
    """Adds a finding for each name in a table that is none of those there are, if they are listed."""
    for asked, listed in getattr(known.config.authorisation, table).items():
        _tell_strange(known, (table, asked), asked, listed, names, code)


def _tell_strange(
    known: ToolAliases,
    path: tuple[str, ...],
    asked: str,
    listed: Sequence[str],
    names: Sequence[str],
    code: Code,
) -> None:
    """Adds a finding for each name of a list that is none of those there are, if they are listed."""
    for index, name in enumerate(listed):
        if names and name not in names:
            hint = closest_match(name, list(names)) or f"there are {', '.join(names)}"
            at = known.at(*path, str(index))
            known.diagnostics.add(code, at, asked=asked, name=name, nearest=hint)
