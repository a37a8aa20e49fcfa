"""The results of the tools of the Reading Room. This file is ours; every build keeps it.

Each result is one block of JSON, except the reply of `chat_send`. A failure of the API with a code
is `{outcome, code, message}`. A deletion of nothing succeeds with the outcome `not_found`.
"""

from __future__ import annotations

from collections.abc import Mapping

from reading_room_mcp.runtime.hooks import Call, Handler, Hooks, Json, Result


async def send_unchanged(call: Call) -> Result:
    """Returns the answer of the API, or the problem of the API as JSON."""
    return problem_as_json(await call.upstream())


async def ingest_text(call: Call) -> Result:
    """Returns the outcome of the API, or `name_conflict` with a message about the next call."""
    result = await call.upstream()
    problem = problem_of(result)
    if problem.get("code") != "name_conflict":
        return problem_as_json(result)
    conflict = {
        "outcome": "name_conflict",
        "sourceFilename": call.arguments.get("sourceFilename"),
        "documentId": problem.get("documentId"),
        "message": (
            "Another text has this file name. Call again with `overwriteOnNameConflict: true` to "
            "replace it, or choose another `sourceFilename`."
        ),
    }
    return Result.json(conflict, failed=True)


async def delete_document(call: Call) -> Result:
    """Returns `deleted`, or `not_found`, which is no failure: nothing with this id is left."""
    return deletion_result(call, await call.upstream(), "documentId", "document_not_found")


async def delete_knowledge_base(call: Call) -> Result:
    """Returns `deleted`, or `not_found`, which is no failure: nothing with this id is left."""
    return deletion_result(
        call, await call.upstream(), "knowledgeBaseId", "knowledge_base_not_found"
    )


async def chat_send(call: Call) -> Result:
    """Returns only the text of the reply."""
    result = await call.upstream()
    reply = result.answered.body if result.answered else None
    if result.failed or not isinstance(reply, dict):
        return problem_as_json(result)
    return Result.text(str(reply.get("content", "")))


async def run_agent(call: Call) -> Result:
    """Returns `completed`, or one of three failures with the id of the agent."""
    result = await call.upstream()
    problem = problem_of(result)
    if problem.get("code") not in ("agent_not_found", "chat_not_found", "completion_error"):
        return problem_as_json(result)
    failure = {
        "outcome": problem["code"],
        "agentId": call.arguments["agentId"],
        "message": problem.get("message"),
    }
    return Result.json(failure, failed=True)


def deletion_result(call: Call, result: Result, name: str, code: str) -> Result:
    """Returns the result of a deletion; the problem `code` becomes the outcome `not_found`."""
    if problem_of(result).get("code") != code:
        return problem_as_json(result)
    return Result.json({"outcome": "not_found", name: call.arguments[name]})


def problem_as_json(result: Result) -> Result:
    """Returns the result, or the problem of the API as JSON if the result has one."""
    problem = problem_of(result)
    if "code" not in problem:
        return result
    return Result.json({"outcome": "error", **problem}, failed=True)


def problem_of(result: Result) -> Mapping[str, Json]:
    """Returns the JSON object of a failed answer, usually `{code, message}`; `{}` otherwise."""
    body = result.answered.body if result.failed and result.answered else None
    return body if isinstance(body, dict) else {}


READING = (
    *("list_knowledge_bases", "list_documents", "search_kb"),
    *("list_agents", "get_agent", "list_chats", "list_chat_messages"),
)
OUTCOMES: Mapping[str, Handler] = {
    "create_knowledge_base": send_unchanged,
    "delete_knowledge_base": delete_knowledge_base,
    "ingest_text": ingest_text,
    "delete_document": delete_document,
    "chat_send": chat_send,
    "run_agent": run_agent,
}

HOOKS = Hooks(tools={**dict.fromkeys(READING, send_unchanged), **OUTCOMES})
