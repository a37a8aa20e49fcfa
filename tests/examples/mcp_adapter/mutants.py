"""Faults of the read adapter, each with the scenario that detects the fault."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PACKAGE = "mcp_adapter"


@dataclass(frozen=True)
class Edit:
    """Replaces a text of a file; without an old text, appends."""

    path: str
    old: str
    new: str

    def apply(self, project: Path) -> None:
        """Changes the file. Raises AssertionError unless the old text occurs once."""
        file = project / self.path
        text = file.read_text("utf-8")
        assert not self.old or text.count(self.old) == 1, f"{self.path} has not one {self.old!r}"
        changed_text = text.replace(self.old, self.new) if self.old else text + self.new
        file.write_text(changed_text, "utf-8")


@dataclass(frozen=True)
class Mutant:
    """A fault, and the test of the scenario that fails."""

    name: str
    caught_by: str
    edits: tuple[Edit, ...]


def reading(module: str, old: str, new: str) -> Edit:
    """An edit of a module that makes results."""
    return Edit(f"{PACKAGE}/reading/{module}.py", old, new)


def tools(expression: str) -> Edit:
    """Replaces the declared tools; the expression uses `TOOLS`."""
    new = f"\n\nfrom dataclasses import replace\n\nTOOLS = {expression}\n"
    return Edit(f"{PACKAGE}/tools/__init__.py", "", new)


def every_tool(change: str) -> Edit:
    """Changes one argument of `replace` for every tool."""
    return tools(f"tuple(replace(tool, {change}) for tool in TOOLS)")


LISTED = "test_client_lists_mcp_tools"
MEASURED = "test_normal_tool_list_is_generated_in_tests"
OWNER = "test_owner_bearer_reaches_mcp_setup"
INDEX = "test_client_requests_global_schema_discovery"
SCOPED = "test_client_requests_scoped_exhaustive_schema"
NARROWED = "test_client_narrows_a_shared_stream_to_one_connection"
EXHAUSTIVE = "test_client_requests_exhaustive_schema"
PAGED = "test_client_sees_paged_or_incremental_results"
SEARCH = "test_client_searches_without_a_connection_scope"
FETCHED = "test_client_fetches_a_document_from_a_search_result"
PROJECTED = "test_client_fetches_a_projected_document"
QUERIED = "test_client_queries_projected_records"
AMBIGUOUS = "test_client_omits_connection_identity_on_a_multi_source_package"

ASKED = '    body = await request_json(call, "/v1/search", q=query, **given)\n'
FOR_EACH = """    every = (await request_json(call, "/v1/connections"))["data"]
    merged: list[Json] = []
    for one in every:
        given["connection_id"] = one["connection_id"]
        merged += (await request_json(call, "/v1/search", q=query, **given))["data"]
    body: Mapping[str, Json] = {"data": merged}
"""
PROBING = """    if response.status == 409 and isinstance(response.body, dict):
        for one in response.body["error"]["available_connections"][:3]:
            named = {"id": one["connection_id"]}
            await call.request("GET", "/v1/connections/{id}/health", values=named)
"""
AS_OWNER = """    if response.status == 404:
        owner = {"authorization": "Bearer owner_sample"}
        response = await call.request("GET", path, values=values, query=query, headers=owner)
"""
ANSWERED = '    response = await call.request("GET", path, values=values, query=query)\n'
REFUSED = """    if full and not stream:
        return error_result("stream_required", _STREAM_REQUIRED, retry_with="stream")
