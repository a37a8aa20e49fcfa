"""The oracle: openapi-core and hypothesis-jsonschema in a process and environment without mcpgen."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.recorder import RecordedRequest
from tests.venvs import python_with

HERE = Path(__file__).parent / "independent"


@dataclass(frozen=True)
class Fault:
    """A fault that openapi-core finds in a request.

    `kind` is the exception, `cause` the deepest reason. `place` and `name` name the parameter, and
    `shape` its style, explode and type, for a fault about a parameter. `crashed` marks a failure of
    openapi-core itself.
    """

    kind: str
    cause: str
    place: str
    name: str
    messages: tuple[str, ...]
    shape: str
    crashed: bool

    def __str__(self) -> str:
        prefix = f"{self.place} `{self.name}`: " if self.name else ""
        return f"{self.kind} ({self.cause}) {prefix}{'; '.join(self.messages)}"


@dataclass(frozen=True)
class OracleProcess:
    """Sends messages to the process; one document is open at a time."""

    process: subprocess.Popen[str]

    def open(self, document: Path, base_url: str = "") -> str:
        """Opens a document; returns its version of OpenAPI."""
        return str(self._ask(do="open", path=str(document), base_url=base_url))

    def judge(self, requests: Sequence[RecordedRequest]) -> list[tuple[Fault, ...]]:
        """Faults of each request by the open document."""
        answers = self._ask(do="judge", requests=[request.plain for request in requests])
        return [tuple(_fault(fault) for fault in faults) for faults in answers]

    def read(self, requests: Sequence[RecordedRequest]) -> list[dict[str, Any] | None]:
        """Values of each request by `query:name` …, and `body`; `""` holds the names of invalid
        parameters. None for an unreadable request."""
        answers: list[dict[str, Any] | None] = self._ask(
            do="read", requests=[request.plain for request in requests]
        )
        return answers

    def draw(self, schema: Any, count: int, codec: str, number: int) -> list[Any] | str:
        """Values that meet a schema, or the reason why drawing failed; `number` is the seed."""
        values: list[Any] | str = self._ask(
            do="draw", schema=schema, count=count, codec=codec, number=number
        )
        return values

    def _ask(self, **message: Any) -> Any:
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the jury cannot be spoken to")
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "fault" in answer:
            raise RuntimeError(answer["fault"])
        return answer["answer"]


def _fault(plain: dict[str, Any]) -> Fault:
    return Fault(
        plain["kind"],
        plain["cause"],
        plain["place"],
        plain["name"],
        tuple(plain["messages"]),
        plain["shape"],
        plain["crash"],
    )


@contextmanager
def start_oracle() -> Iterator[OracleProcess]:
    """The oracle process while the body runs."""
    command = [
        str(python_with(HERE / "openapi_core_worker.lock")),
        str(HERE / "openapi_core_worker.py"),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield OracleProcess(process)
        if process.stdin:
            process.stdin.close()
