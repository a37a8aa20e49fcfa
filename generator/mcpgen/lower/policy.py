"""Lowers scopes, roles, opt-in features and confirmations; checks tool names of rate limits."""

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
"""Key of a table that stands for every API tool without an own entry."""


@dataclass(frozen=True, slots=True)
class ToolAliases:
    """Finds tools by the names a user may write: tool name, operationId or `GET /pets/{id}`."""

    tools: Sequence[ToolSpec]
    operations: Sequence[Operation]
    config: Config
    diagnostics: Diagnostics
    _by_key: Mapping[str, Operation] = field(init=False)

    def __post_init__(self) -> None:
        """Indexes the operations by key, for `operation`."""
        object.__setattr__(
            self, "_by_key", {operation.key: operation for operation in self.operations}
        )

    def operation(self, tool: ToolSpec) -> Operation:
        """The operation of a tool."""
        return self._by_key[tool.operation]

    def find(self, name: str) -> ToolSpec | None:
        """Returns the tool with this name, operationId or key, None if unknown."""
        return next((tool for tool in self.tools if name in self._names(tool)), None)

    def entries_by_tool(
        self,
        table: str,
        entries: Mapping[str, tuple[str, ...]],
        builtin_names: Collection[str] = (),
    ) -> dict[str, tuple[str, ...]]:
        """Returns the entries of a table of `mcpgen.toml` by tool name.

        The entry `*` applies to every API tool without an entry. `builtin_names`: built-in tools
        that may have entries too. Adds UNKNOWN_TOOL.
        """
        by_name: dict[str, tuple[str, ...]] = {}
        for key, listed in entries.items():
            if key == EVERY:
                continue
            if tool := self.find(key):
                by_name[tool.name] = listed
            elif key in builtin_names:
                by_name[key] = listed
            else:
                self.report_unknown(table, key, self.at(table, key))
        default = entries.get(EVERY, ())
        all_entries = {tool.name: by_name.get(tool.name, default) for tool in self.tools}
        return {name: listed for name, listed in {**all_entries, **by_name}.items() if listed}

    def at(self, *path: str) -> Location:
        """Returns the location of a key in `mcpgen.toml`; without a line if the file lacks the key."""
        return self.config.at(*path) or Location("mcpgen.toml", path)

    def report_unknown(self, table: str, entry: str, at: Location) -> None:
        """Adds UNKNOWN_TOOL."""
        names = [name for tool in self.tools for name in self._names(tool)]
        hint = closest_match(entry, names) or "see the tools in the README of the project"
        self.diagnostics.add(codes.UNKNOWN_TOOL, at, table=table, entry=entry, nearest=hint)

    def _names(self, tool: ToolSpec) -> tuple[str, ...]:
        id = self.operation(tool).id
        return (tool.name, tool.operation, *((id,) if id else ()))


_METHOD_FAMILIES = {"resources": "resource_scopes", "prompts": "prompt_scopes"}
"""Configuration key of the scopes by family of MCP methods (`resources/…`, `prompts/…`)."""


