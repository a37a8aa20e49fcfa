"""The tools of a server under all the names that the user may call them by."""

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
"""Stands for every tool that has no entry of its own."""


@dataclass(frozen=True, slots=True)
class ToolAliases:
    """What a policy speaks of."""

    tools: Sequence[ToolSpec]
    operations: Sequence[Operation]
    config: Config
    diagnostics: Diagnostics
    _by_key: Mapping[str, Operation] = field(init=False)

    def __post_init__(self) -> None:
        """Finds each operation once, since every tool is asked for its own."""
        object.__setattr__(self, "_by_key", {each.key: each for each in self.operations})

    def operation(self, tool: ToolSpec) -> Operation:
        """The operation of a tool."""
        return self._by_key[tool.operation]

    def named(self, asked: str) -> ToolSpec | None:
        """The tool called so: by its own name, its operationId or `GET /pets/{id}`."""
        return next((tool for tool in self.tools if asked in self._names(tool)), None)

    def by_tool(
        self,
        table: str,
        entries: Mapping[str, tuple[str, ...]],
        beside: Collection[str] = (),
    ) -> dict[str, tuple[str, ...]]:
        """The entries of a table of `mcpgen.toml` by tool name, those of `*` for all without one but
        the tools `beside` those of the API. Adds UNKNOWN_TOOL."""
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
        """Where the file says something, or where it would."""
        return self.config.at(*path) or Location("mcpgen.toml", path)

    def tell_unknown(self, table: str, asked: str, at: Location) -> None:
        """Says that there is no such tool."""
        names = [name for tool in self.tools for name in self._names(tool)]
        hint = closest_match(asked, names) or "see the tools in the README of the project"
        self.diagnostics.add(codes.UNKNOWN_TOOL, at, table=table, asked=asked, nearest=hint)

    def _names(self, tool: ToolSpec) -> tuple[str, ...]:
        id = self.operation(tool).id
        return (tool.name, tool.operation, *((id,) if id else ()))


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


def opt_in_features(known: ToolAliases) -> tuple[OptInSpec, ...]:
    """The features that the user has named, in their order. Adds UNKNOWN_TOOL and
    UNKNOWN_FEATURE."""
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
    """The policy of a server with these tools. Adds MG272, MG373, MG390 to MG392, MG394, MG396
    and MG399."""
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
    """What callers have to show, as the user has chosen."""
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
    """What is confirmed, in the order of the tools; None where nothing is.

    Adds UNKNOWN_CONFIRMED for a tool that is not there or a scope that no tool needs, and
    NOTHING_CONFIRMED where the keys choose no tool at all; CONFIRMED_BY_ONE where manifests start several
    instances that share no used confirmations.
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
"""The HTTP status of a call over its rate, and the code of its error unless another is chosen:
JSON-RPC keeps none for it, and numbers of that size are free."""


def limits(
    config: Config, tools: Collection[str], diagnostics: Diagnostics, at: Location
) -> LimitsSpec:
    """The limits. Adds UNKNOWN_LIMITED_TOOL for a rate of a tool that is not there."""
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
    """Who is told what. Events that go to OpenTelemetry need its providers, and a log of lines its
    ids."""
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
