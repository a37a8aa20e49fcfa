"""Prompts and the completion of arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import block_problem, texts_problem
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.message_schemas import asks_client
from mcpgen.conformance.model import Finding, NotApplicable
from mcpgen.conformance.strict_json import Json

_PROMPTS = SpecPage("Prompts", spec_url("2025-11-25", "server/prompts"), r.ALL)
_COMPLETION = SpecPage(
    "Completion", spec_url("2025-11-25", "server/utilities/completion"), (*r.STREAMABLE, *r.MODERN)
)
PROMPTS_FETCHED = 8
"""Number of prompts that are fetched in each revision."""

MAX_VALUES = 100
"""Completion, "Completion Results": at most 100 values in a response."""

UNKNOWN_PROMPT = "no_such_prompt_anywhere"
TEMPLATE_VARIABLE = re.compile(r"\{[+#./;?&]?([A-Za-z0-9_]+)")
"""The first variable of an expression with any operator (RFC 6570 §2.2)."""


def _check_prompts_list_shape(context: CheckContext) -> Iterator[Finding]:
    listing = context.paged_list("prompts/list")
    for page in listing.pages:
        if not isinstance(page.get("prompts"), list):
            yield Finding("`prompts` is a list", printable(page.get("prompts")))
    for entry in listing.entries:
        if problem := _prompt_problem(entry):
            yield Finding("a prompt has a name, and arguments with names", problem)


def _prompt_problem(entry: Json) -> str:
    if not isinstance(entry, dict):
        return printable(entry)
    if problem := texts_problem(entry, ("name",), ("title", "description")):
        return problem
    arguments = entry.get("arguments", [])
    if not isinstance(arguments, list):
        return f"`arguments` is {printable(arguments)!r}"
    for argument in arguments:
        if not isinstance(argument, dict):
            return f"an argument is {printable(argument)!r}"
        if problem := texts_problem(argument, ("name",), ("title", "description")):
            return problem
        if not isinstance(argument.get("required", False), bool):
            return f"`required` is {printable(argument['required'])!r}"
    return ""


def _check_prompt_name_unique(context: CheckContext) -> Iterator[Finding]:
    names = [str(prompt["name"]) for prompt in context.paged_list("prompts/list").named_entries]
    for name, count in Counter(names).items():
        if count > 1:
            yield Finding("each prompt has a name of its own", f"{count} prompts are `{name}`")


def _check_prompt_get_shape(context: CheckContext) -> Iterator[Finding]:
    for prompt in context.paged_list("prompts/list").named_entries[:PROMPTS_FETCHED]:
        name = prompt["name"]
        params = {"name": name, "arguments": dict.fromkeys(_required(prompt), "example")}
        identifier = context.session.next_id()
        exchange = context.session.send("prompts/get", params, identifier=identifier)
        if exchange.code == r.INVALID_PARAMS and _required(prompt):
            continue  # The prompt may want other values than examples.
        result = (exchange.response(identifier) or {}).get("result")
        if not isinstance(result, dict):
            # Prompts, Error Handling: -32603 for internal errors is a legal answer, and a warning
            # here. -32601 is a violation, because the prompt is listed. Any other code is none: the
            # prompt may need a capability that this client lacks.
            if exchange.error is not None and exchange.code not in (
                r.METHOD_NOT_FOUND,
                r.INTERNAL_ERROR,
            ):
                continue
            warns = exchange.code == r.INTERNAL_ERROR
            yield Finding(f"the prompt `{name}`, which is listed", str(exchange), warns=warns)
        elif problem := _messages_problem(result, context.modern):
            yield Finding(f"messages of the prompt `{name}` with a role and content", problem)


def _messages_problem(result: Mapping[str, Json], modern: bool) -> str:
    """The violation of the shape of a result, or `""`. A server of a modern revision may ask the
    client for input instead."""
    if asks_client(result, modern):
        return ""
    messages = result.get("messages")
    if not isinstance(messages, list):
        return f"`messages` is {printable(messages)!r}"
    for message in messages:
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
            return f"a message is {printable(message)!r}"
        if problem := block_problem(message.get("content")):
            return problem
    return ""


def _check_prompt_unknown_32602(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("prompts")
    context.session.open()
    exchange = context.session.send("prompts/get", {"name": UNKNOWN_PROMPT})
    if exchange.code != r.INVALID_PARAMS:
        yield Finding("the error -32602 for a prompt that does not exist", str(exchange))


def _check_prompt_argument_missing_32602(context: CheckContext) -> Iterator[Finding]:
    prompts = [
        prompt for prompt in context.paged_list("prompts/list").named_entries if _required(prompt)
    ]
    if not prompts:
        raise NotApplicable("prompts with required arguments")
    name = prompts[0]["name"]
    exchange = context.session.send("prompts/get", {"name": name, "arguments": {}})
    if exchange.code != r.INVALID_PARAMS:
        expected = f"the error -32602 for `{name}` without its required arguments"
        yield Finding(expected, str(exchange))
    exchange = context.session.send("prompts/get", {"name": name, "arguments": "none"})
    if exchange.error is None:
        yield Finding(f"an error for arguments of `{name}` that are a text", str(exchange))


def _required(prompt: Mapping[str, Json]) -> list[str]:
    """The names of the required arguments of a prompt."""
    return [
        argument["name"]
        for argument in _named_arguments(prompt)
        if argument.get("required") is True
    ]


def _named_arguments(prompt: Mapping[str, Json]) -> list[dict[str, Json]]:
    """The arguments of a prompt that are objects with a name."""
    arguments = prompt.get("arguments")
    return [
        argument
        for argument in (arguments if isinstance(arguments, list) else ())
        if isinstance(argument, dict) and isinstance(argument.get("name"), str)
    ]


def _check_completion_shape(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("completions")
    reference, argument = completable(context)
    params = {"ref": reference, "argument": {"name": argument, "value": ""}}
    context.session.open()
    exchange = context.session.send("completion/complete", params, identifier="complete")
    if exchange.error is not None:
        # Completion, Error Handling: servers SHOULD return standard errors, -32603 included.
        expected = f"values for `{argument}` of a reference that is listed"
        yield Finding(expected, str(exchange), warns=exchange.code != r.METHOD_NOT_FOUND)
        return
    result = context.session.result_of(exchange, "complete", "completion/complete")
    completion = result.get("completion")
    if not isinstance(completion, dict):
        yield Finding("`completion` is an object", printable(completion))
        return
    values = completion.get("values")
    if not isinstance(values, list) or any(not isinstance(value, str) for value in values):
        yield Finding("`values` is a list of texts", printable(values))
    elif len(values) > MAX_VALUES:
        yield Finding(f"at most {MAX_VALUES} values", f"{len(values)} values")
    if not isinstance(completion.get("hasMore", False), bool):
        yield Finding("`hasMore` is true or false", printable(completion["hasMore"]))
    total = completion.get("total", 0)
    if isinstance(total, bool) or not isinstance(total, int):
        yield Finding("`total` is a whole number", printable(total))


def completable(context: CheckContext) -> tuple[dict[str, Json], str]:
    """A completion reference and the name of an argument. Raises NotApplicable if none
    exists.
    """
    if context.session.has_capability("prompts"):
        for prompt in context.paged_list("prompts/list").named_entries:
            for argument in _named_arguments(prompt):
                return {"type": "ref/prompt", "name": prompt["name"]}, argument["name"]
    if context.session.has_capability("resources"):
        for template in context.paged_list("resources/templates/list").named_entries:
            uri = str(template.get("uriTemplate"))
            for variable in TEMPLATE_VARIABLE.findall(uri):
                return {"type": "ref/resource", "uri": uri}, variable
    raise NotApplicable("prompts or templates with arguments")


def _check_completion_unknown_32602(context: CheckContext) -> Iterator[Finding]:
    context.session.require_capability("completions")
    context.session.open()
    reference = {"type": "ref/prompt", "name": UNKNOWN_PROMPT}
    params = {"ref": reference, "argument": {"name": "anything", "value": ""}}
    exchange = context.session.send("completion/complete", params)
    if exchange.code != r.INVALID_PARAMS:
        expected = "the error -32602 for the completion of a prompt that does not exist"
        yield Finding(expected, str(exchange))


RULES = (
    _PROMPTS.must("prompts-list-shape", "Listing Prompts", _check_prompts_list_shape),
    _PROMPTS.should("prompt-name-unique", "Data Types, Prompt", _check_prompt_name_unique),
    _PROMPTS.must("prompt-get-shape", "Getting a Prompt", _check_prompt_get_shape),
    _PROMPTS.should("prompt-unknown-32602", "Error Handling", _check_prompt_unknown_32602),
    _PROMPTS.should(
        "prompt-argument-missing-32602", "Error Handling", _check_prompt_argument_missing_32602
    ),
    # 2024-11-05 states the results of completions, but no errors.
    replace(_COMPLETION, revisions=r.ALL).must(
        "completion-shape", "Completion Results", _check_completion_shape
    ),
    _COMPLETION.should(
        "completion-unknown-32602", "Error Handling", _check_completion_unknown_32602
    ),
)
