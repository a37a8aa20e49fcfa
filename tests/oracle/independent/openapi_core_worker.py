"""Judges requests with openapi-core, and draws arguments with hypothesis-jsonschema.

Runs in an environment of its own (`openapi_core_worker.lock`) without mcpgen. Reads one JSON message
per line, writes one JSON answer per line.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from http.cookies import _unquote
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from decode_request import WAS_OLD, install
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema
from jsonschema import Draft4Validator, Draft202012Validator
from jsonschema.exceptions import _WrappedReferencingError
from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.schema.parameters import get_style_and_explode
from openapi_core.templating.paths.exceptions import PathError
from openapi_core.validation.request.exceptions import MissingRequestBody, ParametersError
from openapi_core.validation.request.validators import BaseRequestValidator
from openapi_core.validation.schemas.exceptions import InvalidSchemaValue
from werkzeug.datastructures import Headers, ImmutableMultiDict

FORMATS = {
    "uuid": st.uuids().map(str),
    "byte": st.binary().map(lambda content: base64.b64encode(content).decode()),
}
"""Formats of strings that hypothesis-jsonschema has no values for."""


LARGE = re.compile(r"\{\d{5,}")
"""A repetition in a pattern that engines of linear time do not compile."""

BEYOND_ASCII = re.compile(r"(?:%[89A-F][0-9A-F])+")
"""What stands for letters that a document writes as they are."""

COMPONENTS: dict[str, Any] = {}
"""The components of the document at hand, for references to them."""

NULLABLE: list[Any] = []
"""Schemas of the document at hand that it refers to and calls `nullable` in the same breath."""


get_security = BaseRequestValidator._get_security
"""What looks for the credentials of a request."""


class OpenApiRequest:
    """A recorded request in the protocol of openapi-core."""

    def __init__(self, record: dict[str, Any]) -> None:
        parts = urlsplit(record["url"])
        headers = Headers([tuple(pair) for pair in record["headers"]])
        self.host_url = f"{parts.scheme}://{parts.netloc}"
        self.path = BEYOND_ASCII.sub(lambda match: unquote(match[0]), parts.path)
        self.method = record["method"].lower()
        self.is_signed = record["signed"]
        self.content_type = headers.get("Content-Type") or ""
        self.body = base64.b64decode(record["body"]) or (b"" if self.content_type else None)
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


def path_variables(variables: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Decoded variables of a path, also under the names that openapi-core looks up for the styles
    `label` and `matrix`."""
    for name, text in variables.items():
        for label in (name, f".{name}", f".{name}*", f";{name}", f";{name}*"):
            yield label, unquote(text)


def is_base64(value: Any) -> bool:
    """True for base64; openapi-core's own test raises for letters beyond ASCII."""
    if not isinstance(value, str):
        return True
    try:
        base64.b64decode(value, validate=True)
    except ValueError:
        return False
    return True


class MediaTypeReaders(dict[str, Any]):
    """Readers of media types that openapi-core leaves to its user: JSON suffixes, and text."""

    def __contains__(self, media_type: object) -> bool:
        name = str(media_type)
        return name.endswith("+json") or (name.startswith("text/") and name != "text/xml")

    def __missing__(self, media_type: str) -> Any:
        if media_type.startswith("text/"):
            return lambda content, **_: content.decode()
        return lambda content, **_: json.loads(content)


