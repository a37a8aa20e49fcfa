"""What tools/list weighs for every document of the corpus: `python -m benchmarks.list_sizes [SPEC ...]`.

Bytes are those of the list of tools as compact JSON on the wire, without output schemas unless
`--output` chooses them; tokens are estimated at four bytes each.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import CORPUS, named
from benchmarks.markdown import size, table
from mcpgen.config import Config, DescriptionsConfig, Detail, OutputMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.read import read

BYTES_PER_TOKEN = 4
BOUND = 900_000
"""Bytes that the list of GitHub's 1,223 tools may weigh."""


def weighed(path: Path, root: Path, config: Config) -> tuple[int, int]:
    """The number of a document's tools, and the bytes of their list; `root` is the folder that its
    references may not leave."""
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics, root=str(root))
    api = parse(source, diagnostics) if source else None
    if api is None:
        return 0, 0
    tools = [tool.announced for tool in lower(api, config, diagnostics).tools]
    listed = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    return len(tools), len(listed.encode())


def main() -> None:
    """Prints a row for each document and their sum; fails where GitHub's list is beyond its bound
    in the configuration that nobody has to choose."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.list_sizes", description=__doc__)
    parser.add_argument("spec", nargs="*", type=Path, help="descriptions to weigh instead")
    parser.add_argument("--detail", type=Detail, choices=list(Detail), default=Detail.AUTO)
    parser.add_argument("--output", type=OutputMode, choices=list(OutputMode), default="off")
    options = parser.parse_args()
    config = Config(
        keep_going=True,
        descriptions=DescriptionsConfig(options.detail),
        output_schemas=OutputMode(options.output),
    )

    rows, sums, beyond = [], (0, 0), False
    for name, path, root in _documents(options.spec):
        tools, weight = weighed(path, root, config)
        rows.append(_row(name, tools, weight))
        sums = (sums[0] + tools, sums[1] + weight)
        beyond = beyond or (name == "github" and weight >= BOUND)
    head = ("document", "tools", "tools/list", "tokens", "bytes per tool")
    print(table(head, [*rows, _row("all", *sums)]))
    sys.exit(beyond and config == Config(keep_going=True))


def _documents(chosen: list[Path]) -> Iterator[tuple[str, Path, Path]]:
    """Names, first files and folders of what is weighed: what is chosen, or the whole corpus."""
    if chosen:
        yield from ((named(path).name, path, path.parent) for path in chosen)
        return
    manifest = CORPUS / "manifest.json"
    if not manifest.exists():
        sys.exit("there is no corpus beside the project")
    for entry in json.loads(manifest.read_text("utf-8")):
        first = Path(entry["file"])
        yield entry["name"], CORPUS / first, (
            CORPUS / first.parts[0] if first.parent.parts else CORPUS
        )


def _row(name: str, tools: int, weight: int) -> tuple[str, ...]:
    each = f"{weight / tools:,.0f}" if tools else "–"
    return name, f"{tools:,}", size(weight), f"{weight // BYTES_PER_TOKEN:,}", each


if __name__ == "__main__":
    main()
