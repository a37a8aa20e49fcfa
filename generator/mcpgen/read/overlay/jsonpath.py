"""The door of python-jsonpath: queries as RFC 9535 says, and no more than it says."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import islice

import jsonpath
import jsonschema_rs
from jsonpath.function_extensions import ExpressionType, FilterFunction

from mcpgen.ir.source import Json
from mcpgen.read import limits

Found = tuple[str | int, ...]
"""The keys and indexes that lead to a value a query selects."""

Query = Callable[[Json], list[Found]]
"""Selects values of a tree, in document order, at most one more than `limits.TARGETS`."""

_CHARACTERS = 10_000
"""Characters of one query."""


class InvalidJsonPath(ValueError):
    """A text that is no JSONPath, and why."""


def query(text: str) -> Query:
    """What a JSONPath selects. Raises NoQuery.

    The query it gives raises NoQuery too, when it leads deeper than trees may go.
    """
    if len(text) > _CHARACTERS:
        raise InvalidJsonPath(f"it is longer than {_CHARACTERS:,} characters")
    try:
        compiled = _ENVIRONMENT.compile(text)
    except jsonpath.JSONPathError as error:
        raise InvalidJsonPath(_reason(error)) from error

    def select(tree: Json) -> list[Found]:
        try:
            found = [match.parts for match in islice(compiled.finditer(tree), limits.TARGETS + 1)]
        except jsonpath.JSONPathError as error:
            raise InvalidJsonPath(_reason(error)) from error
        return list(dict.fromkeys(found))

    return select


def _reason(error: Exception) -> str:
    """The library's sentence, without the drawing below it."""
    return str(error.args[0] if error.args else error).partition("\n")[0]


class _Matches(FilterFunction):
    """`match` and `search` of RFC 9535. The library's own would follow a pattern back and forth for
    years; here every pattern takes time in proportion to the text."""

    arg_types = [ExpressionType.VALUE, ExpressionType.VALUE]  # noqa: RUF012 - the library's way
    return_type = ExpressionType.LOGICAL

    def __init__(self, form: str) -> None:
        self._form = form

    def __call__(self, text: object, pattern: object) -> bool:
        """Whether the pattern fits; false, as the RFC says, for what is no text or no pattern."""
        if not isinstance(text, str) or not isinstance(pattern, str):
            return False
        validator = _pattern(self._form % pattern)
        return validator is not None and validator.is_valid(text)


@lru_cache(maxsize=100)
def _pattern(pattern: str) -> jsonschema_rs.Validator | None:
    """A validator that a text fits when the pattern is found in it; None for no pattern."""
    try:
        return jsonschema_rs.validator_for(
            {"type": "string", "pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, ValueError):
        return None


class _Environment(jsonpath.JSONPathEnvironment):
    """The language of RFC 9535 over trees as deep as they may be."""

    max_recursion_depth = limits.DEPTH + 1

    def setup_function_extensions(self) -> None:
        """The functions of the RFC, with our own for patterns."""
        super().setup_function_extensions()
        self.function_extensions["match"] = _Matches("^(?:%s)$")
        self.function_extensions["search"] = _Matches("(?:%s)")


_ENVIRONMENT = _Environment(strict=True)