class OpenApiCoreWorker:
    """Answers messages; one document is open at a time."""

    def __init__(self) -> None:
        self.api: Any = None

    def open(self, path: str, base_url: str) -> str:
        """Opens a document; returns the OpenAPI version."""
        config = Config(
            spec_validator_cls=None,
            server_base_url=base_url or None,
            extra_media_type_deserializers=MediaTypeReaders(),
            extra_format_validators={"byte": is_base64},
        )
        if path.endswith(".json"):
            document = json.loads(Path(path).read_bytes())
            self.api = OpenAPI.from_dict(document, config, base_uri=Path(path).as_uri())
        else:
            self.api = OpenAPI.from_file_path(path, config=config)
        document = self.api.spec.read_value()
        WAS_OLD[:] = [True] * ("x-swagger" in document)
        NULLABLE[:] = nullable_targets(document, self.api.spec)
        COMPONENTS.update(openapi=document["openapi"], components=document.get("components", {}))
        return str(self.api.spec["openapi"])

    def judge(self, requests: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
        """Problems of each request; an empty list for a valid request."""
        return [list(self._problems(OpenApiRequest(record))) for record in requests]

    def _problems(self, request: OpenApiRequest) -> Iterator[dict[str, Any]]:
        validator = self.api.request_validator
        full_url = request.host_url + request.path
        try:
            result = validator.path_finder.find(request.method, full_url)
        except PathError as fault:
            yield problem(fault)
            return
        except Exception as fault:  # noqa: BLE001 - the judge broke down, not the request
            yield {**problem(fault), "crash": True}
            return
        request.parameters.path = dict(path_variables(result.path_result.variables))
        is_signed = request.is_signed
        validator._get_security = get_security.__get__(validator) if is_signed else lambda *_: {}
        try:
            for fault in validator.iter_errors(request):
                yield {**problem(fault), "shape": shape(fault, result.operation, result.path)}
        except Exception as fault:  # noqa: BLE001 - the judge broke down, not the request
            yield {**problem(fault), "crash": True}

    def read(self, requests: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
        """Values of each request by `query:name` …, and `body`; `""` holds the names of invalid
        parameters. None for an unreadable request."""
        return [self._read(OpenApiRequest(record)) for record in requests]

    def _read(self, request: OpenApiRequest) -> dict[str, Any] | None:
        validator = self.api.request_validator
        try:
            result = validator.path_finder.find(request.method, request.host_url + request.path)
            request.parameters.path = dict(path_variables(result.path_result.variables))
            read, invalid = parameters_of(validator, request, result)
            values: dict[str, Any] = {"": invalid} | {
                f"{place}:{name}": value
                for place in ("path", "query", "header", "cookie")
                for name, value in getattr(read, place).items()
            }
            body = validator._get_body(request.body, request.content_type, result.operation)
        except MissingRequestBody:
            return values
        except Exception:  # noqa: BLE001 - whether it is valid is asked elsewhere
            return None
        return values if body is None else {**values, "body": plain_of(body)}

    def draw(self, schema: Any, count: int, codec: str, number: int) -> list[Any] | str:
        """Values that meet a schema, or the reason why drawing failed."""
        values: list[Any] = []

        @seed(number)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(from_schema(schema, codec=codec, custom_formats=FORMATS))
        def collect(value: Any) -> None:
            values.append(value)

        try:
            collect()
        except Exception as fault:  # noqa: BLE001 - not every schema can be drawn from
            return f"{type(fault).__name__}: {fault}"[:300]
        return values


def parameters_of(validator: Any, request: OpenApiRequest, match: Any) -> Any:
    """Valid parameters of a request, and the names of invalid parameters."""
    try:
        return validator._get_parameters(request.parameters, match.operation, match.path), []
    except ParametersError as fault:
        return fault.parameters, [getattr(error, "name", "") for error in fault.errors]


def plain_of(body: Any) -> Any:
    """A body as JSON; bytes are a string of as many characters."""
    return body.decode("latin-1") if isinstance(body, bytes) else body


def problem(fault: BaseException) -> dict[str, Any]:
    """A fault and its causes as plain values."""
    causes = list(chain(fault))
    deepest = causes[-1]
    messages = [str(deepest)[:300]]
    if isinstance(deepest, InvalidSchemaValue):
        messages = [
            f"{'/'.join(map(str, error.absolute_path))}: {label(error)}: {error.message}"[:300]
            for error in list(deepest.schema_errors)
        ]
    return {
        "kind": type(fault).__name__,
        "cause": type(deepest).__name__,
        "place": getattr(fault, "location", "") or "",
        "name": getattr(fault, "name", "") or "",
        "messages": messages,
        "shape": "",
        "crash": False,
    }


def shape(fault: Any, *places: Any) -> str:
    """Style, explode and type of the parameter of a fault, such as `form True object`."""
    for place in places:
        for parameter in place.get("parameters", []):
            names = ((parameter / "name").read_str(), (parameter / "in").read_str())
            if names == (getattr(fault, "name", ""), getattr(fault, "location", "")):
                style, explode = get_style_and_explode(parameter)
                kind = parameter / "schema" / "type"
                return f"{style} {explode} {kind.read_value() if kind.exists() else ''}"
    return ""


def label(error: Any) -> str:
    """The violated keyword. For a union whose branch fails only by a format or a null, the keyword of
    the branch; `nullable` for a null where the schema has `nullable: true`, which openapi-core reads in
    3.0 only; `discriminator` for a value that the schema allows without that keyword."""
    schema = error.schema if isinstance(error.schema, dict) else {}
    if error.instance is None and (schema.get("nullable") or schema in NULLABLE):
        return "nullable"
    if error.validator == "pattern" and LARGE.search(str(error.validator_value)):
        return "largePattern"
    if error.validator == "required" and is_read_only(schema, error.message):
        return "readOnly"
    if "discriminator" in schema and (
        "could not be resolved" in error.message or allows(schema, error.instance)
    ):
        return "discriminator"
    if error.validator in ("anyOf", "oneOf"):
        branches: dict[Any, set[str]] = {}
        for inner in error.context:
            branches.setdefault(inner.schema_path[0], set()).add(label(inner))
        for branch in branches.values():
            if branch <= {"format", "nullable", "discriminator", "readOnly", "largePattern"}:
                return sorted(branch)[0]
    return str(error.validator)


def is_read_only(schema: dict[str, Any], message: str) -> bool:
    """True if the missing property is `readOnly`."""
    result = re.match(r"'(.*)' is a required property$", message)
    part = schema.get("properties", {}).get(result[1], {}) if result else {}
    return isinstance(part, dict) and part.get("readOnly") is True


def allows(schema: dict[str, Any], value: Any) -> bool:
    """Whether a schema allows a value by JSON Schema alone."""
    is_old = str(COMPONENTS["openapi"]).startswith("3.0")
    dialect = Draft4Validator if is_old else Draft202012Validator
    try:
        return bool(dialect({**schema, "components": COMPONENTS["components"]}).is_valid(value))
    except _WrappedReferencingError:
        return False


def nullable_targets(part: Any, spec: Any) -> list[Any]:
    """Targets of references beside `nullable: true`, within the document."""
    if isinstance(part, list):
        return [result for part_item in part for result in nullable_targets(part_item, spec)]
    if not isinstance(part, dict):
        return []
    result = [part_item for value in part.values() for part_item in nullable_targets(value, spec)]
    reference = part.get("$ref")
    if part.get("nullable") is True and isinstance(reference, str) and reference.startswith("#/"):
        steps = [step.replace("~1", "/").replace("~0", "~") for step in reference[2:].split("/")]
        target = spec
        for step in steps:
            target = target / step
        result.append(target.read_value())
    return result


def chain(fault: BaseException | None) -> Iterator[BaseException]:
    """A fault and its causes, the deepest last."""
    while fault is not None:
        yield fault
        fault = fault.__cause__ or fault.__context__


def main() -> None:
    """Answers until stdin ends."""
    warnings.simplefilter("ignore")
    install()
    worker = OpenApiCoreWorker()
    commands: dict[str, Callable[..., Any]] = {
        "open": worker.open,
        "judge": worker.judge,
        "read": worker.read,
        "draw": worker.draw,
    }
    for line in sys.stdin:
        message = json.loads(line)
        try:
            answer = {"answer": commands[message.pop("do")](**message)}
        except Exception as fault:  # noqa: BLE001 - told; the next message may be fine
            answer = {"fault": f"{type(fault).__name__}: {fault}"[:500]}
        print(json.dumps(answer, default=str), flush=True)


if __name__ == "__main__":
    main()
