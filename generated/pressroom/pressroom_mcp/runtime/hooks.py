"""The runtime's public API for `hooks.py`.

The import path stays the same whether the runtime is copied into the project or installed as a package.
"""

from pressroom_mcp._runtime.hooks import (
    Call,
    Caller,
    Handler,
    HandlerResponse,
    Hooks,
    InvalidArguments,
    Json,
    NoAnswer,
    Question,
    Reply,
    Result,
    Tool,
    UpstreamError,
)

__all__ = [
    "Call",
    "Caller",
    "Handler",
    "HandlerResponse",
    "Hooks",
    "InvalidArguments",
    "Json",
    "NoAnswer",
    "Question",
    "Reply",
    "Result",
    "Tool",
    "UpstreamError",
]
