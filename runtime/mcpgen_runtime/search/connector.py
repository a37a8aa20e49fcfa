"""Two tools as the connectors of ChatGPT expect them: `search` and `fetch`.

`search` takes a query and gives results with id, title and URL; `fetch` takes the id of one and
gives its text. Both answer with one text that is JSON, and with the same as structured form.
Source: https://platform.openai.com/docs/mcp
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..result import Result, text_block
from ..server.middleware import Finish, Invocation, Middleware
from ..tool import Json
from ..upstream.value_text import TooDeep, compact_json, loads


class _ContractMismatch(Exception):
    """Why an answer is not what the contract needs, in words."""


@dataclass(frozen=True)
class SearchShape:
    """Where a list of results stands in an answer, and what each result has where: dotted paths,
    `""` for the whole answer and for what a result does not have."""

    id: str
    title: str
    results: str = ""
    url: str = ""

    def to_structured(self, text: str, arguments: Mapping[str, Json]) -> Json:
        """The results of an answer."""
        listed = _at(_json(text), self.results)
        if not isinstance(listed, list):
            raise _ContractMismatch(f"it has no list of results at `{self.results}`")
        return {"results": [self._result(number, each) for number, each in enumerate(listed, 1)]}

    def _result(self, number: int, value: Json) -> Json:
        id = _words(_at(value, self.id))
        if not id:
            raise _ContractMismatch(f"result {number} has no `{self.id}`")
        title = _words(_at(value, self.title)) or id
        return {"id": id, "title": title, "url": _words(_at(value, self.url) if self.url else None)}


@dataclass(frozen=True)
class FetchShape:
    """Where the parts of a document stand in an answer; the whole of it is the text where no path
    is said."""

    title: str
    text: str = ""
    url: str = ""
    metadata: tuple[str, ...] = ()

    def to_structured(self, text: str, arguments: Mapping[str, Json]) -> Json:
        """The document of an answer, under the id it was asked for."""
        value, id = _json(text), str(arguments.get("id", ""))
        found = {path: _words(_at(value, path)) for path in self.metadata}
        return {
            "id": id,
            "title": _words(_at(value, self.title)) or id,
            "text": _words(_at(value, self.text)) if self.text else text,
            "url": _words(_at(value, self.url)) if self.url else "",
            "metadata": {path: words for path, words in found.items() if words},
        }


class Connector(Middleware):
    """Gives the answers of the two tools the shape of the contract."""

    def __init__(self, search: SearchShape | None = None, fetch: FetchShape | None = None) -> None:
        self._contracts = {"search": search, "fetch": fetch}

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The result in the shape of the contract, or what is wrong with it."""
        tool = invocation.tool
        contract = self._contracts.get(tool.name)
        if contract is None:
            return await finish()
        # What the tool has announced is the contract and not the answer of the API.
        invocation.tool = replace(tool, output=None)
        try:
            result = await finish()
        finally:
            invocation.tool = tool
        if result.failed:
            return result
        try:
            told = contract.to_structured(
                str(result.content[0].get("text", "")), invocation.arguments
            )
        except _ContractMismatch as reason:
            return Result.error(f"The API's answer cannot be shown: {reason}.")
        return Result((text_block(compact_json(told)),), told)


def _json(text: str) -> Json:
    """The value of a text that is JSON, None for any other."""
    try:
        return loads(text).value
    except (ValueError, TooDeep, RecursionError):
        return None


def _at(value: Json, path: str) -> Json:
    """What stands at a dotted path, None if nothing does; of a list the first item is meant."""
    for step in path.split(".") if path else ():
        if isinstance(value, list):
            value = value[0] if value else None
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _words(value: Json) -> str:
    """A value as text; the items of a list stand in lines."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_words(each) for each in value)
    return compact_json(value)
