"""JSONPath queries (RFC 9535) with python-jsonpath; the only module that imports the library."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import islice

import jsonpath
import jsonschema_rs
from jsonpath.function_extensions import ExpressionType, FilterFunction

from mcpgen.ir.source import Json
from mcpgen.read import limits

TreePath = tuple[str | int, ...]
"""Keys and indexes to a selected value."""

Query = Callable[[Json], list[TreePath]]
"""Selects paths in document order, at most `limits.TARGETS` + 1."""

_MAX_CHARACTERS = 10_000
"""Characters per query."""


class InvalidJsonPath(ValueError):
    """Reason for an invalid JSONPath."""


def compile_query(text: str) -> Query:
    """Compiles a JSONPath. Raises InvalidJsonPath.

    The query raises InvalidJsonPath, too, beyond `limits.DEPTH` levels. Example: `$.paths.*.get`
    selects every GET operation.
    """
    if len(text) > _MAX_CHARACTERS:
        raise InvalidJsonPath(f"it is longer than {_MAX_CHARACTERS:,} characters")
    try:
        compiled = _ENVIRONMENT.compile(text)
    except jsonpath.JSONPathError as error:
        raise InvalidJsonPath(_message_of_error(error)) from error

    def select(tree: Json) -> list[TreePath]:
        try:
            paths = [match.parts for match in islice(compiled.finditer(tree), limits.TARGETS + 1)]
        except jsonpath.JSONPathError as error:
            raise InvalidJsonPath(_message_of_error(error)) from error
        return list(dict.fromkeys(paths))

    return select


def _message_of_error(error: Exception) -> str:
    """Message of the library without the drawing below."""
    return str(error.args[0] if error.args else error).partition("\n")[0]


class _Matches(FilterFunction):
    """`match` and `search` (RFC 9535 §2.4.6 and §2.4.7) in linear time; the library's functions use
    `re`, which backtracks exponentially on hostile patterns."""

    arg_types = [ExpressionType.VALUE, ExpressionType.VALUE]  # noqa: RUF012 - the library's way
    return_type = ExpressionType.LOGICAL

    def __init__(self, form: str) -> None:
        self._form = form

    def __call__(self, text: object, pattern: object) -> bool:
        """True if the pattern matches; false if either argument is no text or the pattern is
        invalid."""
        if not isinstance(text, str) or not isinstance(pattern, str):
            return False
        validator = _compile_regex(self._form % pattern)
        return validator is not None and validator.is_valid(text)


@lru_cache(maxsize=100)
def _compile_regex(pattern: str) -> jsonschema_rs.Validator | None:
    """Validator for texts in which the pattern occurs; None for an invalid pattern."""
    try:
        return jsonschema_rs.validator_for(
            {"type": "string", "pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, ValueError):
        return None


class _Environment(jsonpath.JSONPathEnvironment):
    """RFC 9535 without extensions, for trees up to `limits.DEPTH`."""

    max_recursion_depth = limits.DEPTH + 1

    def setup_function_extensions(self) -> None:
        """Registers the functions of RFC 9535, with linear-time `match` and `search`."""
        super().setup_function_extensions()
        self.function_extensions["match"] = _Matches("^(?:%s)$")
        self.function_extensions["search"] = _Matches("(?:%s)")


_ENVIRONMENT = _Environment(strict=True)
