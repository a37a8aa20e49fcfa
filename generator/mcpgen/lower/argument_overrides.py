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
from mcpgen.ir.api import ArgumentExtension, Operation, Place
from mcpgen.ir.server import MIRROR, ArgumentSpec, EnvSetting, TextForm, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_schema import constraint_sentences, default_of
from mcpgen.lower.flatten.describe import LONGEST
from mcpgen.lower.overrides import SettingsCollector, unfit
from mcpgen.lower.sanitize_text import clean, end_sentence, strip_invisible, truncate
from mcpgen.lower.scenarios import ScenarioBuilder
from mcpgen.lower.selectors import closest_match


@dataclass
class ArgumentOverrides:
    """Applies overrides to the tools of one server.

    All tools share `settings`; `names` are the arguments seen, to report overrides without an
    argument.
    """

    scenarios: ScenarioBuilder
    settings: SettingsCollector = field(default_factory=SettingsCollector)
    names: set[str] = field(default_factory=set)

    def shaped(self, tool: ToolSpec, operation: Operation, diagnostics: Diagnostics) -> ToolSpec:
        """Returns the tool with its argument overrides applied.

        Adds UNKNOWN_ARGUMENT, UNFIT_VALUE, HIDDEN_ARGUMENT and UNFIT_SETTING.
        """
        said = operation.extension.arguments
        if not said:
            return tool
        shape = _Shape(self, tool, diagnostics)
        known = {argument.name: argument for argument in tool.arguments if not argument.fills}
        self.names |= known.keys()
        for name, wish in said.items():
            if name in known:
                shape.take(known[name], wish)
            elif not wish.everywhere:
                _tell_unknown(f"`{operation.key}`", name, wish.at, list(known), diagnostics)
        return shape.tool()

    def tell_unmet(self, config: Config, at: Location, diagnostics: Diagnostics) -> None:
        """Adds UNKNOWN_ARGUMENT for overrides under `[tools."*"]` that match no argument of any
        tool."""
        for name in config.tools[EVERY].arguments if EVERY in config.tools else ():
            if name not in self.names:
                place = config.at("tools", EVERY, "arguments", name) or at
                _tell_unknown("any operation", name, place, sorted(self.names), diagnostics)


def _tell_unknown(
    operation: str,
    name: str,
    at: Location,
    known: list[str],
    diagnostics: Diagnostics,
) -> None:
    listed = ", ".join(f"`{one}`" for one in known[:12]) or "none"
    diagnostics.add(
        codes.UNKNOWN_ARGUMENT,
        at,
        operation=operation,
        name=truncate(strip_invisible(name), 80),
        nearest=closest_match(name, known) or f"its arguments are {listed}",
    )


