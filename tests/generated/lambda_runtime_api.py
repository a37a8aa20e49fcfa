"""The runtime API of AWS Lambda on this machine, in front of a process that answers invocations.

https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
"""

from __future__ import annotations

import base64
import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PATIENCE = 60
"""Seconds to wait for a process, for a loaded machine."""

ARN = "arn:aws:lambda:eu-central-1:123456789012:function:desk"


@dataclass
class Invocation:
    """An invocation and its answer. `chunks` are the pieces of a streamed response with the time of
    arrival; `trailers` and `headers` have names in lower case; `error` is the report of a failure.
    """

    event: Mapping[str, Any]
    seconds: float = 30
    headers: dict[str, str] = field(default_factory=dict)
    chunks: list[tuple[float, bytes]] = field(default_factory=list)
    trailers: dict[str, str] = field(default_factory=dict)
    error: Any = None
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def is_streamed(self) -> bool:
        """True if the response came in pieces."""
        return self.headers.get("lambda-runtime-function-response-mode") == "streaming"

    @property
    def response(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the HTTP response. Raises AssertionError for a failure."""
        assert self.error is None, self.error
        content = b"".join(chunk for _, chunk in self.chunks)
        if self.is_streamed:
            head, _, body = content.partition(bytes(8))
            response = json.loads(head)
            return response["statusCode"], response["headers"], body
        response = json.loads(content)
        assert len(content) <= 6_291_556
        body = response["body"].encode()
        if response["isBase64Encoded"]:
            body = base64.b64decode(body)
        return response["statusCode"], response["headers"], body


class RuntimeApi(ThreadingHTTPServer):
    """Hands invocations to the process one after the other, as Lambda does. `failure` is the report
    of a process that could not start."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _RuntimeApiHandler)
        self.waiting: queue.Queue[Invocation | None] = queue.Queue()
        self.answered: dict[str, Invocation] = {}
        self.failure: Any = None
        self.failed = threading.Event()

    def invoke(self, event: Mapping[str, Any], seconds: float = 30) -> Invocation:
        """Sends an event and waits for the response; `seconds` is the time-out of the function."""
        invocation = Invocation(event, seconds)
        self.waiting.put(invocation)
        assert invocation.done.wait(PATIENCE)
        return invocation


class _RuntimeApiHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: RuntimeApi

    def do_GET(self) -> None:
        invocation = self.server.waiting.get()
        if invocation is None:
            self.close_connection = True
            return
        id = str(len(self.server.answered))
        self.server.answered[id] = invocation
        deadline = int((time.time() + invocation.seconds) * 1000)
        body = json.dumps(invocation.event).encode()
        self.send_response(200)
        for name, value in (
            ("Lambda-Runtime-Aws-Request-Id", id),
            ("Lambda-Runtime-Deadline-Ms", str(deadline)),
            ("Lambda-Runtime-Invoked-Function-Arn", ARN),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        chunks = [*self._chunks()]
        parts = self.path.split("/")
        if parts[-2:] == ["init", "error"]:
            self.server.failure = json.loads(b"".join(chunk for _, chunk in chunks))
            self.server.failed.set()
        else:
            invocation = self.server.answered[parts[-2]]
            invocation.headers = {name.lower(): value for name, value in self.headers.items()}
            invocation.chunks = chunks
            invocation.trailers = self._trailers
            if parts[-1] == "error":
                invocation.error = json.loads(b"".join(chunk for _, chunk in chunks))
            invocation.done.set()
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _chunks(self) -> Iterator[tuple[float, bytes]]:
        """Yields the body in pieces, with the time of arrival."""
        self._trailers: dict[str, str] = {}
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            yield time.monotonic(), self.rfile.read(int(self.headers["Content-Length"]))
            return
        while size := int(self.rfile.readline(), 16):
            yield time.monotonic(), self.rfile.read(size)
            self.rfile.readline()
        while line := self.rfile.readline().strip():
            name, _, value = line.decode().partition(":")
            self._trailers[name.lower()] = value.strip()

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing."""


@contextmanager
def run_function(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], errors: Path
) -> Iterator[RuntimeApi]:
    """Runs a process that answers invocations; standard error goes to `errors`."""
    api = RuntimeApi()
    serving = threading.Thread(target=api.serve_forever, args=(0.05,))
    serving.start()
    process_variables = {
        "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{api.server_address[1]}",
        "AWS_LAMBDA_FUNCTION_NAME": "desk",
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
        **variables,
    }
    try:
        with (
            errors.open("wb") as stream,
            subprocess.Popen(
                command,
                cwd=folder,
                env=os.environ | process_variables,
                stdout=stream,
                stderr=stream,
            ) as process,
        ):
            try:
                yield api
            finally:
                process.kill()
    finally:
        # The process may wait for an invocation.
        api.waiting.put(None)
        api.shutdown()
        serving.join()
        api.server_close()


def event_of(
    method: str,
    path: str,
    headers: Mapping[str, str],
    body: bytes = b"",
    *,
    stage: str = "$default",
    is_base64: bool = False,
) -> dict[str, Any]:
    """An HTTP request as a function URL or an HTTP API sends it, in format 2.0."""
    prefix = "" if stage == "$default" else f"/{stage}"
    host = headers.get("host", "abc.lambda-url.eu-central-1.on.aws")
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": f"{prefix}{path}",
        "rawQueryString": "",
        "headers": {"host": host, "x-forwarded-proto": "https", **headers},
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "abc",
            "domainName": host,
            "domainPrefix": "abc",
            "http": {
                "method": method,
                "path": f"{prefix}{path}",
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1",
                "userAgent": "test",
            },
            "requestId": "id",
            "routeKey": "$default",
            "stage": stage,
            "time": "01/Jan/2026:00:00:00 +0000",
            "timeEpoch": 1767225600000,
        },
        "body": base64.b64encode(body).decode() if is_base64 else body.decode(),
        "isBase64Encoded": is_base64,
    }
