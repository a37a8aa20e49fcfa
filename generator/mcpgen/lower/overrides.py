"""Options per tool from `mcpgen.toml`, merged into `x-mcp`; settings from the environment; keys
without effect."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace

import jsonschema_rs

from mcpgen.config import Config, DiscoveryMode, DocsMode, ElicitMode, ScriptMode, ToolConfig
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.config.tables.server import AuditDestination
from mcpgen.config.tables.tools import EVERY
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ArgumentExtension, Operation, Parameter
from mcpgen.ir.server import ArgumentSpec, EnvSetting
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.reserved_parameters import argument_name, is_forwarded

KINDS = ("string", "integer", "number", "boolean")
"""Types that text from the environment can be parsed as."""

RESERVED = frozenset(
    {
        "host",
        "port",
        "upstream",
        "allowed_hosts",
        "allowed_origins",
        "timeout_seconds",
        "request_bytes",
        "result_bytes",
        "stream_items",
        "stream_seconds",
        "variable",
    }
)
"""Fields and methods of the settings of every server."""

_PYDANTIC = ("model_", "settings_", "construct", "copy", "dict", "json", "schema", "validate")
"""Prefixes and names reserved by pydantic."""


@dataclass
class SettingsCollector:
    """Settings of one server, with the type and sample of their first use."""

    by_name: dict[str, EnvSetting] = field(default_factory=dict)

    def setting_for(self, name: str, argument: ArgumentSpec, sample: Json) -> EnvSetting:
        """Returns the setting of a name, created for `argument` on first use."""
        kind = argument.schema.get("type")
        setting = EnvSetting(name, kind if isinstance(kind, str) else "", sample)
        return self.by_name.setdefault(name, setting)


def setting_error(setting: EnvSetting, argument: ArgumentSpec) -> tuple[str, str] | None:
    """Returns reason and hint why a setting cannot be the value of an argument, else None."""
    kind = argument.schema.get("type")
    if setting.name in RESERVED or setting.name.startswith(_PYDANTIC):
        return "every server has a setting of that name", "choose another name"
    if keyword.iskeyword(setting.name):
        return "Python keeps that word for itself", "choose another name"
    if kind not in KINDS or argument.text is not None:
        return "it takes no single value", "give it a `fixed` value"
    if kind != setting.kind:
        reason = f"it takes {kind}, where another argument takes {setting.kind or 'something else'}"
        return reason, "use two settings"
    if not jsonschema_rs.is_valid(dict(argument.schema), setting.sample):
        return (
            "no value is known that it and the setting's other arguments take",
            "use two settings",
        )
    return None


def with_tool_options(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> tuple[Operation, ...]:
    """The operations with the user's words in place of the author's, argument by argument.

    Adds UNMATCHED_TOOL for tables about no operation, and SAID_TWICE.
    """
    names = [name for operation in operations for name in (operation.id, operation.key) if name]
    for key in config.tools:
        if key not in names and key != EVERY:
            hint = closest_match(key, names) or "see the operations of the document"
            place = config.at("tools", key) or at
            diagnostics.add(codes.UNMATCHED_TOOL, place, operation=key, nearest=hint)
    merged = [_with_choice(operation, config, diagnostics) for operation in operations]
    return _with_forwarded_settings(merged, diagnostics)


def _with_forwarded_settings(
    operations: Sequence[Operation], diagnostics: Diagnostics
) -> tuple[Operation, ...]:
    """Returns the operations with required forwarding headers taken from the environment.

    Such headers are facts of the deployment, unknown to a model. An explicit override wins. Adds
    FORWARDED_SETTING once per header.
    """
    result: list[Operation] = []
    users: dict[str, list[tuple[Operation, Parameter]]] = {}
    for operation in operations:
        wishes: dict[str, ArgumentExtension] = {}
        for parameter in operation.parameters:
            if not _needs_setting(parameter):
                continue
            name = argument_name(parameter)
            if name not in operation.extension.arguments:
                wishes[name] = ArgumentExtension(parameter.at, setting=name, everywhere=True)
                users.setdefault(name, []).append((operation, parameter))
        if wishes:
            extension = operation.extension
            arguments = {**wishes, **extension.arguments}
            operation = replace(operation, extension=replace(extension, arguments=arguments))
        result.append(operation)
    for name, asking in users.items():
        operation, parameter = asking[0]
        diagnostics.add(
            codes.FORWARDED_SETTING,
            parameter.at,
            name=parameter.name,
            operation=operation.key,
            more=f" and {len(asking) - 1} more" if len(asking) > 1 else "",
            setting=name,
        )
    return tuple(result)


def _needs_setting(parameter: Parameter) -> bool:
    """True for a required forwarding header with an open scalar value."""
    schema = parameter.schema.json
    if not is_forwarded(parameter) or not parameter.required or not isinstance(schema, dict):
        return False
    is_fixed = "const" in schema or len(schema.get("enum", (0, 0))) == 1
    return schema.get("type") in KINDS and not is_fixed


def options_of_tool(operation: Operation, config: Config) -> ToolConfig:
    """Returns the table `[tools."…"]` of an operation, an empty `ToolConfig` without one."""
    return next((config.tools[name] for name in _table_keys(operation, config)), ToolConfig())


def _table_keys(operation: Operation, config: Config) -> list[str]:
    """Returns the keys under which an operation has tables."""
    return [name for name in (operation.key, operation.id) if name in config.tools]


def _with_choice(operation: Operation, config: Config, diagnostics: Diagnostics) -> Operation:
    names = _table_keys(operation, config)
    if not names and EVERY not in config.tools:
        return operation
    if len(names) > 1:
        first, second = names
        diagnostics.add(
            codes.SAID_TWICE,
            config.at("tools", second) or operation.at,
            operation=operation.key,
            first=first,
            second=second,
        )
    authored = operation.extension
    wishes = {**_argument_overrides(EVERY, operation, config), **authored.arguments}
    choice = ToolConfig()
    if names:
        choice = config.tools[names[0]]
        wishes |= _argument_overrides(names[0], operation, config)
    extension = replace(
        authored,
        title=choice.title or authored.title,
        description=choice.description or authored.description,
        arguments=wishes,
    )
    return replace(operation, extension=extension)


def _argument_overrides(
    name: str, operation: Operation, config: Config
) -> dict[str, ArgumentExtension]:
    """Returns the argument overrides of one table."""
    choice = config.tools.get(name, ToolConfig())
    return {
        argument: ArgumentExtension(
            at=config.at("tools", name, "arguments", argument) or operation.at,
            description=override.description,
            fixed=override.fixed,
            default=override.default,
            setting=override.setting,
            hidden=override.hidden,
            header=override.header,
            everywhere=name == EVERY,
        )
        for argument, override in choice.arguments.items()
    }


def report_unused_keys(config: Config, diagnostics: Diagnostics, *, has_resources: bool) -> None:
    """Adds IDLE_KEY for every written key of `mcpgen.toml` without effect."""
    for table, keys, needed in _unused_keys(config, has_resources):
        for key in keys:
            if place := config.at(table, key):
                diagnostics.add(lower_codes.IDLE_KEY, place, key=f"{table}.{key}", needed=needed)


def _unused_keys(config: Config, has_resources: bool) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yields table, keys and the missing setting that the keys need."""
    if config.scripting.mode is not ScriptMode.ON:
        yield "script", ("name", "root"), '`script.mode = "on"`'
    if config.documenting.mode is not DocsMode.ON:
        yield "docs", ("name",), '`docs.mode = "on"`'
    if config.eliciting.mode is not ElicitMode.ON:
        yield "elicitation", ("name",), '`elicitation.mode = "on"`'
    if not config.eliciting.sessions:
        yield "elicitation", ("resumable",), "`elicitation.sessions = true`"
    if config.finding.mode is not DiscoveryMode.ON:
        yield "discovery", ("pinned",), '`discovery.mode = "on"`'
    if not has_resources:
        yield "notices", ("changes",), "a resource"
    limits, confirming = config.limits, config.confirming
    has_rates = limits.all or limits.subject or limits.tools or limits.subject_tools
    has_confirmations = confirming.destructive or confirming.tools or confirming.scopes
    if not (has_rates or limits.breaker_failures or has_confirmations or config.notices.changes):
        needed = "a rate, `limits.breaker_failures`, `[confirm]` or `notices.changes`"
        yield "limits", ("store",), needed
    if config.observability.audit is not AuditDestination.LINES:
        yield "audit", ("required",), '`audit.to = "lines"`'
    if not config.authentication.required:
        chosen = config.authentication
        names = (
            option.name for option in fields(AuthenticationConfig) if option.name != "required"
        )
        # `mcpgen new` writes every table, with its keys as comments.
        keys = tuple(name for name in names if getattr(chosen, name) != {})
        yield "authentication", keys, "`authentication.required = true`"
    if not config.registry.url:
        yield "registry", ("flow", "ttl_seconds"), "`registry.url`"
