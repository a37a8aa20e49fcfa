"""Renders the reference pages of the documentation site from the declarations in the source."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import black
import typer.main
from tests.official.page import scenario_tables

import mcpgen
from mcpgen.analysis.change_kinds import MEANINGS
from mcpgen.cli.app import app
from mcpgen.cli.explain import explain_brackets, remedy, template_text
from mcpgen.config.schema import KEYS
from mcpgen.conformance.checks import TABLE as CHECKS
from mcpgen.conformance.hosts.facts import facts
from mcpgen.conformance.model import Check
from mcpgen.conformance.profiles import PROFILES
from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import STAGES
from mcpgen.openspec.companion import answers, assertions, document, scenarios, tools
from mcpgen.openspec.companion.keys import CompanionKey, Keys
from mcpgen.openspec.lower.step_definitions import STEP_DEFINITIONS
from mcpgen.openspec.lower.step_definitions.actions import ACTIONS
from mcpgen.pipeline import BuildOptions, BuildResult

RUNTIME_MODULES = ("hooks", "tool", "result", "settings", "caller")
"""The public modules of the runtime, as docs/versioning.md lists them."""

CONFIGURATION = Path(__file__).resolve().parents[1] / "configuration.md"

_MARK = re.compile(r"(?P<code>(?<!`)(`+)(?!`).+?(?<!`)\2(?!`))|[*\[\]|<]", re.DOTALL)
"""A code span, with any number of back-ticks around, or a character with a meaning in Markdown."""
_NOISE = {"help", "version"}


def cli_page() -> str:
    """Every command with its arguments, options and defaults."""
    parts = [
        "# Command line",
        "Every command and option, printed from their declarations. `mcpgen COMMAND --help` shows the "
        "same text. Exit codes: 0 fine, 1 findings, 2 wrong usage or environment, 3 a bug in mcpgen.",
    ]
    for name, command in _commands(typer.main.get_command(app), "mcpgen"):
        context = command.context_class(command, info_name=name)
        usage = " ".join([name, *command.collect_usage_pieces(context)])
        parts += [f"## {name}", escape(inspect.cleandoc(command.help or "")), _fence("", usage)]
        rows = [
            _parameter_row(param, context) for param in command.params if param.name not in _NOISE
        ]
        parts += [_table(("argument or option", "does", "default"), rows)] if rows else []
    return _page(parts)


def keys_page() -> str:
    """Every key of `mcpgen.toml` on one line, with a link to the section that explains the key."""
    links = explained_keys()
    rows = [
        (
            f"[`{key.path}`](../{links[key.path]})",
            escape(key.meaning),
            escape(f"{key.kind}, {key.must}" if key.must else str(key.kind)),
            _code(json.dumps(list(key.default) if key.default == () else key.default)),
            f"`{key.variable.upper()}`" if key.variable else "",
        )
        for key in KEYS
    ]
    return _page(
        [
            "# Keys of mcpgen.toml",
            f"All {len(KEYS)} keys of [mcpgen.toml](../configuration.md), with links to rules and "
            "examples. Environment variables have the project's prefix, and win where the server runs.",
            _table(("key", "meaning", "type", "default", "environment"), rows),
        ]
    )


def explained_keys() -> dict[str, str]:
    """The link to the explanation, relative to docs/, by key: a section of docs/configuration.md that
    has the key as heading or in the first column of a table, else the page of the key's table, else
    the section of another key of the same table."""
    links: dict[str, str] = {}
    group = ""
    for line in CONFIGURATION.read_text("utf-8").splitlines():
        cells = line.split(" | ")
        if line.startswith("## "):
            group = f"configuration.md#{_anchor(line[3:].replace(' ', '-'))}"
        elif line.startswith("### "):
            key = line.strip("# `")
            links[key] = f"configuration.md#{_anchor(key)}"
        elif line.startswith("| `") and group:
            links |= dict.fromkeys(re.findall(r"`([\w.]+)`", cells[0]), group)
        elif line.startswith("| `"):
            page, *_ = re.findall(r"\]\(([^)]+)\)", cells[1])
            names = {*re.findall(r"`\[?([\w.]+)\]?`", cells[0])}
            links |= {
                key.path: page for key in KEYS if {key.path, key.path.partition(".")[0]} & names
            }
    by_table = {path.partition(".")[0]: link for path, link in reversed(links.items())}
    return {key.path: links.get(key.path) or by_table[key.path.partition(".")[0]] for key in KEYS}


def companion_page() -> str:
    """Every key of `mcp.yaml`, one table for each mapping."""
    actions = {kind.value: keys for kind, keys in scenarios.ACTION_KEYS.items()}
    claims = {kind.value: keys for kind, keys in assertions.CLAIMS.items()}
    steps: dict[str, CompanionKey | Keys] = {
        kind.value: keys for kind, keys in answers.ACTS.items()
    }
    sections: list[tuple[str, Keys]] = [
        ("The file", document.KEYS),
        ("spec", document.SPEC),
        ("tools.NAME", tools.KEYS),
        ("tools.NAME.annotations", tools.ANNOTATIONS),
        ("tools.NAME.upstream", tools.UPSTREAM),
        ("tools.NAME.input.ARGUMENT", tools.ARGUMENT),
        (
            "tools.NAME.answer[]",
            {name: step for name, step in steps.items() if isinstance(step, CompanionKey)},
        ),
        *(
            (f"tools.NAME.answer[].{name}", step)
            for name, step in steps.items()
            if not isinstance(step, CompanionKey)
        ),
        ("tools.NAME.answer[].ask.NAME", answers.QUESTION),
        ("fixtures.NAME", document.FIXTURE_KEYS),
        ("fixtures.NAME.upstream[]", document.EXCHANGE),
        ("steps.WORDS", scenarios.DEFINITION),
        ("scenarios.NAME", scenarios.KEYS),
        ("scenarios.NAME.then[]", scenarios.STEP),
        *((f"scenarios.NAME.{name}", keys) for name, keys in actions.items()),
        *((f"assert: {name}", keys) for name, keys in claims.items()),
        ("assert: value", {kind.value: key for kind, (key, _) in assertions.VALUES.items()}),
    ]
    parts = [
        "# Keys of mcp.yaml",
        "The keys that mcpgen accepts in the companion of requirements, with the type of each value. "
        "[OpenSpec](../openspec.md#the-companion) explains the file by examples.",
    ]
    for title, keys in sections:
        rows = [
            (f"`{name}`", str(key.kind), escape(key.must), "yes" if key.needed else "")
            for name, key in keys.items()
        ]
        parts += [f"## {title}", _table(("key", "type", "rule", "required"), rows)]
    return _page(parts)


def phrases_page() -> str:
    """Every phrase of a step, with a matching step and the action or assertion."""
    rows = [(f"`{one.name}`", escape(one.example), escape(one.makes)) for one in STEP_DEFINITIONS]
    head = ("phrase", "matching step", "effect")
    return _page(
        [
            "# Phrases",
            "Steps of OpenSpec scenarios that need no [binding](../openspec.md#phrases): a step that "
            "matches a phrase word by word becomes code of the scenario's test.",
            "## WHEN",
            _table(head, rows[: len(ACTIONS)]),
            "## THEN",
            _table(head, rows[len(ACTIONS) :]),
        ]
    )


def diagnostics_page() -> str:
    """Every code of a finding with the text of `mcpgen explain`."""
    parts = [
        "# Diagnostics",
        "Every finding that `mcpgen` makes about a document, a configuration or a project. "
        "`mcpgen explain CODE` prints the same text, and `mcpgen explain --list` every code on one "
        f"line. Codes never change their meaning. {escape(explain_brackets('operation'))}",
    ]
    for stage in STAGES:
        parts.append(f"## {_title(stage)}")
        for code in vars(stage).values():
            if isinstance(code, Code):
                parts += _code_parts(code)
    return _page(parts)


def checks_page() -> str:
    """Every check of `mcpgen check`, by profile."""
    by_profile: dict[str, list[Check]] = {}
    for check in CHECKS.values():
        by_profile.setdefault(check.profile, []).append(check)
    parts = [
        "# List of checks",
        f"All {len(CHECKS)} checks of [`mcpgen check`](../checks.md) by profile. "
        "`mcpgen explain ID` adds a wrong and a right example, and the clause of every revision. "
        f"*Fails on* names the {len(_broken_cases())} broken servers of `tests/broken/` that violate "
        "the requirement, and other checks that fail with them.",
    ]
    for profile, checks in by_profile.items():
        parts.append(f"## Profile {profile}")
        for check in checks:
            revisions = f" Revisions: {', '.join(check.revisions)}." if check.revisions else ""
            parts += [
                f"### {check.id}",
                f"**{check.level}.** {escape(check.sentence)}",
                escape(check.explanation),
                f"*What to do:* {escape(check.fix)}",
                f"Source: [{escape(check.clause)}]({check.url}).{revisions}",
                _broken_servers(check.id),
            ]
    return _page(parts)


def official_page() -> str:
    """Every scenario of the official suite with its needs."""
    return _page(
        [
            "# Scenarios of the official suite",
            "What a server needs for each scenario of [the official suite](../official.md).",
            scenario_tables(),
        ]
    )


def changes_page() -> str:
    """Every kind of change between two lists of tools, and the clients that the change breaks."""
    rows = [
        (f"`{kind}`", escape(meaning.words), meaning.references, meaning.callers)
        for kind, meaning in MEANINGS.items()
    ]
    return _page(
        [
            "# Kinds of change",
            "The changes that [`mcpgen diff`](../tools.md#diff) tells apart. *Saved references* are "
            "kept without calling: a tool's name in a prompt, an allow-list or a workflow, and a "
            "permission once given by the user. *Callers* repeat calls made before.",
            _table(("change", "is", "saved references", "callers"), rows),
        ]
    )


def hosts_page() -> str:
    """Every recorded limit of a host, with consequence, source and date."""
    parts = [
        "# Facts about hosts",
        "The limits of hosts that [`mcpgen check`](../hosts.md) and `mcpgen tools` apply: the values, "
        "the reaction to a violation, and the page with the date on which it was read.",
    ]
    for host, rows in facts().items():
        title = PROFILES[host].title if host in PROFILES else host
        parts += [
            f"## {escape(title)}",
            f"Profile `{host}`.",
            _table(
                ("fact", "limit", "reaction", "confidence", "source"),
                [
                    (
                        f"[`host-{fact.check}`](checks.md#host-{fact.check})",
                        "; ".join(
                            f"{key.replace('_', ' ')}: {_limit(value)}"
                            for key, value in fact.limits.items()
                        ),
                        escape(fact.consequence),
                        fact.sure,
                        f"[{fact.read}]({fact.url})",
                    )
                    for fact in rows
                ],
            ),
        ]
    return _page(parts)


def python_page() -> str:
    """The public functions of `mcpgen` with their options and result."""
    names = [(name, getattr(mcpgen, name)) for name in mcpgen.__all__]
    return _page(
        [
            "# Python API of mcpgen",
            "The functions behind `mcpgen build` and `mcpgen check`, for programs.",
            _fence(
                "python",
                'from mcpgen import build\n\nresult = build("openapi.yaml", "weather")\nassert result.status.good',
            ),
            *(part for name, value in names for part in _member(f"mcpgen.{name}", value)),
            *(
                part
                for value in (BuildOptions, BuildResult)
                for part in _member(f"mcpgen.pipeline.{value.__name__}", value)
            ),
        ]
    )


def runtime_page() -> str:
    """The public classes and functions of the runtime's stable modules."""
    parts = [
        "# Python API of the runtime",
        "The modules that `hooks.py` and tests of a project may import. In a project with a copy of "
        'the runtime the package is `<project>.runtime`, with `runtime = "package"` it is '
        "`mcpgen_runtime`. [Hooks](../generated-project.md#hooks) shows their use.",
    ]
    for name in RUNTIME_MODULES:
        module = import_module(f"mcpgen_runtime.{name}")
        parts += [f"## {name}", escape(inspect.getdoc(module) or "")]
        for title, value in _public_members(module):
            parts += _member(f"{name}.{title}", value, level=3)
    return _page(parts)


