"""Writes docs/mutation.md, and `details.md` beside this module, from results:
`python -m benchmarks.mutation --report FILE ...`."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks.markdown import markdown_table
from benchmarks.mutation.measure import NOTICED, MutantResult, rank_of, read_results
from benchmarks.mutation.mutant import SERVERS, Mutant
from benchmarks.mutation.official import OfficialResult
from benchmarks.mutation.wire_members import ALL
from mcpgen.conformance.official import VERSION

DOCUMENT = Path(__file__).parents[2] / "docs" / "mutation.md"
DETAILS = Path(__file__).with_name("details.md")
JUDGMENTS = Path(__file__).with_name("judgments.toml")
_HEADER = (
    *("mutants", "mutants run", "noticed as failure", "noticed as warning"),
    *("noticed by another profile", "not noticed", "code not reached", "equivalent"),
    *("score", "score of reached code", "score with all profiles"),
)
UNCOUNTED = ("no start", "late")
UNNOTICED = ("other profile", "survived", "not reached")
ARGUED = 100
"""The number of unnoticed mutants, chosen by a hash, whose reasons the page counts."""

FEW = 50
"""Shares of fewer mutants have no decimals."""

MIN_PAIRS = 30
"""The fewest results of the official suite that are worth a comparison."""

OPERATORS = (
    ("member remove", "a required member of a result or notification is missing"),
    ("member null", "a required member is null"),
    ("member type", "a member has another JSON type; an absent optional member is added so"),
    ("member value", "a constant or enumerated member has another value"),
    ("member minimum, maximum", "a number is one beyond the bound of the schema"),
    ("exchange …", "one fact of an exchange: status, header, code, order, event, bytes, time"),
    ("negate-condition", "the condition of `if`, `while` or a conditional expression is negated"),
    ("compare", "`==`, `<`, `in`, `is` and the like become the opposite or the neighbor"),
    ("and-or", "`and` becomes `or` and the reverse (`&&`, `\\|\\|`, `??`)"),
    ("drop-not", "a `not` (`!`) is dropped"),
    ("constant", "a truth value is flipped, a number is one more, a word has a suffix"),
    ("drop-statement", "a call, an assignment to a member, `raise` or `throw` is dropped"),
    ("return-none", "`return x` returns nothing"),
    ("drop-argument, drop-entry", "a keyword argument or an entry of a dict is dropped"),
    ("re-raise, break", "`except` raises again; `continue` becomes `break`"),
)

_HEAD = """\
# The mutation score

How many faults of a server does `mcpgen check` find? A *mutant* is a conforming server with a single deliberate defect; the mutation score is the share of
mutants reported by a run of `mcpgen check`. Mutants whose change no client of this server can notice, so that the server still
conforms (*equivalent*), do not count: the change is harmless, or in code of the SDK for features that the server does not use.

* Measured: {measured:,} mutants in the default run of `mcpgen check`.
* Score: **{score}**. The run notices {noticed:,} of {counted:,} mutants; {equivalent:,} more are equivalent, with reasons written by hand.
* [Details](../benchmarks/mutation/details.md): scores by area, revision and kind of defect, every reason, and the unnoticed mutants.

| server | software |
| --- | --- |
| `plain` | [servers/plain.py](../benchmarks/mutation/servers/plain.py): written from the text of the specification alone, over plain sockets |
| `python-sdk` | [servers/python_sdk.py](../benchmarks/mutation/servers/python_sdk.py): the official Python SDK {python_sdk} |
| `typescript-sdk` | [servers/typescript](../benchmarks/mutation/servers/typescript/server.mjs): the official TypeScript SDK {typescript_sdk} |

The servers have the same tools, resources and prompts, sessions, event streams and a bearer token, and serve every revision. The check has the token
and shorter time limits (3 s for a request). The sample has equally many mutants of every server, and every kind, area and revision in proportion.
Unnoticed mutants were measured again after new checks for the defects.

