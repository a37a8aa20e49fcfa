"""Findings that limit the two laws of flattening: code, meaning and count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import TABLE

STAGES = ("MG2", "MG3")
"""Findings of the stages that decide what a tool can send."""

NOT_OF_THE_LAWS = {
    *("MG301", "MG303", "MG304", "MG305", "MG306", "MG310", "MG311", "MG340", "MG350", "MG351"),
    *("MG302", "MG307", "MG313", "MG316", "MG317", "MG341", "MG352", "MG360", "MG361", "MG371"),
    *("MG380", "MG217", "MG221", "MG241", "MG261", "MG270", "MG271", "MG280", "MG281", "MG282"),
    "MG382",
}
"""Findings after which everything that the document allows can still be sent, and nothing else."""


@dataclass(frozen=True)
class FlatteningLimits:
    """Codes, each with the number of findings and of documents."""

    findings: Mapping[Code, tuple[int, int]]

    def lines(self) -> Iterator[str]:
        """The section of the page."""
        yield "\n## Where the laws hold only with a diagnostic\n"
        yield (
            "Findings over the documents of the table, but for those that change names, texts or "
            "addresses only. Each says in the output where it is, and what is left out or assumed.\n"
        )
        yield "| code | name | findings | documents | what it means |\n| --- | --- | --: | --: | --- |"
        for code, (count, documents) in sorted(self.findings.items(), key=lambda each: each[0].id):
            meaning = code.explanation.replace("|", "\\|")
            yield f"| {code.id} | {code.name} | {count} | {documents} | {meaning} |"


def collect_limits(found: Iterable[Counter[Code]]) -> FlatteningLimits:
    """The findings about requests, from all findings of each document."""
    counts: Counter[Code] = Counter()
    places: Counter[Code] = Counter()
    for codes in found:
        of_the_laws = {code: count for code, count in codes.items() if _is_of_the_laws(code)}
        counts.update(of_the_laws)
        places.update(of_the_laws.keys())
    return FlatteningLimits({code: (count, places[code]) for code, count in counts.items()})


def _is_of_the_laws(code: Code) -> bool:
    return code.id in TABLE and code.id.startswith(STAGES) and code.id not in NOT_OF_THE_LAWS
