"""Judges requests with Prism, a mock server that gets each recorded request."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from tests.oracle.recorder import RecordedRequest
from tests.venvs import node, npm_with
from yaml import CSafeLoader

from mcpgen.conformance.targets.command import free_port

LISTED = Path(__file__).parent / "independent" / "prism"

PROBLEM = re.compile(r"https://stoplight\.io/prism/errors#(\w+)")
OF_ANSWERS = ("NO_RESPONSE_RESPONSE_DEFINED", "NOT_ACCEPTABLE", "NOT_FOUND")
"""Problems of Prism with the answer it would give, once it has found the request right."""

BEYOND = re.compile(r"\$ref['\"]?\s*:\s*['\"]?[^'\"#\s]")
"""A reference to another file."""

ANSWERS = re.compile(r'("\$ref":"#/paths/[^/"]*/[^/"]*/)responses/')
"""A reference into an answer, which a document in one piece has where two answers are alike."""

PATIENCE = 120
"""How many seconds Prism may take to read a document."""


@dataclass(frozen=True)
class Objection:
    """An objection of Prism: the place (`path`, `query`, ...) with the keys below, the keyword or
    problem, and the message. `crashed` marks a failure of Prism itself."""

    place: tuple[str, ...]
    code: str
    message: str
    crashed: bool = False

    def __str__(self) -> str:
        return f"{'/'.join(self.place)}: {self.code}: {self.message}"


@dataclass
class Prism:
    """Prism with one document open; restarted after a crash."""

    document: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts Prism. Raises RuntimeError if Prism cannot read the document."""
        self.port = free_port()
        flags = ["mock", "--errors", "--multiprocess", "false", "--host", "127.0.0.1"]
        quiet_options = ["--port", str(self.port), "--verboseLevel", "fatal"]
        modules = npm_with(LISTED) / "node_modules"
        program = modules / "@stoplight" / "prism-cli" / "dist" / "index.js"
        self.process = subprocess.Popen(
            [node(), program, *flags, *quiet_options, self.document],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _await(self.process, self.port)

    def stop(self) -> None:
        """Ends Prism."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def judge(self, request: RecordedRequest, base: str) -> tuple[Objection, ...]:
        """Objections to a request; `base` is the path of the server's URL, which is removed from the
        target."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        target = request.target.removeprefix(base) or "/"
        try:
            connection.putrequest(request.method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in request.headers:
                connection.putheader(name, value.encode("latin-1"))
            connection.endheaders(request.body)
            answer = connection.getresponse()
            return tuple(_objections(answer.status, answer.read()))
        except (http.client.HTTPException, OSError) as fault:
            self.stop()
            self.start()
            return (Objection((), "CRASH", f"{type(fault).__name__}: {fault}", crashed=True),)
        finally:
            connection.close()


def _objections(status: int, body: bytes) -> Iterator[Objection]:
    problem_details = _json(body)
    problem = (
        PROBLEM.search(str(problem_details.get("type", "")))
        if isinstance(problem_details, dict)
        else None
    )
    if problem is None:
        if status >= 400:
            yield Objection((), "CRASH", body.decode(errors="replace")[:300], crashed=True)
        return
    faults = [
        fault for fault in problem_details.get("validation", []) if fault["severity"] == "Error"
    ]
    for fault in faults:
        place = tuple(map(str, fault.get("location") or ()))
        if place[:1] != ("response",):
            yield Objection(place, str(fault.get("code", "")), str(fault["message"])[:300])
    if not faults and problem[1] not in OF_ANSWERS:
        detail = f"{problem_details.get('title')}: {problem_details.get('detail')}"
        yield Objection((), problem[1], detail[:300], crashed=problem[1] == "UNKNOWN")


def _json(text: bytes | str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


@contextmanager
def prism(document: Path, folder: Path) -> Iterator[Prism]:
    """Prism with a document while the body runs."""
    running_prism = Prism(bundle_document(document, folder))
    try:
        running_prism.start()
        yield running_prism
    finally:
        running_prism.stop()


def _await(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("Prism does not open the document") from None
            time.sleep(0.1)
        else:
            return


def bundle_document(document: Path, folder: Path) -> Path:
    """A copy of a document as one file, with two changes.

    Responses are replaced by an empty response, since Prism generates its answers from responses and
    fails at some. Swagger 2.0 operations without `consumes` get a media type: without `consumes` Prism
    refuses every body.
    """
    copy = folder / "document.json"
    text = document.read_text(encoding="utf-8")
    if BEYOND.search(text):
        rewrite(document, copy)
        document_text = copy.read_text(encoding="utf-8")
        tree = json.loads(ANSWERS.sub(r"\1x-answers/", document_text))
    else:
        tree = yaml.load(text, CSafeLoader) if document.suffix != ".json" else json.loads(text)
    is_old = "swagger" in tree
    for item in tree.get("paths", {}).values():
        for operation in item.values() if isinstance(item, dict) else ():
            if isinstance(operation, dict) and "responses" in operation:
                operation["x-answers"] = operation["responses"]
                operation["responses"] = {"200": {"description": ""}}
                if is_old and not tree.get("consumes") and not operation.get("consumes"):
                    operation["consumes"] = _media_types(operation)
    copy.write_text(json.dumps(tree, default=str), encoding="utf-8")
    return copy


def rewrite(document: Path, copy: Path, *, as_3: bool = False) -> None:
    """Writes a document of several files as one file; with `as_3`, Swagger 2.0 as OpenAPI 3.0.

    Raises RuntimeError if the conversion fails.
    """
    program = npm_with(LISTED) / "rewrite.cjs"
    flags = ["--as-3"] if as_3 else []
    completed = subprocess.run(
        [node(), program, document, copy, *flags], capture_output=True, text=True
    )
    if completed.returncode:
        raise RuntimeError(completed.stderr.strip())


def _media_types(operation: Any) -> list[str]:
    """The media type of an operation without `consumes`: multipart for files, urlencoded for other form
    parameters, else JSON."""
    fields = [item for item in operation.get("parameters", []) if item.get("in") == "formData"]
    if any(field.get("type") == "file" for field in fields):
        return ["multipart/form-data"]
    return ["application/x-www-form-urlencoded" if fields else "application/json"]