@dataclass
class _Shape:
    """Overrides applied to one tool so far."""

    shaper: ArgumentOverrides
    made: ToolSpec
    diagnostics: Diagnostics
    changed: dict[str, ArgumentSpec] = field(default_factory=dict)
    filled: dict[str, Json] = field(default_factory=dict)
    settings: dict[str, EnvSetting] = field(default_factory=dict)

    def take(self, argument: ArgumentSpec, wish: ArgumentExtension) -> None:
        """Applies one override, or reports why the override is impossible."""
        value = wish.default if wish.fixed is None else wish.fixed
        if wish.setting is not None:
            self._take_setting(argument, wish, wish.setting)
        elif value is not None:
            value = _as_text(argument, value)
            if reason := self._unfit(argument, value):
                self._tell_unfit(argument, wish, value, reason)
            self.filled[argument.name] = value
        elif wish.hidden and argument.required:
            self._tell(codes.HIDDEN_ARGUMENT, argument, wish)
            return
        hidden = wish.hidden or wish.fixed is not None or wish.setting is not None
        default = None if hidden else value
        told = clean(wish.description or "", wish.at, self.diagnostics)
        self.changed[argument.name] = replace(
            argument,
            schema=_mirrored(_schema(argument, told, default), wish.header),
            required=argument.required and value is None and wish.setting is None,
            hidden=hidden,
        )

    def tool(self) -> ToolSpec:
        """Returns the tool with all overrides."""
        return replace(
            self.made,
            arguments=tuple(self._arguments()),
            filled={**self.made.filled, **self.filled},
            settings={**self.made.settings, **self.settings},
        )

    def _arguments(self) -> Iterator[ArgumentSpec]:
        """Yields the arguments without hidden ones that have no value.

        Fixed fields leave the lists `null_fields` and `empty_fields`.
        """
        spoken_for = [self.changed[name].target for name in self.changed if self._is_decided(name)]
        valued = self.filled.keys() | self.settings.keys()
        for argument in self.made.arguments:
            if argument.fills and spoken_for:
                yield from _filling(argument, spoken_for)
                continue
            kept = self.changed.get(argument.name, argument)
            if not kept.hidden or kept.name in valued:
                yield kept

    def _is_decided(self, name: str) -> bool:
        argument = self.changed[name]
        decided = argument.hidden or name in self.filled
        return decided and argument.place is Place.BODY and bool(argument.target)

    def _take_setting(self, argument: ArgumentSpec, wish: ArgumentExtension, name: str) -> None:
        sample = self.shaper.scenarios.sample_of(argument)
        setting = self.shaper.settings.known(name, argument, sample)
        if reason := unfit(setting, argument):
            self._tell(
                codes.UNFIT_SETTING,
                argument,
                wish,
                setting=name,
                reason=reason[0],
                hint=reason[1],
            )
        self.settings[argument.name] = setting

    def _unfit(self, argument: ArgumentSpec, value: Json) -> str:
        """Why the API would not take a value, in words, or `""`."""
        schema = {**argument.schema, **({"$defs": self.made.shared} if self.made.shared else {})}
        error = next(jsonschema_rs.Draft202012Validator(schema).iter_errors(value), None)
        if error is not None:
            return truncate(error.message, 200)
        if reason := _unreadable(argument, value):
            return reason
        if argument.place is Place.PATH and value in ("", ".", ".."):
            return "it would change the path"
        return "" if self.made.shared else self.shaper.scenarios.fault_of(argument, value)

    def _tell_unfit(
        self, argument: ArgumentSpec, wish: ArgumentExtension, value: Json, reason: str
    ) -> None:
        shown = truncate(
            strip_invisible(value if isinstance(value, str) else json.dumps(value)), 60
        )
        self._tell(codes.UNFIT_VALUE, argument, wish, value=shown, reason=reason)

    def _tell(
        self, code: Code, argument: ArgumentSpec, wish: ArgumentExtension, **more: Any
    ) -> None:
        operation = self.made.operation
        self.diagnostics.add(code, wish.at, name=argument.name, operation=operation, **more)


def _as_text(argument: ArgumentSpec, value: Json) -> Json:
    """Returns the value as the argument takes it: a JSON text argument accepts plain JSON in the
    configuration."""
    if argument.text is TextForm.JSON and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


def _unreadable(argument: ArgumentSpec, value: Json) -> str:
    """Returns why a text is not JSON or base64, or `""`."""
    try:
        if argument.text is TextForm.JSON:
            json.loads(value)
        elif argument.text is TextForm.BASE64:
            for one in value if isinstance(value, list) else [value]:
                base64.b64decode(one, validate=True)
    except (ValueError, binascii.Error):
        return f"it is no {'JSON' if argument.text is TextForm.JSON else 'base64'}"
    return ""


def _schema(argument: ArgumentSpec, description: str, default: Json) -> Mapping[str, Json]:
    """Returns the announced schema with a new description and default."""
    schema = dict(argument.schema)
    told = str(schema.get("description", ""))
    if default is not None:
        if "default" in schema:
            told = told.replace(default_of(schema["default"]), "").strip()
        schema["default"] = default
        told = f"{told} {default_of(default)}".strip()
    if description:
        usual = [default_of(schema["default"])] if "default" in schema else []
        told = " ".join(
            [
                end_sentence(description),
                *constraint_sentences(schema),
                *usual,
                *_signature(argument),
            ]
        )
    return {**schema, "description": truncate(told, LONGEST)} if told else schema


def _mirrored(schema: Mapping[str, Json], header: str | None) -> Mapping[str, Json]:
    """Returns the announced schema with the keyword `x-mcp-header` if a header repeats the
    argument."""
    return {**schema, MIRROR: header} if header else schema


def _signature(argument: ArgumentSpec) -> list[str]:
    """Returns the type notation in the description of a JSON text argument."""
    _, found, written = str(argument.schema.get("description", "")).partition("JSON: `")
    return [found + written] if argument.text is TextForm.JSON and found else []


def _filling(argument: ArgumentSpec, spoken_for: list[tuple[str, ...]]) -> Iterator[ArgumentSpec]:
    """Returns `null_fields` or `empty_fields` without fields around a fixed value; `[]` if no
    field remains."""
    kept = {
        name: target
        for name, target in argument.fills.items()
        if not any(taken[: len(target)] == target for taken in spoken_for)
    }
    if not kept:
        return
    items = {**argument.schema["items"], "enum": list(kept)}
    schema = {**argument.schema, "items": items}
    if argument.nulls:
        yield replace(argument, schema=schema, nulls=kept)
    else:
        yield replace(argument, schema=schema, empties=kept)
