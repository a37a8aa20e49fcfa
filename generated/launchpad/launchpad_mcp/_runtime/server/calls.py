# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Runs a tool call from arguments to result, and logs the outcome. Failures become results."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from errno import errorcode
from functools import partial
from secrets import token_hex
from time import perf_counter
from typing import Any

from ..caller import ANYBODY, Caller
from ..extensions import INSTALLED, Definitions
from ..hooks import Call, Handler, Hooks
from ..observability.redact import Redactor
from ..result import HandlerResponse, Result, bullet_list, text_block, writable
from ..tool import Json, Tool
from ..upstream.client import UpstreamClient
from ..upstream.exchange import InvalidArguments, UpstreamError, UpstreamRequest, UpstreamResponse
from ..upstream.operation import ToolOperation
from ..upstream.secret_store import HeaderScheme, SecretStore
from ..upstream.tool_result import handler_response, render_result, render_result_for_hook
from ..validation.validate import never_null
from .client_channel import ClientChannel, InputRequired, NoAnswer
from .invocation import (
    SAFE,
    Invocation,
    Rule,
    around_call,
    around_delivery,
    is_read_only,
    rules_overriding,
)

logger = logging.getLogger(__name__)


def log_unknown_tool(name: str) -> None:
    """Logs a call of a tool that does not exist for the caller."""
    members = {"tool": name[:128], "outcome": "unknown"}
    logger.info("a tool was called that does not exist", extra={"members": members})


def _level_and_message(invocation: Invocation, result: Result | None) -> tuple[int, str]:
    if result is None:
        return logging.INFO, "cancelled, the client does not wait for the result"
    if not result.failed:
        return logging.DEBUG, "done"
    if invocation.trace:
        return logging.ERROR, "the server or its hook failed"
    if result.refused:
        return logging.INFO, "denied"
    if result.cause == "arguments":
        return logging.INFO, "the arguments are not accepted"
    if invocation.fault:
        return logging.WARNING, f"the API {invocation.fault}"
    if invocation.statuses and invocation.statuses[-1] >= 300:
        return logging.WARNING, f"the API answered {invocation.statuses[-1]}"
    if invocation.sent_request is None:
        return logging.WARNING, "failed, no request was sent to the API"
    return logging.WARNING, "failed"


def _cause(fault: UpstreamError) -> str:
    """The error of the operating system or of TLS, such as `EMFILE: Too many open files`, or the
    exception's class: the exception's text may contain the URL with arguments."""
    cause: Any = fault.__cause__
    error = getattr(cause, "os_error", None) or getattr(cause, "certificate_error", cause)
    if not isinstance(error, OSError):
        return type(cause).__name__ if cause else ""
    code = errorcode.get(error.errno or 0, type(error).__name__)
    return f"{code}: {error.strerror or error}"


UNSURE = "the request was sent and may have been carried out, so check before you repeat it"
"""The end of the message about an unanswered request that may have changed something."""

RenderResult = Callable[[ToolOperation, UpstreamResponse, Redactor], Result]
"""Converts a response to a result."""


OpenTokens = Callable[[UpstreamClient, Redactor, SecretStore], SecretStore]
"""Creates the store of an API with access tokens that the server fetches."""


