"""Overrides of arguments from `mcpgen.toml` and `x-mcp`: descriptions, defaults, constants,
hidden arguments."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import jsonschema_rs

from mcpgen.config import Config
from mcpgen.config.tables.tools import EVERY
from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ArgumentExtension, Operation, Place
from mcpgen.ir.server import HEADER_KEYWORD, ArgumentSpec, EnvSetting, TextForm, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_schema import (
    MAX_DESCRIPTION,
    constraint_sentences,
    default_sentence,
)
from mcpgen.lower.overrides import SettingsCollector, setting_error
from mcpgen.lower.sanitize_text import end_sentence, sanitize, strip_invisible, truncate
from mcpgen.lower.scenarios import ScenarioBuilder


@dataclass
class ArgumentOverrides:
    """Applies overrides to the tools of one server.

    All tools share `settings`; `names` are the arguments seen, to report overrides without an
    argument.
    """

    scenarios: ScenarioBuilder
    settings: SettingsCollector = field(default_factory=SettingsCollector)
    names: set[str] = field(default_factory=set)

    def apply(self, tool: ToolSpec, operation: Operation, diagnostics: Diagnostics) -> ToolSpec:
        """Returns the tool with its argument overrides applied.

        Adds UNKNOWN_ARGUMENT, UNFIT_VALUE, HIDDEN_ARGUMENT and UNFIT_SETTING.
        """
        overrides = operation.extension.arguments
        if not overrides:
            return tool
        overridden = _ToolOverrides(self, tool, diagnostics)
        arguments = {
            argument.name: argument for argument in tool.arguments if not argument.named_targets
        }
        self.names |= arguments.keys()
        for name, wish in overrides.items():
            if name in arguments:
                overridden.override(arguments[name], wish)
            elif not wish.everywhere:
                _report_unknown_argument(
                    f"`{operation.key}`", name, wish.at, list(arguments), diagnostics
                )
        return overridden.tool()

    def report_unmatched(self, config: Config, at: Location, diagnostics: Diagnostics) -> None:
        """Adds UNKNOWN_ARGUMENT for overrides under `[tools."*"]` that match no argument of any
        tool."""
        for name in config.tools[EVERY].arguments if EVERY in config.tools else ():
            if name not in self.names:
                place = config.at("tools", EVERY, "arguments", name) or at
                _report_unknown_argument(
                    "any operation", name, place, sorted(self.names), diagnostics
                )


def _report_unknown_argument(
    operation: str,
    name: str,
    at: Location,
    known_names: list[str],
    diagnostics: Diagnostics,
) -> None:
    listed = ", ".join(f"`{candidate}`" for candidate in known_names[:12]) or "none"
    diagnostics.add(
        codes.UNKNOWN_ARGUMENT,
        at,
        operation=operation,
        name=truncate(strip_invisible(name), 80),
        nearest=closest_match(name, known_names) or f"its arguments are {listed}",
    )


@dataclass
class _ToolOverrides:
    """Overrides applied to one tool so far."""

    shared: ArgumentOverrides
    original: ToolSpec
    diagnostics: Diagnostics
    changed: dict[str, ArgumentSpec] = field(default_factory=dict)
    filled: dict[str, Json] = field(default_factory=dict)
    settings: dict[str, EnvSetting] = field(default_factory=dict)

    def override(self, argument: ArgumentSpec, wish: ArgumentExtension) -> None:
        """Applies one override, or reports why the override is impossible."""
        value = wish.default if wish.fixed is None else wish.fixed
        if wish.setting is not None:
            self._take_setting(argument, wish, wish.setting)
        elif value is not None:
            value = _as_text(argument, value)
            if reason := self._validation_error(argument, value):
                self._report_unfit(argument, wish, value, reason)
            self.filled[argument.name] = value
        elif wish.hidden and argument.required:
            self._report(codes.HIDDEN_ARGUMENT, argument, wish)
            return
        hidden = wish.hidden or wish.fixed is not None or wish.setting is not None
        default = None if hidden else value
        description = sanitize(wish.description or "", wish.at, self.diagnostics)
        self.changed[argument.name] = replace(
            argument,
            schema=_with_header_keyword(
                _override_schema(argument, description, default), wish.header
            ),
            required=argument.required and value is None and wish.setting is None,
            hidden=hidden,
        )

    def tool(self) -> ToolSpec:
        """Returns the tool with all overrides."""
        return replace(
            self.original,
            arguments=tuple(self._arguments()),
            filled={**self.original.filled, **self.filled},
            settings={**self.original.settings, **self.settings},
        )

    def _arguments(self) -> Iterator[ArgumentSpec]:
        """Yields the arguments without hidden ones that have no value.

        Fixed fields leave the lists `null_fields` and `empty_fields`.
        """
        spoken_for = [
            self.changed[name].target for name in self.changed if self._has_fixed_value(name)
        ]
        valued = self.filled.keys() | self.settings.keys()
        for argument in self.original.arguments:
            if argument.named_targets and spoken_for:
                yield from _remaining_fields(argument, spoken_for)
                continue
            changed = self.changed.get(argument.name, argument)
            if not changed.hidden or changed.name in valued:
                yield changed

    def _has_fixed_value(self, name: str) -> bool:
        argument = self.changed[name]
        decided = argument.hidden or name in self.filled
        return decided and argument.place is Place.BODY and bool(argument.target)

    def _take_setting(self, argument: ArgumentSpec, wish: ArgumentExtension, name: str) -> None:
        sample = self.shared.scenarios.sample_of(argument)
        setting = self.shared.settings.setting_for(name, argument, sample)
        if reason := setting_error(setting, argument):
            self._report(
                codes.UNFIT_SETTING,
                argument,
                wish,
                setting=name,
                reason=reason[0],
                hint=reason[1],
            )
        self.settings[argument.name] = setting

    def _validation_error(self, argument: ArgumentSpec, value: Json) -> str:
        """Why the API would not take a value, in words, or `""`."""
        schema = {
            **argument.schema,
            **({"$defs": self.original.shared} if self.original.shared else {}),
        }
        error = next(jsonschema_rs.Draft202012Validator(schema).iter_errors(value), None)
        if error is not None:
            return truncate(error.message, 200)
        if reason := _decode_error(argument, value):
            return reason
        if argument.place is Place.PATH and value in ("", ".", ".."):
            return "it would change the path"
        return "" if self.original.shared else self.shared.scenarios.fault_of(argument, value)

    def _report_unfit(
        self, argument: ArgumentSpec, wish: ArgumentExtension, value: Json, reason: str
    ) -> None:
        value_text = truncate(
            strip_invisible(value if isinstance(value, str) else json.dumps(value)), 60
        )
        self._report(codes.UNFIT_VALUE, argument, wish, value=value_text, reason=reason)

    def _report(
        self, code: Code, argument: ArgumentSpec, wish: ArgumentExtension, **more: Any
    ) -> None:
        operation = self.original.operation
        self.diagnostics.add(code, wish.at, name=argument.name, operation=operation, **more)


def _as_text(argument: ArgumentSpec, value: Json) -> Json:
    """Returns the value as the argument takes it: a JSON text argument accepts plain JSON in the
    configuration."""
    if argument.text is TextForm.JSON and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


def _decode_error(argument: ArgumentSpec, value: Json) -> str:
    """Returns why a text is not JSON or base64, or `""`."""
    try:
        if argument.text is TextForm.JSON:
            json.loads(value)
        elif argument.text is TextForm.BASE64:
            for text in value if isinstance(value, list) else [value]:
                base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return f"it is no {'JSON' if argument.text is TextForm.JSON else 'base64'}"
    return ""


def _override_schema(argument: ArgumentSpec, description: str, default: Json) -> Mapping[str, Json]:
    """Returns the announced schema with a new description and default."""
    schema = dict(argument.schema)
    description_text = str(schema.get("description", ""))
    if default is not None:
        if "default" in schema:
            description_text = description_text.replace(
                default_sentence(schema["default"]), ""
            ).strip()
        schema["default"] = default
        description_text = f"{description_text} {default_sentence(default)}".strip()
    if description:
        usual = [default_sentence(schema["default"])] if "default" in schema else []
        description_text = " ".join(
            [
                end_sentence(description),
                *constraint_sentences(schema),
                *usual,
                *_signature(argument),
            ]
        )
    return (
        {**schema, "description": truncate(description_text, MAX_DESCRIPTION)}
        if description_text
        else schema
    )


def _with_header_keyword(schema: Mapping[str, Json], header: str | None) -> Mapping[str, Json]:
    """Returns the announced schema with the keyword `x-mcp-header` if a header repeats the
    argument."""
    return {**schema, HEADER_KEYWORD: header} if header else schema


def _signature(argument: ArgumentSpec) -> list[str]:
    """Returns the type notation in the description of a JSON text argument."""
    _, separator, notation = str(argument.schema.get("description", "")).partition("JSON: `")
    return [separator + notation] if argument.text is TextForm.JSON and separator else []


def _remaining_fields(
    argument: ArgumentSpec, spoken_for: list[tuple[str, ...]]
) -> Iterator[ArgumentSpec]:
    """Returns `null_fields` or `empty_fields` without fields around a fixed value; `[]` if no
    field remains."""
    remaining = {
        name: target
        for name, target in argument.named_targets.items()
        if not any(decided[: len(target)] == target for decided in spoken_for)
    }
    if not remaining:
        return
    items = {**argument.schema["items"], "enum": list(remaining)}
    schema = {**argument.schema, "items": items}
    listed, shorter = (" ".join(constraint_sentences(part)) for part in (argument.schema, schema))
    schema["description"] = schema["description"].replace(listed, shorter)
    if argument.nulls:
        yield replace(argument, schema=schema, nulls=remaining)
    else:
        yield replace(argument, schema=schema, empties=remaining)