```
make mutation                                             # 100 mutants of the three servers
python -m benchmarks.mutation --only ID                   # one mutant
python -m benchmarks.mutation --sample 1020 --seed 25 --results FILE       # the sample of this page; JSON lines, resumed after an interruption
python -m benchmarks.mutation --official --measured FILE --results OTHER   # the official suite on the non-equivalent mutants of FILE
python -m benchmarks.mutation --report FILE OTHER         # writes this page
```

`make test-all` runs 100 further mutants of the wire: the default run has to notice all except equivalent mutants.
"""


_COLUMNS = """\
A mutant of *code* has a change in a single place of the server's source (`python-sdk`, `typescript-sdk`: in the SDK); a mutant of the *wire* has a
single change in the server's answers in a single revision.

* `mutants run`: started mutants, the sum of the next five columns. A run beyond the time limit is not counted, unless a second run ends at the same
  check.
* `noticed as failure`, `noticed as warning`: the worst new finding of the default run, compared with the unchanged server.
* `noticed by another profile`: only a check outside the default run (profile `security`, hosts, `--active` without the requests from a grammar) notices
  the mutant.
* `code not reached`: no request of either run executes the changed code or gets the changed answer.
* `equivalent`: mutants of the previous three columns with a written reason why no client of the measured server can notice the change.
* `score`: noticed mutants among the mutants without the equivalent mutants. `score of reached code` leaves out mutants outside of reached code;
  `score with all profiles` is the score of reached code that also counts mutants noticed by another profile. A column equal to the column before is left out.
"""

_EARLIER = """\
Many checks were written because of unnoticed mutants of the sample, so the score of new mutants can be lower. Two further samples were measured before
their mutants led to any check or reason. `score` uses the reasons written afterwards; `score before reading` uses only the reasons written before.

| sample | mutants run | equivalent | noticed | score | score before reading |
| --- | ---: | ---: | ---: | ---: | ---: |
| seed 28 | 51 | 22 | 28 | 97 % | 70 % |
| seed 31 | 74 | 36 | 35 | 92 % | 60 % |

With earlier checks, `score before reading` was 63.2 % (134 mutants of seed 26) and 66.3 % (120 mutants of seed 27).
"""

_OFFICIAL = """\
Both suites ran on {pairs} mutants of the sample, without the equivalent mutants. The official suite (@modelcontextprotocol/conformance {version}) has
scenarios for {seen} of the mutants: `mcpgen check` notices {ours} of {seen}, the official suite {theirs}, both {both}, neither {neither}.

The official suite cannot send a token, so its servers demand no token. The suite is told the revision to speak, and so notices a server that refuses the
revision. The suite has no scenario for the authorization of servers or for 2024-11-05, and a single scenario, on sessions, for 2025-03-26; told to
speak 2025-06-18, the suite speaks 2025-11-25 in 129 of 134 exchanges.

Unnoticed mutants of the sample led to checks of `mcpgen check`, an advantage for `mcpgen check`. On 60 mutants of seeds 28 and 31, measured before any
check for the mutants was written, `mcpgen check` noticed 56, the official suite 39, both 37, neither 2.
"""


_INSTRUCTIVE = """\
## Most instructive survivors

* A server refused each request of 2026-07-28 with -32601, and the run took the server for one of older revisions. The error -32022 for an
  unknown version still listed 2026-07-28: `discover-served` now compares the two answers.
* `resources/subscribe` was answered with `"result": null`. Checks that wait for *an answer without an error* now want an object.
* The address in `WWW-Authenticate` lacked a letter, and the metadata at the well-known path was right. Clients follow the challenge first:
  `auth-metadata-shape` asks there, too.
* Every call of the run had a progress token, so a server that crashed without a token passed.
* `ping` is answered outside of a session by some servers, so a missing refusal of other methods was not seen.
* A batch of one request was read as an empty batch; the run sent batches of three.
* The contents of a template had no `uri`: the run read listed resources alone. `resource-read-shape` reads expanded templates, too.
* Notifications in a deleted session were taken: only requests were sent. `session-deleted-404` sends one.
* A server answered `initialize` with HTTP 404 and spoke 2026-07-28 alone, as a server may. The error did not name the version, which such a
  server SHOULD do: `initialize-error-names-versions`.
