"""Counts the diagnostics after which a tool cannot send every request that the document allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import TABLE

STAGES = ("MG2", "MG3")
"""Prefixes of the stages that decide which requests a tool can send."""

NOT_OF_THE_LAWS = {
    *("MG301", "MG303", "MG304", "MG305", "MG306", "MG310", "MG311", "MG340", "MG350", "MG351"),
    *("MG302", "MG307", "MG313", "MG316", "MG317", "MG341", "MG352", "MG360", "MG361", "MG371"),
    *("MG380", "MG217", "MG221", "MG241", "MG261", "MG270", "MG271", "MG280", "MG281", "MG282"),
    "MG382",
}
"""Diagnostics after which a tool still sends exactly the requests that the document allows."""


@dataclass(frozen=True)
class FlatteningLimits:
    """`findings`: per code, the number of diagnostics and of documents."""

    findings: Mapping[Code, tuple[int, int]]

    def lines(self) -> Iterator[str]:
        """Lines of the section of `results.md`."""
        yield "\n## Requests that a tool cannot send\n"
        yield (
            "Diagnostics over the documents of the table, without those that change names, texts or "
            "addresses only. A diagnostic names the position, and the part that is left out or assumed; "
            "`mcpgen explain CODE` has the reason.\n"
        )
        yield "| code | name | findings | documents |\n| --- | --- | --: | --: |"
        for code, (count, documents) in sorted(self.findings.items(), key=lambda each: each[0].id):
            yield f"| {code.id} | {code.name} | {count} | {documents} |"


def collect_limits(found: Iterable[Counter[Code]]) -> FlatteningLimits:
    """Sums the diagnostics about unsendable requests over all documents."""
    counts: Counter[Code] = Counter()
    places: Counter[Code] = Counter()
    for codes in found:
        of_the_laws = {code: count for code, count in codes.items() if _is_of_the_laws(code)}
        counts.update(of_the_laws)
        places.update(of_the_laws.keys())
    return FlatteningLimits({code: (count, places[code]) for code, count in counts.items()})


def _is_of_the_laws(code: Code) -> bool:
    return code.id in TABLE and code.id.startswith(STAGES) and code.id not in NOT_OF_THE_LAWS
