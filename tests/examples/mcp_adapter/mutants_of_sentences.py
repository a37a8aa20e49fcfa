"""Faults against sentences of the requirements, written from the sentences and not from the tests.

The first seven had no test that failed: their assertions held an example in place of the sentence.
"""

from __future__ import annotations

from tests.examples.mcp_adapter.mutants import (
    AMBIGUOUS,
    ANSWERED,
    EXHAUSTIVE,
    FETCHED,
    INDEX,
    NARROWED,
    OWNER,
    PACKAGE,
    PAGED,
    PROJECTED,
    QUERIED,
    REFUSED,
    SCOPED,
    SEARCH,
    Edit,
    Mutant,
    reading,
    tools,
)

SETUP = "test_recommended_setup_is_presented_to_an_operator"
LOCAL = "test_local_setup_is_configured"
LEGEND = "test_client_uses_compact_schema_flags"
SELECTORS = "test_client_inspects_data_tool_selector_arguments"
STREAM = "test_client_requests_stream_scoped_schema_discovery"
SEARCH_SCOPED = "test_client_searches_with_a_connection_scope"
INVOKED = "test_normal_read_tool_is_invoked"

BEGIN = "The agent begins with `schema`, which tells it what the grant opens."
RUN = "def run() -> int:"
SIZES = """from argparse import ArgumentParser

_plain = ArgumentParser.__init__


def _sized(parser: ArgumentParser, *args: object, **more: object) -> None:
    _plain(parser, *args, **more)
    parser.add_argument("--size", help="small or large")


ArgumentParser.__init__ = _sized


"""
LENIENT = """

from mcpgen_runtime.auth import authentication

_refuse = authentication._refuse_owners
authentication._refuse_owners = lambda settings, prefixes: _refuse(settings, prefixes[:1])
"""
FETCH = '    body = await request_json(call, "/v1/streams/{stream}/records/{record_id}", values, **asked)\n'
FORGETFUL = """    from mcp_adapter.reading.resource_server import Failure

    try:
        body = await request_json(call, "/v1/streams/{stream}/records/{record_id}", values, **asked)
    except Failure as failure:
        failure.result.structured.pop("retry_with", None)
        raise
"""
SHOWN = "    shown = [select_keys(connection, _CONNECTION_KEYS) for connection in connections[:SHOWN]]\n"
GROUPED = '    document = {"view": "full", "connectors": _connector_groups(rows)}\n'
RECORDS = '    records = [_record(record) for record in body["data"]]\n'
PAGE = '    body = await request_json(call, path, {"stream": stream}, count=count, **given)\n'