PAGES: Mapping[str, Callable[[], str]] = {
    "cli": cli_page,
    "keys": keys_page,
    "companion": companion_page,
    "phrases": phrases_page,
    "diagnostics": diagnostics_page,
    "checks": checks_page,
    "official": official_page,
    "changes": changes_page,
    "hosts": hosts_page,
    "python": python_page,
    "runtime": runtime_page,
}
"""The functions of the pages, by the page's name below `reference/`."""


def escape(text: str) -> str:
    """Markdown in which text outside of code shows as written. Example: `"a <b>"` gives `"a &lt;b>"`."""
    return _MARK.sub(_escape_mark, text)


def _escape_mark(match: re.Match[str]) -> str:
    text = match.group()
    return text if match["code"] else "&lt;" if text == "<" else f"\\{text}"


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Leaf commands with their full names, in the order of `mcpgen --help`."""
    if not hasattr(command, "commands"):
        yield name, command
        return
    for key, member in command.commands.items():
        yield from _commands(member, f"{name} {key}")


def _parameter_row(param: Any, context: Any) -> tuple[str, str, str]:
    """The row of an argument or option: names with the value's name, help, default."""
    names = [] if param.param_type_name == "argument" else param.opts
    is_flag = getattr(param, "is_flag", False)
    # Typer shows `<int range>` for a bounded number.
    metavar = [] if is_flag else [param.make_metavar(context).replace("<int range>", "N")]
    default = param.default() if callable(param.default) else param.default
    value = getattr(default, "value", default)
    is_shown = value not in (None, "", False, (), []) and not is_flag
    return (
        _code(f"{', '.join(names)} {''.join(metavar)}".strip()),
        _help(param),
        _code(str(value)) if is_shown else "",
    )


