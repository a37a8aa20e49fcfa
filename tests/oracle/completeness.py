"""Completeness: every request that the document's schemas allow is sent for some arguments of the tool,
or a finding of the build names the limit.

Arguments come from the flattening rules and the tool's table of arguments and places
(`tests/lower/flatten_inverse.py`), not from code of the generated server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
from tests.lower.flatten_inverse import flat
from tests.oracle.comparison import difference, is_json
from tests.oracle.drawing.document import Body, Document, Operation
from tests.oracle.drawing.values import Binary, Drawer, Unsatisfiable
from tests.oracle.parsers import parse_cookies, parse_query
from tests.oracle.project import BuiltServer, StartedServer, run_server
from tests.oracle.recorder import RecordedRequest
from tests.oracle.styles import is_hollow
from tests.oracle.unencodable_values import unwritable
from tests.oracle.verdicts import url_of

from mcpgen.diagnostics import Diagnostic
from mcpgen.ir.api import Place, SchemeKind
from mcpgen.ir.server import ArgumentSpec, ToolSpec

MAX_ATTEMPTS = 3
"""How many draws may be made for one that is counted."""


@dataclass(frozen=True)
class UnsentRequest:
    """A drawn request that was refused or changed, with the arguments and the reason."""

    tool: str
    drawn: Mapping[str, Any]
    arguments: Mapping[str, Any]
    message: str

    def __str__(self) -> str:
        return (
            f"{self.tool} {dict(self.drawn)}\n  arguments {dict(self.arguments)}\n  {self.message}"
        )


@dataclass
class Completeness:
    """Counts of the draws for one document.

    `valid` counts drawn requests that the document's schemas allow, `sent` valid requests that the
    server sent as drawn. `excused` counts correct refusals by finding, clause or `not valid`; `skipped`
    counts operations without draws by reason. Defects: `wrong` are valid requests that were refused
    although the arguments fit the announced schema, `changed` requests that differ from the draw,
    `silent` valid requests without arguments and without a finding, `unsound` invalid requests that
    were sent.
    """

    document: str
    version: str
    operations: int = 0
    drawn: int = 0
    valid: int = 0
    sent: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    wrong: list[UnsentRequest] = field(default_factory=list)
    changed: list[UnsentRequest] = field(default_factory=list)
    silent: list[UnsentRequest] = field(default_factory=list)
    unsound: list[UnsentRequest] = field(default_factory=list)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Counts in the order of the table's columns."""
        faults = (self.wrong, self.changed, self.silent, self.unsound)
        refusal_count = sum(self.excused.values())
        return (
            self.operations,
            self.drawn,
            self.valid,
            self.sent,
            refusal_count,
            *map(len, faults),
        )

    @property
    def faults(self) -> list[UnsentRequest]:
        """Requests of all four kinds of defects."""
        return [*self.wrong, *self.changed, *self.silent, *self.unsound]


async def completeness(
    project: BuiltServer, folder: Path, *, draws: int, most_tools: int
) -> Completeness:
    """Draws at most `draws` requests for each of at most `most_tools` tools, spread over the document."""
    document = Document(project.document)
    tools = _spread(project.server.tools, most_tools)
    operations = {
        document_operation.key: document_operation for document_operation in document.operations()
    }
    result = Completeness(project.document.stem, document.version)
    smaller_project = replace(project, server=replace(project.server, tools=tools))
    async with run_server(smaller_project, folder) as running_server:
        for tool in tools:
            operation = operations.get(tool.operation)
            if operation is None:
                result.skipped["the key of the operation is another in the document"] += 1
                continue
            body = body_of(operation, tool)
            reason = _skip_reason(project, operation, tool, body)
            if reason:
                result.skipped[reason] += 1
                continue
            result.operations += 1
            await _OperationDraws(project, document, operation, body, tool, result).run(
                running_server, draws
            )
    return result


