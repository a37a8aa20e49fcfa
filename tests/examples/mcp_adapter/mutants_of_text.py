"""Faults written from the sentences of the requirements before the scenario tests were read."""

from __future__ import annotations

from tests.examples.mcp_adapter.mutants import PACKAGE, Edit, Mutant, reading

SETUP = "test_recommended_setup_is_presented_to_an_operator"
LOCAL = "test_local_setup_is_configured"
SELECTORS = "test_client_inspects_data_tool_selector_arguments"
LISTS = "test_client_lists_mcp_tools"
READS = "test_normal_read_tool_is_invoked"
OWNER = "test_owner_bearer_reaches_mcp_setup"
FOOTPRINT = "test_normal_tool_list_is_generated_in_tests"
INDEX = "test_client_requests_global_schema_discovery"
SCOPED = "test_client_requests_stream_scoped_schema_discovery"
NARROWS = "test_client_narrows_a_shared_stream_to_one_connection"
FLAGS = "test_client_uses_compact_schema_flags"
EXHAUSTIVE = "test_client_requests_exhaustive_schema"
FULL = "test_client_requests_scoped_exhaustive_schema"
PAGED = "test_client_sees_paged_or_incremental_results"
SEARCH = "test_client_searches_without_a_connection_scope"
IN_ONE = "test_client_searches_with_a_connection_scope"
DOCUMENT = "test_client_fetches_a_document_from_a_search_result"
PROJECTED = "test_client_fetches_a_projected_document"
RECORDS = "test_client_queries_projected_records"
AMBIGUOUS = "test_client_omits_connection_identity_on_a_multi_source_package"

RECOMMENDED = "There is one endpoint with five tools for reading, and nothing to choose."


def setup(old: str, new: str) -> Edit:
    """An edit of the set-up text."""
    return Edit("SETUP.md", old, new)


def tool(name: str, old: str, new: str) -> Edit:
    """An edit of an announced tool."""
    return Edit(f"{PACKAGE}/tools/{name}.py", old, new)