def _help(param: Any) -> str:
    return escape(" ".join((getattr(param, "help", "") or "").split()))


def _code_parts(code: Code) -> list[str]:
    message = template_text(code.message)
    return [
        f"### {code.id} {code.name}",
        f"**{code.severity}**" + (f": {escape(message)}" if message else ""),
        escape(code.explanation),
        f"*What to do:* {escape(remedy(code))}",
    ]


@cache
def _broken_cases() -> Sequence[Any]:
    """Imports the broken servers of the tests from `tests/broken`, where modules import neighbors."""
    if (folder := str(CONFIGURATION.parents[1] / "tests" / "broken")) not in sys.path:
        sys.path.append(folder)
    cases: Sequence[Any] = import_module("all_servers").BROKEN_CASES
    return cases


def _broken_servers(id: str) -> str:
    """Names the broken servers of a check with module, and further checks that fail."""
    cases = [case for case in _broken_cases() if case.check == id]
    servers = ", ".join(
        f"{spell_out(case.make.__name__)} (`{case.make.__module__}.py`)" for case in cases
    )
    related = ", ".join(
        f"`{other}`" for other in dict.fromkeys(id for case in cases for id in case.related)
    )
    return f"*Fails on:* {servers}" + (f"; with {related}." if related else ".") if cases else ""


