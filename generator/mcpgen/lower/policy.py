"""Access and limits: scopes, roles, opt-in features, confirmations, rate limits, audit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields

from mcpgen.config import CannotAskPolicy, Config
from mcpgen.config.tables.authentication import UnscopedTokens
from mcpgen.config.tables.limits import CountStore, RateCounting, UnknownCallers, UnreachablePolicy
from mcpgen.config.tables.observability import AuditDestination, LogFormat
from mcpgen.config.validators import is_scope
from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.ir.api import Operation
from mcpgen.ir.builtin_tools import ConfirmationSpec
from mcpgen.ir.policy import (
    AuthenticationSpec,
    CapsSpec,
    LimitsSpec,
    ObservabilitySpec,
    OptInSpec,
    Policy,
    RatesSpec,
)
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.builtin_tools import beside_names
from mcpgen.lower.endpoint_parameters import EndpointParameters
from mcpgen.lower.selectors import closest_match

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
        object.__setattr__(self, "_by_key", {each.key: each for each in self.operations})

    def operation(self, tool: ToolSpec) -> Operation:
        """The operation of a tool."""
        return self._by_key[tool.operation]

    def named(self, asked: str) -> ToolSpec | None:
        """Returns the tool with this name, operationId or key, None if unknown."""
        return next((tool for tool in self.tools if asked in self._names(tool)), None)

    def by_tool(
        self,
        table: str,
        entries: Mapping[str, tuple[str, ...]],
        beside: Collection[str] = (),
    ) -> dict[str, tuple[str, ...]]:
        """Returns a table of `mcpgen.toml` by tool name; `*` applies to API tools without an entry.

        `beside` are built-in tools. Adds UNKNOWN_TOOL.
        """
        found: dict[str, tuple[str, ...]] = {}
        for asked, listed in entries.items():
            if asked == EVERY:
                continue
            if tool := self.named(asked):
                found[tool.name] = listed
            elif asked in beside:
                found[asked] = listed
            else:
                self.tell_unknown(table, asked, self.at(table, asked))
        rest = entries.get(EVERY, ())
        given = {tool.name: found.get(tool.name, rest) for tool in self.tools}
        return {name: listed for name, listed in {**given, **found}.items() if listed}

    def at(self, *path: str) -> Location:
        """Returns the place of a key in `mcpgen.toml`, written or not."""
        return self.config.at(*path) or Location("mcpgen.toml", path)

    def tell_unknown(self, table: str, asked: str, at: Location) -> None:
        """Adds UNKNOWN_TOOL."""
        names = [name for tool in self.tools for name in self._names(tool)]
        hint = closest_match(asked, names) or "see the tools in the README of the project"
        self.diagnostics.add(codes.UNKNOWN_TOOL, at, table=table, asked=asked, nearest=hint)

    def _names(self, tool: ToolSpec) -> tuple[str, ...]:
        id = self.operation(tool).id
        return (tool.name, tool.operation, *((id,) if id else ()))


_FAMILIES = {"resources": "resource_scopes", "prompts": "prompt_scopes"}
"""Configuration keys of the scopes for resources and prompts."""


def tool_scopes(known: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the scopes per tool: from the configuration, else `x-mcp`, else `security` if
    enabled.

    Adds UNKNOWN_TOOL, UNKNOWN_SCOPE and UNUSABLE_SCOPE.
    """
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
    """Returns the roles per tool, one of which a caller needs. Adds UNKNOWN_TOOL and
    UNKNOWN_ROLE."""
    chosen = known.config.authorisation
    _tell_strangers(known, "roles", chosen.known_roles, codes.UNKNOWN_ROLE)
    return known.by_tool("roles", chosen.roles)


def family_scopes(known: ToolAliases) -> dict[str, tuple[str, ...]]:
    """Returns the scopes for `resources` and `prompts` requests. Adds UNKNOWN_SCOPE."""
    chosen = known.config.authorisation
    needed: dict[str, tuple[str, ...]] = {}
    for family, key in _FAMILIES.items():
        path = ("authorisation", key)
        if listed := getattr(chosen, key):
            needed[family] = listed
            _tell_strange(known, path, key, listed, chosen.known_scopes, codes.UNKNOWN_SCOPE)
    return needed