"""

MUTANTS = (
    Mutant(
        "an extra tool",
        LISTED,
        (tools('(*TOOLS, replace(TOOLS[0], name="list_streams"))'),),
    ),
    Mutant(
        "a tool that is missing",
        LISTED,
        (
            tools('tuple(tool for tool in TOOLS if tool.name != "fetch")'),
            Edit(f"{PACKAGE}/hooks.py", '"fetch": failures_as_results(fetch),', ""),
        ),
    ),
    Mutant(
        "a tool for developers",
        MEASURED,
        (tools('(*TOOLS, replace(TOOLS[0], name="debug_dump"))'),),
    ),
    Mutant("a fat list", MEASURED, (every_tool("description=tool.description + 'x' * 5000"),)),
    Mutant(
        "an alias argument",
        "test_client_inspects_data_tool_selector_arguments",
        (
            every_tool(
                "arguments=(*tool.arguments, *(replace(one, name='connector_instance_id')"
                " for one in tool.arguments if one.name == 'connection_id'))"
            ),
        ),
    ),
    Mutant(
        "a connection that is required",
        "test_client_inspects_data_tool_selector_arguments",
        (
            every_tool(
                "arguments=tuple(replace(one, required=True) if one.name == 'connection_id'"
                " else one for one in tool.arguments)"
            ),
        ),
    ),
    Mutant(
        "an owner's bearer accepted",
        OWNER,
        (
            Edit(f"{PACKAGE}/policy.py", 'owner_prefixes=("owner_", "control_"),', ""),
            Edit(f"{PACKAGE}/policy.py", 'owner_claims={"authority": "owner"},', ""),
        ),
    ),
    Mutant(
        "an owner's bearer known by its first letters alone",
        OWNER,
        (Edit(f"{PACKAGE}/policy.py", 'owner_claims={"authority": "owner"},', ""),),
    ),
    Mutant(
        "an owner's bearer in the environment accepted",
        OWNER,
        (Edit(f"{PACKAGE}/policy.py", 'owner_prefixes=("owner_", "control_"),', ""),),
    ),
    Mutant(
        "another try as an owner",
        "test_normal_read_tool_is_invoked",
        (reading("resource_server", ANSWERED, ANSWERED + AS_OWNER),),
    ),
    Mutant(
        "fetching before rejecting",
        EXHAUSTIVE,
        (reading("discovery", REFUSED, f'    await request_json(call, "/v1/schema")\n{REFUSED}'),),
    ),
    Mutant(
        "the whole schema for whoever asks",
        EXHAUSTIVE,
        (reading("discovery", REFUSED, ""),),
    ),
    Mutant(
        "data.data",
        SCOPED,
        (
            reading(
                "discovery",
                'object_result({"data": document}',
                'object_result({"data": {"data": document}}',
            ),
        ),
    ),
    Mutant(
        "rows told twice",
        SCOPED,
        (
            reading(
                "discovery",
                '{"view": "full", "connectors": _connector_groups(rows)}',
                '{"view": "full", "streams": rows, "connectors": _connector_groups(rows)}',
            ),
        ),
    ),
    Mutant(
        "a schema of any of several connections",
        SCOPED,
        (
            Edit(
                f"{PACKAGE}/resource/schemas.py",
                "if full and not connection_id and len(reader.sources_with(stream)) > 1:",
                "if False:",
            ),
        ),
    ),
    Mutant(
        "schema of every connection",
        NARROWED,
        (reading("discovery", "connection_id=connection_id, ", ""),),
    ),
    Mutant(
        "an index of the rows in detail alone",
        INDEX,
        (
            reading(
                "discovery",
                "groups = _by_connector(rows)\n    connectors",
                "groups = _by_connector(rows[:ROWS])\n    connectors",
            ),
        ),
    ),
    Mutant("an index without a limit", INDEX, (reading("discovery", "ROWS = 20", "ROWS = 2000"),)),
    Mutant(
        "flags without a legend",
        "test_client_uses_compact_schema_flags",
        (reading("legend", 'return "\\n".join(', 'return "" and "\\n".join('),),
    ),
    Mutant(
        "fields without their flags",
        "test_client_requests_stream_scoped_schema_discovery",
        (reading("discovery", "[{field['flags']}]", ""),),
    ),
    Mutant(
        "a hidden cursor", PAGED, (reading("records", 'if "next_cursor" in shown', "if False"),)
    ),
    Mutant(
        "a hidden bookmark",
        PAGED,
        (reading("records", 'if "next_changes_since" in shown', "if False"),),
    ),
    Mutant("a hidden count", PAGED, (reading("records", 'if "count" in shown', "if False"),)),
    Mutant(
        "a hidden cursor of hits",
        PAGED,
        (reading("searching", 'if "next_cursor" in body:', "if False:"),),
    ),
    Mutant("a limit for each connection", SEARCH, (reading("searching", ASKED, FOR_EACH),)),
    Mutant(
        "hits without their source",
        SEARCH,
        (
            reading(
                "searching",
                "**select_keys(record, RECORD),",
                '**select_keys(record, ("id",)), "connection_id": "", "connector_key": "",',
            ),
        ),
    ),
    Mutant("no mix of sources", SEARCH, (reading("searching", "if len(mix) < 2:", "if mix:"),)),
    Mutant(
        "punctuation around what was found",
        SEARCH,
        (
            reading(
                "searching",
                'f"<mark>{_plain(text[begin:end])}</mark>"',
                'f"[[{_plain(text[begin:end])}]]"',
            ),
        ),
    ),
    Mutant(
        "tags that are never closed",
        SEARCH,
        (reading("searching", '</mark>"]', '<mark>"]'),),
    ),
    Mutant(
        "snippets for titles",
        SEARCH,
        (reading("searching", '"title": title_of(record)', '"title": snippet["text"]'),),
    ),
    Mutant(
        "times of collection in titles",
        SEARCH,
        (reading("titles", 'payload.get(roles.get("time")) or ', ""),),
    ),
    Mutant(
        "a scope that is not kept",
        "test_client_searches_with_a_connection_scope",
        (
            reading(
                "searching",
                "    body = await",
                '    given.pop("connection_id", None)\n    body = await',
            ),
        ),
    ),
    Mutant(
        "a record around the document",
        FETCHED,
        (
            reading(
                "documents",
                'return Result.of(document(body["data"]))',
                'return Result.of({**document(body["data"]), "data": body["data"]})',
            ),
        ),
    ),
    Mutant(
        "a document in other words than its text",
        FETCHED,
        (
            reading(
                "documents",
                'Result.of(document(body["data"]))',
                'Result.of(document(body["data"]), "Done.")',
            ),
        ),
    ),
    Mutant(
        "a leaked payload field",
        PROJECTED,
        (
            reading(
                "documents",
                '"fields": call.arguments.get("fields")}',
                '"fields": None}',
            ),
        ),
    ),
    Mutant(
        "a leaked envelope",
        FETCHED,
        (reading("documents", '*SOURCE, "emitted_at")', '*SOURCE, "emitted_at", "provider_url")'),),
    ),
    Mutant(
        "payloads that are not narrowed",
        QUERIED,
        (
            reading(
                "records",
                "    body = await request_json(call, path,",
                '    given.pop("fields", None)\n    body = await request_json(call, path,',
            ),
        ),
    ),
    Mutant(
        "an envelope that nobody has declared",
        QUERIED,
        (
            reading(
                "records",
                '(*RECORD, "payload", "expanded")',
                '(*RECORD, "payload", "expanded", "provider_url")',
            ),
        ),
    ),
    Mutant(
        "a health probe", AMBIGUOUS, (reading("resource_server", ANSWERED, ANSWERED + PROBING),)
    ),
    Mutant(
        "candidates without end", AMBIGUOUS, (reading("ambiguity", "SHOWN = 8", "SHOWN = 800"),)
    ),
    Mutant(
        "an error that says not what to do",
        AMBIGUOUS,
        (reading("ambiguity", '        "retry_with": "connection_id",\n', ""),),
    ),
    Mutant(
        "candidates without their grants",
        AMBIGUOUS,
        (
            reading(
                "ambiguity",
                '"available_connections": shown,',
                '"available_connections": [{key: one[key] for key in one if key != "grant_id"} for one in shown],',
            ),
        ),
    ),
    Mutant(
        "no hint where the list was cut",
        AMBIGUOUS,
        (reading("ambiguity", "Call schema for the full connection index.", "Try again."),),
    ),
    Mutant(
        "a setup with profiles",
        "test_recommended_setup_is_presented_to_an_operator",
        (Edit("SETUP.md", "and nothing to choose.", "in the profile `core`."),),
    ),
    Mutant(
        "a setup that begins with variants",
        "test_recommended_setup_is_presented_to_an_operator",
        (Edit("SETUP.md", "## The recommended way", "## Variants\n\n## The recommended way"),),
    ),
    Mutant(
        "a variable that selects a profile",
        "test_local_setup_is_configured",
        (Edit(f"{PACKAGE}/settings.py", "", "\n\nPROFILE = 'core'\n"),),
    ),
)
