"""The assertions about parts of an outcome. Each function raises AssertionError."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from tests.scenario_engine.fixtures import matches_request
from tests.scenario_engine.matchers import false, format_value
from tests.scenario_engine.outcome import NOTHING, ActionOutcome, compact_size
from tests.scenario_engine.paths import ANYWHERE, PathValues, find_values, parse_path
from tests.support import SentRequest

EVERY = "every"
"""Stands for the names of all tools."""

SHAPE = ("method", "path", "query")
"""The keys that select requests, and claim nothing."""


def assert_path(outcome: ActionOutcome, path: str, claims: dict[str, Any]) -> None:
    """Asserts claims at a path of the result, or of the error."""
    value = outcome.value
    if value is NOTHING:
        raise AssertionError(f"{path}: there is no JSON to look at in {format_value(outcome.body)}")
    if "mirrors" in claims:
        mirrored = find_values(claims["mirrors"], value)
        if not mirrored.values:
            raise AssertionError(f"{path} mirrors {claims['mirrors']}, where nothing stands")
        claims = {**claims, "mirrors": mirrored.whole}
    told = false(claims, values_at(path, outcome, denied=claims.keys() <= {"absent", "lacks"}))
    if told:
        raise AssertionError(f"{path or 'the result'} {told}")


def values_at(path: str, outcome: ActionOutcome, *, denied: bool = False) -> PathValues:
    """The values at a path. A path with `**` also searches JSON in text blocks, the only content of
    some results. Text repeats structured content, so with structured content only claims that are
    `denied` search both."""
    value = outcome.value
    structured = isinstance(value, dict) and "structuredContent" in value
    if ANYWHERE not in parse_path(path) or (structured and not denied):
        return find_values(path, value)
    values = [
        one for whole in (value, *outcome.json_values) for one in find_values(path, whole).values
    ]
    return PathValues(values, True)


def assert_text(outcome: ActionOutcome, claims: dict[str, Any]) -> None:
    """Asserts claims about the text."""
    told = false(claims, PathValues([outcome.text], False))
    if told:
        raise AssertionError(f"text {told}")


def assert_header(outcome: ActionOutcome, name: str, claims: dict[str, Any]) -> None:
    """Asserts claims about a header of the response."""
    values = [text for key, text in outcome.headers.items() if key.lower() == name.lower()]
    told = false(claims, PathValues(values, False))
    if told:
        raise AssertionError(f"header {name} {told}")


def assert_is_error(outcome: ActionOutcome, wanted: bool) -> None:
    """Asserts that a tool's result is an error result, or a success."""
    is_result = isinstance(outcome.result, dict)
    if not is_result or bool(outcome.result.get("isError", False)) is not wanted:
        found = outcome.result if is_result else outcome.value
        told = "no JSON" if found is NOTHING else format_value(found)
        raise AssertionError(f"isError {format_value(wanted)}, but found {told}")


def assert_refused(outcome: ActionOutcome, wanted: bool) -> None:
    """Asserts that an action ended with an error of any form, or with a result or text."""
    if outcome.is_error is not wanted:
        told = format_value(outcome.body)
        raise AssertionError(f"refused {format_value(wanted)}, but found {told}")


def assert_code(outcome: ActionOutcome, code: int) -> None:
    """Asserts that the answer is a JSON-RPC error with this code."""
    error = outcome.error if isinstance(outcome.error, dict) else {}
    if error.get("code") != code:
        raise AssertionError(f"error {code}, but found {format_value(error or outcome.result)}")


def assert_status(outcome: ActionOutcome, status: int) -> None:
    """Asserts the HTTP status of the response, or the exit code of the command."""
    if outcome.status != status:
        raise AssertionError(f"status {status}, but found {outcome.status}")


def assert_bytes(outcome: ActionOutcome, of: str, claims: dict[str, Any]) -> None:
    """Asserts claims about the bytes of a `result`, or of the list of tools, as compact JSON."""
    if outcome.value is NOTHING:
        raise AssertionError(f"bytes of {of}: there is no JSON to weigh")
    bytes_ = compact_size(_tools(outcome) if of == "tools/list" else outcome.value)
    told = false(claims, PathValues([bytes_], False))
    if told:
        raise AssertionError(f"bytes of {of} {told}")


def assert_within(outcome: ActionOutcome, milliseconds: float) -> None:
    """Asserts the longest duration of an action."""
    if outcome.milliseconds > milliseconds:
        took = f"{outcome.milliseconds:.0f}"
        raise AssertionError(f"within {milliseconds} ms, but it took {took} ms")


def assert_tools(
    outcome: ActionOutcome, exactly: Sequence[str], include: Sequence[str], exclude: Sequence[str]
) -> None:
    """Asserts the names of the listed tools, with `*` for any letters: no tools besides `exactly`,
    unless empty, and none of `exclude`."""
    names = [str(tool.get("name")) for tool in _tools(outcome)]
    told = f"but the tools are {format_value(names)}"
    for wanted in (*exactly, *include):
        if not _fitting(names, [wanted]):
            raise AssertionError(f"the tool {wanted} is listed, {told}")
    strangers = [name for name in names if exactly and not _fitting([name], exactly)]
    if strangers:
        raise AssertionError(f"no tool but {format_value(list(exactly))}, {told}")
    if _fitting(names, exclude):
        raise AssertionError(f"no tool {format_value(list(exclude))}, {told}")


def assert_arguments(
    outcome: ActionOutcome, of: Sequence[str] | str, include: Sequence[str], exclude: Sequence[str]
) -> None:
    """Asserts that each listed tool of these names announces the arguments `include` and not
    `exclude`."""
    tools = {str(tool.get("name")): tool for tool in _tools(outcome)}
    wanted = [EVERY] if isinstance(of, str) else list(of)
    named = list(tools) if wanted == [EVERY] else wanted
    if not named:
        raise AssertionError("arguments of tools, but no tool is listed")
    for name in named:
        if name not in tools:
            raise AssertionError(
                f"the tool {name} is listed, but the tools are {format_value([*tools])}"
            )
        arguments = list(tools[name].get("inputSchema", {}).get("properties", {}))
        told = f"but its arguments are {format_value(arguments)}"
        for argument in include:
            if argument not in arguments:
                raise AssertionError(f"{name} announces {argument}, {told}")
        if set(exclude) & set(arguments):
            raise AssertionError(f"{name} announces none of {format_value(list(exclude))}, {told}")


def assert_upstream(requests: Iterable[SentRequest], claims: dict[str, Any]) -> None:
    """Asserts matching upstream requests: the claimed number, or at least one."""
    claims = dict(claims)
    shape = {key: claims.pop(key) for key in SHAPE if key in claims}
    lines = [sent.line for sent in requests if matches_request(sent, **shape)]
    every = [sent.line for sent in requests]
    told = false(claims or {"at_least": 1}, PathValues([lines], False))
    if told:
        of = f" like {format_value(shape)}" if shape else ""
        raise AssertionError(f"requests{of} to the upstream: {told}; it got {format_value(every)}")


def _tools(outcome: ActionOutcome) -> list[Any]:
    """The tools of a result; the result must have the whole list."""
    if isinstance(outcome.result, dict) and isinstance(outcome.result.get("tools"), list):
        if outcome.result.get("nextCursor") is not None:
            raise AssertionError("the whole list of tools, but there is another page of it")
        tools: list[Any] = outcome.result["tools"]
        return tools
    raise AssertionError(f"a list of tools, but found {format_value(outcome.body)}")


def _fitting(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    return [name for name in names if any(fnmatchcase(name, each) for each in patterns)]
