"""Completion of arguments: values from an enum or from the API."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from mcp import Client, MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from tests.runtime.conftest import WireUpstream
from tests.runtime.resource_server import LIST, READS, all_features, pets, serve_shop
from tests.runtime.test_resources import Denying

from mcpgen_runtime.resources.completion import Completion
from mcpgen_runtime.resources.completion_values import ListedValues, listed_values
from mcpgen_runtime.resources.resources import Resource, Resources
from mcpgen_runtime.result import Result
from mcpgen_runtime.tool import Argument, Route, Tool

pytestmark = pytest.mark.anyio

PET = ResourceTemplateReference(uri="shop://pets/{petId}")
FOOD = ResourceTemplateReference(uri="shop://food/{kind}")
REVIEW = PromptReference(name="review")


@pytest.fixture
async def url(upstream: WireUpstream) -> AsyncIterator[str]:
    """URL of the server with all features."""
    upstream.answer = pets
    async with serve_shop(upstream.url, all_features()) as url:
        yield url


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_list_operation_gives_a_hundred_and_tells_of_the_others(
    url: str, mode: str
) -> None:
    async with Client(url, mode=mode) as client:
        completion = (await client.complete(PET, {"name": "petId", "value": ""})).completion
        filtered_completion = (
            await client.complete(REVIEW, {"name": "petId", "value": "14"})
        ).completion

    assert completion.values == [str(number) for number in range(1, 101)]
    assert (completion.total, completion.has_more) == (150, True)
    assert filtered_completion.values == ["14", *(str(number) for number in range(140, 150))]
    assert (filtered_completion.total, filtered_completion.has_more) == (11, False)


async def test_an_enum_gives_its_values_whatever_the_case(url: str) -> None:
    async with Client(url) as client:
        food = (await client.complete(FOOD, {"name": "kind", "value": "C"})).completion
        tone = (await client.complete(REVIEW, {"name": "tone", "value": ""})).completion

    assert (food.values, tone.values) == (["cat"], ["kind", "strict"])


@pytest.mark.parametrize(
    ("ref", "name", "message"),
    [
        (PromptReference(name="no"), "x", "Unknown prompt: no"),
        (REVIEW, "x", "`x` is no argument of it; it has petId, tone"),
        (ResourceTemplateReference(uri="shop://no/{x}"), "x", "Unknown resource template"),
        (PET, "x", "`x` is no argument of it; it has petId"),
    ],
)
async def test_what_is_not_there_is_refused(
    url: str, ref: PromptReference | ResourceTemplateReference, name: str, message: str
) -> None:
    async with Client(url) as client:
        with pytest.raises(MCPError, match=message) as error:
            await client.complete(ref, {"name": name, "value": ""})

    assert error.value.error.code == -32602


async def test_a_list_that_the_caller_may_not_read_completes_nothing(
    upstream: WireUpstream,
) -> None:
    template = Resource(
        "shop://x/{a}", "x", tool="get_food", complete={"a": ListedValues("get_pet", "id")}
    )
    resources = Resources((template,))

    offers = (resources, Completion(resources))
    async with serve_shop(upstream.url, offers, Denying()) as url, Client(url) as client:
        with pytest.raises(MCPError, match="may not be read"):
            await client.complete(
                ResourceTemplateReference(uri="shop://x/{a}"), {"name": "a", "value": ""}
            )

    assert upstream.requests == []


async def test_what_is_filled_already_is_asked_with(upstream: WireUpstream) -> None:
    owner = Argument("owner", "path", {"type": "string"}, required=True)
    toys = Tool("list_toys", "", "", Route("GET", "/owners/{owner}/toys"), READS, (owner,))
    source = ListedValues("list_toys", "toys.name", {"owner": "person"})
    template = Resource("shop://{person}/{toy}", "toy", tool="list_pets", complete={"toy": source})
    resources = Resources((template,))
    upstream.answer = lambda _: (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 49\r\n\r\n"
        b'{"toys": [{"name": "ball"}, {"name": "bone"}, 1]}'
    )

    offers, tools = (resources, Completion(resources)), (LIST, toys)
    async with serve_shop(upstream.url, offers, tools=tools) as url, Client(url) as client:
        ref = ResourceTemplateReference(uri=template.uri)
        argument = {"name": "toy", "value": "b"}
        first_completion = (await client.complete(ref, argument)).completion
        second_completion = (await client.complete(ref, argument, {"person": "a b"})).completion

    assert (first_completion.values, second_completion.values) == ([], ["ball", "bone"])
    assert [request.target for request in upstream.requests] == ["/owners/a%20b/toys"]


@pytest.mark.parametrize(
    ("text", "path", "values"),
    [
        ('[{"id": 1}, {"id": 1}, {"id": null}, {"id": true}, {}]', "id", ["1", "true"]),
        ('["a", "b"]', "", ["a", "b"]),
        ('{"result": [{"id": "x"}]}', "id", ["x"]),
        ("no JSON", "id", []),
        ("[" * 100_000, "id", []),
    ],
)
def test_values_are_the_scalars_at_a_path(text: str, path: str, values: list[str]) -> None:
    assert listed_values(Result.text(text), path) == values
