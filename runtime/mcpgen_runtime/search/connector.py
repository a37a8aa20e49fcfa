"""The tools `search` and `fetch` in the form that ChatGPT connectors expect.

`search` takes a query and returns results with id, title and URL; `fetch` takes the id of a result
and returns the text. Both return a JSON text, and the same value as structured content. Source:
https://platform.openai.com/docs/mcp
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..result import Result, text_block
from ..server.invocation import Finish, Invocation
from ..server.middleware import Middleware
from ..tool import Json
from ..upstream.value_text import compact_json, loads


class _ContractMismatch(Exception):
    """The reason why a response does not fit the connector's format."""


@dataclass(frozen=True)
class SearchShape:
    """Dotted paths to the list of results in a response, and to the parts of a result; `""` for the
    whole response or an absent part."""

    id: str
    title: str
    results: str = ""
    url: str = ""

    def to_structured(self, text: str, arguments: Mapping[str, Json]) -> Json:
        """The results in the connector's format."""
        results = _value_at_path(_json_or_none(text), self.results)
        if not isinstance(results, list):
            raise _ContractMismatch(f"it has no list of results at `{self.results}`")
        return {
            "results": [self._result(number, result) for number, result in enumerate(results, 1)]
        }

    def _result(self, number: int, value: Json) -> Json:
        id = _words(_value_at_path(value, self.id))
        if not id:
            raise _ContractMismatch(f"result {number} has no `{self.id}`")
        title = _words(_value_at_path(value, self.title)) or id
        return {
            "id": id,
            "title": title,
            "url": _words(_value_at_path(value, self.url) if self.url else None),
        }


@dataclass(frozen=True)
class FetchShape:
    """Dotted paths to the parts of a document in a response; without a path, `text` is the whole
    response."""

    title: str
    text: str = ""
    url: str = ""
    metadata: tuple[str, ...] = ()

    def to_structured(self, text: str, arguments: Mapping[str, Json]) -> Json:
        """The document in the connector's format, with the requested id."""
        value, id = _json_or_none(text), str(arguments.get("id", ""))
        metadata = {path: _words(_value_at_path(value, path)) for path in self.metadata}
        return {
            "id": id,
            "title": _words(_value_at_path(value, self.title)) or id,
            "text": _words(_value_at_path(value, self.text)) if self.text else text,
            "url": _words(_value_at_path(value, self.url)) if self.url else "",
            "metadata": {path: words for path, words in metadata.items() if words},
        }


class Connector(Middleware):
    """Converts the results of both tools to the connector's format."""

    def __init__(self, search: SearchShape | None = None, fetch: FetchShape | None = None) -> None:
        self._contracts = {"search": search, "fetch": fetch}

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call and converts the result; an error if the response does not fit."""
        tool = invocation.tool
        contract = self._contracts.get(tool.name)
        if contract is None:
            return await finish()
        # The announced output schema describes the connector's format, not the response of the API.
        invocation.tool = replace(tool, output=None)
        try:
            result = await finish()
        finally:
            invocation.tool = tool
        if result.failed:
            return result
        try:
            structured = contract.to_structured(
                str(result.content[0].get("text", "")), invocation.arguments
            )
        except _ContractMismatch as reason:
            return Result.error(f"The API's answer cannot be shown: {reason}.")
        return Result((text_block(compact_json(structured)),), structured)


def _json_or_none(text: str) -> Json:
    """The value of a JSON text, None if invalid."""
    try:
        return loads(text).value
    except (ValueError, RecursionError):
        return None


def _value_at_path(value: Json, path: str) -> Json:
    """The value at a dotted path, None if absent; lists are entered at the first item."""
    for step in path.split(".") if path else ():
        if isinstance(value, list):
            value = value[0] if value else None
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _words(value: Json) -> str:
    """The value as text; list items on separate lines."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_words(element) for element in value)
    return compact_json(value)
