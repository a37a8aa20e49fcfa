"""One tool at work: arguments in, a checked request out."""

from __future__ import annotations

from collections.abc import Mapping

from .assemble import Assembly
from .decode import decode
from .definitions import Definitions
from .fields import chosen
from .place import owners, place
from .request import Refused, Request
from .tool import Json, Tool
from .validate import Check, argument_lines, body_lines, text_lines


class Operation:
    """What a tool needs for its calls, made once, when it is first called.

    `fields` are those its answers are reduced to; `broken_promises` counts the answers so far that
    were not what the announced output schema says.
    """

    def __init__(self, tool: Tool, definitions: Definitions) -> None:
        self.tool = tool
        self._announced = Check(lambda: tool.input_schema)
        self._assembly = Assembly(tool)
        self._texts = tuple(argument for argument in tool.arguments if argument.text)
        self._checks = tuple(
            (argument.name, _check(argument.check, definitions))
            for argument in tool.arguments
            if argument.check is not None
        )
        body = tool.route.body
        self._body = _check(body.check, definitions) if body and body.check is not None else None
        self.fields = chosen(tool.fields)
        self.broken_promises = 0
        self._output = Check(lambda: definitions.closed(tool.output)) if tool.output else None

    def refuse_invalid(self, arguments: Mapping[str, Json]) -> None:
        """Raises `Refused`, with all problems, for arguments that the tool does not announce."""
        problems = self._announced.problems(arguments)
        if not problems:
            return
        names = [argument.name for argument in self.tool.arguments]
        wrong = {problem.path[0] for problem in problems if problem.path}
        rest = {name: value for name, value in arguments.items() if name not in wrong}
        _, more = self._decoded(rest)
        raise Refused(*argument_lines(problems, names), *more)

    def request(self, arguments: Mapping[str, Json]) -> Request:
        """The request for valid arguments. Raises `Refused` where the API would not take it."""
        values, problems = self._decoded(arguments)
        if problems:
            raise Refused(*problems)
        placed = place(self.tool, values)
        if self._body and "" in placed["body"]:
            wrong = self._body.problems(_as_json(placed["body"][""]))
            if wrong:
                raise Refused(*body_lines(wrong, owners(self.tool)))
        return self._assembly.request(placed)

    def output_problems(self, value: Json) -> list[str]:
        """What is wrong with a result that the tool has announced a schema for."""
        if self._output is None:
            return []
        try:
            return text_lines(self._output.problems(value), "result")
        except Refused as refused:
            return list(refused.problems)

    def _decoded(self, arguments: Mapping[str, Json]) -> tuple[Mapping[str, Json], list[str]]:
        """The arguments with texts decoded and checked, and what is wrong with them."""
        if self.tool.strict:
            arguments = {name: value for name, value in arguments.items() if value is not None}
        if not self._texts and not self._checks:
            return arguments, []
        values = dict(arguments)
        problems: list[str] = []
        for argument in self._texts:
            if argument.name in values:
                try:
                    values[argument.name] = decode(argument, values[argument.name])
                except Refused as refused:
                    problems += (f"{argument.name}: {why}" for why in refused.problems)
                    del values[argument.name]
        for name, check in self._checks:
            if name in values:
                problems += text_lines(check.problems(values[name]), name)
        return values, problems


def _check(schema: Json, definitions: Definitions) -> Check:
    return Check(lambda: definitions.closed(schema))


def _as_json(value: Json) -> Json:
    """The value with bytes as text, since schemas know no bytes."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, dict):
        return {key: _as_json(each) for key, each in value.items()}
    return [_as_json(each) for each in value] if isinstance(value, list) else value
