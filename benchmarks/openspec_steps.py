"""Measures bound steps of requirements: `python -m benchmarks.openspec_steps FOLDER`.

FOLDER is that of `benchmarks.openspec_tools`. The tools are those found in the text, the half follows the hash of the
repository's name, and the API is the uppermost file with `openapi` or `swagger` in its name. Only specs about tools or an API
count: a tool stands in the spec or in a quarter of its WHENs, or a tenth of the steps, and three at least, have a request or
a status.

A step is bound by `text` if phrases bind the step with the tools, as a running server lists them, and by `api` if
phrases need the operations of the API as tools. `drafted`, `drafted in part` and `set aside` are pending steps for which
`mcpgen bind` writes a guessed entry: a call, a state or an assertion; assertions with the key `unchecked`; or the reason why no
client performs the scenario.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.markdown import markdown_table
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.openspec.bind.update import OtherCapabilities, OtherTool, update_companion
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.drafted_tools import drafted_tools
from mcpgen.openspec.lower.extraction import Facts, facts_of_all
from mcpgen.openspec.lower.operation_matches import match_operations
from mcpgen.openspec.lower.scenario_lookup import match_bindings
from mcpgen.openspec.lower.step_definitions import ListedTool, tool_arguments
from mcpgen.openspec.model.bound_scenarios import BoundScenarios
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements, Role
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import read_requirements
from mcpgen.parse import parse
from mcpgen.read import read
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings

KINDS = ("text", "api", "drafted", "drafted in part", "set aside", "open")
HEAD = ("repository", "half", "specs", "steps", *KINDS)
_REQUEST = re.compile(
    r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) `?/|`[1-5]\d\d(?: [A-Za-z ]+)?`|\b(?:HTTP|status(?: code)?(?: of)?) [1-5]\d\d\b"
)
_API = re.compile(r"(?:openapi|swagger)[^/]*\.(?:json|ya?ml)$", re.IGNORECASE)
_ARGUMENT = re.compile(r"`?([A-Za-z_]\w*)`?(?:=|: ?| set to )")


def is_about_server(path: str, requirements: Requirements, labels: Mapping[str, Any]) -> bool:
    """Returns whether a spec describes tools or an API."""
    scenarios = [
        item for requirement in requirements.requirements for item in requirement.scenarios
    ]
    steps = [step for scenario in scenarios for step in scenario.steps]
    if not steps or any(tool["line"].rpartition(":")[0] == path for tool in labels["tools"]):
        return bool(steps)
    names = [rf"(?<![\w-]){re.escape(tool['name'])}(?![\w-])" for tool in labels["tools"]]
    whens = [step.text for step in steps if step.role is Role.WHEN]
    naming = sum(any(re.search(name, text) for name in names) for text in whens)
    requests = sum(bool(_REQUEST.search(step.text)) for step in steps)
    return bool(whens and naming / len(whens) >= 0.25) or (
        requests >= 3 and requests / len(steps) >= 0.1
    )


def listed_tools(labels: Mapping[str, Any], requirements: Requirements) -> Iterator[ListedTool]:
    """Yields the tools; without arguments in the text a tool takes every name with a value."""
    texts = (
        step.text for item in requirements.requirements for s in item.scenarios for step in s.steps
    )
    argument_names = {name for text in texts for name in _ARGUMENT.findall(text)}
    for tool in labels["tools"]:
        arguments = tool.get("arguments") or [{"name": name} for name in sorted(argument_names)]
        properties = {
            item["name"]: {"type": item["type"]} if item.get("type") else {} for item in arguments
        }
        required = [item["name"] for item in arguments if item.get("required") is True]
        yield ListedTool(tool["name"], {"properties": properties, "required": required})


def found_labels(name: str, folder: Path) -> dict[str, Any]:
    """Returns the half, the tools and the path of the API of a repository."""
    specs = dict(read_specs(folder))
    tools = []
    for (path, _), facts in zip(specs.items(), facts_of_all(list(specs.values())), strict=True):
        for tool in drafted_tools(facts.tools, facts):
            arguments = [
                {
                    "name": argument.name,
                    "type": argument.schema.get("type"),
                    "required": argument.required,
                }
                for argument in tool.inputs or ()
            ]
            line = f"{path}:{tool.at.line or 1}"
            tools.append({"name": tool.name, "line": line, "arguments": arguments})
    is_held = int(sha256(name.encode()).hexdigest()[0], 16) % 2
    apis = [path for path in folder.rglob("*") if _API.search(path.name)]
    labels: dict[str, Any] = {"half": "held" if is_held else "tuned", "tools": tools}
    if apis:
        uppermost = min(apis, key=lambda path: (len(path.parts), path.name))
        labels["openapi"] = str(uppermost.relative_to(folder))
    return labels


def other_capabilities(
    position: int, all_facts: Sequence[Facts], tools: Sequence[ListedTool]
) -> OtherCapabilities:
    """Returns the tools and facts of the other specs, as `mcpgen bind` takes those of the folder."""
    own_tools = set(all_facts[position].tools)
    other_tools = {
        tool.name: OtherTool(tool_arguments(tool), True)
        for tool in tools
        if tool.name not in own_tools
    }
    facts = (
        fact
        for index, spec_facts in enumerate(all_facts)
        if index != position
        for fact in spec_facts.all
    )
    return OtherCapabilities(other_tools, tuple(facts))


def drafted_companion(
    requirements: Requirements,
    facts: Facts,
    api: ApiDescription | None,
    other_specs: OtherCapabilities,
) -> Companion | None:
    """Returns the companion by `mcpgen bind` for a spec without a companion."""
    matches = match_operations([(requirements, facts)], "api.yaml", api).matches if api else ()
    operation_matches = [match for match in matches if match.evidence]
    diagnostics = Diagnostics()
    update = update_companion(
        requirements, facts, None, "", diagnostics, operation_matches, other_specs
    )
    findings = Findings(diagnostics)
    document = load_document(update.text.encode(), "mcp.yaml", "mcp.yaml", findings)
    findings.close()
    companion = parse_companion(document, diagnostics) if document else None
    return None if diagnostics.failed else companion


def count_steps(
    requirements: Requirements,
    tools: Sequence[ListedTool],
    operations: Sequence[ListedTool],
    companion: Companion | None,
) -> Counter[str]:
    """Counts the steps of a spec by the kind of their binding."""

    def bound(
        used: Sequence[ListedTool], bound_companion: Companion | None = None
    ) -> BoundScenarios:
        return bind_requirements(requirements, bound_companion, used, Diagnostics())

    all_tools = [*tools, *operations]
    text_bound, with_api, after = bound(tools), bound(all_tools), bound(all_tools, companion)
    matches = match_bindings(requirements, companion) if companion else []
    manual_places = {match.scenario.at for match in matches if match.binding.manual}
    steps_aside = {
        (match.scenario.at, step.step)
        for match in matches
        for step in match.binding.steps
        if step.manual
    }
    steps_in_part = {
        (match.scenario.at, step.step)
        for match in matches
        for step in match.binding.steps
        if step.unchecked
    }
    counts: Counter[str] = Counter()
    for rows in zip(text_bound.every, with_api.every, after.every, strict=True):
        scenarios = [proof for _, proof in rows]
        for text, api, drafted_step in zip(*(proof.steps for proof in scenarios), strict=True):
            place = scenarios[0].at
            is_aside = place in manual_places or (place, drafted_step.number) in steps_aside
            is_in_part = (place, drafted_step.number) in steps_in_part
            draft = "drafted in part" if is_in_part else "drafted"
            draft = "set aside" if is_aside else draft
            kind = (
                "text"
                if text.is_bound
                else "api" if api.is_bound else draft if drafted_step.is_guessed else "open"
            )
            counts[kind] += 1
    return counts


def count_bindings(folder: Path, labels: Mapping[str, Any]) -> Counter[str]:
    """Counts the steps of a repository by the kind of their binding, with `specs` and `steps`."""
    api, operations = None, []
    if labels.get("openapi"):
        diagnostics = Diagnostics()
        source = read(str(folder / labels["openapi"]), diagnostics)
        api = parse(source, diagnostics) if source and not source.is_unusable else None
    if api:
        operations = [
            ListedTool(
                match.tool,
                {"properties": match.arguments.schemas, "required": [*match.arguments.needs]},
                match.operation.key,
            )
            for match in match_operations([], "api.yaml", api).matches
        ]
    counts: Counter[str] = Counter()
    specs = dict(read_specs(folder))
    all_facts = facts_of_all(list(specs.values()))
    for index, (path, requirements) in enumerate(specs.items()):
        if is_about_server(path, requirements, labels):
            tools = list(listed_tools(labels, requirements))
            other_specs = other_capabilities(index, all_facts, tools)
            companion = drafted_companion(requirements, all_facts[index], api, other_specs)
            spec_counts = count_steps(requirements, tools, operations, companion)
            counts += spec_counts + Counter(specs=1, steps=sum(spec_counts.values()))
    return counts


def read_specs(folder: Path) -> Iterator[tuple[str, Requirements]]:
    """Yields the readable specs of a repository, by path."""
    for path in sorted(folder.rglob("spec.md")):
        source = read_requirements(str(path), Diagnostics())
        requirements = parse_requirements(source, Diagnostics()) if source else None
        if requirements is not None:
            yield str(path.relative_to(folder)), requirements


def main(arguments: list[str]) -> int:
    """Prints the table, with a row per repository and a sum per half."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    folder = Path(arguments[0])
    rows: list[tuple[str, str, Counter[str]]] = []
    sums: dict[str, Counter[str]] = {}
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        name = place.name.replace("+", "/", 1)
        labels = found_labels(name, place)
        half = labels["half"]
        counts = count_bindings(place, labels)
        sums.setdefault(half, Counter()).update(counts)
        if counts["steps"]:
            rows.append((name, half, counts))
    rows += [("all", half, counts) for half, counts in sums.items()]
    print(
        markdown_table(
            HEAD,
            [
                [
                    name,
                    half,
                    str(counts["specs"]),
                    str(counts["steps"]),
                    *(f"{100 * counts[kind] / max(1, counts['steps']):.1f} %" for kind in KINDS),
                ]
                for name, half, counts in rows
            ],
        )
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
