"""Questions to FastMCP's BM25 search: `search_fastmcp.py SPEC`, in FastMCP's own environment.

Reads a JSON list of questions, and writes one of answers: method and path of tools, best first, the
bytes of the text, and the milliseconds it took, without the protocol around it. The first question
is asked twice: the index is made then.
"""

import asyncio
import json
import sys
from pathlib import Path
from time import perf_counter

import httpx2
import yaml
from fastmcp import FastMCP
from fastmcp.server.transforms.search import BM25SearchTransform

spec = Path(sys.argv[1])
text = spec.read_text(encoding="utf-8")
if spec.suffix == ".json":
    description = json.loads(text)
else:
    description = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

http = httpx2.AsyncClient(base_url="http://127.0.0.1:9")
server = FastMCP.from_openapi(openapi_spec=description, client=http, name="benchmark")


async def main() -> None:
    """Asks everything."""
    tools = await server.list_tools()
    routes = {tool.name: f"{tool._route.method} {tool._route.path}" for tool in tools}
    transform = BM25SearchTransform()
    questions = json.load(sys.stdin)
    answers = []
    for question in [questions[0], *questions]:
        before = perf_counter()
        found = await transform._search(tools, question)
        rendered = await transform._render_results(found)
        took = (perf_counter() - before) * 1000
        said = (
            rendered if isinstance(rendered, str) else json.dumps(rendered, separators=(",", ":"))
        )
        names = [routes[tool.name] for tool in found]
        answers.append({"names": names, "bytes": len(said.encode()), "ms": took})
    print(json.dumps(answers[1:]))


asyncio.run(main())
