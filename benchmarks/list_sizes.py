"""Measures tools/list of every document of the corpus: `python -m benchmarks.list_sizes [SPEC ...]`.

Bytes are the bytes of the list as compact JSON, without output schemas unless `--output` chooses them; tokens
are estimated at four bytes each. `--modes` instead compares GitHub's and Stripe's lists with all tools, with
the tools of `docs/examples/*.toml`, and in discovery mode: tools, bytes, the highest estimate of tokens among
the model families, and the hosts that take the list.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import CORPUS, ROOT, document_at, require_corpus
from benchmarks.markdown import NONE, decimal_size, markdown_table
from mcpgen.analysis.report import HostVerdict, build_listing_report
from mcpgen.config import Config, DescriptionsConfig, Detail, OutputMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.pipeline import BuildOptions
from mcpgen.pipeline.load_tools import load_tools
from mcpgen.read import read

BYTES_PER_TOKEN = 4
BOUND = 900_000
"""Most bytes of the list of GitHub's 1,223 tools in the default configuration."""

HEAD = ("document", "tools", "tools/list", "tokens", "bytes per tool")
MODES_HEAD = (
    "document",
    "surface",
    "tools",
    "tools/list",
    "≈ tokens",
    "take it",
    "in part",
    "refuse it",
)
VERDICTS = (
    (HostVerdict.ACCEPTS, HostVerdict.ADVISES),
    (HostVerdict.DEGRADES,),
    (HostVerdict.REJECTS,),
)
"""Verdicts in the order of the last three columns."""


def main() -> None:
    """Prints a row per document and a sum; fails if GitHub's list exceeds the bound by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.list_sizes", description=__doc__)
    parser.add_argument("spec", nargs="*", type=Path, help="measure these documents instead")
    parser.add_argument("--detail", type=Detail, choices=list(Detail), default=Detail.AUTO)
    parser.add_argument("--output", type=OutputMode, choices=list(OutputMode), default="off")
    parser.add_argument("--modes", action="store_true", help="compare three lists of one document")
    options = parser.parse_args()
    if options.modes:
        print(markdown_table(MODES_HEAD, _mode_rows()))
        return
    config = Config(
        keep_going=True,
        descriptions=DescriptionsConfig(options.detail),
        output_schemas=OutputMode(options.output),
    )

    rows, sums, is_exceeded = [], (0, 0), False
    for name, path, root in _chosen_documents(options.spec):
        count, weight = measure_list(path, root, config)
        rows.append(_size_row(name, count, weight))
        sums = (sums[0] + count, sums[1] + weight)
        is_exceeded = is_exceeded or (name == "github" and weight >= BOUND)
    print(markdown_table(HEAD, [*rows, _size_row("all", *sums)]))
    sys.exit(is_exceeded and config == Config(keep_going=True))


def measure_list(path: Path, root: Path, config: Config) -> tuple[int, int]:
    """The number of a document's tools, and the bytes of the list. References outside `root` are refused."""
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics, root=str(root))
    api = parse(source, diagnostics) if source else None
    if api is None:
        return 0, 0
    tools = [tool.announced for tool in lower(api, config, diagnostics).tools]
    return len(tools), len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode())


def _chosen_documents(specs: list[Path]) -> Iterator[tuple[str, Path, Path]]:
    """Name, first file and root folder of the chosen documents, or of the whole corpus."""
    if specs:
        yield from ((document_at(path).name, path, path.parent) for path in specs)
        return
    for name, path in require_corpus().items():
        relative = path.relative_to(CORPUS)
        yield name, path, CORPUS / relative.parts[0] if len(relative.parts) > 1 else CORPUS


def _size_row(name: str, count: int, weight: int) -> tuple[str, ...]:
    per_tool = f"{weight / count:,.0f}" if count else NONE
    return name, f"{count:,}", decimal_size(weight), f"{weight // BYTES_PER_TOKEN:,}", per_tool


def _mode_rows() -> Iterator[tuple[str, ...]]:
    files = require_corpus()
    with tempfile.TemporaryDirectory() as folder:
        discovery = Path(folder, "discovery.toml")
        discovery.write_text('[discovery]\nmode = "on"\n', encoding="utf-8")
        for name in ("stripe", "github"):
            curated = f"{ROOT}/docs/examples/{name}.toml"
            for mode, config in (("all", ""), ("curated", curated), ("discovery", str(discovery))):
                yield (name, mode, *_mode_cells(files[name], config))


def _mode_cells(path: Path, config: str) -> tuple[str, ...]:
    """Figures of the list with a configuration file; `""` is no file."""
    listing = load_tools(str(path), BuildOptions(config=config)).listing
    if listing is None:
        raise ValueError(f"{path} cannot be served with {config or 'defaults'}")
    report = build_listing_report(listing)
    hosts = [str(len(report.acceptance.of(*verdicts))) for verdicts in VERDICTS]
    tokens = max(report.tokens.values())
    return (f"{len(report.rows):,}", decimal_size(report.bytes), f"{tokens:,}", *hosts)


if __name__ == "__main__":
    main()
