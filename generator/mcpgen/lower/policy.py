"""Access and limits: scopes, roles, opt-in features, confirmations, rate limits, audit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mcpgen.config import CannotAskPolicy, Config
from mcpgen.config.validators import is_scope
from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Operation
from mcpgen.ir.builtin_tools import ConfirmationSpec
from mcpgen.ir.policy import OptInSpec, Policy
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.builtin_tools import listed_builtin_names
from mcpgen.lower.endpoint_parameters import EndpointParameters

EVERY = "*"
"""Key for every tool without an entry of its own."""


@dataclass(frozen=True, slots=True)
class ToolAliases:
    """Finds tools by the names a user may write: tool name, operationId or `GET /pets/{id}`."""

    tools: Sequence[ToolSpec]
    operations: Sequence[Operation]
    config: Config
    diagnostics: Diagnostics
    _by_key: Mapping[str, Operation] = field(init=False)

    def __post_init__(self) -> None:
        """Indexes operations by key: every tool looks up its own."""
        object.__setattr__(
            self, "_by_key", {operation.key: operation for operation in self.operations}
        )

    def operation(self, tool: ToolSpec) -> Operation:
        """The operation of a tool."""
        return self._by_key[tool.operation]

    def find(self, name: str) -> ToolSpec | None:
        """Returns the tool with this name, operationId or key, None if unknown."""
        return next((tool for tool in self.tools if name in self._names(tool)), None)

    def by_tool(
        self,
        table: str,
        entries: Mapping[str, tuple[str, ...]],
        beside: Collection[str] = (),
    ) -> dict[str, tuple[str, ...]]:
        """Returns a table of `mcpgen.toml` by tool name; `*` applies to API tools without an entry.

        `beside` are built-in tools. Adds UNKNOWN_TOOL.
        """
        by_name: dict[str, tuple[str, ...]] = {}
        for key, listed in entries.items():
            if key == EVERY:
                continue
            if tool := self.find(key):
                by_name[tool.name] = listed
            elif key in beside:
                by_name[key] = listed
            else:
                self.report_unknown(table, key, self.at(table, key))
        default = entries.get(EVERY, ())
        all_entries = {tool.name: by_name.get(tool.name, default) for tool in self.tools}
        return {name: listed for name, listed in {**all_entries, **by_name}.items() if listed}

    def at(self, *path: str) -> Location:
        """Returns the place of a key in `mcpgen.toml`, written or not."""
        return self.config.at(*path) or Location("mcpgen.toml", path)

    def report_unknown(self, table: str, entry: str, at: Location) -> None:
        """Adds UNKNOWN_TOOL."""
        names = [name for tool in self.tools for name in self._names(tool)]
        hint = closest_match(entry, names) or "see the tools in the README of the project"
        self.diagnostics.add(codes.UNKNOWN_TOOL, at, table=table, entry=entry, nearest=hint)

    def _names(self, tool: ToolSpec) -> tuple[str, ...]:
        id = self.operation(tool).id
        return (tool.name, tool.operation, *((id,) if id else ()))


_FAMILIES = {"resources": "resource_scopes", "prompts": "prompt_scopes"}
"""Configuration keys of the scopes for resources and prompts."""


def tool_scopes(aliases: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the scopes by tool name: from the configuration, else `x-mcp`, else `security` if
    enabled.

    Adds UNKNOWN_TOOL, UNKNOWN_SCOPE and UNUSABLE_SCOPE.
    """
    rights = aliases.config.authorization
    beside = listed_builtin_names(aliases.config)
    configured = aliases.by_tool("scopes", rights.scopes, beside)
    _report_unlisted_names(aliases, "scopes", rights.known_scopes, codes.UNKNOWN_SCOPE)
    scopes: dict[str, tuple[str, ...]] = {}
    for tool in aliases.tools:
        operation = aliases.operation(tool)
        needed = configured.get(tool.name) or _document_scopes(aliases, operation)
        if needed:
            scopes[tool.name] = needed
    return scopes | {name: configured[name] for name in beside if name in configured}


