"""Questions to the search of a project: `search_mcpgen.py PACKAGE`, run in its folder.

Reads a JSON list of questions, and writes one of answers: the names of tools, best first, the bytes
of the text, and the milliseconds it took. The first question is asked twice: the index is made then.
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
search = discovery.tools[0]
context = feature.ServerContext(shown=lambda caller: tools, found=None, allows=None, call=None)
"""Everybody finds everything; nothing is called here."""


async def answered(question: str) -> dict[str, object]:
    """What the project answers."""
    call = hooks.Call(search, {"query": question}, None, None)
    before = perf_counter()
    result = await discovery.answer(call, context)
    took = (perf_counter() - before) * 1000
    text = result.content[0]["text"]
    return {
        "names": re.findall(r"^- (\w+)\(", text, re.MULTILINE),
        "bytes": len(text.encode()),
        "ms": took,
    }


async def main() -> None:
    """Asks everything."""
    questions = json.load(sys.stdin)
    await answered(questions[0])
    print(json.dumps([await answered(question) for question in questions]))


asyncio.run(main())
