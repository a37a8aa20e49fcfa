"""Logs a call that ended: one line, without arguments, secrets or texts of the API."""

from __future__ import annotations

import logging
from errno import errorcode
from typing import Any

from .middleware import Invocation
from .result import Result
from .upstream_response import UpstreamError

logger = logging.getLogger(__name__)


def logs_success() -> bool:
    """Whether calls that succeed are logged, too."""
    return logger.isEnabledFor(logging.DEBUG)


def log_unknown_tool(name: str) -> None:
    """Logs a call of a tool that the server, or its caller, does not have."""
    members = {"tool": name[:128], "outcome": "unknown"}
    logger.info("a tool was called that does not exist", extra={"members": members})


def log_call(invocation: Invocation, result: Result | None, seconds: float, host: str) -> None:
    """Logs one call; `result` is None if the client gave the call up, and `host` is where the last
    request went, `""` without one."""
    level, message = _level_and_message(invocation, result)
    if not logger.isEnabledFor(level):
        return
    members: dict[str, Any] = {
        "tool": invocation.tool.name,
        "outcome": result.outcome if result else "cancelled",
        "durationMs": round(seconds * 1000, 1),
    }
    if invocation.statuses:
        members["upstreamStatus"] = invocation.statuses[-1]
    if host:
        members["upstreamHost"] = host
    if invocation.fault and (cause := _cause(invocation.fault)):
        members["cause"] = cause
    message = f"{invocation.tool.name}: {message}"
    extra = {"members": members}
    record = logger.makeRecord(logger.name, level, __file__, 0, message, (), None, extra=extra)
    # Every formatter writes it behind the message, as it does with a traceback of its own.
    record.exc_text = invocation.trace
    logger.handle(record)


def _level_and_message(invocation: Invocation, result: Result | None) -> tuple[int, str]:
    """The level and the message of a call."""
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
    if invocation.sent is None:
        return logging.WARNING, "failed, no request was sent to the API"
    return logging.WARNING, "failed"


def _cause(fault: UpstreamError) -> str:
    """The error of the operating system or of TLS, such as `EMFILE: Too many open files`, or the kind
    of the client's exception: its text may hold the URL, with arguments."""
    cause: Any = fault.__cause__
    error = getattr(cause, "os_error", None) or getattr(cause, "certificate_error", cause)
    if not isinstance(error, OSError):
        return type(cause).__name__ if cause else ""
    code = errorcode.get(error.errno or 0, type(error).__name__)
    return f"{code}: {error.strerror or error}"