* `Mcp-Method` was sent twice with two values, and the server read one: a gateway may read the other. `method-header-mismatch-32020` sends both.
* The adapter did not wait for a full connection. An id of 88,000 characters makes any response larger than the buffers: `response-keeps-id`.
* An empty filter of `subscriptions/listen` raised an exception: the check wanted *an answer*.
"""


@dataclass(frozen=True)
class Judgment:
    """A reason for unnoticed mutants, by a regular expression over `id`, a space and `change`;
    ` LOST` follows if the server speaks fewer revisions.

    `equivalent`: the changed server conforms, or no client can tell the change. `status`: the only
    status that the reason is for; `""`: every status.
    """

    pattern: str
    equivalent: bool
    reason: str
    status: str = ""


def judgments() -> list[Judgment]:
    """The reasons, in the order in which the first that fits counts."""
    rows = tomllib.loads(JUDGMENTS.read_text("utf-8"))["judgment"]
    return [Judgment(**row) for row in rows]


def judge_result(result: MutantResult, known_judgments: list[Judgment]) -> Judgment | None:
    """The first reason that fits an unnoticed mutant."""
    text = f"{result.id} {result.change}{' LOST' if result.lost else ''}"
    return _first_reason(text, result.status, known_judgments)


def is_argued(mutant: Mutant, known_judgments: list[Judgment]) -> bool:
    """True if a reason argues that the survivor is equivalent to the unchanged server."""
    reason = _first_reason(f"{mutant.id} {mutant.change}", "survived", known_judgments)
    return reason is not None and reason.equivalent


def _first_reason(text: str, status: str, known_judgments: list[Judgment]) -> Judgment | None:
    fits = (
        row
        for row in known_judgments
        if row.status in ("", status) and re.search(row.pattern, text)
    )
    return next(fits, None)


def document(results: list[MutantResult], official: list[OfficialResult]) -> str:
    """The page."""
    known_judgments = judgments()
    results = sorted(results, key=lambda result: result.id)
    lock = json.loads(_lock().read_text("utf-8"))["packages"]
    noticed_count, scored_count, measured_count = _score(results, known_judgments)
    head = _HEAD.format(
        measured=measured_count,
        score=_share(noticed_count, scored_count),
        noticed=noticed_count,
        counted=scored_count,
        equivalent=measured_count - scored_count,
        python_sdk=_python_version(),
        typescript_sdk=lock["node_modules/@modelcontextprotocol/server"]["version"],
    )
    parts = [
        head,
        "## Score\n",
        _scores(
            results,
            known_judgments,
            lambda result: f"`{result.server}`, {result.kind}",
            "mutants of",
        ),
        _COLUMNS,
        _EARLIER,
        *_unmeasured_servers(results),
        *_official(results, official, known_judgments),
    ]
    return _page_text(parts)


def details(results: list[MutantResult], official: list[OfficialResult]) -> str:
    """The page beside the program: scores by area, revision and operator, and the unnoticed mutants."""
    known_judgments = judgments()
    results = sorted(results, key=lambda result: result.id)
    parts = [
        "# Details of the mutation score\n",
        "Written by `python -m benchmarks.mutation --report RESULTS` beside [the mutation score](../../docs/mutation.md),",
        "which explains the columns.\n",
        "## By area\n",
        _scores(results, known_judgments, lambda result: result.area, "area"),
        "## By revision\n",
        "Mutants of the wire change the answers in one revision.\n",
        _scores(
            [result for result in results if result.mutant_revision in ALL],
            known_judgments,
            lambda result: result.mutant_revision,
            "revision",
        ),
        "## Operators\n",
        markdown_table(("operator", "change", "mutants run", "noticed"), _operators(results)),
        "",
        *_official_details(results, official, known_judgments),
        *_unnoticed_summary(results, known_judgments),
        *_survivors(results, known_judgments),
        _INSTRUCTIVE,
    ]
    return _page_text(parts)


def _page_text(parts: Iterable[str]) -> str:
    return "\n".join(parts).rstrip() + "\n"


def _unmeasured_servers(results: list[MutantResult]) -> Iterator[str]:
    """A sentence about servers without results."""
    absent = sorted({*SERVERS} - {result.server for result in results})
    if absent:
        names = " and ".join(f"`{server}`" for server in absent)
        yield f"This page has no results of {names}.\n"


def _lock() -> Path:
    return Path(__file__).parent / "servers" / "typescript" / "package-lock.json"


def _python_version() -> str:
    return version("mcp")


def _scores(
    results: list[MutantResult],
    known_judgments: list[Judgment],
    group: Callable[[MutantResult], str],
    title: str,
) -> str:
    groups: dict[str, list[MutantResult]] = {}
    for result in results:
        groups.setdefault(group(result), []).append(result)
    rows = [
        _score_row(name, mutant_results, known_judgments)
        for name, mutant_results in sorted(groups.items())
    ]
    if len(rows) > 1:
        rows.append(_score_row("all", results, known_judgments))
    table = [(title, *_HEADER[1:]), *rows]
    kept_columns = [
        column
        for column in range(len(_HEADER))
        if _HEADER[column - 1 : column] not in (("score",), ("score of reached code",))
        or any(row[column] != row[column - 1] for row in rows)
    ]
    head, *body = [[row[column] for column in kept_columns] for row in table]
    return markdown_table(head, body)


def _score(results: list[MutantResult], known_judgments: list[Judgment]) -> tuple[int, int, int]:
    """The numbers of noticed mutants, of mutants that count, and of mutants that start."""
    started_results = [result for result in results if result.status not in UNCOUNTED]
    equivalent = sum(_is_equivalent(result, known_judgments) for result in started_results)
    noticed_count = sum(result.status in NOTICED for result in started_results)
    return noticed_count, len(started_results) - equivalent, len(started_results)


def _score_row(
    name: str, results: list[MutantResult], known_judgments: list[Judgment]
) -> tuple[str, ...]:
    counts = Counter(result.status for result in results if result.status not in UNCOUNTED)
    equivalent = [result for result in results if _is_equivalent(result, known_judgments)]
    other_profile_count = sum(result.status == "other profile" for result in equivalent)
    noticed_count = sum(counts[status] for status in NOTICED)
    scored_count = sum(counts.values()) - len(equivalent)
    unreached_count = sum(
        result.status == "not reached" and not _is_equivalent(result, known_judgments)
        for result in results
    )
    wide = noticed_count + counts["other profile"] - other_profile_count
    return (
        name,
        f"{sum(counts.values()):,}",
        f"{counts['failure']:,}",
        f"{counts['warning']:,}",
        f"{counts['other profile']:,}",
        f"{counts['survived']:,}",
        f"{counts['not reached']:,}",
        f"{len(equivalent):,}",
        _share(noticed_count, scored_count),
        _share(noticed_count, scored_count - unreached_count),
        _share(wide, scored_count - unreached_count),
    )


def _is_equivalent(result: MutantResult, known_judgments: list[Judgment]) -> bool:
    if result.status not in UNNOTICED or not result.change:
        return False
    judgment = judge_result(result, known_judgments)
    return judgment is not None and judgment.equivalent


def _share(part: int, total: int) -> str:
    if not total:
        return "–"
    return f"{100 * part / total:.{0 if total < FEW else 1}f} %"


def _official(
    results: list[MutantResult], official: list[OfficialResult], known_judgments: list[Judgment]
) -> Iterator[str]:
    """The comparison with the official suite, on the mutants that both suites ran on."""
    pairs = _official_pairs(results, official, known_judgments)
    if not pairs:
        return
    compared_pairs = [pair for pair in pairs if pair[1].status != "no scenario"]
    own_count, official_count, both_count, neither_count = _official_counts(compared_pairs)
    yield "## Beside the official suite\n"
    yield _OFFICIAL.format(
        version=VERSION,
        pairs=len(pairs),
        seen=len(compared_pairs),
        ours=own_count,
        theirs=official_count,
        both=both_count,
        neither=neither_count,
    )
    yield _official_table(pairs, "mutants of", lambda result: f"`{result.server}`, {result.kind}")


def _official_details(
    results: list[MutantResult], official: list[OfficialResult], known_judgments: list[Judgment]
) -> Iterator[str]:
    """The comparison with the official suite by revision and by area."""
    pairs = _official_pairs(results, official, known_judgments)
    if not pairs:
        return
    yield "## Beside the official suite\n"
    yield _official_table(
        pairs, "revision", lambda result: result.mutant_revision or "every revision (code)"
    )
    yield _official_table(pairs, "area", lambda result: result.area)


def _official_pairs(
    results: list[MutantResult], official: list[OfficialResult], known_judgments: list[Judgment]
) -> list[tuple[MutantResult, OfficialResult]]:
    """The results of both suites for each mutant that counts; empty for too few mutants."""
    by_id = {result.id: result for result in results}
    pairs = [
        (by_id[row.id], row)
        for row in official
        if row.id in by_id and row.status not in UNCOUNTED
        # An equivalent mutant that the official suite notices counts.
        if row.status in NOTICED or not _is_equivalent(by_id[row.id], known_judgments)
    ]
    return pairs if len(pairs) >= MIN_PAIRS else []


def _official_table(
    pairs: list[tuple[MutantResult, OfficialResult]],
    title: str,
    group: Callable[[MutantResult], str],
) -> str:
    groups: dict[str, list[tuple[MutantResult, OfficialResult]]] = {}
    for result, row in pairs:
        groups.setdefault(group(result), []).append((result, row))
    rows = [_official_row(name, group_pairs) for name, group_pairs in sorted(groups.items())]
    rows.append(_official_row("all", pairs))
    return markdown_table((title, "mutants", *_SUITES), rows)


_SUITES = ("mcpgen check", "official suite", "both", "neither")


def _official_row(name: str, pairs: list[tuple[MutantResult, OfficialResult]]) -> tuple[str, ...]:
    count = len(pairs)
    shares = (f"{number} ({_share(number, count)})" for number in _official_counts(pairs))
    return (name, f"{count:,}", *shares)


def _official_counts(pairs: list[tuple[MutantResult, OfficialResult]]) -> tuple[int, ...]:
    """The numbers of mutants in the order of `_SUITES`."""
    own_ids = {result.id for result, _ in pairs if result.status in NOTICED}
    official_ids = {row.id for _, row in pairs if row.status in NOTICED}
    return (
        len(own_ids),
        len(official_ids),
        len(own_ids & official_ids),
        len(pairs) - len(own_ids | official_ids),
    )


def _operators(results: list[MutantResult]) -> Iterator[tuple[str, ...]]:
    for names, change in OPERATORS:
        prefix, _, _ = names.partition(" …")
        options = [name.strip() for name in prefix.split(",")]
        options += [f"member {name}" for name in options if names.startswith("member")]
        mutant_results = [
            result
            for result in results
            if result.operator in options
            or (names.endswith("…") and result.operator.startswith(prefix))
        ]
        noticed_count = sum(result.status in NOTICED for result in mutant_results)
        yield f"`{names}`", change, f"{len(mutant_results):,}", _share(
            noticed_count, len(mutant_results)
        )


def _unnoticed_summary(
    results: list[MutantResult], known_judgments: list[Judgment]
) -> Iterator[str]:
    """The number of unnoticed mutants that have a reason."""
    unnoticed_results = [result for result in results if result.status in UNNOTICED]
    yield "## Unnoticed mutants\n"
    mutant_results = sorted(unnoticed_results, key=lambda result: rank_of(result.id, ARGUED))[
        :ARGUED
    ]
    reasons = [judge_result(result, known_judgments) for result in mutant_results]
    equivalent = sum(reason is not None and reason.equivalent for reason in reasons)
    argued_count = sum(reason is not None for reason in reasons)
    yield (
        f"Of {len(mutant_results)} unnoticed mutants, chosen by a hash of the id, {argued_count} have a reason, and {equivalent} "
        f"({_share(equivalent, len(mutant_results))}) are argued to be equivalent. The reasons are in [judgments.toml](judgments.toml).\n"
    )


def _survivors(results: list[MutantResult], known_judgments: list[Judgment]) -> Iterator[str]:
    """The unnoticed mutants by reason, and those that a client could notice."""
    unnoticed_results = [result for result in results if result.status in UNNOTICED]
    by_reason: dict[Judgment | None, list[MutantResult]] = {}
    for result in unnoticed_results:
        by_reason.setdefault(judge_result(result, known_judgments), []).append(result)
    yield "### Reasons\n"
    rows = [
        (f"{len(by_reason[row]):,}", "yes" if row.equivalent else "no", row.reason)
        for row in known_judgments
        if row in by_reason
    ]
    if None in by_reason:
        rows.append((f"{len(by_reason[None]):,}", "no", "no reason yet: counted as a survivor"))
    yield markdown_table(("mutants", "equivalent", "reason"), rows)
    yield ""
    yield "### Survivors that a client could notice\n"
    yield "Code that no request reaches is counted by file at the end of the list.\n"
    open_ones = [
        result for result in unnoticed_results if not _is_equivalent(result, known_judgments)
    ]
    mutant_results = [result for result in open_ones if result.status != "not reached"]
    mutant_results += [
        result for result in open_ones if result.kind == "wire" and result not in mutant_results
    ]
    yield markdown_table(
        ("mutant", "change", "status"),
        [(f"`{_cell(r.id)}`", _cell(r.change), _mutant_status(r)) for r in mutant_results],
    )
    yield ""
    files = Counter(
        f"`{result.id.split(':')[0]}:{result.id.split(':')[1]}`"
        for result in open_ones
        if result.status == "not reached" and result.kind == "code"
    )
    yield markdown_table(
        ("code that no request reaches", "mutants"),
        [(name, str(count)) for name, count in files.most_common()],
    )


def _mutant_status(result: MutantResult) -> str:
    return f"{result.status}: `{result.check}`" if result.check else result.status


def _cell(text: str) -> str:
    return text.replace("|", "∣").replace("\n", " ")


def summary(results: list[MutantResult]) -> str:
    """The counts by status and the score, in one line."""
    counts = Counter(result.status for result in results)
    noticed_count, scored_count, _ = _score(results, judgments())
    output = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    return f"{output}; score {_share(noticed_count, scored_count)}"


def counted_ids(files: Iterable[Path]) -> set[str]:
    """The ids of the mutants in files of results that start and are not argued to be equivalent."""
    results, _ = _read(files)
    known_judgments = judgments()
    return {
        result.id
        for result in results.values()
        if result.status not in UNCOUNTED and not _is_equivalent(result, known_judgments)
    }


def _read(files: Iterable[Path]) -> tuple[dict[str, MutantResult], dict[str, OfficialResult]]:
    """The results of both suites by id; later files repeat mutants of earlier ones."""
    results: dict[str, MutantResult] = {}
    official: dict[str, OfficialResult] = {}
    for file in files:
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        if lines and "mutant_revision" not in lines[0]:
            official |= {line["id"]: OfficialResult(**line) for line in lines}
            continue
        results |= {result.id: result for result in read_results(file)}
    return results, official


def write(files: Iterable[Path]) -> Mapping[str, int]:
    """Writes the page from files of results; gives the counts by status."""
    results, official = _read(files)
    DOCUMENT.write_text(document([*results.values()], [*official.values()]), "utf-8")
    DETAILS.write_text(details([*results.values()], [*official.values()]), "utf-8")
    return Counter(result.status for result in results.values())
