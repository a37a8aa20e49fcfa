"""The operation of a tool with scalar parameters and a JSON body: checks arguments and builds the
request. `general_operation` has the operations with other parameters and bodies."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import quote, unquote

from ..extensions import INSTALLED, Definitions, NotInstalled
from ..tool import Argument, Json, Route, Tool
from ..validation.validate import CUT_SHORT, LazyValidator, argument_lines
from .exchange import InvalidArguments, UpstreamRequest
from .value_text import (
    TOO_LARGE,
    for_header,
    for_path,
    for_query,
    has_dot_segment,
    header_name,
    request_json,
)

NO_PATH_VALUES: Mapping[str, str] = {}  # Of an endpoint whose path has no parameters

NO_HANDLER = (
    "nothing answers it yet: write its handler in `{place}/hooks.py`, and name it there in"
    ' `HOOKS = Hooks(tools={{"{name}": ...}})`'
)
"""The error of a tool without a request and without a handler. The scenario tests of projects look for
the beginning of the text."""

_JSON_BODY = "application/json"
_PLAIN_STYLES = {"path": ("", "simple"), "query": ("", "form"), "header": ("", "simple")}
"""The styles that send a scalar as plain text, by place; `""` is the default style of the place."""

_SCALARS = frozenset(("string", "integer", "number", "boolean"))

_SAFE_IN_PATH = "/:@!$&'()*+,;=-._~%"
"""Characters of a route's path that are sent unchanged: those that RFC 3986 allows in a path, and `%`,
because the path may be percent-encoded already."""

_VARIABLE = re.compile(r"\{([^{}]*)\}")


class RoutePath:
    """The path of a route, with variables in braces. `names` are the variables, and errors name
    `arguments`, the arguments that fill the variables."""

    def __init__(self, path: str, arguments: Sequence[str]) -> None:
        # Literal text at even positions, and names of variables at odd positions.
        self._pieces = _VARIABLE.split(path)
        self.names = self._pieces[1::2]
        self._pieces[::2] = [quote(literal, safe=_SAFE_IN_PATH) for literal in self._pieces[::2]]
        self._empty_segments = sum(not segment for segment in path.split("/"))
        self._arguments = ", ".join(arguments)
        self._checked_path = ""
        """The path of a route without variables, `""` before the first check."""

    def fill(self, texts: Mapping[str, str]) -> str:
        """The path with encoded values in place of the variables. Raises `InvalidArguments` if values
        make a segment empty or a dot segment: servers drop such segments, and the path would be the
        path of another operation."""
        if self._checked_path:
            return self._checked_path
        pieces = list(self._pieces)
        pieces[1::2] = [texts.get(name, "") for name in self.names]
        path = "".join(pieces)
        if not path.startswith("/"):
            path = f"/{path}"
        segments = path.split("/")
        # Each value was checked alone, but a style or two adjacent variables can make a dot segment.
        if any(has_dot_segment(unquote(segment)) for segment in segments):
            raise InvalidArguments(f"{self._arguments}: must not be a path segment `.` or `..`")
        empty_segments = sum(not segment for segment in segments)
        if len(pieces) > 1 and empty_segments > self._empty_segments:
            raise InvalidArguments(f"{self._arguments}: must not be empty")
        self._checked_path = path if len(pieces) == 1 else ""
        return path


class ToolOperation:
    """The operation of a tool with scalar parameters and a JSON body, created at the first call.

    `security` lists alternative credentials of the request. `output` validates results, None without
    an output schema. `fields` are the selected fields of a response, empty for the whole response.
    Raises `NotInstalled` for a tool that needs a module outside of this copy of the runtime.
    """

    def __init__(self, tool: Tool, definitions: Definitions) -> None:
        self.tool = tool
        self.fields = tool.fields
        self.security = tool.route.security if tool.route else ()
        if tool.output and not INSTALLED.output_validator:
            raise NotInstalled("validation.output")
        make_output = INSTALLED.output_validator if tool.output else None
        self.output = make_output(tool, definitions) if make_output else None
        self._input_validator = LazyValidator(lambda: tool.accepted_schema)
        self._names = [argument.name for argument in tool.arguments if not argument.hidden]
        self._package = definitions.package
        self._prepare_request()

    def _prepare_request(self) -> None:
        """Prepares what the requests of all calls share. Raises `NotInstalled` for a tool of
        `general_operation`."""
        if not is_json_tool(self.tool):
            raise NotInstalled("upstream.general_operation")
        route = self.tool.route
        path, _, self._query = route.path.partition("?") if route else ("", "", "")
        names = [argument.name for argument in self.tool.arguments if argument.place == "path"]
        self._path = RoutePath(path, names)

    @property
    def route(self) -> Route:
        """The tool's request. Raises `InvalidArguments` for a tool without a request."""
        if self.tool.route is None:
            place = self._package.replace(".", "/")
            raise InvalidArguments(NO_HANDLER.format(place=place, name=self.tool.name))
        return self.tool.route

    def handler_arguments(self, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        """The arguments for a handler, with defaults if the tool has no request. The arguments of a
        tool with a request stay as they are, since `request` adds the defaults."""
        return arguments if self.tool.route else self._with_defaults(arguments)

    def select(self, value: Json) -> Json:
        """The value: a tool of this class has no selected fields."""
        return value

    def refuse_invalid(
        self, arguments: Mapping[str, Json], bound: Mapping[str, str] = NO_PATH_VALUES
    ) -> None:
        """Raises `InvalidArguments` for arguments that do not match the input schema. The error also
        has the problems that `request` would report, except in a place with an argument that does not
        match: one mistake would be reported twice. `bound` are the values of the endpoint's path
        parameters."""
        problems = self._input_validator.problems(arguments)
        if not problems:
            return
        lines = argument_lines(problems, self._names)
        # A violation of `CUT_SHORT` stands for violations of unknown arguments.
        if not any(problem.keyword in CUT_SHORT for problem in problems):
            wrong = {problem.path[0] for problem in problems if problem.path}
            remaining = {name: value for name, value in arguments.items() if name not in wrong}
            lines += self._problems(remaining, wrong, bound)
        raise InvalidArguments(*lines)

    def request(
        self, arguments: Mapping[str, Json], bound: Mapping[str, str] = NO_PATH_VALUES
    ) -> UpstreamRequest:
        """The request for arguments that match the input schema; `bound` are the values of the
        endpoint's path parameters. Raises `InvalidArguments`, with all problems, if a value cannot be
        sent, or if the tool has no request."""
        request, problems = self._build_request(self.route, self._with_defaults(arguments), ())
        if problems:
            raise InvalidArguments(*problems)
        return request

    def _problems(
        self, arguments: Mapping[str, Json], wrong: Collection[object], bound: Mapping[str, str]
    ) -> list[str]:
        """The problems of arguments that match the input schema, in the places without an argument of
        `wrong`. The arguments `wrong` do not match the input schema."""
        if self.tool.route is None:
            return []
        skipped = {argument.place for argument in self.tool.arguments if argument.name in wrong}
        return self._build_request(self.tool.route, self._with_defaults(arguments), skipped)[1]

    def _with_defaults(self, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        """The arguments with default values, and without nulls that mean absence."""
        if self.tool.strict:
            arguments = {name: value for name, value in arguments.items() if value is not None}
        return {**self.tool.filled, **arguments} if self.tool.filled else arguments

    def _build_request(
        self, route: Route, values: Mapping[str, Json], skipped: Collection[str]
    ) -> tuple[UpstreamRequest, list[str]]:
        """The request, and the problems of the places that are not skipped. With problems or skipped
        places, the request is incomplete and must not be sent."""
        pairs: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
        faults: list[tuple[str, str]] = []
        # The body is the member `""`, absent if no argument has a value and no body is required.
        body: dict[str, Json] = {"": {}} if route.body and route.body.required else {}
        body_argument = "body"  # The name of the whole body in errors
        for argument in self.tool.arguments:
            if argument.name not in values or argument.place in skipped:
                continue
            if argument.place == "body":
                body_argument = body_argument if argument.target else argument.name
                _set_value(body, ("", *argument.target), values[argument.name])
                continue
            try:
                name, text = _encoded_pair(argument, values[argument.name])
                pairs[argument.place][name] = text
            except InvalidArguments as error:
                faults += ((argument.place, f"{argument.name}: {line}") for line in error.problems)
        headers = [("Accept", route.accept), *pairs["header"].items()]
        content = None
        if route.body and body and "body" not in skipped:
            headers.append(("Content-Type", _JSON_BODY))
            try:
                content = request_json(body[""]).encode()
            except UnicodeEncodeError:
                # `ToolCaller` reports half of a surrogate pair, in any place of a request.
                raise
            except ValueError:
                faults.append(("body", f"{body_argument}: {TOO_LARGE}"))
        problems = [line for place in (*pairs, "body") for where, line in faults if where == place]
        path = ""
        if not problems and "path" not in skipped:
            try:
                path = self._path.fill(pairs["path"])
            except InvalidArguments as error:
                problems += error.problems
        query = [f"{name}={text}" for name, text in pairs["query"].items()]
        query_text = "&".join([self._query, *query] if self._query else query)
        request = UpstreamRequest(
            route.method, path, query_text, tuple(headers), body=content, base_url=route.base_url
        )
        return request, problems


def is_json_tool(tool: Tool) -> bool:
    """True for a tool with scalar parameters and a JSON body."""
    body = tool.route.body if tool.route else None
    if body and (body.media_type != _JSON_BODY or body.check is not None):
        return False
    if tool.bound or tool.constants or tool.fields:
        return False
    return all(map(_is_sent_unchanged, tool.arguments))


def _is_sent_unchanged(argument: Argument) -> bool:
    """True if the value is sent without decoding and with a plain style, or given to a handler."""
    if argument.text or argument.check is not None or argument.fills or argument.spread:
        return False
    if argument.place in ("body", "handler"):
        return True
    kind = argument.schema.get("type")
    return (
        argument.style in _PLAIN_STYLES.get(argument.place, ())
        and len(argument.target) == 1
        and isinstance(kind, str)
        and {kind, *argument.also} <= _SCALARS
        and not (argument.reserved or argument.content or argument.rows)
    )


def _encoded_pair(argument: Argument, value: Json) -> tuple[str, str]:
    """The encoded name and value of a parameter in path, query or header. Raises `InvalidArguments`
    for a value that cannot be sent."""
    (name,) = argument.target
    if argument.place == "path":
        return name, for_path(value)
    if argument.place == "query":
        return for_query(name), for_query(value)
    return header_name(name), for_header(value)


def _set_value(tree: dict[str, Json], steps: tuple[str, ...], value: Json) -> None:
    """Sets the value at a path of keys; creates objects on the way."""
    for step in steps[:-1]:
        tree = tree.setdefault(step, {})
    tree[steps[-1]] = value
