"""Programs for FastMCP's own environment, written as FastMCP's documentation does it.

* `fastmcp_peer.py serve SPEC PORT` serves the tools of a document.
* `fastmcp_peer.py search SPEC` answers a JSON list of queries on stdin with a JSON list on stdout, in the
  format of `search_mcpgen.py`, by the BM25 transform and without the protocol.
* `fastmcp_peer.py tools PORT TOOLS UPSTREAM` serves the tools of `serving/catalogue.py`.
"""

import asyncio
import json
import sys
from pathlib import Path
from time import perf_counter

import httpx2
from fastmcp import FastMCP


def load_openapi(spec: Path) -> dict:
    """An OpenAPI document, from JSON or YAML."""
    text = spec.read_text(encoding="utf-8")
    if spec.suffix == ".json":
        return json.loads(text)
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def make_server(document: dict, upstream: str = "http://127.0.0.1:9") -> FastMCP:
    """A server with a tool for every operation."""
    client = httpx2.AsyncClient(base_url=upstream)
    return FastMCP.from_openapi(openapi_spec=document, client=client, name="benchmark")


def serve_document(spec: str, port: str) -> None:
    """Serves a document until the process ends."""
    import uvicorn

    app = make_server(load_openapi(Path(spec))).http_app(path="/mcp", stateless_http=True)
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error")


def serve_tools(port: str, count: str, upstream: str) -> None:
    """Serves the tools of the catalogue; one tool answers without the upstream."""
    import uvicorn

    sys.path.insert(0, str(Path(__file__).with_name("serving")))
    from catalogue import GREETING, TRIVIAL, openapi_document

    document = openapi_document(int(count))
    del document["paths"][f"/{TRIVIAL}"]
    server = make_server(document, upstream)

    @server.tool(name=TRIVIAL)
    def greet(word_0: str, word_1: str = "") -> str:
        return GREETING

    app = server.http_app(path="/mcp", stateless_http=True, json_response=True)
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", access_log=False)


async def answer_queries(spec: str) -> None:
    """Answers the queries on stdin."""
    from fastmcp.server.transforms.search import BM25SearchTransform

    tools = await make_server(load_openapi(Path(spec))).list_tools()
    routes = {tool.name: f"{tool._route.method} {tool._route.path}" for tool in tools}
    transform = BM25SearchTransform()
    queries = json.load(sys.stdin)
    answers = []
    # The first query is asked twice: the first answer includes making the index.
    for query in [queries[0], *queries]:
        start = perf_counter()
        matches = await transform._search(tools, query)
        answer = await transform._render_results(matches)
        ms = (perf_counter() - start) * 1000
        text = answer if isinstance(answer, str) else json.dumps(answer, separators=(",", ":"))
        names = [routes[tool.name] for tool in matches]
        answers.append({"names": names, "bytes": len(text.encode()), "ms": ms})
    print(json.dumps(answers[1:]))


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "search":
        asyncio.run(answer_queries(*arguments))
    elif command == "tools":
        serve_tools(*arguments)
    else:
        serve_document(*arguments)
