"""Searches the tools of a generated project: `search_mcpgen.py PACKAGE`, run in the project's folder.

Reads a JSON list of queries from stdin. Prints a JSON list of answers: `names` of tools, best first,
`bytes` of the text, and `ms` of the search without the protocol.
"""

import asyncio
import importlib
import json
import re
import sys
from time import perf_counter

sys.path.insert(0, ".")
package = sys.argv[1]
discovery = importlib.import_module(f"{package}.discovery").DISCOVERY
tools = importlib.import_module(f"{package}.tools").TOOLS
hooks = importlib.import_module(f"{package}._runtime.hooks")
feature = importlib.import_module(f"{package}._runtime.server.feature")
# Every caller sees every tool; the search calls no tool.
context = feature.ServerContext(lambda caller: tools, None, None, None)
search_tool = discovery.tools[0]


async def search_project(query: str) -> dict[str, object]:
    """The answer of the project's `search_tools`."""
    call = hooks.Call(search_tool, {"query": query}, None, None)
    start = perf_counter()
    result = await discovery.answer(call, context)
    ms = (perf_counter() - start) * 1000
    text = result.content[0]["text"]
    names = re.findall(r"^- (\w+)\(", text, re.MULTILINE)
    return {"names": names, "bytes": len(text.encode()), "ms": ms}


async def main() -> None:
    """Answers the queries on stdin; the first query is asked twice, since its first answer makes the index."""
    queries = json.load(sys.stdin)
    await search_project(queries[0])
    print(json.dumps([await search_project(query) for query in queries]))


asyncio.run(main())
