"""`python -m benchmarks.mutation` measures the mutation score of `mcpgen check`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.mutation.measure import mutants, run_all, sample
from benchmarks.mutation.mutant import SERVERS
from benchmarks.mutation.official import official_results
from benchmarks.mutation.report import counted_ids, summary, write


def main() -> None:
    """Runs the chosen mutants; prints a line for each and the counts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("--server", choices=SERVERS, action="append", help="only this server")
    parser.add_argument("--only", metavar="ID", action="append", help="only this mutant")
    parser.add_argument("--kind", choices=("wire", "code"), help="only this kind")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants, chosen by --seed")
    parser.add_argument("--seed", type=int, default=1, help="the seed of --sample (default 1)")
    parser.add_argument("--part", metavar="I/N", default="1/1", help="the I-th of N parts")
    parser.add_argument("--results", type=Path, metavar="FILE", help="JSON lines, resumed")
    parser.add_argument("--official", action="store_true", help="run the official suite instead")
    text = "only mutants of these results that are not argued to be equivalent"
    parser.add_argument("--measured", type=Path, nargs="+", metavar="FILE", help=text)
    parser.add_argument("--report", type=Path, nargs="+", metavar="FILE", help="write the page")
    parser.add_argument("--list", action="store_true", help="print the ids and run nothing")
    arguments = parser.parse_args()

    if arguments.report:
        print(dict(write(arguments.report)))
        return
    selected_mutants = mutants(arguments.server or SERVERS, arguments.kind or "")
    if arguments.only:
        selected_mutants = [mutant for mutant in selected_mutants if mutant.id in arguments.only]
    if arguments.sample is not None:
        selected_mutants = sample(selected_mutants, arguments.sample, arguments.seed)
    if arguments.measured:
        scored_ids = counted_ids(arguments.measured)
        selected_mutants = [mutant for mutant in selected_mutants if mutant.id in scored_ids]
    index, count = (int(number) for number in arguments.part.split("/"))
    selected_mutants = selected_mutants[index - 1 :: count]
    if arguments.list:
        print("\n".join(mutant.id for mutant in selected_mutants))
        return
    if arguments.official:
        for row in official_results(selected_mutants, arguments.results):
            print(f"{row.status:13} {row.seconds:6.2f} s  {row.id}  {row.saw}", flush=True)
        return
    results = []
    for result in run_all(selected_mutants, arguments.results):
        results.append(result)
        finding = f"{result.check} {result.revision}".strip() or result.saw
        print(f"{result.status:13} {result.seconds:6.2f} s  {result.id}  {finding}", flush=True)
    print(summary(results), file=sys.stderr)


if __name__ == "__main__":
    main()