def report_unenforced_rights(known: ToolAliases) -> None:
    """Adds RIGHTS_OF_NOBODY and UNENFORCED_SCOPES: without authentication no caller has rights."""
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
    """Returns the scopes of the first security alternative with scopes. Adds UNUSABLE_SCOPE."""
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
    """Adds `code` for each name in a table outside the listed `names`, if any are listed."""
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
    """Adds `code` for each name in a list outside the listed `names`, if any are listed."""
    for index, name in enumerate(listed):
        if names and name not in names:
            hint = closest_match(name, list(names)) or f"there are {', '.join(names)}"
            at = known.at(*path, str(index))
            known.diagnostics.add(code, at, asked=asked, name=name, nearest=hint)


def opt_in_features(known: ToolAliases) -> tuple[OptInSpec, ...]:
    """Returns the configured features in order. Adds UNKNOWN_TOOL and UNKNOWN_FEATURE."""
    chosen = known.config.authorisation
    for name in chosen.feature_needs:
        if name not in chosen.features:
            hint = closest_match(name, list(chosen.features)) or "name its tools under `[features]`"
            at = known.at("feature_needs", name)
            known.diagnostics.add(codes.UNKNOWN_FEATURE, at, asked=name, nearest=hint)
    return tuple(
        OptInSpec(name, _tools(known, name, listed), chosen.feature_needs.get(name, ()))
        for name, listed in chosen.features.items()
    )


