"""What the tools of the Reading Room say in their own words. This file is ours; every build keeps it.

Each result is one block of JSON, the failures of the API too: `{outcome, code, message}`. Some answers
are outcomes that an agent goes on with, whatever HTTP says of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from reading_room_mcp.runtime.hooks import Call, Handler, Hooks, Json, Result


async def as_it_is(call: Call) -> Result:
    """What the API answers, its problems as JSON."""
    return told(await call.upstream())


async def ingest_text(call: Call) -> Result:
    """`completed` or `duplicate` as the API says; `name_conflict` with what to do about it."""
    result = await call.upstream()
    problem = problem_of(result)
    if problem.get("code") != "name_conflict":
        return told(result)
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
    """`deleted`, or `not_found`, which is no failure: what should be gone is."""
    return gone(call, await call.upstream(), "documentId", "document_not_found")


async def delete_knowledge_base(call: Call) -> Result:
    """`deleted`, or `not_found`, which is no failure: what should be gone is."""
    return gone(call, await call.upstream(), "knowledgeBaseId", "knowledge_base_not_found")


async def chat_send(call: Call) -> Result:
    """The reply alone, as text."""
    result = await call.upstream()
    reply = result.answered.body if result.answered else None
    if result.failed or not isinstance(reply, dict):
        return told(result)
    return Result.text(str(reply.get("content", "")))


async def run_agent(call: Call) -> Result:
    """`completed`, or which of the three things that can go wrong it was."""
    result = await call.upstream()
    problem = problem_of(result)
    if problem.get("code") not in ("agent_not_found", "chat_not_found", "completion_error"):
        return told(result)
    failure = {
        "outcome": problem["code"],
        "agentId": call.arguments["agentId"],
        "message": problem.get("message"),
    }
    return Result.json(failure, failed=True)


def gone(call: Call, result: Result, name: str, code: str) -> Result:
    """The result of a removal; that there was nothing with this id is as good."""
    if problem_of(result).get("code") != code:
        return told(result)
    return Result.json({"outcome": "not_found", name: call.arguments[name]})


def told(result: Result) -> Result:
    """The result with the problem of the API, if it has one, as JSON."""
    problem = problem_of(result)
    if "code" not in problem:
        return result
    return Result.json({"outcome": "error", **problem}, failed=True)


def problem_of(result: Result) -> Mapping[str, Json]:
    """Code and message of an answer that is a failure; nothing of any other."""
    body = result.answered.body if result.failed and result.answered else None
    return body if isinstance(body, dict) else {}


READING = (
    *("list_knowledge_bases", "list_documents", "search_kb"),
    *("list_agents", "get_agent", "list_chats", "list_chat_messages"),
)
OUTCOMES: Mapping[str, Handler] = {
    "create_knowledge_base": as_it_is,
    "delete_knowledge_base": delete_knowledge_base,
    "ingest_text": ingest_text,
    "delete_document": delete_document,
    "chat_send": chat_send,
    "run_agent": run_agent,
}

HOOKS = Hooks(tools={**dict.fromkeys(READING, as_it_is), **OUTCOMES})
