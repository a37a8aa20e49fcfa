"""The models of a server: as they are remembered, or those that are not plain made in a process of its
own while the rest is written.

The text is the same as in this process; only the wait is shorter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mcpgen.emit.models import Schemas, models, odd, odd_text, plain_models
from mcpgen.frozen import frozen
from mcpgen.memory import FORGETFUL, Memory, digest

_MANY = 100
"""From so many tools on, a process of its own pays."""

_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from mcpgen.emit.beside import answer
answer()
"""
"""What the process runs. An interrupted build ends it; it has nothing to say about that itself."""


@frozen
class Models:
    """The text of the models of a server."""

    text: str


@contextmanager
def models_begun(schemas: Schemas, memory: Memory = FORGETFUL) -> Iterator[Callable[[], str]]:
    """Starts to make the models, unless `memory` has those of the same schemas; the function it gives
    waits for their text."""
    key = digest("models", json.dumps(schemas)) if memory.is_worth(len(schemas)) else ""
    known = memory.recalled(key, Models) if key else None
    if known:
        yield lambda: known.text
        return
    with _begun(schemas) as finished:

        def made() -> str:
            text = finished()
            if key:
                memory.keep(key, Models(text))
            return text

        yield made


@contextmanager
def _begun(schemas: Schemas) -> Iterator[Callable[[], str]]:
    """Starts to make the models; the function it gives waits for their text."""
    known = plain_models(schemas)
    asked = odd(schemas, known)
    if len(schemas) < _MANY or not asked or not sys.executable:
        yield lambda: models(schemas, known)
        return
    command = [sys.executable, "-P", "-c", _PROGRAM]
    pipe = subprocess.PIPE
    path = os.pathsep.join(folder for folder in sys.path if folder)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdin is not None
        try:
            with process.stdin as questions:
                questions.write(json.dumps(asked).encode())
            yield lambda: models(schemas, known, _finished(process))
        finally:
            process.kill()


def _finished(process: subprocess.Popen[bytes]) -> str:
    """What the process wrote. Raises RuntimeError if it failed."""
    assert process.stdout is not None
    text = process.stdout.read().decode()
    if process.wait():
        raise RuntimeError("the process that makes the models failed")
    return text


def answer() -> None:
    """Reads schemas from standard input and writes what is made of them to standard output."""
    sys.stdout.write(odd_text(json.load(sys.stdin)))
