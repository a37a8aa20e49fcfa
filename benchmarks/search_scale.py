"""Measures the search over 22,000 tools: `python -m benchmarks.search_scale`.

The tools are made up like Microsoft Graph's: long paths of a few nouns, and arguments that all operations
share. Prints processor milliseconds per query (the fastest of five), processor seconds to make the index,
memory of the index, and the longest delay of an event loop while a thread makes the index.
"""

from __future__ import annotations

import asyncio
import random
import tracemalloc
from time import perf_counter, process_time

from benchmarks.markdown import decimal_size, markdown_table
from mcpgen_runtime.search.index import SearchEntry, ToolSearch
from mcpgen_runtime.search.stemming import split_list

TOOLS = 22_000
TIMES = 5
NOUNS = sorted(
    split_list(
        "user group team site drive item list message event calendar contact device app role policy "
        "report task plan chat channel member owner photo file folder column content version permission "
        "subscription attachment category rule setting template notebook section page resource"
    )
)
ENDINGS = ("", "s", "Definition", "Reference", "Setting")
VERBS = {"GET": "list", "POST": "create", "PATCH": "update", "DELETE": "delete"}
COMMON = tuple(
    f"{name} {text}"
    for name, text in (
        ("top", "Show only the first n items"),
        ("skip", "Skip the first n items"),
        ("filter", "Filter items by property values"),
        ("search", "Search items by search phrases"),
        ("orderby", "Order items by property values"),
        ("select", "Select properties to be returned"),
        ("expand", "Expand related entities"),
    )
)
QUERIES = (
    "list messages of a user",
    "create a calendar event for my group",
    "delete the photo",
    "who is the owner of this drive item",
    "properties of an object",
    "update attachment",
    "all permisions",
    "upload a file to a folder in the site",
    "show the list of all items in every list",
    "notebok sectoin pages",
)


def make_entry(chance: random.Random) -> SearchEntry:
    """A tool with random nouns, method and path."""
    nouns = [
        chance.choice(NOUNS) + chance.choice(ENDINGS) for _ in range(chance.choice((2, 3, 3, 4, 5)))
    ]
    method = chance.choice(("GET", "GET", "GET", "POST", "PATCH", "DELETE"))
    verb, single = VERBS[method], method in ("PATCH", "DELETE") or chance.random() < 0.4
    path = "".join(f"/{noun}/{{{noun}-id}}" for noun in nouns[:-1]) + f"/{nouns[-1]}"
    return SearchEntry(
        "_".join([verb, *nouns]).lower()[:40],
        f"{verb} {' '.join(nouns)}",
        f"{verb.title()} the properties and relationships of a {nouns[-1]} object in the {nouns[0]} "
        f"that is signed in; permission {chance.randrange(3000)} is needed.",
        method,
        f"{path}/{{id}}" if single else path,
        (f"{nouns[0]}.{nouns[1]}",),
        (*(f"{noun}_id The unique identifier of {noun}" for noun in nouns), *COMMON),
    )


def main() -> None:
    """Prints a table and two lines."""
    chance = random.Random(1)
    entries = [make_entry(chance) for _ in range(TOOLS)]
    start = process_time()
    search = ToolSearch(entries)
    index_seconds = process_time() - start
    rows = [(query, f"{_fastest_ms(search, query):.1f}") for query in QUERIES]
    print(markdown_table(("query", "ms"), rows))
    print(f"index of {TOOLS:,} tools: {index_seconds:.1f} s, {decimal_size(_index_bytes(entries))}")
    print(
        f"making the index delays the event loop by {asyncio.run(_longest_delay(entries)) * 1000:.0f} ms at most"
    )


def _fastest_ms(search: ToolSearch, query: str) -> float:
    times = []
    for _ in range(TIMES):
        start = process_time()
        search.best(query, 10)
        times.append((process_time() - start) * 1000)
    return min(times)


async def _longest_delay(entries: list[SearchEntry]) -> float:
    """The longest delay in seconds of a pause of a millisecond, while a thread makes an index."""
    making = asyncio.create_task(asyncio.to_thread(ToolSearch, entries))
    longest = 0.0
    while not making.done():
        start = perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, perf_counter() - start - 0.001)
    await making
    return longest


def _index_bytes(entries: list[SearchEntry]) -> int:
    """Bytes that Python allocates for an index."""
    tracemalloc.start()
    search = ToolSearch(entries)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del search
    return used


if __name__ == "__main__":
    main()
