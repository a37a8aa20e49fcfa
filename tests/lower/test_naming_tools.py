"""Tool names are legal for every host and stable."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import Extension
from mcpgen.lower.names import module_names, name_tools

LEGAL = re.compile(r"[a-z][a-z0-9_]{0,39}")


def names(build: Any, *operations: Any, **choices: Any) -> tuple[list[str], set[str]]:
    diagnostics = Diagnostics()
    api = build.api(*operations)
    result = name_tools(api.operations, Config(**choices), diagnostics, api.at)
    return [result[o.key] for o in operations], {d.code.id for d in diagnostics}


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("listPetsV2", "list_pets_v2"),
        ("HTTPServer", "http_server"),
        ("repos/list-for-org", "repos_list_for_org"),
        ("pets.get.one", "pets_get_one"),
        ("größeÄndern", "grosse_andern"),
        ("2fa", "get_2_fa"),
        ("../../etc/passwd", "etc_passwd"),
        ('x"\n\x00y', "x_y"),
        ("getIDs", "get_ids"),
    ],
)
def test_an_operation_id_becomes_a_snake_case_name(build: Any, identity: str, name: str) -> None:
    assert names(build, build.operation(id=identity))[0] == [name]


@pytest.mark.parametrize(
    ("identity", "path", "name"),
    [
        ("", "/pets/{petId}", "get_pets_by_pet_id"),
        ("🐶", "/pets", "get_pets"),
        ("", "/", "get_root"),
    ],
)
def test_without_words_in_the_id_method_and_path_make_the_name(
    build: Any, identity: str, path: str, name: str
) -> None:
    assert names(build, build.operation(id=identity, path=path))[0] == [name]


def test_a_long_operation_id_is_shortened_at_a_word(build: Any) -> None:
    texts, codes = names(build, build.operation(id="".join(f"word{n}Number" for n in range(20))))

    assert len(texts[0]) <= 40
    assert not texts[0].endswith("_")
    assert codes == {"MG305"}


@pytest.mark.parametrize(
    ("identity", "path", "name"),
    [
        (
            "",
            "/api/tenants/{tenantId}/agents/{platform}/download/{packageName}",
            "get_tenants_agents_download_by_name",
        ),
        (
            "",
            "/api/v2/tenants/{tenant}/agents/{version}/resourcesCountByAgentVersion",
            "get_resources_count_by_agent_version",
        ),
        (
            "updateNetworkApplianceFirewallL7FirewallRules",
            "/networks/{networkId}/appliance/firewall/l7FirewallRules",
            "update_firewall_l7_firewall_rules",
        ),
        (
            "DeleteSubscriptionsSubscriptionExposedIdentifier",
            "/v1/subscriptions/{subscription_exposed_identifier}",
            "delete_subscriptions_by_identifier",
        ),
        (
            "ByProjectKeyAsAssociateByAssociateIdBusinessUnitsByIDGet",
            "/{projectKey}/as-associate/{associateId}/business-units/{ID}",
            "get_as_associate_business_units_by_id",
        ),
        (
            "readWarehouseShelvesOfTheThirdFloorWithLabels",
            "/warehouses/{id}/shelves",
            "read_warehouse_shelves_of_the_third",
        ),
        (
            "",
            "/securityClassificationOfAllTemplates-6VMVoch/schema",
            "get_security_classification_of_all",
        ),
    ],
)
def test_a_long_name_that_spells_the_path_keeps_the_end_of_the_path(
    build: Any, identity: str, path: str, name: str
) -> None:
    assert names(build, build.operation(id=identity, path=path)) == ([name], {"MG305"})


def test_a_long_name_loses_its_linking_words_before_its_end(build: Any) -> None:
    texts, _ = names(
        build,
        build.operation(id="codespacesSetSelectedReposForOrgSecret", path="/a"),
        build.operation(id="reactionsListForPullRequestReviewComment", path="/b"),
        build.operation(id="listAllUsersOfTheWholeOrgWithoutATeam", path="/c"),
    )

    assert texts == [
        "codespaces_set_selected_repos_org_secret",
        "reactions_list_for_pull_request_review",
        "list_all_users_whole_org_without_team",
    ]


def test_two_operation_ids_that_differ_in_case_get_two_names(build: Any) -> None:
    texts, codes = names(
        build,
        build.operation(id="getPet", path="/a"),
        build.operation(id="GetPet", path="/kennel"),
    )

    assert texts == ["get_pet", "get_pet_kennel"]
    assert codes == {"MG306"}


def test_names_that_were_shortened_to_the_same_keep_their_different_ends(build: Any) -> None:
    stem = "listVeryLongNamesOfManyThingsInside"

    texts, _ = names(
        build,
        build.operation(id=f"{stem}OrganisationAlpha", path="/a"),
        build.operation(id=f"{stem}OrganisationBeta", path="/b"),
    )

    assert texts[1].endswith("_beta")


def test_the_users_name_wins_over_the_lock_and_the_lock_over_the_document(build: Any) -> None:
    first = build.operation(id="a", path="/a", extension=Extension(name="authored"))
    second = build.operation(id="b", path="/b")

    texts, codes = names(
        build,
        first,
        second,
        names={"GET /b": "mine"},
        tool_names={"GET /a": "promised", "GET /b": "older"},
    )

    assert texts == ["promised", "mine"]
    assert codes == set()


def test_the_authors_name_wins_over_the_operation_id(build: Any) -> None:
    assert names(build, build.operation(extension=Extension(name="authored")))[0] == ["authored"]


def test_a_new_operation_does_not_take_a_promised_name(build: Any) -> None:
    new = build.operation(id="getPet", path="/new")
    old = build.operation(id="fetchPet", path="/old")

    texts, _ = names(build, new, old, tool_names={"GET /old": "get_pet"})

    assert texts == ["get_pet_new", "get_pet"]


def test_a_promised_name_cannot_be_chosen_for_another_operation(build: Any) -> None:
    operations = (build.operation(id="a", path="/a"), build.operation(id="b", path="/b"))
    tool_names = {"GET /a": "get_pet", "GET /b": "get_pets"}

    _, refusals = names(build, *operations, names={"b": "get_pet"}, tool_names=tool_names)
    swapped_names, codes = names(
        build, *operations, names={"a": "get_pets", "b": "get_pet"}, tool_names=tool_names
    )

    assert refusals == {"MG304"}
    assert (swapped_names, codes) == (["get_pets", "get_pet"], set())


@pytest.mark.parametrize("name", ["Get", "a__b", "", "a" * 41, "1a", "a-b", "a_"])
def test_an_illegal_chosen_name_is_an_error(build: Any, name: str) -> None:
    _, codes = names(build, build.operation(), names={"doThing": name})

    assert codes == {"MG303"}


def test_a_name_chosen_twice_is_an_error(build: Any) -> None:
    operations = (build.operation(id="a", path="/a"), build.operation(id="b", path="/b"))

    _, codes = names(build, *operations, names={"a": "same", "b": "same"})

    assert codes == {"MG304"}


def test_a_name_for_an_unknown_operation_is_an_error(build: Any) -> None:
    _, codes = names(build, build.operation(), names={"doThink": "x"})

    assert codes == {"MG307"}


def test_modules_avoid_keywords_and_device_names() -> None:
    assert module_names(["class", "con", "get_pet"]) == {
        "class": "class_",
        "con": "con_",
        "get_pet": "get_pet",
    }


@given(st.lists(st.text(max_size=60), min_size=1, max_size=8))
def test_any_operation_ids_give_legal_unique_names_twice_the_same(
    build: Any, identities: list[str]
) -> None:
    operations = [
        build.operation(id=operation_id, path=f"/p{n}") for n, operation_id in enumerate(identities)
    ]

    texts, _ = names(build, *operations)

    assert all(LEGAL.fullmatch(name) and "__" not in name for name in texts)
    assert len(set(texts)) == len(texts)
    assert names(build, *operations)[0] == texts


def test_name_that_two_operations_want_is_reported_where_the_user_gave_it(build: Any) -> None:
    location = Location("mcpgen.toml", ("tools", "b", "name"), 7, 1)
    extension = Extension(name="same")
    operations = (
        build.operation(id="a", path="/a", extension=extension),
        build.operation(id="b", path="/b"),
        build.operation(id="c", path="/c"),
    )
    config = Config(names={"c": "same", "b": "same"}, locations={("names", "c"): location})
    diagnostics = Diagnostics()

    name_tools(operations, config, diagnostics, Location("spec.yaml"))

    result = [(diagnostic.code.id, diagnostic.at) for diagnostic in diagnostics]
    assert result == [("MG304", location), ("MG304", operations[0].at)]


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("listOrdersThatWereCreatedBetweenTwoDaysOfAYear", "list_orders_that_were_created"),
        ("putCmsHubdbTablesByTheTableIdOrNameInDrafts", "put_cms_hubdb_tables_by_the_table_id"),
        ("sendMessageTo", "send_message_to"),
    ],
)
def test_a_name_that_is_cut_does_not_end_in_a_function_word(
    build: Any, identity: str, name: str
) -> None:
    assert names(build, build.operation(id=identity))[0] == [name]


def test_a_name_that_is_cut_is_not_the_whole_name_of_another_operation(build: Any) -> None:
    account = build.operation(id="createCoreV1NamespacedServiceAccountToken", path="/accounts")
    service = build.operation(id="createCoreV1NamespacedService", path="/services")

    texts, _ = names(build, account, service)

    assert texts[1] == "create_core_v1_namespaced_service"
    assert texts[0].endswith("_token")


def test_a_repeated_operation_id_is_reported_once(build: Any) -> None:
    texts, codes = names(
        build, build.operation(id="list", path="/a"), build.operation(id="list", path="/b")
    )

    assert len(set(texts)) == 2
    assert "MG306" not in codes
