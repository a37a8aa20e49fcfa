"""Assertions about parts of an outcome. A false assertion raises AssertionError."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from tests.scenario_engine.fixtures import matches_request
from tests.scenario_engine.matchers import describe_false_claim, format_value
from tests.scenario_engine.outcome import NOT_JSON, ActionOutcome
from tests.scenario_engine.paths import ANYWHERE, PathValues, find_values, parse_path
from tests.support import SentRequest, json_size

EVERY = "every"
"""Stands for the names of all tools."""

REQUEST_KEYS = ("method", "path", "query")
"""Keys of an assertion on the upstream that select requests; the other keys are claims."""


def assert_path(outcome: ActionOutcome, path: str, claims: dict[str, Any]) -> None:
    """Asserts claims at a path of the result, or of the error."""
    value = outcome.value
    if value is NOT_JSON:
        raise AssertionError(f"{path}: there is no JSON to look at in {format_value(outcome.body)}")
    if "mirrors" in claims:
        original = find_values(claims["mirrors"], value)
        if not original.values:
            raise AssertionError(f"{path} mirrors {claims['mirrors']}, where nothing stands")
        claims = {**claims, "mirrors": original.value_or_list}
    is_denial = claims.keys() <= {"absent", "lacks"}
    message = describe_false_claim(claims, values_at(path, outcome, is_denial=is_denial))
    if message:
        raise AssertionError(f"{path or 'the result'} {message}")


def values_at(path: str, outcome: ActionOutcome, *, is_denial: bool = False) -> PathValues:
    """Returns the values at a path of the result, or of the error.

    A path with `**` also searches JSON in the text blocks of a result without structured content.
    The text blocks of a result with structured content repeat the structured content, so that
    claims such as `count` would see each value twice; only a denial (`absent`, `lacks`) searches
    both.
    """
    value = outcome.value
    has_structured_content = isinstance(value, dict) and "structuredContent" in value
    if ANYWHERE not in parse_path(path) or (has_structured_content and not is_denial):
        return find_values(path, value)
    roots = (value, *outcome.json_values)
    return PathValues([found for root in roots for found in find_values(path, root).values], True)


def assert_text(outcome: ActionOutcome, claims: dict[str, Any]) -> None:
    """Asserts claims about the text."""
    message = describe_false_claim(claims, PathValues([outcome.text], False))
    if message:
        raise AssertionError(f"text {message}")


def assert_header(outcome: ActionOutcome, name: str, claims: dict[str, Any]) -> None:
    """Asserts claims about a header of the response."""
    values = [text for key, text in outcome.headers.items() if key.lower() == name.lower()]
    message = describe_false_claim(claims, PathValues(values, False))
    if message:
        raise AssertionError(f"header {name} {message}")


def assert_is_error(outcome: ActionOutcome, expected: bool) -> None:
    """Asserts that a tool's result is an error result, or, with `expected` False, a success."""
    is_result = isinstance(outcome.result, dict)
    if not is_result or bool(outcome.result.get("isError", False)) is not expected:
        value = outcome.result if is_result else outcome.value
        shown = "no JSON" if value is NOT_JSON else format_value(value)
        raise AssertionError(f"isError {format_value(expected)}, but found {shown}")


def assert_refused(outcome: ActionOutcome, expected: bool) -> None:
    """Asserts that an action ended with an error of any form, or, with `expected` False, without."""
    if outcome.is_error is not expected:
        body = format_value(outcome.body)
        raise AssertionError(f"refused {format_value(expected)}, but found {body}")


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
    if outcome.value is NOT_JSON:
        raise AssertionError(f"bytes of {of}: there is no JSON to measure")
    size = json_size(_listed_tools(outcome) if of == "tools/list" else outcome.value)
    message = describe_false_claim(claims, PathValues([size], False))
    if message:
        raise AssertionError(f"bytes of {of} {message}")


def assert_within(outcome: ActionOutcome, milliseconds: float) -> None:
    """Asserts the longest duration of an action."""
    if outcome.milliseconds > milliseconds:
        duration = f"{outcome.milliseconds:.0f}"
        raise AssertionError(f"within {milliseconds} ms, but it took {duration} ms")


def assert_tools(
    outcome: ActionOutcome, exactly: Sequence[str], include: Sequence[str], exclude: Sequence[str]
) -> None:
    """Asserts the names of the listed tools; `*` in a name stands for any letters.

    Every name of `exactly` and `include` is listed and no name of `exclude`. No other tool than
    `exactly` is listed, unless `exactly` is empty.
    """
    names = [str(tool.get("name")) for tool in _listed_tools(outcome)]
    actual = f"but the tools are {format_value(names)}"
    for pattern in (*exactly, *include):
        if not _matching_names(names, [pattern]):
            raise AssertionError(f"the tool {pattern} is listed, {actual}")
    if exactly and len(_matching_names(names, exactly)) < len(names):
        raise AssertionError(f"no tool but {format_value(list(exactly))}, {actual}")
    if _matching_names(names, exclude):
        raise AssertionError(f"no tool {format_value(list(exclude))}, {actual}")


def assert_arguments(
    outcome: ActionOutcome, of: Sequence[str] | str, include: Sequence[str], exclude: Sequence[str]
) -> None:
    """Asserts that each tool announces the arguments `include` and no argument of `exclude`.

    `of` has the names of the tools; `EVERY`, also in a list, stands for all listed tools.
    """
    tools = {str(tool.get("name")): tool for tool in _listed_tools(outcome)}
    names = [EVERY] if isinstance(of, str) else list(of)
    names = list(tools) if names == [EVERY] else names
    if not names:
        raise AssertionError("arguments of tools, but no tool is listed")
    for name in names:
        if name not in tools:
            raise AssertionError(
                f"the tool {name} is listed, but the tools are {format_value([*tools])}"
            )
        arguments = list(tools[name].get("inputSchema", {}).get("properties", {}))
        actual = f"but its arguments are {format_value(arguments)}"
        for argument in include:
            if argument not in arguments:
                raise AssertionError(f"{name} announces {argument}, {actual}")
        if set(exclude) & set(arguments):
            raise AssertionError(
                f"{name} announces none of {format_value(list(exclude))}, {actual}"
            )


def assert_upstream(requests: Sequence[SentRequest], claims: dict[str, Any]) -> None:
    """Asserts claims about the number of upstream requests that `REQUEST_KEYS` select; without a
    claim, at least one request."""
    claims = dict(claims)
    selection = {key: claims.pop(key) for key in REQUEST_KEYS if key in claims}
    lines = [request.line for request in requests if matches_request(request, **selection)]
    message = describe_false_claim(claims or {"at_least": 1}, PathValues([lines], False))
    if message:
        kind = f" like {format_value(selection)}" if selection else ""
        every_line = format_value([request.line for request in requests])
        raise AssertionError(f"requests{kind} to the upstream: {message}; it got {every_line}")


def _listed_tools(outcome: ActionOutcome) -> list[Any]:
    """Returns the tools of a result. Raises AssertionError for a page, because an assertion on a
    part of the list would say nothing about the other tools."""
    if isinstance(outcome.result, dict) and isinstance(outcome.result.get("tools"), list):
        if outcome.result.get("nextCursor") is not None:
            raise AssertionError("the whole list of tools, but there is another page of it")
        tools: list[Any] = outcome.result["tools"]
        return tools
    raise AssertionError(f"a list of tools, but found {format_value(outcome.body)}")


def _matching_names(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]
