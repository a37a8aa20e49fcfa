"""The jury: a process in its own environment, with software that mcpgen has no part in."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.recorder import Recorded
from tests.venvs import python_with

HERE = Path(__file__).parent / "independent"


@dataclass(frozen=True)
class Fault:
    """What openapi-core holds against a request.

    `kind` is its exception, `cause` the deepest reason. `place` and `name` say which parameter, if
    it is about one, and `shape` its style, explode and type. `crashed` tells that openapi-core failed itself.
    """

    kind: str
    cause: str
    place: str
    name: str
    messages: tuple[str, ...]
    shape: str
    crashed: bool

    def __str__(self) -> str:
        where = f"{self.place} `{self.name}`: " if self.name else ""
        return f"{self.kind} ({self.cause}) {where}{'; '.join(self.messages)}"


@dataclass(frozen=True)
class OracleProcess:
    """Asks the process; one document is open at a time."""

    process: subprocess.Popen[str]

    def open(self, document: Path, base_url: str = "") -> str:
        """Opens a document; returns its version of OpenAPI."""
        return str(self._ask(do="open", path=str(document), base_url=base_url))

    def judge(self, requests: Sequence[Recorded]) -> list[tuple[Fault, ...]]:
        """What is wrong with each request, by the document that is open."""
        answers = self._ask(do="judge", requests=[request.plain for request in requests])
        return [tuple(_fault(fault) for fault in faults) for faults in answers]

    def read(self, requests: Sequence[Recorded]) -> list[dict[str, Any] | None]:
        """The values in each request, by `query:name` and so on, and `body`; under `""` the names of
        parameters that are not valid. None for a request that cannot be read."""
        answers: list[dict[str, Any] | None] = self._ask(
            do="read", requests=[request.plain for request in requests]
        )
        return answers

    def draw(self, schema: Any, count: int, codec: str, number: int) -> list[Any] | str:
        """Values that meet a schema, or why none can be drawn; the same for the same number."""
        drawn: list[Any] | str = self._ask(
            do="draw", schema=schema, count=count, codec=codec, number=number
        )
        return drawn

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
def jury() -> Iterator[OracleProcess]:
    """The jury, as long as it is needed."""
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
