"""Broken processes over stdio: output, malformed input, shutdown, slow readers."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

from base_server import LEGACY, META, MODERN, ConformingServer, ReceivedRequest
from builder import breaks

NAMES = ("name", "uri")


class OverStdio(ConformingServer):
    """A conforming server as a process; `main` serves standard input and output."""

    revision = MODERN

    def main(self) -> None:
        """Answers lines until the end of input."""
        for line in sys.stdin.buffer:
            if reply := self.reply(line):
                self.write(b" ".join(reply.splitlines()) + b"\n")
        self.finish()

    def reply(self, line: bytes) -> bytes:
        """The answer to a line, `b""` without an answer."""
        return self.answer(ReceivedRequest("POST", self.headers(line), line, "/mcp")).body

    def headers(self, line: bytes) -> dict[str, str]:
        """The headers that a client over HTTP would send with a message."""
        headers = {"host": "localhost:1"}
        if self.revision not in LEGACY[:2]:
            # The header came after the revisions with batches.
            headers["mcp-protocol-version"] = self.revision
        try:
            message: Any = json.loads(line)
            params = message.get("params") or {}
            version = params.get("_meta", {}).get(META + "protocolVersion", self.revision)
        except (ValueError, AttributeError, RecursionError):
            return headers
        if message.get("method") == "initialize":
            return {"host": "localhost:1"}
        if version not in LEGACY[:2]:
            headers["mcp-protocol-version"] = version
        headers |= {"mcp-method": message.get("method", "")}
        names = [params[name] for name in NAMES if name in params]
        return headers | ({"mcp-name": names[0]} if names else {})

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of `initialize`, whose revision later messages have."""
        result = super().initialize(params)
        self.revision = result["protocolVersion"]
        return result

    def write(self, reply: bytes) -> None:
        """Writes an answer."""
        sys.stdout.buffer.write(reply)
        sys.stdout.buffer.flush()

    def finish(self) -> None:
        """Runs after the end of input."""


class SlowToRefuse(OverStdio):
    """A conforming server that is busy before it answers what is no JSON."""

    def reply(self, line: bytes) -> bytes:
        try:
            json.loads(line)
        except ValueError:
            time.sleep(1.5)
        return super().reply(line)


class ReportsLateProgress(OverStdio):
    """A server that reports progress of its first call after 1.5 s, and then answers the call."""

    def reply(self, line: bytes) -> bytes:
        if not self.called_tools and b'"tools/call"' in line:
            self.called_tools.append("add")
            threading.Thread(target=self.reply_later, args=(line,), daemon=True).start()
            return b""
        return super().reply(line)

    def reply_later(self, line: bytes) -> None:
        """Writes the progress and the answer."""
        time.sleep(1.5)
        token = json.loads(line)["params"]["_meta"]["progressToken"]
        self.write(json.dumps(notification(token)).encode() + b"\n")
        self.write(b" ".join(super().reply(line).splitlines()) + b"\n")


def notification(token: Any) -> dict[str, Any]:
    """A notification of progress."""
    params = {"progressToken": token, "progress": 1}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


class LongList(OverStdio):
    """A conforming server whose list of tools has 40,000 bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.tools[0]["description"] = "x" * 40_000


class StopsReading(OverStdio):
    """A server that hangs at the first of the requests of a client that reads late."""

    def reply(self, line: bytes) -> bytes:
        if b'"slow-0"' in line:
            time.sleep(600)
        return super().reply(line)


@breaks("stdio-messages-only")
class Banner(OverStdio):
    def main(self) -> None:
        self.write(b"Server ready\n")
        super().main()


@breaks("stdio-messages-only")
class LogOnOutput(OverStdio):
    def reply(self, line: bytes) -> bytes:
        self.write(b'{"level": "info", "text": "a message came"}\n')
        return super().reply(line)


@breaks("stdio-one-line-each", "speaks-mcp")
class Indented(OverStdio):
    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        self.write(b'{\n  "jsonrpc": "2.0",\n  "method": "notifications/message"\n}\n')
        return super().initialize(params)

    def discover(self) -> dict[str, Any]:
        self.write(b'{\n  "jsonrpc": "2.0",\n  "method": "notifications/message"\n}\n')
        return super().discover()


@breaks("stdio-utf8")
class Latin1(OverStdio):
    def write(self, reply: bytes) -> None:
        super().write(reply)
        super().write('{"jsonrpc": "2.0", "method": "notifications/é"}\n'.encode("latin-1"))


@breaks("stdio-malformed-survived")
class Fragile(OverStdio):
    def reply(self, line: bytes) -> bytes:
        json.loads(line)
        return super().reply(line)


@breaks("stdio-ends-with-input")
class OutlivesInput(OverStdio):
    def finish(self) -> None:
        time.sleep(60)


@breaks("stdio-ends-on-sigterm")
class IgnoresSignals(OverStdio):
    def main(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().main()


@breaks("stdio-stderr-utf8")
class BinaryErrors(OverStdio):
    def main(self) -> None:
        os.write(2, b"\xff\xfe\x00\n")
        super().main()


@breaks("stdio-slow-reader")
class DropsWhatDoesNotFit(OverStdio):
    def write(self, reply: bytes) -> None:
        os.set_blocking(1, False)
        with suppress(BlockingIOError):
            os.write(1, reply)


def make_server(name: str) -> OverStdio:
    """The server of a class of this module, or of `module.Class` over stdio."""
    module, _, text = name.rpartition(".")
    if not module:
        make = globals()[text]
    else:
        make = type(text, (OverStdio, getattr(import_module(module), text)), {})
    server: OverStdio = make()
    return server


if __name__ == "__main__":
    sys.modules["stdio"] = sys.modules["__main__"]
    make_server(sys.argv[1]).main()