def _tools(known: ToolAliases, feature: str, listed: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the tools of a feature."""
    found = []
    for index, asked in enumerate(listed):
        if tool := known.named(asked):
            found.append(tool.name)
        else:
            known.tell_unknown("features", asked, known.at("features", feature, str(index)))
    return tuple(found)


def policy(
    tools: Sequence[ToolSpec],
    operations: Sequence[Operation],
    bound: EndpointParameters,
    config: Config,
    diagnostics: Diagnostics,
) -> Policy:
    """Returns the access policy of a server. Adds MG272, MG373, MG390 to MG392, MG394, MG396 and
    MG399."""
    known = ToolAliases(tools, operations, config, diagnostics)
    chosen = config.authorisation
    needed, wanted, of_families = tool_scopes(known), tool_roles(known), family_scopes(known)
    required = config.authentication.required
    report_unenforced_rights(known)
    _tell_issuer_alone(config, diagnostics)
    return Policy(
        path=config.endpoint.path,
        enabled=config.endpoint.enabled,
        samples=bound.samples,
        authentication=_authentication(config) if required else None,
        scopes=needed if required else {},
        roles=wanted if required else {},
        family_scopes=of_families if required else {},
        known_scopes=chosen.known_scopes,
        known_roles=chosen.known_roles,
        hide=chosen.hide,
        step_up=chosen.step_up,
        features=opt_in_features(known),
        public_url=config.endpoint.public_url,
    )


def _tell_issuer_alone(config: Config, diagnostics: Diagnostics) -> None:
    """Adds ISSUER_ALONE where only the environment can say how tokens are verified."""
    chosen, at = config.authentication, config.at("authentication", "issuer")
    verified = chosen.jwks_url or chosen.introspection_url
    if chosen.required and at and not verified:
        diagnostics.add(codes.ISSUER_ALONE, at)


def _authentication(config: Config) -> AuthenticationSpec:
    """Returns the configured authentication."""
    chosen = config.authentication
    same = {each.name: getattr(chosen, each.name) for each in fields(AuthenticationSpec)}
    return AuthenticationSpec(**{**same, "unscoped": chosen.unscoped is UnscopedTokens.EVERYTHING})


def lower_confirmation(
    tools: Sequence[ToolSpec],
    policy: Policy,
    config: Config,
    diagnostics: Diagnostics,
    at: Location,
) -> ConfirmationSpec | None:
    """Returns the tools whose calls a user confirms, in order; None without any.

    Adds UNKNOWN_CONFIRMED, NOTHING_CONFIRMED, and CONFIRMED_BY_ONE for several instances without a
    shared store of used confirmations.
    """
    chosen = config.confirming
    names = {tool.name for tool in tools}
    if not (chosen.destructive or chosen.tools or chosen.scopes):
        return None
    known = (
        ("tools", "is no tool of the API", chosen.tools, names),
        ("scopes", "no tool of the API needs", chosen.scopes, set(policy.all_scopes)),
    )
    is_unknown = False
    for table, fault, asked, found in known:
        for name in (each for each in asked if each not in found):
            is_unknown = True
            hint = (
                closest_match(name, sorted(found)) or f"remove it from `{table}` under `[confirm]`"
            )
            place = config.at("confirm", table) or at
            diagnostics.add(
                codes.UNKNOWN_CONFIRMED, place, table=table, name=name, fault=fault, nearest=hint
            )
    confirmed = tuple(
        tool.name
        for tool in tools
        if tool.name in chosen.tools
        or (chosen.destructive and tool.hints.destructive and not tool.hints.read_only)
        or not set(chosen.scopes).isdisjoint(policy.scopes.get(tool.name, ()))
    )
    if not confirmed and not is_unknown:
        diagnostics.add(codes.NOTHING_CONFIRMED, config.at("confirm", "destructive") or at)
    if confirmed and config.deployment.kubernetes and config.limits.store is CountStore.MEMORY:
        place = config.at("deploy", "kubernetes") or config.at("confirm") or at
        diagnostics.add(config_codes.CONFIRMED_BY_ONE, place)
    return (
        ConfirmationSpec(confirmed, chosen.unable is CannotAskPolicy.ALLOW) if confirmed else None
    )


TOO_MANY_REQUESTS = 429
"""Default JSON-RPC error code of a call over its rate, the HTTP status 429.

JSON-RPC 2.0 reserves only -32768 to -32000.
"""


def limits(
    config: Config, tools: Collection[str], diagnostics: Diagnostics, at: Location
) -> LimitsSpec:
    """Returns rate, concurrency, time and size limits. Adds UNKNOWN_LIMITED_TOOL."""
    chosen = config.limits
    for table in ("tools", "subject_tools"):
        for name in getattr(chosen, table):
            if name not in tools:
                hint = closest_match(name, list(tools)) or "see the list of tools in the README"
                place = config.at("limits", table, name) or at
                diagnostics.add(codes.UNKNOWN_LIMITED_TOOL, place, tool=name, nearest=hint)
    return LimitsSpec(
        RatesSpec(
            chosen.all,
            chosen.subject,
            chosen.tools,
            chosen.subject_tools,
            code=chosen.error_code or TOO_MANY_REQUESTS,
            messages=chosen.count is RateCounting.MESSAGES,
            by_address=chosen.anonymous is UnknownCallers.ADDRESS,
            open=chosen.unreachable is UnreachablePolicy.ALLOW,
        ),
        CapsSpec(
            chosen.concurrent,
            chosen.concurrent_subject,
            chosen.call_seconds,
            chosen.result_bytes,
        ),
        chosen.retries,
        chosen.retry_wait_seconds,
        chosen.breaker_failures,
        chosen.breaker_seconds,
        shared=chosen.store is CountStore.REDIS,
    )


def knowledge(config: Config) -> ObservabilitySpec:
    """Returns audit, log and metrics settings.

    Audit records imply OpenTelemetry; JSON logs imply request ids.
    """
    chosen = config.knowledge
    records = chosen.audit is AuditDestination.OPENTELEMETRY
    json_logs = chosen.log is LogFormat.JSON
    return ObservabilitySpec(
        audit_lines=chosen.audit is AuditDestination.LINES,
        audit_required=chosen.audit is AuditDestination.LINES and chosen.audit_required,
        audit_records=records,
        audit_arguments=chosen.audit_arguments,
        json_logs=json_logs,
        request_ids=chosen.request_ids or json_logs,
        opentelemetry=chosen.opentelemetry or records,
        propagate=chosen.propagate,
        prometheus=chosen.prometheus,
    )