def spell_out(name: str) -> str:
    """The name of a class in words. Example: `AlwaysSorry` gives `always sorry`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+", name)
    return " ".join(part if part.isupper() and len(part) > 1 else part.lower() for part in parts)


def _title(stage: ModuleType) -> str:
    """The module's name as a heading. Example: `tool_options` gives `Tool options`."""
    return stage.__name__.rpartition(".")[2].replace("_", " ").capitalize()


def _public_members(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yields the classes and functions in `__all__` that no other section has; without `__all__`, the
    module's own."""
    documented = {f"mcpgen_runtime.{name}" for name in RUNTIME_MODULES} - {module.__name__}
    listed = getattr(module, "__all__", None)
    for name, value in vars(module).items():
        home = getattr(value, "__module__", "")
        is_own = home == module.__name__ and not name.startswith("_")
        is_public = is_own if listed is None else name in listed and home not in documented
        if is_public and value is not Any and (inspect.isclass(value) or inspect.isfunction(value)):
            yield name, value


def _member(title: str, value: object, *, level: int = 2) -> list[str]:
    parts = [f"{level * '#'} {title}"]
    if inspect.isfunction(value):
        return [*parts, _fence("python", _signature(value)), _prose(value)]
    assert inspect.isclass(value)
    parts.append(_prose(value))
    if rows := list(_fields(value)):
        parts.append(_table(("field", "type", "default"), rows))
    for name, member in vars(value).items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if name.startswith("_"):
            continue
        if isinstance(function, property) and function.fget:
            parts += [f"{level * '#'}# {title}.{name}", _prose(function)]
        elif inspect.isfunction(function):
            parts += [
                f"{level * '#'}# {title}.{name}",
                _fence("python", _signature(function)),
                _prose(function),
            ]
    return parts


def _signature(function: Callable[..., object]) -> str:
    """The declaration of a function as written, without decorators and body."""
    (node,) = ast.parse(dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    node.body, node.decorator_list = [ast.Expr(ast.Constant(...))], []
    text = black.format_str(ast.unparse(node), mode=black.Mode(line_length=88))
    return text.rstrip().removesuffix("...").rstrip().removesuffix(":")


def _fields(value: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and default of the fields of a dataclass or of settings, in order."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            has_default = field.default is not dataclasses.MISSING
            default = (
                _code(repr(field.default)) if has_default and len(repr(field.default)) < 60 else ""
            )
            if not field.name.startswith("_"):
                yield f"`{field.name}`", _code(str(field.type)), default
        return
    for name, info in getattr(value, "model_fields", {}).items():
        annotation = str(value.__annotations__.get(name, info.annotation))
        default = "" if info.is_required() or info.default_factory else _code(repr(info.default))
        yield f"`{name}`", _code(annotation), default


def _limit(value: object) -> str:
    """A value of a fact in words: the members of a list one by one, a pair as `name value`."""
    if not isinstance(value, list):
        return _code(value if isinstance(value, str) else json.dumps(value))
    pairs = (each if isinstance(each, list) else [each] for each in value)
    return ", ".join(
        _code(" ".join(str(part) if isinstance(part, str) else json.dumps(part) for part in pair))
        for pair in pairs
    )


def _prose(value: object) -> str:
    text = inspect.getdoc(value) or ""
    # The docstring that `dataclass` writes repeats the fields.
    return "" if inspect.isclass(value) and text.startswith(f"{value.__name__}(") else escape(text)


def _anchor(path: str) -> str:
    return re.sub(r"[^\w-]", "", path.lower())


def _code(text: str) -> str:
    """A code span of any text, with two back-ticks around text that has one."""
    text = " ".join(text.split())
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell for cell in line)} |" for line in lines)


def _page(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