class ToolCaller:
    """Makes the calls of all tools, at most `limit` at a time. `state` is the value of the hooks'
    lifespan."""

    def __init__(
        self,
        upstream: UpstreamClient,
        vault: SecretStore,
        hooks: Hooks,
        rules: Sequence[Rule],
        limit: int,
        definitions: Definitions,
        tokens: OpenTokens | None = None,
    ) -> None:
        self.state: Any = None
        self._upstream = upstream
        self._hooks = hooks
        self._definitions = definitions
        self._redactor = Redactor(vault.every_secret())
        self._vault = tokens(upstream, self._redactor, vault) if tokens else vault
        self._operations: dict[str, ToolOperation] = {}
        self._never_null: dict[str, frozenset[str]] = {}
        self._around_calls = rules_overriding(rules, "call")
        self._confirming = rules_overriding(rules, "confirm")
        self._around_requests = rules_overriding(rules, "send")
        self._limit = limit
        self._running = 0
        # Cached: checking a logger's level costs as much as reading the clock.
        self._logs_success = logger.isEnabledFor(logging.DEBUG)

    async def call(
        self,
        tool: Tool,
        arguments: Mapping[str, Json],
        caller: Caller = ANYBODY,
        client: ClientChannel | None = None,
        *,
        unpaginated: bool = False,
    ) -> Result:
        """Calls a tool with unchecked arguments; with `unpaginated` the result is not paginated. A
        null for an optional, non-nullable argument is dropped."""
        if None in arguments.values():
            arguments = self._drop_unset_nulls(tool, arguments)
        invocation = Invocation(
            tool, arguments, caller, client=client or ClientChannel(), unpaginated=unpaginated
        )
        started_at = perf_counter()
        try:
            finish = partial(self._answer, invocation)
            result = await around_call(self._around_calls, invocation, finish)()
        except asyncio.CancelledError:
            self._log(invocation, None, started_at)
            raise
        except Exception:  # noqa: BLE001
            # A failed rule must neither allow the call nor break the connection.
            result = self._server_error_result(invocation)
        if result.failed or self._logs_success:
            self._log(invocation, result, started_at)
        return result

    def _log(self, invocation: Invocation, result: Result | None, started_at: float) -> None:
        """Logs one call; `result` is None if the client cancelled."""
        level, message = _level_and_message(invocation, result)
        if not logger.isEnabledFor(level):
            return
        members: dict[str, Any] = {
            "tool": invocation.tool.name,
            "outcome": result.outcome if result else "cancelled",
            "durationMs": round((perf_counter() - started_at) * 1000, 1),
        }
        if invocation.statuses:
            members["upstreamStatus"] = invocation.statuses[-1]
        if invocation.sent_request and (host := self._upstream.host(invocation.sent_request)):
            members["upstreamHost"] = host
        if invocation.fault and (cause := _cause(invocation.fault)):
            members["cause"] = cause
        message = f"{invocation.tool.name}: {message}"
        extra = {"members": members}
        record = logger.makeRecord(logger.name, level, __file__, 0, message, (), None, extra=extra)
        # Formatters append `exc_text` like a traceback.
        record.exc_text = invocation.trace
        logger.handle(record)

    def _drop_unset_nulls(self, tool: Tool, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        """The arguments without nulls of optional arguments: clients such as CrewAI send null for
        every argument that the model has not set."""
        never_null_names = self._never_null.get(tool.name)
        if never_null_names is None:
            never_null_names = self._never_null[tool.name] = never_null(tool.input_schema)
        return {
            name: value
            for name, value in arguments.items()
            if value is not None or name not in never_null_names
        }

    async def _answer(self, invocation: Invocation) -> Result:
        """The result of a call allowed by all rules."""
        if self._running >= self._limit:
            return Result.crowded(f"at most {self._limit} are made at a time")
        self._running += 1
        tool, arguments = invocation.tool, invocation.arguments
        try:
            operation = self._operation(tool)
            hook = self._hooks.tools.get(tool.name, tool.answer)
            if hook is None and not self._confirming:
                return await self._send(operation, invocation, arguments)
            operation.refuse_invalid(arguments, invocation.caller.path)
            for rule in self._confirming:
                denied: Result | None
                denied = await rule.confirm(invocation, self._redactor_of(invocation))
                if denied:
                    return denied
            if hook is None:
                return await self._send(operation, invocation, arguments)
            return await self._run_handler(hook, operation, invocation)
        except InvalidArguments as error:
            return replace(_refusal_result(tool, error), cause="arguments")
        except Exception:  # noqa: BLE001
            # A hook is user code: the failure is logged, and the model gets no details.
            return self._server_error_result(invocation)
        finally:
            self._running -= 1

    async def _run_handler(
        self, hook: Handler, operation: ToolOperation, invocation: Invocation
    ) -> Result:
        """Runs the handler; converts the handler's uncaught errors to results."""
        call = Call(
            operation.tool,
            operation.handler_arguments(invocation.arguments),
            partial(self._send, operation, invocation, render=render_result_for_hook),
            partial(self._ask, operation, invocation),
            invocation.caller,
            self.state,
            invocation.client,
            invocation.changed,
        )
        try:
            result = writable(await hook(call))
            return operation.output.of_handler(result) if operation.output else result
        except InvalidArguments as error:
            head = f"`{operation.tool.name}` needs a request that must not be sent:"
            return Result.error(bullet_list(head, error.problems))
        except UpstreamError as error:
            return _upstream_error_result(invocation, error)
        except NoAnswer as error:
            return error.result
        except InputRequired as question:
            return question.result

    def _operation(self, tool: Tool) -> ToolOperation:
        if tool.name not in self._operations:
            create = INSTALLED.operation or ToolOperation
            self._operations[tool.name] = create(tool, self._definitions)
        return self._operations[tool.name]

    async def _send(
        self,
        operation: ToolOperation,
        invocation: Invocation,
        arguments: Mapping[str, Json],
        render: RenderResult = render_result,
    ) -> Result:
        tool = operation.tool
        is_built = False
        try:
            bound = invocation.caller.path
            operation.refuse_invalid(arguments, bound)
            request = operation.request(arguments, bound)
            is_built = True
            schemes = self._schemes(operation, request, operation.security)
            answer = await self._send_signed(request, schemes, invocation)
            result = render(operation, answer, self._redactor_of(invocation))
            # An answer that violates the output schema is shown, and its warning follows as a block.
            is_hidden = len(result.content) == 1 or answer.stream is not None
            if result.failed and is_hidden and answer.status < 300 and not tool.hints.read_only:
                result.content += (text_block(f"Note: {UNSURE}."),)
            return result
        except InvalidArguments as error:
            result = _refusal_result(tool, error)
            # Without a route and a handler, no arguments are accepted.
            return result if is_built or tool.route is None else replace(result, cause="arguments")
        except UnicodeEncodeError:
            return _refusal_result(tool, InvalidArguments("a text holds half of a surrogate pair"))
        except UpstreamError as error:
            return _upstream_error_result(invocation, error)
        except Exception:  # noqa: BLE001
            # The API's response is arbitrary: an unexpected response must neither break the
            # connection nor show internals to the model.
            return self._server_error_result(invocation)

    async def _ask(
        self,
        operation: ToolOperation,
        invocation: Invocation,
        request: UpstreamRequest,
        security: Sequence[str] | None = None,
    ) -> HandlerResponse:
        if not self._upstream.address:
            raise InvalidArguments(
                f"the API has no address; its operator has to set {self._upstream.variable}"
            )
        route = operation.tool.route
        alternatives = operation.security if security is None else (tuple(security),)
        self._vault.refuse_unknown(security or ())
        request = replace(request, base_url=route.base_url) if route else request
        schemes = self._schemes(operation, request, alternatives)
        answer = await self._send_signed(request, schemes, invocation)
        return handler_response(answer, self._redactor_of(invocation))

    def _schemes(
        self,
        operation: ToolOperation,
        request: UpstreamRequest,
        alternatives: tuple[tuple[str, ...], ...],
    ) -> tuple[HeaderScheme, ...]:
        """The schemes for a request; none for a host other than the API's that the user has not
        trusted, if a request without credentials is allowed. Raises `InvalidArguments`
        otherwise."""
        schemes = self._vault.pick(alternatives)
        if not schemes or not request.base_url:
            return schemes
        route = operation.tool.route
        if (route and route.trusted) or self._upstream.is_at_api(request):
            return schemes
        if () in alternatives:
            return ()
        raise InvalidArguments(
            f"a credential of this server must not be sent to {request.base_url}; its operator can name"
            " the host under `credentials.own_hosts` in mcpgen.toml and build the server again"
        )

    def _redactor_of(self, invocation: Invocation) -> Redactor:
        """A redactor with the secrets of the server and of the call."""
        caller = invocation.caller
        secrets = [caller.credential, *caller.headers.values(), *invocation.secrets]
        return self._redactor.knowing(secrets) if any(secrets) else self._redactor

    def _server_error_result(self, invocation: Invocation) -> Result:
        """The result of an unexpected exception; only the log has details."""
        reference = token_hex(4)
        trace = self._redactor_of(invocation).clean(traceback.format_exc())
        invocation.trace = f"Reference {reference}\n{trace}"
        return Result.error(
            f"The server failed on this call (internal error); its log has it as {reference}."
        )

    async def _send_signed(
        self, request: UpstreamRequest, schemes: tuple[HeaderScheme, ...], invocation: Invocation
    ) -> UpstreamResponse:
        """Sends the request with credentials; after 401 retries once with new tokens."""
        answer = await self._deliver_through_rules(await self._sign(request, schemes), invocation)
        if answer.status != 401 or not self._vault.forget(schemes):
            return answer
        return await self._deliver_through_rules(await self._sign(request, schemes), invocation)

    def _deliver_through_rules(
        self, request: UpstreamRequest, invocation: Invocation
    ) -> Awaitable[UpstreamResponse]:
        deliver = partial(self._deliver, invocation)
        return around_delivery(self._around_requests, invocation, deliver)(request)

    async def _deliver(self, invocation: Invocation, request: UpstreamRequest) -> UpstreamResponse:
        if request.method not in SAFE:
            invocation.client.has_written = True
        invocation.sent_request = request
        try:
            answer = await self._upstream.send(request)
        except UpstreamError as fault:
            if not fault.sent or is_read_only(invocation.tool, request):
                raise
            message = f"{fault}; {UNSURE}"
            raise UpstreamError(message, passing=fault.passing, sent=True) from fault.__cause__
        invocation.statuses.append(answer.status)
        return answer

    async def _sign(
        self, request: UpstreamRequest, schemes: tuple[HeaderScheme, ...]
    ) -> UpstreamRequest:
        for scheme in schemes:
            request = scheme.add(request, await self._vault.fetch(scheme))
        return request


def _upstream_error_result(invocation: Invocation, fault: UpstreamError) -> Result:
    invocation.fault = fault
    return Result.error(f"The API {fault}.")


def _refusal_result(tool: Tool, error: InvalidArguments) -> Result:
    head = f"`{tool.name}` was not called, and nothing was sent:"
    return Result.error(bullet_list(head, error.problems))