OF_TEXT = (
    Mutant(
        "a variant before the recommended way",
        SETUP,
        (
            setup(
                "## The recommended way\n",
                "## Another port\n\nStart with `--port 9000` if 8000 is taken.\n\n## The recommended way\n",
            ),
        ),
    ),
    Mutant(
        "an owner's bearer beside that of a grant",
        SETUP,
        (
            setup(
                "with the bearer of a grant.",
                "with the bearer of a grant, or with your owner bearer.",
            ),
        ),
    ),
    Mutant(
        "a toolset among the recommended variables",
        SETUP,
        (
            setup(
                "python -m mcp_adapter\n```\n\nThen",
                "export MCP_ADAPTER_TOOLSET=core\npython -m mcp_adapter\n```\n\nThen",
            ),
        ),
    ),
    Mutant(
        "a full surface for developers in the recommended way",
        SETUP,
        (setup(RECOMMENDED, f"{RECOMMENDED} Developers set up the full surface."),),
    ),
    Mutant(
        "four tools over stdio",
        LOCAL,
        (
            Edit(
                f"{PACKAGE}/server.py",
                "from mcp_adapter.tools import TOOLS\n",
                "import sys\n\nfrom mcp_adapter.tools import TOOLS as _ALL\n\nTOOLS = _ALL[:4] if '--stdio' in sys.argv else _ALL\n",
            ),
        ),
    ),
    Mutant(
        "a required connection in one tool",
        SELECTORS,
        (
            tool(
                "fetch",
                '"description": "The connection that the record is from, if its id does not say it.",\n            },\n        ),',
                '"description": "The connection that the record is from, if its id does not say it.",\n            },\n            required=True,\n        ),',
            ),
        ),
    ),
    Mutant(
        "the old name as a further argument of one tool",
        SELECTORS,
        (
            tool(
                "aggregate",
                '        Argument(\n            "filter",',
                '        Argument(\n            "connector_instance_id",\n            "handler",\n            {"type": "string", "description": "The connection."},\n        ),\n        Argument(\n            "filter",',
            ),
        ),
    ),
    Mutant(
        "a sixth tool that lists streams",
        LISTS,
        (
            Edit(
                f"{PACKAGE}/tools/__init__.py",
                "    fetch.TOOL,\n)",
                "    fetch.TOOL,\n    __import__('dataclasses').replace(schema.TOOL, name='list_streams'),\n)",
            ),
            Edit(
                f"{PACKAGE}/hooks.py",
                '        "fetch": failures_as_results(fetch),\n',
                '        "fetch": failures_as_results(fetch),\n        "list_streams": failures_as_results(schema),\n',
            ),
        ),
    ),
    Mutant(
        "a read that is refused is tried with an owner's credentials",
        READS,
        (
            reading(
                "resource_server",
                "    if response.status == 200 and",
                '    if response.status in (401, 403, 404):\n        response = await call.request(\n            "GET", path, values=values, query=query, headers={"Authorization": "Bearer owner_sample"}\n        )\n    if response.status == 200 and',
            ),
        ),
    ),
    Mutant(
        "control-plane bearers are let in",
        OWNER,
        (
            Edit(
                f"{PACKAGE}/policy.py",
                'owner_prefixes=("owner_", "control_")',
                'owner_prefixes=("owner_",)',
            ),
            Edit(
                f"{PACKAGE}/policy.py",
                '                owner_claims={"authority": "owner"},\n',
                '                owner_claims={"kind": "owner"},\n',
            ),
        ),
    ),
    Mutant(
        "owners are known by their prefix alone",
        OWNER,
        (
            Edit(
                f"{PACKAGE}/policy.py", '                owner_claims={"authority": "owner"},\n', ""
            ),
        ),
    ),
    Mutant(
        "a description of thirty kilobytes",
        FOOTPRINT,
        (
            tool(
                "search",
                '"Finds records by their words,',
                '"Finds records by their words. " * 1000 + "Finds records by their words,',
            ),
        ),
    ),
    Mutant(
        "the index names the streams of detailed rows only",
        INDEX,
        (
            reading(
                "discovery",
                "    groups = _by_connector(rows)\n    connectors = [",
                "    groups = _by_connector(rows[:ROWS])\n    connectors = [",
            ),
        ),
    ),
    Mutant(
        "the index does not group streams by connector",
        INDEX,
        (
            reading(
                "discovery",
                "return f\"- {connector['connector_key']}: {streams} (connections",
                'return f"- {streams} (connections',
            ),
        ),
    ),
    Mutant(
        "the index repeats the legend with every row",
        INDEX,
        (
            reading(
                "discovery",
                '    return select_keys(row, ("stream", *SOURCE, "records"))',
                '    return {**select_keys(row, ("stream", *SOURCE, "records")), "legend": legend() * 20}',
            ),
        ),
    ),
    Mutant(
        "the text of a stream leaves out groups",
        SCOPED,
        (reading("discovery", '        ("group_by", _join(aggregate["group_by"])),\n', ""),),
    ),
    Mutant(
        "the text of a stream leaves out fields",
        SCOPED,
        (
            reading(
                "discovery",
                '        ("fields", " ".join(_field(field) for field in first["fields"])),\n',
                "",
            ),
        ),
    ),
    Mutant(
        "the text of a stream leaves out the label",
        NARROWS,
        (
            reading(
                "sources",
                '    named = f" {record[\'display_name\']!r}" if "display_name" in record else ""\n    return f"{record[\'connection_id\']}{named}"',
                "    return str(record['connection_id'])",
            ),
        ),
    ),
    Mutant(
        "the text of a stream leaves out expanded relations",
        NARROWS,
        (reading("discovery", '        ("expand", _join(first["expand"])),\n', ""),),
    ),
    Mutant(
        "the text of a stream leaves out modes of search",
        NARROWS,
        (reading("discovery", '        ("search", _join(first["search"])),\n', ""),),
    ),
    Mutant(
        "a stream of a connection is told with its other connections",
        NARROWS,
        (
            reading(
                "discovery",
                "stream=stream, connection_id=connection_id, detail=detail",
                "stream=stream, connection_id=connection_id if full else None, detail=detail",
            ),
        ),
    ),
    Mutant(
        "a legend without the flag of groups",
        FLAGS,
        (reading("legend", '    "g": \'aggregate with group_by: "name"\',\n', ""),),
    ),
    Mutant(
        "a legend that no text shows",
        FLAGS,
        (
            reading(
                "discovery",
                '    return object_result({"data": document}, *lines, legend())',
                '    return object_result({"data": {**document, "legend": legend()}}, *lines)',
            ),
        ),
    ),
    Mutant(
        "the whole schema is fetched before it is refused",
        EXHAUSTIVE,
        (
            reading(
                "discovery",
                '        return error_result("stream_required"',
                '        await request_json(call, "/v1/schema")\n        return error_result("stream_required"',
            ),
        ),
    ),
    Mutant(
        "a refusal that does not name the next call",
        EXHAUSTIVE,
        (
            reading(
                "discovery",
                '    "the schema of a whole grant is not given in full. Call schema for the compact index, then "\n    \'schema(stream, connection_id, detail: "full").\'\n',
                '    "the schema of a whole grant is not given in full."\n',
            ),
        ),
    ),
    Mutant(
        "the full schema takes the first of several connections",
        FULL,
        (
            reading(
                "discovery",
                '    detail = "full" if full else None\n',
                '    detail = "full" if full else None\n    if full and not connection_id:\n        first = await request_json(call, "/v1/schema", stream=stream)\n        connection_id = first["data"]["connectors"][0]["streams"][0]["connection_id"]\n',
            ),
        ),
    ),
    Mutant(
        "a full schema in an envelope",
        FULL,
        (
            reading(
                "discovery",
                "    return _document_result(document, *lines)\n\n\ndef _document_result",
                '    return _document_result({"data": document}, *lines)\n\n\ndef _document_result',
            ),
        ),
    ),
    Mutant(
        "a full schema with the rows a second time",
        FULL,
        (
            reading(
                "discovery",
                '    document = {"view": "full", "connectors": _connector_groups(rows)}',
                '    document = {"view": "full", "connectors": _connector_groups(rows), "streams": list(rows)}',
            ),
        ),
    ),
    Mutant(
        "a full schema of two hundred kilobytes",
        FULL,
        (
            reading(
                "discovery",
                '    document = {"view": "full", "connectors": _connector_groups(rows)}',
                '    document = {"view": "full", "connectors": _connector_groups(rows), "samples": ["sample"] * 25_000}',
            ),
        ),
    ),
    Mutant(
        "a cursor of a search is in the structure alone",
        PAGED,
        (
            reading(
                "searching",
                "        lines.append(f\"next_cursor: {body['next_cursor']} (call again with cursor for more)\")",
                "        pass",
            ),
        ),
    ),
    Mutant(
        "a bookmark is cut in the text",
        PAGED,
        (
            reading(
                "records",
                '        bookmark = shown["next_changes_since"]\n',
                '        bookmark = shown["next_changes_since"][:8]\n',
            ),
        ),
    ),
    Mutant(
        "the count in the text is that of the page",
        PAGED,
        (
            reading(
                "records",
                "        yield f\"count: {shown['count']['value']} ({shown['count']['kind']})\"",
                "        yield f\"count: {len(body['data'])} ({shown['count']['kind']})\"",
            ),
        ),
    ),
    Mutant(
        "a search gives the limit to each connection",
        SEARCH,
        (
            reading(
                "searching",
                '    body = await request_json(call, "/v1/search", q=query, **given)\n',
                '    body = await request_json(call, "/v1/search", q=query, **given)\n    if not given.get("connection_id"):\n        listed = await request_json(call, "/v1/connections")\n        found = []\n        for one in listed["data"]:\n            own = {**given, "connection_id": one["connection_id"]}\n            found += (await request_json(call, "/v1/search", q=query, **own))["data"]\n        body = {**body, "data": found}\n',
            ),
        ),
    ),
    Mutant(
        "a hit without the id of its record",
        SEARCH,
        (
            reading(
                "searching",
                "        **select_keys(record, RECORD),",
                '        **{key: value for key, value in select_keys(record, RECORD).items() if key not in ("id", "record_id")},',
            ),
        ),
    ),
    Mutant(
        "a hit without a label",
        SEARCH,
        (
            reading(
                "searching",
                "        **select_keys(record, RECORD),",
                '        **{key: value for key, value in select_keys(record, RECORD).items() if key != "display_name"},',
            ),
        ),
    ),
    Mutant(
        "a mix of sources from three on",
        SEARCH,
        (reading("searching", "    if len(mix) < 2:", "    if len(mix) < 3:"),),
    ),
    Mutant(
        "snippets mark with asterisks",
        SEARCH,
        (
            reading(
                "searching",
                'f"<mark>{_plain(text[begin:end])}</mark>"',
                'f"**{_plain(text[begin:end])}**"',
            ),
        ),
    ),
    Mutant(
        "snippets keep tags of the record",
        SEARCH,
        (
            reading(
                "searching",
                '    return _TAG.sub("", text).replace("\\n", " / ")',
                '    return text.replace("\\n", " / ")',
            ),
        ),
    ),
    Mutant(
        "a hit without a title is called by its snippet",
        SEARCH,
        (
            reading(
                "titles",
                "    author = payload.get",
                '    if "snippet" in record:\n        return str(record["snippet"]["text"])\n    author = payload.get',
            ),
        ),
    ),
    Mutant(
        "a title prefers the time of collection",
        SEARCH,
        (
            reading(
                "titles",
                'moment = payload.get(roles.get("time")) or record["emitted_at"]',
                'moment = record["emitted_at"] or payload.get(roles.get("time"))',
            ),
        ),
    ),
    Mutant(
        "a search of one connection looks into all",
        IN_ONE,
        (
            reading(
                "searching",
                '    query = given.pop("query")\n',
                '    query = given.pop("query")\n    given.pop("connection_id", None)\n',
            ),
        ),
    ),
    Mutant(
        "a search of one connection forgets the limit",
        IN_ONE,
        (
            reading(
                "searching",
                '    query = given.pop("query")\n',
                '    query = given.pop("query")\n    if given.get("connection_id"):\n        given.pop("limit", None)\n',
            ),
        ),
    ),
    Mutant(
        "a document with a further key",
        DOCUMENT,
        (
            reading(
                "documents",
                '        "url": record["url"],\n',
                '        "url": record["url"],\n        "stream": record["stream"],\n',
            ),
        ),
    ),
    Mutant(
        "a document whose text lacks the metadata",
        DOCUMENT,
        (
            reading(
                "documents",
                '    return Result.of(document(body["data"]))',
                '    made = document(body["data"])\n    shown = {key: value for key, value in made.items() if key != "metadata"}\n    return Result(Result.of(shown).content, structured=made)',
            ),
        ),
    ),
    Mutant(
        "a document with the number of its request",
        DOCUMENT,
        (
            reading(
                "documents",
                '    return Result.of(document(body["data"]))',
                '    made = document(body["data"])\n    made["metadata"]["request_id"] = body["request_id"]\n    return Result.of(made)',
            ),
        ),
    ),
    Mutant(
        "a document that does not name its connection",
        DOCUMENT,
        (
            reading(
                "documents",
                'select_keys(record, ("stream", "record_id", *SOURCE, "emitted_at"))',
                'select_keys(record, ("stream", "record_id", "display_name", "emitted_at"))',
            ),
        ),
    ),
    Mutant(
        "a projected document has the title of the whole record",
        PROJECTED,
        (
            reading(
                "documents",
                '    return Result.of(document(body["data"]))',
                '    made = document(body["data"])\n    if asked["fields"]:\n        whole = await request_json(call, "/v1/streams/{stream}/records/{record_id}", values, connection_id=connection_id)\n        made["title"] = title_of(whole["data"])\n        made["metadata"]["about"] = list(whole["data"]["payload"].values())[-1]\n    return Result.of(made)',
            ),
        ),
    ),
    Mutant(
        "projected records carry the whole payload besides",
        RECORDS,
        (
            reading(
                "records",
                '    records = [_record(record) for record in body["data"]]\n',
                '    records = [_record(record) for record in body["data"]]\n    if given.get("fields"):\n        whole = await request_json(call, path, {"stream": stream}, **{**given, "fields": None})\n        for record, one in zip(records, whole["data"], strict=True):\n            record["raw"] = one["payload"]\n',
            ),
        ),
    ),
    Mutant(
        "the error of ambiguity asks how the connections are",
        AMBIGUOUS,
        (
            reading(
                "resource_server",
                "    raise Failure(_failure_result(response))",
                '    refused = _failure_result(response)\n    if refused.structured and refused.structured.get("code") == AMBIGUOUS:\n        for one in refused.structured["available_connections"]:\n            await call.request("GET", f"/v1/connections/{one[\'connection_id\']}/health")\n    raise Failure(refused)',
            ),
        ),
    ),
    Mutant(
        "entries of candidates without grant_id",
        AMBIGUOUS,
        (
            reading(
                "ambiguity",
                '_CONNECTION_KEYS = ("grant_id", "connector_key",',
                '_CONNECTION_KEYS = ("connector_key",',
            ),
        ),
    ),
    Mutant(
        "all candidates of a large package",
        AMBIGUOUS,
        (reading("ambiguity", "SHOWN = 8", "SHOWN = 1000"),),
    ),
    Mutant(
        "an error of ambiguity without the total",
        AMBIGUOUS,
        (
            reading("ambiguity", '        "total_connections": total,\n', ""),
            reading("ambiguity", "These are {len(shown)} of {total}. ", "These are not all. "),
        ),
    ),
    Mutant(
        "a hint that no text shows",
        AMBIGUOUS,
        (
            reading(
                "ambiguity",
                '        lines.append(f"These are {len(shown)} of {total}. {_HINT}")\n',
                "",
            ),
        ),
    ),
    Mutant(
        "aggregates of several sources take the first",
        AMBIGUOUS,
        (
            reading(
                "records",
                '    body = await request_json(call, "/v1/streams/{stream}/aggregate", {"stream": stream}, **given)\n',
                '    if not given.get("connection_id"):\n        listed = await request_json(call, "/v1/schema", stream=stream)\n        given["connection_id"] = listed["data"]["connectors"][0]["streams"][0]["connection_id"]\n    body = await request_json(call, "/v1/streams/{stream}/aggregate", {"stream": stream}, **given)\n',
            ),
        ),
    ),
    Mutant(
        "an error of ambiguity after two seconds",
        AMBIGUOUS,
        (
            reading(
                "ambiguity",
                "    connections = problem.get",
                '    __import__("time").sleep(2)\n    connections = problem.get',
            ),
        ),
    ),
)
"""Each sentence of the requirements has a mutant, or several where it makes several demands."""
