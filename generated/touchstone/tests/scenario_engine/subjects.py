"""What an assertion looks at, in what an action brought back. Each raises AssertionError."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from tests.scenario_engine.backdrop import asks
from tests.scenario_engine.claims import false, shown
from tests.scenario_engine.outcome import NOTHING, Outcome, weight
from tests.scenario_engine.paths import ANYWHERE, Found, found, parsed
from tests.support import Sent

EVERY = "every"
"""Stands for the names of all tools."""

SHAPE = ("method", "path", "query")
"""What says which requests are counted, and claims nothing of them."""


def assert_path(outcome: Outcome, path: str, claims: dict[str, Any]) -> None:
    """That claims hold at a path of the result, or of the error."""
    value = outcome.value
    if value is NOTHING:
        raise AssertionError(f"{path}: there is no JSON to look at in {shown(outcome.body)}")
    if "mirrors" in claims:
        mirrored = found(claims["mirrors"], value)
        if not mirrored.values:
            raise AssertionError(f"{path} mirrors {claims['mirrors']}, where nothing stands")
        claims = {**claims, "mirrors": mirrored.whole}
    told = false(claims, _found(path, outcome, value, denied=claims.keys() <= {"absent", "lacks"}))
    if told:
        raise AssertionError(f"{path or 'the result'} {told}")


def _found(path: str, outcome: Outcome, value: Any, *, denied: bool) -> Found:
    """What stands at a path. One of any depth leads into JSON in text blocks too, which is the only
    content of some results; where there is structured content the text repeats it, so that only what
    is `denied` is looked for in both."""
    structured = isinstance(value, dict) and "structuredContent" in value
    if ANYWHERE not in parsed(path) or (structured and not denied):
        return found(path, value)
    values = [one for whole in (value, *outcome.said) for one in found(path, whole).values]
    return Found(values, True)


def assert_text(outcome: Outcome, claims: dict[str, Any]) -> None:
    """That claims hold for the text."""
    told = false(claims, Found([outcome.text], False))
    if told:
        raise AssertionError(f"text {told}")


def assert_header(outcome: Outcome, name: str, claims: dict[str, Any]) -> None:
    """That claims hold for a header of the response."""
    values = [text for key, text in outcome.headers.items() if key.lower() == name.lower()]
    told = false(claims, Found(values, False))
    if told:
        raise AssertionError(f"header {name} {told}")


def assert_is_error(outcome: Outcome, wanted: bool) -> None:
    """That a tool's result is an error result, or that it is none."""
    is_result = isinstance(outcome.result, dict)
    if not is_result or bool(outcome.result.get("isError", False)) is not wanted:
        found = outcome.result if is_result else outcome.value
        told = "no JSON" if found is NOTHING else shown(found)
        raise AssertionError(f"isError {shown(wanted)}, but found {told}")


def assert_code(outcome: Outcome, code: int) -> None:
    """That the answer is an error of JSON-RPC with this code."""
    error = outcome.error if isinstance(outcome.error, dict) else {}
    if error.get("code") != code:
        raise AssertionError(f"error {code}, but found {shown(error or outcome.result)}")


def assert_status(outcome: Outcome, status: int) -> None:
    """That the response has this status, or the command this exit code."""
    if outcome.status != status:
        raise AssertionError(f"status {status}, but found {outcome.status}")


def assert_bytes(outcome: Outcome, of: str, claims: dict[str, Any]) -> None:
    """That claims hold for what a `result`, or the list of tools in it, weighs as compact JSON."""
    if outcome.value is NOTHING:
        raise AssertionError(f"bytes of {of}: there is no JSON to weigh")
    bytes_ = weight(_tools(outcome) if of == "tools/list" else outcome.value)
    told = false(claims, Found([bytes_], False))
    if told:
        raise AssertionError(f"bytes of {of} {told}")


def assert_within(outcome: Outcome, milliseconds: float) -> None:
    """That an action took at most so long."""
    if outcome.milliseconds > milliseconds:
        took = f"{outcome.milliseconds:.0f}"
        raise AssertionError(f"within {milliseconds} ms, but it took {took} ms")


def assert_tools(
    outcome: Outcome, exactly: Sequence[str], include: Sequence[str], exclude: Sequence[str]
) -> None:
    """That the listed tools have these names, `*` standing for any letters: none besides `exactly`,
    unless that is empty, and none of `exclude`."""
    names = [str(tool.get("name")) for tool in _tools(outcome)]
    told = f"but the tools are {shown(names)}"
    for wanted in (*exactly, *include):
        if not _fitting(names, [wanted]):
            raise AssertionError(f"the tool {wanted} is listed, {told}")
    strangers = [name for name in names if exactly and not _fitting([name], exactly)]
    if strangers:
        raise AssertionError(f"no tool but {shown(list(exactly))}, {told}")
    if _fitting(names, exclude):
        raise AssertionError(f"no tool {shown(list(exclude))}, {told}")


def assert_arguments(
    outcome: Outcome, of: Sequence[str] | str, include: Sequence[str], exclude: Sequence[str]
) -> None:
    """That each of the listed tools of these names announces some arguments and not others."""
    tools = {str(tool.get("name")): tool for tool in _tools(outcome)}
    wanted = [EVERY] if isinstance(of, str) else list(of)
    named = list(tools) if wanted == [EVERY] else wanted
    if not named:
        raise AssertionError("arguments of tools, but no tool is listed")
    for name in named:
        if name not in tools:
            raise AssertionError(f"the tool {name} is listed, but the tools are {shown([*tools])}")
        arguments = list(tools[name].get("inputSchema", {}).get("properties", {}))
        told = f"but its arguments are {shown(arguments)}"
        for argument in include:
            if argument not in arguments:
                raise AssertionError(f"{name} announces {argument}, {told}")
        if set(exclude) & set(arguments):
            raise AssertionError(f"{name} announces none of {shown(list(exclude))}, {told}")


def assert_upstream(requests: Iterable[Sent], claims: dict[str, Any]) -> None:
    """That the upstream got such requests: as many as claimed, or at least one."""
    claims = dict(claims)
    shape = {key: claims.pop(key) for key in SHAPE if key in claims}
    lines = [sent.line for sent in requests if asks(sent, **shape)]
    every = [sent.line for sent in requests]
    told = false(claims or {"at_least": 1}, Found([lines], False))
    if told:
        of = f" like {shown(shape)}" if shape else ""
        raise AssertionError(f"requests{of} to the upstream: {told}; it got {shown(every)}")


def _tools(outcome: Outcome) -> list[Any]:
    """The tools that a result lists, which has to be all of the list."""
    if isinstance(outcome.result, dict) and isinstance(outcome.result.get("tools"), list):
        if outcome.result.get("nextCursor") is not None:
            raise AssertionError("the whole list of tools, but there is another page of it")
        tools: list[Any] = outcome.result["tools"]
        return tools
    raise AssertionError(f"a list of tools, but found {shown(outcome.body)}")


def _fitting(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    return [name for name in names if any(fnmatchcase(name, each) for each in patterns)]