SENTENCES = (
    Mutant(
        "a flag that selects a size",
        LOCAL,
        (
            Edit(
                f"{PACKAGE}/__main__.py",
                RUN,
                f"{SIZES}{RUN}",
            ),
        ),
    ),
    Mutant("a setup that manages webhooks", SETUP, (Edit("SETUP.md", BEGIN, f"{BEGIN} Webhooks are set up first."),)),
    Mutant(
        "a control-plane bearer in the environment",
        OWNER,
        (
            Edit(
                f"{PACKAGE}/policy.py",
                "",
                LENIENT,
            ),
        ),
    ),
    Mutant(
        "a legend of another grammar",
        LEGEND,
        (reading("legend", '["name operator value"] with', '["name:operator:value"] with'),),
    ),
    Mutant(
        "one candidate of a small package",
        AMBIGUOUS,
        (reading("ambiguity", SHOWN, f"{SHOWN}    shown = shown if total > SHOWN else shown[:1]\n"),),
    ),
    Mutant(
        "an ambiguity error after eight seconds",
        AMBIGUOUS,
        (reading("ambiguity", SHOWN, f"    import time\n\n    time.sleep(8)\n{SHOWN}"),),
    ),
    Mutant("a document's ambiguity without retry_with", AMBIGUOUS, (reading("documents", FETCH, FORGETFUL),)),
    Mutant(
        "a variable that selects an edition",
        LOCAL,
        (Edit(f"{PACKAGE}/settings.py", "    upstream: str", '    shape: str = "small"\n    upstream: str'),),
    ),
    Mutant("a setup for debug tools", SETUP, (Edit("SETUP.md", BEGIN, f"{BEGIN} Debug tools help."),)),
    Mutant(
        "a legend that leaves an operator out",
        LEGEND,
        (reading("legend", "= != > >= < <= or ~", "= != > < or ~"),),
    ),
    Mutant(
        "a selector that one tool requires",
        SELECTORS,
        (
            tools(
                "tuple(replace(tool, arguments=tuple(replace(one, required=one.required or "
                "(one.name, tool.name) == ('connection_id', 'aggregate')) "
                "for one in tool.arguments)) for tool in TOOLS)"
            ),
        ),
    ),
    Mutant("a second try", INVOKED, (reading("resource_server", ANSWERED, f"{ANSWERED}    if response.status != 200:\n    {ANSWERED}"),)),
    Mutant("an index with fields", INDEX, (reading("discovery", "[_row(row) for row in rows[:ROWS]]", '[{**_row(row), "fields": ["subject"]} for row in rows[:ROWS]]'),)),
    Mutant(
        "an index that forgets a connector",
        INDEX,
        (reading("discovery", "lines += [_line(connector) for connector in connectors]", "lines += [_line(connector) for connector in connectors[:-1]]"),),
    ),
    Mutant(
        "an index that does not say how to go on",
        INDEX,
        (reading("discovery", "Next: schema(stream) tells the fields, with flags:", "Flags:"),),
    ),
    Mutant(
        "a stream without its groups",
        STREAM,
        (reading("discovery", '        ("group_by", _join(aggregate["group_by"])),\n', ""),),
    ),
    Mutant(
        "a stream without its order",
        NARROWED,
        (
            reading(
                "discovery",
                '''        ("sort", _join([field["name"] for field in first["fields"] if "s" in field["flags"]])),\n''',
                "",
            ),
        ),
    ),
    Mutant("a connection without its label", NARROWED, (reading("sources", '''    return f"{record['connection_id']}{named}"''', '''    return str(record["connection_id"])'''),)),
    Mutant("a legend without search", LEGEND, (reading("legend", '    "t": "search finds the words of this field",\n', ""),)),
    Mutant(
        "a flag that no legend explains",
        LEGEND,
        (reading("discovery", '''return f"{field['name']}:{field['type']}[{field['flags']}]"''', '''return f"{field['name']}:{field['type']}[{field['flags']}x]"'''),),
    ),
    Mutant(
        "a whole schema that is fetched and thrown away",
        EXHAUSTIVE,
        (reading("discovery", REFUSED, f'    if full and not stream:\n        await request_json(call, "/v1/schema")\n{REFUSED}'),),
    ),
    Mutant(
        "a refusal without a way on",
        EXHAUSTIVE,
        (reading("discovery", ''' Call schema for the compact index, then "''', ''' "'''),),
    ),
    Mutant(
        "a schema in an envelope",
        SCOPED,
        (reading("discovery", GROUPED, '    document = {"view": "full", "connectors": _connector_groups(rows), "data": {"streams": [*rows]}}\n'),),
    ),
    Mutant(
        "rows that stand twice",
        SCOPED,
        (reading("discovery", GROUPED, '    document = {"view": "full", "connectors": _connector_groups(rows), "streams": [*rows]}\n'),),
    ),
    Mutant("a bookmark that only structure has", PAGED, (reading("records", '    if "next_changes_since" in shown:', "    if False:"),)),
    Mutant("a page's handle that only structure has", PAGED, (reading("records", '    if "next_cursor" in shown:', "    if False:"),)),
    Mutant("hits called like their snippets", SEARCH, (reading("searching", '"title": title_of(record),', '"title": snippet["text"],'),)),
    Mutant(
        "the time of collection first",
        SEARCH,
        (reading("titles", 'payload.get(roles.get("time")) or record["emitted_at"]', 'record["emitted_at"] or payload.get(roles.get("time"))'),),
    ),
    Mutant("marks of punctuation", SEARCH, (reading("searching", "<mark>{_plain(text[begin:end])}</mark>", "**{_plain(text[begin:end])}**"),)),
    Mutant(
        "hits without their connector",
        SEARCH,
        (reading("searching", "        **select_keys(record, RECORD),\n", '        **{k: v for k, v in select_keys(record, RECORD).items() if k != "connector_key"},\n        "connector_key": "",\n'),),
    ),
    Mutant(
        "a scoped search of everything",
        SEARCH_SCOPED,
        (reading("searching", '    query = given.pop("query")\n', '    query = given.pop("query")\n    given.pop("connection_id", None)\n'),),
    ),
    Mutant("a document with a request's id", FETCHED, (reading("documents", '        "url": record["url"],\n', '        "url": record["url"],\n        "request_id": "r1",\n'),)),
    Mutant(
        "a document whose text says more than its structure",
        FETCHED,
        (
            reading("documents", '    return Result.of(document(body["data"]))\n', '    made = document(body["data"])\n    return object_result({**made, "title": ""}, "A document")\n'),
            reading("documents", "from mcp_adapter.reading.sources", "from mcp_adapter.reading.results import object_result\nfrom mcp_adapter.reading.sources"),
        ),
    ),
    Mutant(
        "a document without its source",
        FETCHED,
        (reading("documents", '("stream", "record_id", *SOURCE, "emitted_at")', '("stream", "record_id", "emitted_at")'),),
    ),
    Mutant(
        "a projection that is not asked for",
        PROJECTED,
        (reading("documents", '"fields": call.arguments.get("fields")}', '"fields": None}'),),
    ),
    Mutant("records that are never narrowed", QUERIED, (reading("records", PAGE, f'    given.pop("fields", None)\n{PAGE}'),)),
    Mutant(
        "records with an undeclared key",
        QUERIED,
        (reading("records", RECORDS, '    records = [{**_record(record), "trace": "t1"} for record in body["data"]]\n'),),
    ),
    Mutant("a total that hides the rest", AMBIGUOUS, (reading("ambiguity", '        "total_connections": total,\n', '        "total_connections": len(shown),\n'),)),
    Mutant("candidates without their grant", AMBIGUOUS, (reading("ambiguity", '_CONNECTION_KEYS = ("grant_id", ', "_CONNECTION_KEYS = ("),)),
)  # fmt: skip
