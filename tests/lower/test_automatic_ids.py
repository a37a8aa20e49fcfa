"""Automatic operationIds of frameworks become short names, where the framework is certain."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import Extension
from mcpgen.lower.automatic_ids import automatic_id
from mcpgen.lower.names import name_tools

FASTAPI, SPRINGFOX, NESTJS, DRF, TRPC = "FastAPI", "springfox", "NestJS", "drf-spectacular", "tRPC"
TAGGED = "NSwag, AutoRest or gRPC-Gateway"


def names(build: Any, *operations: Any, **choices: Any) -> list[str]:
    """Returns the names of the tools of some operations."""
    api = build.api(*operations)
    result = name_tools(api.operations, Config(**choices), Diagnostics(), api.at)
    return [result[operation.key] for operation in operations]


@pytest.mark.parametrize(
    ("framework", "id", "method", "path", "tags", "name"),
    [
        (FASTAPI, "get_pet_pets__pet_id__get", "GET", "/pets/{pet_id}", (), "get_pet"),
        (FASTAPI, "add_pet_v1_pets__post", "POST", "/v1/pets/", (), "add_pet"),
        (FASTAPI, "login_login_post", "POST", "/login", (), "login"),
        (FASTAPI, "get_users_get", "GET", "/users", (), "get_users"),
        (FASTAPI, "read_api_v1_pets__id__get", "GET", "/api/v1/pets/{id}", (), "read_pets"),
        (FASTAPI, "sync_my_jobs_jobs_sync_all_put", "PUT", "/jobs-sync/all", (), "sync_my_jobs"),
        (SPRINGFOX, "getPetUsingGET", "GET", "/pets/{id}", (), "get_pet"),
        (SPRINGFOX, "savePetUsingPOST_1", "POST", "/pets", (), "save_pet"),
        (SPRINGFOX, "listUsingGET_2", "GET", "/api/pets", (), "list_pets"),
        (NESTJS, "PetsController_findOne", "GET", "/pets/{id}", (), "pets_find_one"),
        (NESTJS, "PetsController_getPet", "GET", "/pets/{id}", (), "get_pet"),
        (NESTJS, "NewsController_createArticle", "POST", "/news", (), "news_create_article"),
        (DRF, "api_v1_pets_retrieve", "GET", "/api/v1/pets/{id}/", (), "pets_retrieve"),
        (DRF, "v1_pets_partial_update", "PATCH", "/v1/pets/{id}/", (), "pets_partial_update"),
        (DRF, "v1_gateway_apis_list", "GET", "/v1/gateway/apis/", (), "gateway_apis_list"),
        (DRF, "v1_shop_pets_list", "GET", "/rest/v1/shop-pets/", (), "shop_pets_list"),
        (DRF, "list_v1_shop_pets", "GET", "/v1/shop-pets", (), "list_shop_pets"),
        (TRPC, "query.pets.getById", "GET", "/pets/{id}", (), "pets_get_by_id"),
        (TRPC, "mutation.pets.createPet", "POST", "/pets", (), "create_pet"),
        (TAGGED, "Pets_GetPet", "GET", "/pets/{id}", ("Pets",), "get_pet"),
    ],
)
def test_an_automatic_operation_id_gets_a_short_name(
    build: Any, framework: str, id: str, method: str, path: str, tags: Any, name: str
) -> None:
    operation = build.operation(id=id, method=method, path=path, tags=tags)

    automatic = automatic_id(operation)

    assert automatic is not None
    assert automatic.framework == framework
    assert names(build, operation) == [name]


@pytest.mark.parametrize(
    ("id", "method", "path", "tags", "name"),
    [
        ("get_pet_pets_get", "GET", "/animals", (), "get_pet_pets_get"),
        ("get_get", "GET", "/get", (), "get_get"),
        ("root__get", "GET", "/", (), "root_get"),
        ("getPetUsingGET", "POST", "/pets", (), "get_pet_using_get"),
        ("getPetUsingGETRequest", "GET", "/pets", (), "get_pet_using_get_request"),
        ("Pets_GetById", "GET", "/pets/{id}", ("Pets",), "pets_get_by_id"),
        ("Pets_GetPet", "GET", "/pets/{id}", ("Animals",), "pets_get_pet"),
        ("pets_get_pet", "GET", "/pets/{id}", ("pets",), "pets_get_pet"),
        ("pets-getById", "GET", "/pets/{id}", (), "pets_get_by_id"),
        ("query.pets.getById", "POST", "/pets/{id}", (), "query_pets_get_by_id"),
        ("query.pets", "GET", "/pets", (), "query_pets"),
        ("pets_retrieve", "GET", "/pets/{id}", (), "pets_retrieve"),
        ("v1_ats_retrieve", "GET", "/v1/cats/{id}", (), "v1_ats_retrieve"),
        ("ats_retrieve", "GET", "/v1/cats/{id}", (), "ats_retrieve"),
        ("v1_pets_retrieve", "GET", "/cats/{id}", (), "v1_pets_retrieve"),
        ("api_v1_list", "GET", "/api/v1/", (), "api_v1_list"),
    ],
)
def test_a_name_stays_where_the_framework_is_not_certain_or_nothing_can_go(
    build: Any, id: str, method: str, path: str, tags: Any, name: str
) -> None:
    operation = build.operation(id=id, method=method, path=path, tags=tags)

    assert names(build, operation) == [name]


def test_functions_of_one_name_are_distinguished_by_their_paths_in_any_order(build: Any) -> None:
    operations = [
        build.operation(id="read_users__id__get", path="/users/{id}"),
        build.operation(id="read_items__id__get", path="/items/{id}"),
        build.operation(id="read_item_users__id__item_get", path="/users/{id}/item"),
        build.operation(id="read_item_carts__id__item_get", path="/carts/{id}/item"),
    ]

    texts = names(build, *operations)

    assert texts == ["read_users", "read_items", "read_item_users", "read_item_carts"]
    assert names(build, *reversed(operations)) == [*reversed(texts)]


def test_versions_stay_where_they_tell_two_operations_apart(build: Any) -> None:
    operations = [
        build.operation(id="v1_pets_list", path="/v1/pets/"),
        build.operation(id="v2_pets_list", path="/v2/pets/"),
        build.operation(id="v2_cats_list", path="/v2/cats/"),
    ]

    assert names(build, *operations) == ["v1_pets_list", "v2_pets_list", "cats_list"]


def test_a_short_name_is_not_that_of_an_operation_whose_author_chose_it(build: Any) -> None:
    operations = [
        build.operation(id="get_pet_pets__pet_id__get", path="/pets/{pet_id}"),
        build.operation(id="getPet", path="/old"),
    ]

    assert names(build, *operations) == ["get_pet_pets", "get_pet"]


def test_promised_and_chosen_names_come_before_short_ones(build: Any) -> None:
    promised_operation = build.operation(id="get_pet_pets__id__get", path="/pets/{id}")
    renamed_operation = build.operation(id="get_cat_cats__id__get", path="/cats/{id}")
    authored_operation = build.operation(
        id="get_dog_dogs__id__get", path="/dogs/{id}", extension=Extension(name="dog")
    )

    texts = names(
        build,
        promised_operation,
        renamed_operation,
        authored_operation,
        tool_names={promised_operation.key: "get_pet_pets_id_get"},
        names={renamed_operation.key: "cat"},
    )

    assert texts == ["get_pet_pets_id_get", "cat", "dog"]
