"""Mutants of the source of the plain server and of the official Python SDK."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from benchmarks.mutation.mutant import Mutant
from benchmarks.mutation.python_source import SourceMutation, apply_mutation, source_mutations
from benchmarks.mutation.servers import fixture

PLAIN = "benchmarks.mutation.servers.plain"
SDK = "benchmarks.mutation.servers.python_sdk"
MODULES = {
    "plain": {PLAIN: ""},
    "python-sdk": {
        "mcp.server.streamable_http": "transport",
        "mcp.server.streamable_http_manager": "sessions",
        "mcp.server._streamable_http_modern": "transport",
        "mcp.server.runner": "lifecycle",
        "mcp.server.lowlevel.server": "lifecycle",
        "mcp.server.session": "notifications",
        "mcp.server.connection": "notifications",
        "mcp.server.subscriptions": "subscriptions",
        "mcp.server.caching": "lifecycle",
        "mcp.server.transport_security": "security",
        "mcp.server.auth.middleware.bearer_auth": "authorization",
        "mcp.server.auth.routes": "authorization",
        "mcp.shared.inbound": "headers",
        "mcp.shared.jsonrpc_dispatcher": "JSON-RPC",
        SDK: "features",
    },
}
"""The mutated modules of each server with their areas; the plain server's areas are by function."""

_PLAIN_AREAS = {
    "sessions": ("get", "delete", "find_session", "missed_events", "Session"),
    "security": ("check_origin",),
    "authorization": ("metadata", "check_token"),
    "JSON-RPC": ("batch", "single", "check_envelope", "accept", "RpcError", "error_answer"),
    "headers": (
        "check_modern",
        "is_modern",
        "check_mirrored",
        "_decode_header",
        "_is_mirrored",
        "post",
    ),
    "lifecycle": ("initialize", "discover", "session_result", "stateless_result", "result"),
    "tool calls": ("call", "_block"),
    "resources": ("read",),
    "prompts": ("prompt",),
    "completion": ("complete",),
    "pagination": ("page", "_cursor"),
    "event streams": ("add_ids", "result_answer", "_encode_event", "StreamEvent"),
    "notifications": ("notifications", "subscription", "_notification"),
    "transport": ("serve", "_encode", "_read_request", "_chunks", "Answer", "HttpRefusal"),
}
_PURGED = {"plain": (PLAIN,), "python-sdk": ("mcp", SDK)}
"""Modules that are imported anew for a mutant; the rest is imported once."""

Serving = Callable[[bool], AbstractContextManager[str]]
"""Serves with or without a token; yields the URL."""


@dataclass(frozen=True)
class CodeMutant:
    """A mutant with the module and the mutation."""

    mutant: Mutant
    module: str
    mutation: SourceMutation


@cache
def code_mutants(server: str) -> dict[str, CodeMutant]:
    """Every mutant of a server's source, by id: `SERVER:MODULE:LINE:COLUMN:OPERATOR`."""
    result: dict[str, CodeMutant] = {}
    for module, area in MODULES[server].items():
        source = _source(module)
        areas = _areas_by_line(source) if module == PLAIN else {}
        for mutation in source_mutations(source):
            short = module.removeprefix("benchmarks.mutation.servers.")
            place = f"{mutation.line}:{mutation.column}"
            id = f"{server}:{short}:{place}:{mutation.operator}"
            mutant_area = areas.get(mutation.line, "constants") if module == PLAIN else area
            operator = mutation.operator.rstrip("0123456789").rstrip("-")
            function_suffix = f".{mutation.function}" if mutation.function else ""
            text = f"{short}{function_suffix}, line {mutation.line}: {mutation.text}"
            mutant = Mutant(id, server, "code", mutant_area, operator, text)
            result.setdefault(id, CodeMutant(mutant, module, mutation))
    return result


def _source(module: str) -> str:
    """The source of a module, without an import of the module."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text("utf-8")


def _areas_by_line(source: str) -> dict[int, str]:
    """The area of each line of the plain server, by the function or class that has the line."""
    by_name = {name: area for area, names in _PLAIN_AREAS.items() for name in names}
    areas, current = {}, "constants"
    for number, line in enumerate(source.splitlines(), 1):
        words = line.split()
        if words[:1] in (["def"], ["class"]):
            name = words[1].partition("(")[0].rstrip(":")
            current = by_name.get(name, "features" if line.startswith("    def") else "constants")
        areas[number] = current
    return areas


def serving_mutant(code_mutant: CodeMutant) -> Serving:
    """Imports the server with the mutation. Only for a process that ends afterwards.

    Raises any exception that the import of the changed module raises.
    """
    source = apply_mutation(_source(code_mutant.module), code_mutant.mutation)
    return _serving_with(code_mutant.mutant.server, _Changed(code_mutant.module, source))


def serving_unchanged(server: str) -> Serving:
    """The server without a mutation."""
    return _serving_with(server, None)


def _serving_with(server: str, finder: importlib.abc.MetaPathFinder | None) -> Serving:
    if finder is not None:
        purged = _PURGED[server]
        for name in list(sys.modules):
            if any(name == part or name.startswith(f"{part}.") for part in purged):
                del sys.modules[name]
        sys.meta_path.insert(0, finder)
    module: Any = importlib.import_module(PLAIN if server == "plain" else SDK)
    if server == "plain":
        return lambda has_token: module.serving(
            module.PlainServer(fixture.TOKEN if has_token else "")
        )
    serving: Serving = module.serving
    return serving


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a changed source."""

    def __init__(self, module: str, source: str) -> None:
        self.module = module
        self.source = source

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> Any:
        """The specification of the changed module; None for others."""
        if name != self.module:
            return None
        return importlib.util.spec_from_loader(name, self)

    def exec_module(self, module: ModuleType) -> None:
        """Runs the changed source."""
        exec(compile(self.source, f"<{self.module}>", "exec"), module.__dict__)


def reached_lines(server: str, run: Callable[[Serving], object]) -> dict[str, set[int]]:
    """The lines of each mutated module that run while the server is imported, starts and answers
    the requests of `run`. Only for a process that ends afterwards.
    """
    lines_by_module: dict[str, set[int]] = {module: set() for module in MODULES[server]}
    by_file = {f"<{module}>": lines for module, lines in lines_by_module.items()}

    def trace_line(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            by_file[frame.f_code.co_filename].add(frame.f_lineno)
        return trace_line

    def trace_call(frame: FrameType, event: str, argument: object) -> Any:
        return trace_line if frame.f_code.co_filename in by_file else None

    for module in MODULES[server]:
        sys.meta_path.insert(0, _Changed(module, _source(module)))
    threading.settrace(trace_call)
    sys.settrace(trace_call)
    try:
        run(_serving_with(server, _Changed("", "")))
    finally:
        sys.settrace(None)
        threading.settrace(None)
    return lines_by_module


def modules_of(server: str) -> Iterator[str]:
    """The names of the mutated modules of a server."""
    yield from MODULES[server]