def tool_scopes(aliases: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the scopes by tool name; a caller needs all scopes of a tool. The table `scopes` of the
    configuration comes before `x-mcp`, and `x-mcp` before `security`, if `from_security` is set.

    Adds UNKNOWN_TOOL, UNKNOWN_SCOPE and UNUSABLE_SCOPE.
    """
    authorization = aliases.config.authorization
    builtin_names = listed_builtin_names(aliases.config)
    configured = aliases.entries_by_tool("scopes", authorization.scopes, builtin_names)
    _report_unknown_in_table(aliases, "scopes", authorization.known_scopes, codes.UNKNOWN_SCOPE)
    scopes: dict[str, tuple[str, ...]] = {}
    for tool in aliases.tools:
        operation = aliases.operation(tool)
        needed = configured.get(tool.name) or _document_scopes(aliases, operation)
        if needed:
            scopes[tool.name] = needed
    return scopes | {name: configured[name] for name in builtin_names if name in configured}


def tool_roles(aliases: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the roles by tool name; a caller needs one role of a tool. Adds UNKNOWN_TOOL and
    UNKNOWN_ROLE."""
    authorization = aliases.config.authorization
    _report_unknown_in_table(aliases, "roles", authorization.known_roles, codes.UNKNOWN_ROLE)
    return aliases.entries_by_tool("roles", authorization.roles)


def family_scopes(aliases: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the scopes by family of MCP methods. Adds UNKNOWN_SCOPE."""
    authorization = aliases.config.authorization
    scopes: dict[str, tuple[str, ...]] = {}
    for family, key in _METHOD_FAMILIES.items():
        path = ("authorization", key)
        if listed := getattr(authorization, key):
            scopes[family] = listed
            _report_unknown_names(
                aliases, path, key, listed, authorization.known_scopes, codes.UNKNOWN_SCOPE
            )
    return scopes


def report_unenforced_rights(aliases: ToolAliases) -> None:
    """Adds RIGHTS_WITHOUT_AUTHENTICATION and UNENFORCED_SCOPES: without authentication no caller
    has scopes or roles."""
    config = aliases.config
    if config.authentication.required:
        return
    for table in ("scopes", "roles"):
        for name in getattr(config.authorization, table):
            at = aliases.at(table, name)
            aliases.diagnostics.add(
                codes.RIGHTS_WITHOUT_AUTHENTICATION,
                at,
                table=table,
                entry="all tools" if name == "*" else f"the callers of `{name}`",
            )
    for family, key in _METHOD_FAMILIES.items():
        if getattr(config.authorization, key):
            at = aliases.at("authorization", key)
            aliases.diagnostics.add(
                codes.RIGHTS_WITHOUT_AUTHENTICATION,
                at,
                table="authorization",
                entry=f"requests about {family}",
            )
    for tool in aliases.tools:
        operation = aliases.operation(tool)
        if operation.extension.scopes:
            at = operation.at / "x-mcp" / "scopes"
            aliases.diagnostics.add(parse_codes.UNENFORCED_SCOPES, at, operation=operation.key)


def _document_scopes(aliases: ToolAliases, operation: Operation) -> tuple[str, ...]:
    """Returns the scopes of `x-mcp`, even if empty; otherwise, if `from_security` is set, the
    scopes of the first security alternative that has scopes. Adds UNUSABLE_SCOPE."""
    if operation.extension.scopes is not None or not aliases.config.authorization.from_security:
        return operation.extension.scopes or ()
    for alternative in operation.security:
        if scopes := dict.fromkeys(
            scope for requirement in alternative for scope in requirement.scopes
        ):
            for name in scopes:
                if not is_scope(name):
                    at = operation.at / "security"
                    aliases.diagnostics.add(codes.UNUSABLE_SCOPE, at, name=name)
            return tuple(scopes)
    return ()


def _report_unknown_in_table(
    aliases: ToolAliases, table: str, known: Sequence[str], code: Code
) -> None:
    """Adds `code` for each name in a table that is not in `known`; nothing if `known` is empty."""
    for key, entries in getattr(aliases.config.authorization, table).items():
        _report_unknown_names(aliases, (table, key), key, entries, known, code)


def _report_unknown_names(
    aliases: ToolAliases,
    path: tuple[str, ...],
    key: str,
    entries: Sequence[str],
    known: Sequence[str],
    code: Code,
) -> None:
    """Adds `code` for each of `entries` that is not in `known`; nothing if `known` is empty.

    `path`: keys that lead to the list in `mcpgen.toml`. `key`: the key in the message.
    """
    for index, name in enumerate(entries):
        if known and name not in known:
            hint = closest_match(name, list(known)) or f"there are {', '.join(known)}"
            at = aliases.at(*path, str(index))
            aliases.diagnostics.add(code, at, entry=key, name=name, nearest=hint)


def opt_in_features(aliases: ToolAliases) -> tuple[OptInSpec, ...]:
    """Returns the configured features in order. Adds UNKNOWN_TOOL and UNKNOWN_FEATURE."""
    authorization = aliases.config.authorization
    for name in authorization.feature_needs:
        if name not in authorization.features:
            hint = (
                closest_match(name, list(authorization.features))
                or "name its tools under `[features]`"
            )
            at = aliases.at("feature_needs", name)
            aliases.diagnostics.add(codes.UNKNOWN_FEATURE, at, entry=name, nearest=hint)
    return tuple(
        OptInSpec(
            name, _feature_tools(aliases, name, listed), authorization.feature_needs.get(name, ())
        )
        for name, listed in authorization.features.items()
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
    endpoint_parameters: EndpointParameters,
    config: Config,
    diagnostics: Diagnostics,
) -> Policy:
    """Returns the access policy of a server. Adds UNENFORCED_SCOPES, ISSUER_ALONE, UNKNOWN_TOOL,
    UNKNOWN_SCOPE, UNKNOWN_ROLE, RIGHTS_WITHOUT_AUTHENTICATION, UNKNOWN_FEATURE and UNUSABLE_SCOPE.
    """
    aliases = ToolAliases(tools, operations, config, diagnostics)
    authorization = config.authorization
    scopes = tool_scopes(aliases)
    roles = tool_roles(aliases)
    scopes_by_family = family_scopes(aliases)
    authenticates = config.authentication.required
    report_unenforced_rights(aliases)
    _report_issuer_alone(config, diagnostics)
    return Policy(
        path=config.endpoint.path,
        enabled=config.endpoint.enabled,
        samples=endpoint_parameters.samples,
        authentication=config.authentication if authenticates else None,
        scopes=scopes if authenticates else {},
        roles=roles if authenticates else {},
        family_scopes=scopes_by_family if authenticates else {},
        known_scopes=authorization.known_scopes,
        known_roles=authorization.known_roles,
        hide=authorization.hide,
        step_up=authorization.step_up,
        features=opt_in_features(aliases),
        public_url=config.endpoint.public_url,
    )


def _report_issuer_alone(config: Config, diagnostics: Diagnostics) -> None:
    """Adds ISSUER_ALONE for an issuer without a URL at which tokens can be verified."""
    authentication, at = config.authentication, config.at("authentication", "issuer")
    verification_url = authentication.jwks_url or authentication.introspection_url
    if authentication.required and at and not verification_url:
        diagnostics.add(codes.ISSUER_ALONE, at)


def lower_confirmation(
    tools: Sequence[ToolSpec],
    policy: Policy,
    config: Config,
    diagnostics: Diagnostics,
    at: Location,
) -> ConfirmationSpec | None:
    """Returns the tools whose calls a user confirms, in order; None if there are no such tools.

    Adds UNKNOWN_CONFIRMED, NOTHING_CONFIRMED, and CONFIRMATION_WITHOUT_REDIS for several pods
    without a shared store of used confirmations.
    """
    confirming = config.confirming
    names = {tool.name for tool in tools}
    if not (confirming.destructive or confirming.tools or confirming.scopes):
        return None
    # The second value is the end of the message: "names `pay`, which is no tool of the API".
    tables = (
        ("tools", "is no tool of the API", confirming.tools, names),
        ("scopes", "no tool of the API needs", confirming.scopes, set(policy.all_scopes)),
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
    confirmed_tools = tuple(
        tool.name
        for tool in tools
        if tool.name in confirming.tools
        or (confirming.destructive and tool.hints.changes_existing_data)
        or not set(confirming.scopes).isdisjoint(policy.scopes.get(tool.name, ()))
    )
    if not confirmed_tools and not is_unknown:
        reasons = {
            "destructive": "no tool is destructive",
            "scopes": "no tool needs one of the scopes",
        }
        used_keys = [key for key in reasons if getattr(confirming, key)]
        place = next(filter(None, (config.at("confirm", key) for key in used_keys)), at)
        reason = ", and ".join(reasons[key] for key in used_keys)
        diagnostics.add(codes.NOTHING_CONFIRMED, place, reason=reason)
    if confirmed_tools and config.deployment.kubernetes and not config.limits.is_shared:
        place = config.at("deploy", "kubernetes") or config.at("confirm") or at
        diagnostics.add(config_codes.CONFIRMATION_WITHOUT_REDIS, place)
    return (
        ConfirmationSpec(
            confirmed_tools, allows_unconfirmed=confirming.unable is CannotAskPolicy.ALLOW
        )
        if confirmed_tools
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