def _spread(tools: tuple[ToolSpec, ...], limit: int) -> tuple[ToolSpec, ...]:
    count = min(limit, len(tools))
    return tuple(tools[index * len(tools) // count] for index in range(count))


def body_of(operation: Operation, tool: ToolSpec) -> Body | None:
    """The body in the media type that the tool sends; None for an operation without a body."""
    plan = tool.route.body if tool.route else None
    if plan is None or not operation.bodies:
        return None
    media_type = plan.media_type.lower()
    essences = {name.partition(";")[0].strip().lower(): name for name in operation.bodies}
    names = {name.lower(): name for name in operation.bodies}
    name = names.get(media_type) or essences.get(media_type.partition(";")[0])
    if name is None:
        name = next((n for n in operation.bodies if "*" in n), next(iter(operation.bodies)))
    body = replace(operation.bodies[name], media_type=plan.media_type)
    if body.schema is not True or is_json(plan.media_type):
        return body
    # Without a schema the content is text, or bytes.
    is_text = plan.media_type.startswith("text/")
    return replace(body, schema={"type": "string"} | ({} if is_text else {"format": "binary"}))


def _skip_reason(
    project: BuiltServer, operation: Operation, tool: ToolSpec, body: Body | None
) -> str:
    """The reason why requests of an operation cannot be compared; `""` for a comparable operation."""
    schemes = {scheme.id: scheme.kind for scheme in project.server.security_schemes}
    security = tool.route.security if tool.route else ()
    if security and all(SchemeKind.MUTUAL_TLS in map(schemes.get, scheme) for scheme in security):
        return "a client certificate is needed"
    if operation.has_query_string:
        return "`in: querystring` (the table of serializations covers it)"
    if body and body.media_type.partition(";")[0].endswith(("/xml", "+xml")):
        return "XML (openapi-core's judgment above covers XML)"
    return ""


@dataclass
class _OperationDraws:
    """Draws for one operation."""

    project: BuiltServer
    document: Document
    operation: Operation
    body: Body | None
    tool: ToolSpec
    completeness: Completeness

    def __post_init__(self) -> None:
        names = {
            (diagnostic.place, diagnostic.target[0])
            for diagnostic in self.tool.arguments
            if diagnostic.target
        }
        names |= {
            (diagnostic.place, diagnostic.target[0])
            for diagnostic in self.tool.constants
            if diagnostic.target
        }
        argument_keys = {f"{place}:{name}" for place, name in names}
        keys = {f"{diagnostic.place}:{diagnostic.name}" for diagnostic in self.operation.parameters}
        self.left_out = keys - argument_keys
        self._findings = [
            diagnostic
            for diagnostic in self.project.diagnostics
            if self._is_about_the_operation(diagnostic)
        ]
        self._drawer = Drawer(
            self.document.definitions, f"{self.completeness.document} {self.operation.key}"
        )
        self._validator = self._compiled()
        self._arguments = jsonschema_rs.Draft202012Validator(self._accepted())

    async def run(self, running_server: StartedServer, draws: int) -> None:
        """Draws requests and calls the tool for every new request."""
        requests: list[Mapping[str, Any]] = []
        for _ in range(draws * MAX_ATTEMPTS):
            if len(requests) == draws:
                return
            try:
                drawn_request = self._request(is_first=not requests)
            except Unsatisfiable:
                continue
            if drawn_request in requests:
                continue
            requests.append(drawn_request)
            await self._try(running_server, drawn_request)

    def _request(self, *, is_first: bool) -> dict[str, Any]:
        """A drawn request. Only the first request has parameters that the tool leaves out."""
        drawn_request: dict[str, Any] = {}
        for parameter in self.operation.parameters:
            key = f"{parameter.place}:{parameter.name}"
            place = f"{self.operation.key} {key}"
            if key in self.left_out and not is_first:
                continue
            if parameter.required or self._drawer.choose(f"{place}?present", (True, False)):
                self._drawer.begin(is_parameter=not parameter.media_type)
                try:
                    drawn_request[key] = self._drawer.draw(parameter.schema, place)
                except Unsatisfiable:
                    if parameter.required:
                        raise
        if self.body is not None:
            place = f"{self.operation.key} body"
            if self.body.required or self._drawer.choose(f"{place}?present", (True, True, False)):
                kind = self.body.media_type.partition(";")[0].lower()
                is_text = kind.endswith("json") or kind.startswith("text/") or "*" in kind
                self._drawer.begin(raw=not is_text)
                drawn_request["body"] = self._drawer.draw(self.body.schema, place)
        return drawn_request

    async def _try(self, running_server: StartedServer, drawn_request: dict[str, Any]) -> None:
        is_valid = self._validator.is_valid(_plain(drawn_request))
        self.completeness.drawn += 1
        self.completeness.valid += is_valid
        arguments = self._flat(drawn_request)
        uncovered_places = list(self._uncovered(drawn_request))
        if uncovered_places:
            case = UnsentRequest(
                self.tool.name, drawn_request, arguments, f"no argument for {uncovered_places}"
            )
            self._count_case(self.completeness.silent, case, is_valid)
            return
        outcome = await running_server.call(self.tool.name, arguments)
        case = UnsentRequest(self.tool.name, drawn_request, arguments, outcome.message)
        if outcome.request is not None:
            self._compare(case, outcome.request, is_valid)
        else:
            is_accepted = self._arguments.is_valid(_plain(arguments))
            self._count_case(
                self.completeness.wrong if is_accepted else self.completeness.silent, case, is_valid
            )

    def _compare(self, case: UnsentRequest, request: RecordedRequest, is_valid: bool) -> None:
        """Counts a request that was sent: as drawn, changed, or unsound."""
        base = urlsplit(url_of(self.project, self.tool)).path.rstrip("/")
        different = difference(
            self.operation,
            self.body,
            case.drawn,
            request,
            base,
            has_old_integers=self.document.has_old_schemas,
        )
        missing = self._missing(request)
        if missing:
            self.completeness.unsound.append(replace(case, message=missing))
        elif different:
            # An optional body goes out only with an argument.
            is_lost = "body" in case.drawn and not request.body
            cases = self.completeness.silent if is_lost else self.completeness.changed
            self._count_case(cases, replace(case, message=different), is_valid)
        elif is_valid:
            self.completeness.sent += 1
        else:
            fault = next(iter(self._validator.iter_errors(_plain(case.drawn))))
            message = f"sent, and not valid: {fault.message}"[:300]
            self._count_case(
                self.completeness.unsound, replace(case, message=message), is_valid=True
            )

    def _count_case(self, cases: list[UnsentRequest], case: UnsentRequest, is_valid: bool) -> None:
        """Counts a request that was not sent as drawn, as excused or as a defect."""
        reason = (
            ("" if is_valid else "not valid by the document")
            or unwritable(self.operation, self.body, case.drawn)
            or self._covering_finding(case.drawn, case.message)
        )
        if reason:
            self.completeness.excused[reason] += 1
        else:
            cases.append(case)

    def _covering_finding(self, drawn_request: Mapping[str, Any], message: str) -> str:
        """The code of a finding about the operation that covers a request, or `""`."""
        for finding in self._findings:
            if COVERS[finding.code.id](self, drawn_request, message):
                return f"{finding.code.id} {finding.code.name}"
        return ""

    def _is_about_the_operation(self, finding: Diagnostic) -> bool:
        """True for a finding that limits requests and is about the operation or about a schema of the
        operation."""
        if finding.code.id not in COVERS:
            return False
        if any(f"`{name}`" in finding.message for name in (self.tool.name, self.tool.operation)):
            return True
        # Findings of `lower` name their operation, those of `parse` have its place.
        return finding.code.id.startswith("MG2") and any(
            Path(finding.at.file).name == Path(file).name
            and finding.at.path[: len(path)] == path
            and path
            for file, path in self.operation.reached
        )

    def has_body_argument(self, drawn_request: Mapping[str, Any]) -> bool:
        """True if an argument of the request goes into the body."""
        names = {argument.name for argument in self.tool.arguments if argument.place is Place.BODY}
        return not names.isdisjoint(self._flat(drawn_request))

    def _flat(self, drawn_request: Mapping[str, Any]) -> dict[str, Any]:
        arguments = flat(self.tool, drawn_request)
        for argument in self.tool.arguments:
            if (
                argument.place is Place.PART
                and argument.name not in arguments
                and argument.required
            ):
                arguments[argument.name] = _head(argument)
        return arguments

    def _uncovered(self, drawn_request: Mapping[str, Any]) -> Iterator[str]:
        """Places of a request without an argument or a constant of the tool."""
        for key, value in drawn_request.items():
            if key in self.left_out and not is_hollow(value):
                yield key
        if "body" in drawn_request:
            yield from _unfilled_paths(drawn_request["body"], (), _Targets.of(self.tool))

    def _missing(self, request: RecordedRequest) -> str:
        """The name of a required parameter that the request lacks, or `""`."""
        headers = {name.lower(): value for name, value in request.headers}
        query = {name for name, _ in parse_query(request.target.partition("?")[2])}
        cookies = {name for name, _ in parse_cookies(headers.get("cookie", ""))}
        names = {"header": set(headers), "query": query, "cookie": cookies}
        for parameter in self.operation.parameters:
            if parameter.required and f"{parameter.place}:{parameter.name}" in self.left_out:
                name = parameter.name.lower() if parameter.place == "header" else parameter.name
                if name not in names.get(parameter.place, set()):
                    return f"the required parameter `{parameter.name}` is not sent"
        return ""

    def _compiled(self) -> Any:
        properties = {
            f"{parameter.place}:{parameter.name}": parameter.schema
            for parameter in self.operation.parameters
        }
        required = [f"{e.place}:{e.name}" for e in self.operation.parameters if e.required]
        required = [key for key in required if key not in self.left_out]
        if self.body is not None:
            properties["body"] = self.body.schema
            required += ["body"] if self.body.required else []
        schema = {"type": "object", "properties": properties, "required": required}
        names = self.document.reached(list(properties.values()))
        definitions = {name: self.document.definitions[name] for name in sorted(names)}
        return jsonschema_rs.Draft202012Validator({**schema, "$defs": definitions})

    def _accepted(self) -> dict[str, Any]:
        """The announced schema, extended by the JSON types of arguments that are announced as text."""
        schema = self.tool.input_schema
        for argument in self.tool.arguments:
            if argument.also:
                accepted_schema = dict(argument.schema)
                part = accepted_schema.get("items", accepted_schema)
                widened_schema = {**part, "type": [part["type"], *argument.also]}
                accepted_schema = (
                    {**accepted_schema, "items": widened_schema}
                    if "items" in accepted_schema
                    else widened_schema
                )
                schema["properties"][argument.name] = accepted_schema
        return schema


Covers = Callable[[_OperationDraws, Mapping[str, Any], str], bool]
"""Whether a finding covers a drawn request, with what was said of it."""


def _always(trial: _OperationDraws, drawn_request: Mapping[str, Any], message: str) -> bool:
    return True


def _has_left_out(trial: _OperationDraws, drawn_request: Mapping[str, Any], message: str) -> bool:
    return not trial.left_out.isdisjoint(drawn_request)


def _is_without_arguments(
    trial: _OperationDraws, drawn_request: Mapping[str, Any], message: str
) -> bool:
    return message.startswith("body: ") and not trial.has_body_argument(drawn_request)


COVERS: Mapping[str, Covers] = {
    **dict.fromkeys(("MG218", "MG253", "MG312", "MG331"), _has_left_out),
    "MG329": _is_without_arguments,
    "MG333": lambda _, drawn_request, message: _has_empty(drawn_request.get("body")),
    **dict.fromkeys(
        ("MG229", "MG230", "MG234", "MG242", "MG247", "MG315", "MG319", "MG322"), _always
    ),
    **dict.fromkeys(("MG323", "MG324"), _always),
}
"""The findings after which some requests cannot be sent, each with the requests that it covers."""


def _has_empty(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value in ({}, []) or any(map(_has_empty, inner))


@dataclass(frozen=True)
class _Targets:
    """Body paths of a tool's arguments and constants. `nulls` may be null, objects in `spread` take
    members without a name, objects in `container_paths` contain other targets."""

    value_paths: frozenset[tuple[str, ...]]
    nulls: frozenset[tuple[str, ...]]
    spread: frozenset[tuple[str, ...]]
    constants: Mapping[tuple[str, ...], Any]
    container_paths: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, tool: ToolSpec) -> _Targets:
        """The targets of a tool."""
        body_arguments = [
            constant_spec for constant_spec in tool.arguments if constant_spec.place is Place.BODY
        ]
        value_paths = {
            constant_spec.target
            for constant_spec in body_arguments
            if not constant_spec.spread and not constant_spec.named_targets
        }
        nulls = {
            target for constant_spec in tool.arguments for target in constant_spec.nulls.values()
        }
        empties = {
            target for constant_spec in tool.arguments for target in constant_spec.empties.values()
        }
        spread = {constant_spec.target for constant_spec in body_arguments if constant_spec.spread}
        constants = {
            constant_spec.target: constant_spec.value
            for constant_spec in tool.constants
            if constant_spec.place is Place.BODY
        }
        ends = {*value_paths, *nulls, *empties, *constants, *((*target, "") for target in spread)}
        container_paths = {target[:depth] for target in ends for depth in range(len(target))}
        container_paths |= (
            empties | spread | {target for target, value in constants.items() if value == {}}
        )
        return cls(
            frozenset(value_paths),
            frozenset(nulls),
            frozenset(spread),
            constants,
            frozenset(container_paths),
        )


def _unfilled_paths(value: Any, path: tuple[str, ...], targets: _Targets) -> Iterator[str]:
    """Paths of a body without a target."""
    if path in targets.value_paths or (value is None and path in targets.nulls):
        return
    if path in targets.constants and targets.constants[path] == value != {}:
        return
    if not isinstance(value, dict) or (path and path not in targets.container_paths):
        yield ".".join(path) or "body"
        return
    for key, member in value.items():
        inner = (*path, key)
        covered_places = (
            targets.value_paths,
            targets.nulls,
            targets.container_paths,
            targets.constants,
        )
        if path not in targets.spread or any(inner in places for places in covered_places):
            yield from _unfilled_paths(member, inner, targets)


def _head(argument: ArgumentSpec) -> Any:
    """A value for a required argument about a part: content type, file name or header."""
    values = argument.schema.get("enum")
    if values:
        return values[0]
    pattern = str(argument.schema.get("pattern", ""))
    if argument.target[-1] == "type":
        return f"{pattern.lstrip('^').partition('/')[0]}/png" if "/" in pattern else "image/png"
    return [] if argument.schema["type"] == "array" else "x.bin"


def _plain(value: Any) -> Any:
    """The value with bytes as text, since validators know no bytes."""
    if isinstance(value, Binary):
        return str.__str__(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