def tool_roles(aliases: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the roles by tool name, one of which a caller needs. Adds UNKNOWN_TOOL and
    UNKNOWN_ROLE."""
    rights = aliases.config.authorization
    _report_unlisted_names(aliases, "roles", rights.known_roles, codes.UNKNOWN_ROLE)
    return aliases.by_tool("roles", rights.roles)


def family_scopes(aliases: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the scopes by family of requests, `resources` or `prompts`. Adds UNKNOWN_SCOPE."""
    rights = aliases.config.authorization
    needed: dict[str, tuple[str, ...]] = {}
    for family, key in _FAMILIES.items():
        path = ("authorization", key)
        if listed := getattr(rights, key):
            needed[family] = listed
            _report_unlisted(aliases, path, key, listed, rights.known_scopes, codes.UNKNOWN_SCOPE)
    return needed


def report_unenforced_rights(aliases: ToolAliases) -> None:
    """Adds RIGHTS_OF_NOBODY and UNENFORCED_SCOPES: without authentication no caller has rights."""
    config = aliases.config
    if config.authentication.required:
        return
    for table in ("scopes", "roles"):
        for name in getattr(config.authorization, table):
            at = aliases.at(table, name)
            aliases.diagnostics.add(codes.RIGHTS_OF_NOBODY, at, table=table, entry=name)
    for family, key in _FAMILIES.items():
        if getattr(config.authorization, key):
            at = aliases.at("authorization", key)
            aliases.diagnostics.add(codes.RIGHTS_OF_NOBODY, at, table="authorization", entry=family)
    for tool in aliases.tools:
        operation = aliases.operation(tool)
        if operation.extension.scopes:
            at = operation.at / "x-mcp" / "scopes"
            aliases.diagnostics.add(parse_codes.UNENFORCED_SCOPES, at, operation=operation.key)


def _document_scopes(aliases: ToolAliases, operation: Operation) -> tuple[str, ...]:
    """Returns the scopes of the first security alternative with scopes. Adds UNUSABLE_SCOPE."""
    if operation.extension.scopes is not None or not aliases.config.authorization.from_security:
        return operation.extension.scopes or ()
    for together in operation.security:
        if scopes := dict.fromkeys(scope for use in together for scope in use.scopes):
            for name in scopes:
                if not is_scope(name):
                    at = operation.at / "security"
                    aliases.diagnostics.add(codes.UNUSABLE_SCOPE, at, name=name)
            return tuple(scopes)
    return ()


def _report_unlisted_names(
    aliases: ToolAliases, table: str, names: Sequence[str], code: Code
) -> None:
    """Adds `code` for each name in a table outside the listed `names`, if any are listed."""
    for key, listed in getattr(aliases.config.authorization, table).items():
        _report_unlisted(aliases, (table, key), key, listed, names, code)


def _report_unlisted(
    aliases: ToolAliases,
    path: tuple[str, ...],
    key: str,
    listed: Sequence[str],
    names: Sequence[str],
    code: Code,
) -> None:
    """Adds `code` for each name in a list outside the listed `names`, if any are listed."""
    for index, name in enumerate(listed):
        if names and name not in names:
            hint = closest_match(name, list(names)) or f"there are {', '.join(names)}"
            at = aliases.at(*path, str(index))
            aliases.diagnostics.add(code, at, entry=key, name=name, nearest=hint)


def opt_in_features(aliases: ToolAliases) -> tuple[OptInSpec, ...]:
    """Returns the configured features in order. Adds UNKNOWN_TOOL and UNKNOWN_FEATURE."""
    rights = aliases.config.authorization
    for name in rights.feature_needs:
        if name not in rights.features:
            hint = closest_match(name, list(rights.features)) or "name its tools under `[features]`"
            at = aliases.at("feature_needs", name)
            aliases.diagnostics.add(codes.UNKNOWN_FEATURE, at, entry=name, nearest=hint)
    return tuple(
        OptInSpec(name, _feature_tools(aliases, name, listed), rights.feature_needs.get(name, ()))
        for name, listed in rights.features.items()
    )


def _feature_tools(aliases: ToolAliases, feature: str, listed: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the tools of a feature."""
    names = []
    for index, name in enumerate(listed):
        if tool := aliases.find(name):
            names.append(tool.name)
        else:
            aliases.report_unknown("features", name, aliases.at("features", feature, str(index)))
    return tuple(names)


def lower_policy(
    tools: Sequence[ToolSpec],
    operations: Sequence[Operation],
    bound: EndpointParameters,
    config: Config,
    diagnostics: Diagnostics,
) -> Policy:
    """Returns the access policy of a server. Adds MG272, MG373, MG390 to MG392, MG394, MG396 and
    MG399."""
    aliases = ToolAliases(tools, operations, config, diagnostics)
    rights = config.authorization
    needed, roles, of_families = tool_scopes(aliases), tool_roles(aliases), family_scopes(aliases)
    required = config.authentication.required
    report_unenforced_rights(aliases)
    _report_issuer_alone(config, diagnostics)
    return Policy(
        path=config.endpoint.path,
        enabled=config.endpoint.enabled,
        samples=bound.samples,
        authentication=config.authentication if required else None,
        scopes=needed if required else {},
        roles=roles if required else {},
        family_scopes=of_families if required else {},
        known_scopes=rights.known_scopes,
        known_roles=rights.known_roles,
        hide=rights.hide,
        step_up=rights.step_up,
        features=opt_in_features(aliases),
        public_url=config.endpoint.public_url,
    )


def _report_issuer_alone(config: Config, diagnostics: Diagnostics) -> None:
    """Adds ISSUER_ALONE where only the environment can say how tokens are verified."""
    authentication, at = config.authentication, config.at("authentication", "issuer")
    verified = authentication.jwks_url or authentication.introspection_url
    if authentication.required and at and not verified:
        diagnostics.add(codes.ISSUER_ALONE, at)


def lower_confirmation(
    tools: Sequence[ToolSpec],
    access: Policy,
    config: Config,
    diagnostics: Diagnostics,
    at: Location,
) -> ConfirmationSpec | None:
    """Returns the tools whose calls a user confirms, in order; None without any.

    Adds UNKNOWN_CONFIRMED, NOTHING_CONFIRMED, and CONFIRMED_BY_ONE for several instances without a
    shared store of used confirmations.
    """
    confirming = config.confirming
    names = {tool.name for tool in tools}
    if not (confirming.destructive or confirming.tools or confirming.scopes):
        return None
    tables = (
        ("tools", "is no tool of the API", confirming.tools, names),
        ("scopes", "no tool of the API needs", confirming.scopes, set(access.all_scopes)),
    )
    is_unknown = False
    for table, fault, entries, valid in tables:
        for name in (entry for entry in entries if entry not in valid):
            is_unknown = True
            hint = (
                closest_match(name, sorted(valid)) or f"remove it from `{table}` under `[confirm]`"
            )
            place = config.at("confirm", table) or at
            diagnostics.add(
                codes.UNKNOWN_CONFIRMED, place, table=table, name=name, fault=fault, nearest=hint
            )
    confirmed = tuple(
        tool.name
        for tool in tools
        if tool.name in confirming.tools
        or (confirming.destructive and tool.hints.removes)
        or not set(confirming.scopes).isdisjoint(access.scopes.get(tool.name, ()))
    )
    if not confirmed and not is_unknown:
        diagnostics.add(codes.NOTHING_CONFIRMED, config.at("confirm", "destructive") or at)
    if confirmed and config.deployment.kubernetes and not config.limits.is_shared:
        place = config.at("deploy", "kubernetes") or config.at("confirm") or at
        diagnostics.add(config_codes.CONFIRMED_BY_ONE, place)
    return (
        ConfirmationSpec(confirmed, confirming.unable is CannotAskPolicy.ALLOW)
        if confirmed
        else None
    )


def report_unknown_limits(
    config: Config, tools: Collection[str], diagnostics: Diagnostics, at: Location
) -> None:
    """Adds UNKNOWN_LIMITED_TOOL for every rate of an unknown tool."""
    for table in ("tools", "subject_tools"):
        for name in getattr(config.limits, table):
            if name not in tools:
                hint = closest_match(name, list(tools)) or "see the list of tools in the README"
                place = config.at("limits", table, name) or at
                diagnostics.add(codes.UNKNOWN_LIMITED_TOOL, place, tool=name, nearest=hint)
