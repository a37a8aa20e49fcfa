"""What others think: openapi-core judges requests, hypothesis-jsonschema draws arguments.

Runs in an environment of its own (`witness.lock`) and knows nothing of mcpgen. Reads one JSON
message a line, writes one JSON answer a line.
"""

from __future__ import annotations

import base64
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from http.cookies import _unquote
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis_jsonschema import from_schema
from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.templating.paths.exceptions import PathError
from openapi_core.validation.schemas.exceptions import InvalidSchemaValue
from werkzeug.datastructures import Headers, ImmutableMultiDict

MESSAGES = 4
"""How many violations of a schema are told."""


class Request:
    """A recorded request in the shape that openapi-core asks for."""

    def __init__(self, sent: dict[str, Any]) -> None:
        parts = urlsplit(sent["url"])
        headers = Headers([tuple(pair) for pair in sent["headers"]])
        self.host_url = f"{parts.scheme}://{parts.netloc}"
        self.path = parts.path
        self.method = sent["method"].lower()
        self.body = base64.b64decode(sent["body"])
        self.content_type = headers.get("Content-Type") or ""
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(parse_qsl(parts.query, keep_blank_values=True)),
            header=headers,
            cookie=ImmutableMultiDict(cookies(headers.get("Cookie", ""))),
        )


def cookies(header: str) -> Iterator[tuple[str, str]]:
    """The cookies of a header, with percent-encoding undone as for the query."""
    for pair in header.split("; ") if header else ():
        name, _, value = pair.partition("=")
        yield name, unquote(_unquote(value))


class Witness:
    """Answers messages about one document at a time."""

    def __init__(self) -> None:
        self.api: Any = None

    def open(self, path: str, base_url: str) -> str:
        """Takes a document; returns the version it is written in."""
        config = Config(spec_validator_cls=None, spec_base_url=base_url or None)
        self.api = OpenAPI.from_file_path(path, config=config)
        return str(self.api.spec["openapi"])

    def judge(self, requests: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
        """What is wrong with each request; an empty list if nothing is."""
        return [list(self._problems(Request(sent))) for sent in requests]

    def _problems(self, request: Request) -> Iterator[dict[str, Any]]:
        validator = self.api.request_validator
        full_url = request.host_url + request.path
        try:
            found = validator.path_finder.find(request.method, full_url)
        except PathError as fault:
            yield problem(fault)
            return
        variables = found.path_result.variables
        request.parameters.path = {name: unquote(text) for name, text in variables.items()}
        try:
            for fault in validator.iter_errors(request):
                yield problem(fault)
        except Exception as fault:  # The judge itself broke down, which is not the request's fault.
            yield {**problem(fault), "crash": True}

    def draw(self, schema: Any, count: int, codec: str, number: int) -> list[Any] | str:
        """Values that meet a schema, or why there are none."""
        drawn: list[Any] = []

        @seed(number)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(from_schema(schema, codec=codec))
        def collect(value: Any) -> None:
            drawn.append(value)

        try:
            collect()
        except Exception as fault:  # Not every schema can be drawn from; the caller is told.
            return f"{type(fault).__name__}: {fault}"[:300]
        return drawn


def problem(fault: BaseException) -> dict[str, Any]:
    """A fault and its causes as plain values."""
    causes = list(chain(fault))
    deepest = causes[-1]
    messages = [str(deepest)[:300]]
    if isinstance(deepest, InvalidSchemaValue):
        messages = [
            f"{'/'.join(map(str, each.absolute_path))}: {each.validator}: {each.message}"[:300]
            for each in list(deepest.schema_errors)[:MESSAGES]
        ]
    return {
        "kind": type(fault).__name__,
        "cause": type(deepest).__name__,
        "place": getattr(fault, "location", "") or "",
        "name": getattr(fault, "name", "") or "",
        "messages": messages,
        "crash": False,
    }


def chain(fault: BaseException | None) -> Iterator[BaseException]:
    """A fault and what caused it, the deepest last."""
    while fault is not None:
        yield fault
        fault = fault.__cause__ or fault.__context__


def main() -> None:
    """Answers until the input ends."""
    warnings.simplefilter("ignore")
    witness = Witness()
    commands: dict[str, Callable[..., Any]] = {
        "open": witness.open,
        "judge": witness.judge,
        "draw": witness.draw,
    }
    for line in sys.stdin:
        message = json.loads(line)
        try:
            answer = {"answer": commands[message.pop("do")](**message)}
        except Exception as fault:  # Told to the caller, whose next message may be fine.
            answer = {"fault": f"{type(fault).__name__}: {fault}"[:500]}
        print(json.dumps(answer, default=str), flush=True)


if __name__ == "__main__":
    main()
