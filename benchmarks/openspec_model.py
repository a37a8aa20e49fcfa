"""Measures bound steps after a language model's answer: `python -m benchmarks.openspec_model FOLDER OUT [HALF] [STEPS]`.

FOLDER is that of `benchmarks.openspec_tools`. The first run draws specs about tools or an API at random, at most two of a
repository, until they have STEPS steps (default 900); HALF (tuned, held) limits the repositories. `mcpgen bind` drafts the companions,
and OUT gets a prompt `N.md` of `mcpgen bind --export` for each spec. Give every prompt to a model and save the answer as
`N.json`. The second run reads the answers as `mcpgen bind --import` does, and prints the table.

`drafted` are the steps that `mcpgen bind` drafted, all marked as guesses. `model` are the steps that have an action or assertions after the
answer, `model in part` those with assertions and the key `unchecked`, and `manual` those with the reason why no client sees the result.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from benchmarks.markdown import markdown_table
from benchmarks.openspec_steps import found_labels, is_about_server, read_specs
from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.bind import bind
from mcpgen.openspec.bind.exchange import export_prompt, import_answer
from mcpgen.openspec.bind.session import BindSession, open_session
from mcpgen.openspec.lower.bind_scenarios import bind_requirements
from mcpgen.openspec.lower.scenario_lookup import match_bindings
from mcpgen.openspec.model.bound_scenarios import Binding
from mcpgen.openspec.model.requirements import Requirements

HEAD = ("spec", "steps", "text", "drafted", "model", "model in part", "manual", "open", "refused")
SEED = 2911


def draw_specs(folder: Path, half: str, steps: int) -> Iterator[tuple[Path, str]]:
    """Yields repositories with the path of a drawn spec, until the specs have `steps` steps."""
    candidates: list[tuple[Path, str, int]] = []
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        labels = found_labels(place.name.replace("+", "/", 1), place)
        if half and labels["half"] != half:
            continue
        specs = sorted(read_specs(place), key=lambda spec: spec[0])
        random.Random(f"{SEED} {place.name}").shuffle(specs)
        own_specs = (
            (place, path, _count_steps(requirements))
            for path, requirements in specs
            if is_about_server(path, requirements, labels)
        )
        candidates += islice(own_specs, 2)
    random.Random(SEED).shuffle(candidates)
    drawn_steps = 0
    for place, path, count in candidates:
        if drawn_steps < steps:
            drawn_steps += count
            yield place, path


def _count_steps(requirements: Requirements) -> int:
    return sum(
        len(scenario.steps) for item in requirements.requirements for scenario in item.scenarios
    )


def write_prompts(folder: Path, out_folder: Path, half: str, steps: int) -> None:
    """Drafts a companion per drawn spec, in a copy of the repository, and writes the prompt."""
    for number, (place, path) in enumerate(draw_specs(folder, half, steps), 1):
        copy = out_folder / "specs" / str(number)
        shutil.copytree(place, copy)
        apis = found_labels(place.name, copy).get("openapi")
        bind(str(copy / path), openapi=str(copy / apis) if apis else "")
        if not (copy / path).with_name("mcp.yaml").exists():
            continue
        (out_folder / f"{number}.md").write_text(export_prompt(open_session(str(copy / path))))
        (out_folder / f"{number}.path").write_text(f"{place.name}\n{path}\n")


def count_bound(session: BindSession, answer_keys: Collection[str]) -> Counter[str]:
    """Counts the steps of a spec by the kind of their binding; `answer_keys` are the keys of the answer."""
    bound = bind_requirements(session.requirements, session.companion, session.tools, Diagnostics())
    by_text = bind_requirements(session.requirements, None, session.tools, Diagnostics())
    bindings = {
        match.scenario.at: match.binding
        for match in match_bindings(session.requirements, session.companion)
    }
    counts: Counter[str] = Counter()
    for (_, bound_scenario), (_, text_scenario) in zip(bound.every, by_text.every, strict=True):
        entry = bindings.get(bound_scenario.at)
        entries = {step.step: step for step in entry.steps} if entry else {}
        # An answer with an HTTP request stays `guessed` until its review.
        is_answered = entry is not None and (not entry.guessed or entry.at.path[-1] in answer_keys)
        for step, text in zip(bound_scenario.steps, text_scenario.steps, strict=True):
            step_entry = entries.get(step.number)
            is_manual = bool(
                bound_scenario.manual
                or (entry and entry.manual)
                or (step_entry and step_entry.manual)
            )
            is_bound = step.is_guessed or step.binding is not Binding.PENDING
            kind = "model in part" if step_entry and step_entry.unchecked else "model"
            kind = "manual" if is_manual else kind
            kind = kind if is_answered else "drafted"
            counts["text" if text.is_bound else kind if is_bound or is_manual else "open"] += 1
    return counts


def main(arguments: list[str]) -> int:
    """Writes the prompts, or prints the table if answers are there."""
    if len(arguments) < 2:
        print(__doc__)
        return 2
    folder, out_folder = Path(arguments[0]), Path(arguments[1])
    half = arguments[2] if len(arguments) > 2 else ""
    steps = arguments[3] if len(arguments) > 3 else "900"
    if not out_folder.exists():
        out_folder.mkdir(parents=True)
        write_prompts(folder, out_folder, half, int(steps))
        return 0
    rows, total = [], Counter[str]()
    for prompt in sorted(out_folder.glob("*.path"), key=lambda path: int(path.stem)):
        name, path = prompt.read_text().splitlines()
        answer = prompt.with_suffix(".json")
        copy = out_folder / "scored" / prompt.stem
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(out_folder / "specs" / prompt.stem, copy)
        session = open_session(str(copy / path))
        text = answer.read_text() if answer.exists() else '{"scenarios": {}}'
        answer_keys, refusals = import_answer(session, text)
        for key, reason in refusals.items():
            print(f"{prompt.stem} not taken: {key}: {reason}", file=sys.stderr)
        counts = count_bound(session, answer_keys)
        counts |= Counter(steps=counts.total(), refused=len(refusals))
        total += counts
        rows.append((f"{name} {path}", counts))
    table = [
        [name, str(counts["steps"])]
        + [f"{100 * counts[kind] / max(1, counts['steps']):.1f} %" for kind in HEAD[2:-1]]
        + [str(counts["refused"])]
        for name, counts in (*rows, ("all", total))
    ]
    print(markdown_table(HEAD, table))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
