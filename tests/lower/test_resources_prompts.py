"""Resources and prompts of a server, and invalid configuration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mcpgen.config import (
    CompletionConfig,
    Config,
    PromptArgumentConfig,
    PromptConfig,
    PromptMessageConfig,
    ResourceConfig,
)
from mcpgen.diagnostics import Location

ID = {"type": "integer"}
KIND = {"type": "string", "enum": ["cat", "dog"]}
LISTED = {"type": "array", "items": {"type": "object", "properties": {"id": ID}}}
PET = ResourceConfig("shop://pets/{id}", operation="getPet")
PETS = ResourceConfig("shop://pets", operation="GET /pets")
BY_ID = CompletionConfig("listPets", "id")


def lower_api(build: Any, config: Config) -> Any:
    """Returns the server of pets, their photos and food."""
    pet = build.parameter("path", "id", ID, required=True)
    kind = build.parameter("path", "kind", KIND, required=True)
    page = build.parameter("query", "page", ID, required=True)
    return build.lower(
        build.api(
            build.operation(id="listPets", path="/pets", responses=(build.response(LISTED),)),
            build.operation(id="addPet", method="POST", path="/pets"),
            build.operation(pet, id="getPet", path="/pets/{id}", responses=(build.response({}),)),
            build.operation(pet, id="dropPet", method="DELETE", path="/pets/{id}"),
            build.operation(pet, id="addPhoto", method="POST", path="/pets/{id}/photos"),
            build.operation(kind, id="getFood", path="/food/{kind}"),
            build.operation(page, id="getPage", path="/pages"),
        ),
        config,
    )


def test_a_tool_that_is_wanted_as_a_resource_alone_is_not_served(build: Any) -> None:
    result = lower_api(build, Config(resources={"pet": replace(PET, tool=False)}))

    assert "get_pet" in [tool.name for tool in result.server.tools]
    assert "get_pet" not in [tool.name for tool in result.server.served("")]
    assert "get_pet" not in [tool.name for tool in result.server.listed]


def test_a_file_is_announced_with_its_size_and_type(build: Any) -> None:
    choice = ResourceConfig("shop://logo", file="logo.png")

    result = lower_api(build, Config(resources={"logo": choice}, files={"logo.png": b"\x89P"}))

    assert [resource.announced for resource in result.server.resources] == [
        {"uri": "shop://logo", "name": "logo", "mimeType": "image/png", "size": 2}
    ]
    assert result.server.offers.files == {"logo.png": b"\x89P"}


@pytest.mark.parametrize(
    ("choice", "code", "expected"),
    [
        (replace(PET, operation="getPat"), "MG365", "did you mean `getPet`?"),
        (replace(PET, operation="dropPet"), "MG366", "it changes something"),
        (replace(PET, uri="x:{ids}"), "MG366", "`ids` is no argument of it; did you mean `id`?"),
        (replace(PET, uri="x:y"), "MG366", "it requires `id`, which the URI has no place for"),
        (ResourceConfig("x:{a}", file="a.md"), "MG366", "a file has no `a`"),
        (replace(PETS, uri="shop://a/{b}"), "MG366", "`b` is no argument of it"),
        (replace(PET, complete={"i": BY_ID}), "MG368", "did you mean `id`?"),
        (
            replace(PET, complete={"id": CompletionConfig("addPet")}),
            "MG368",
            "`addPet` changes something",
        ),
        (
            replace(PET, complete={"id": CompletionConfig("getPage")}),
            "MG368",
            "`getPage` requires `page`, which nothing fills",
        ),
        (replace(PET, complete={"id": CompletionConfig("lost")}), "MG365", "choose one that is"),
        (
            replace(PET, complete={"id": CompletionConfig("listPets", "ids")}),
            "MG368",
            "no result of `listPets` has `ids` did you mean `id`?",
        ),
    ],
)
def test_what_cannot_be_a_resource_is_reported_where_it_stands(
    build: Any, choice: ResourceConfig, code: str, expected: str
) -> None:
    location = Location("mcpgen.toml", ("resources", "it"), 3, 1)

    result = lower_api(
        build, Config(resources={"it": choice}, locations={("resources", "it"): location})
    )

    diagnostics = [diagnostic for diagnostic in result.diagnostics if diagnostic.code.id == code]
    assert any(
        expected in f"{diagnostic.message} {diagnostic.hint}" for diagnostic in diagnostics
    ), diagnostics
    assert {diagnostic.at for diagnostic in diagnostics} == {location}


def test_two_resources_of_one_uri_are_reported(build: Any) -> None:
    food = ResourceConfig("shop://pets/{kind}", operation="getFood")

    result = lower_api(build, Config(resources={"pet": PET, "food": food}))

    (finding,) = (diagnostic for diagnostic in result.diagnostics if diagnostic.code.id == "MG367")
    assert finding.message == "the resource `food` has the same URI as the resource `pet`"


@pytest.mark.parametrize(
    ("choice", "code", "expected"),
    [
        (PromptMessageConfig(text="{{ide}}"), "MG369", "did you mean `id`?"),
        (PromptMessageConfig(text="{{other}}"), "MG369", "`{{other}}` stands for no argument"),
        (PromptMessageConfig(text="nothing"), "MG370", "uses its argument `id`"),
        (PromptMessageConfig(file="bin"), "MG369", "`bin` is no text in UTF-8"),
        (PromptMessageConfig(file="empty"), "MG369", "`empty` is empty"),
        (PromptMessageConfig(image="a.md"), "MG369", "which is none of image"),
        (
            PromptMessageConfig(resource="shop://cats/{{id}}"),
            "MG369",
            "is no resource of this server",
        ),
        (PromptMessageConfig(embed="a.md", uri="cats"), "MG369", "`cats` is no absolute URI"),
    ],
)
def test_what_cannot_be_a_prompt_is_reported(
    build: Any, choice: PromptMessageConfig, code: str, expected: str
) -> None:
    prompt = PromptConfig(messages=(choice,), arguments={"id": PromptArgumentConfig()})
    files = {"bin": b"\xff", "empty": b"", "a.md": b"# A"}

    result = lower_api(build, Config(resources={"pet": PET}, prompts={"p": prompt}, files=files))

    (finding,) = (diagnostic for diagnostic in result.diagnostics if diagnostic.code.id == code)
    assert expected in f"{finding.message} {finding.hint}"
