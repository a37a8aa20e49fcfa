"""The Kubernetes NetworkPolicy: permitted ingress and egress of a pod."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml
from emit_servers import GET_PET, server

from mcpgen.config import Config, DeploymentConfig
from mcpgen.config.tables.limits import CountStore, LimitsConfig
from mcpgen.config.tables.server import ObservabilityConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.ir.policy import TokenExchange
from mcpgen.ir.server import Server

DEPLOYED = Config(deployment=DeploymentConfig(kubernetes=True))
PLAIN = server(GET_PET, upstream="https://api.example.com/v1")


def text_of(server: Server) -> str:
    """Returns the text of the manifest."""
    files = {file.path: file.text for file in emit(server, DEPLOYED, Diagnostics()).files}
    return files["deploy/kubernetes/network-policy.yaml"]


def policy(server: Server) -> Any:
    """Returns the `spec` of the policy."""
    return yaml.safe_load(text_of(server))["spec"]


def egress(server: Server) -> list[Any]:
    """Returns the egress rules except for the DNS rule."""
    dns, *rules = policy(server)["egress"]
    assert {port["port"] for port in dns["ports"]} == {53}
    return rules


def test_the_policy_is_for_the_pods_of_the_server_and_both_directions() -> None:
    result = policy(PLAIN)

    assert result["podSelector"] == {"matchLabels": {"app.kubernetes.io/name": "pets-mcp"}}
    assert result["policyTypes"] == ["Ingress", "Egress"]


def test_a_pod_accepts_connections_to_the_port_of_the_server_alone() -> None:
    assert policy(PLAIN)["ingress"] == [{"ports": [{"port": "http"}]}]


def test_the_port_of_the_metrics_is_for_the_cluster_alone() -> None:
    measured_server = replace(PLAIN, observability=ObservabilityConfig(prometheus=True))

    rule = policy(measured_server)["ingress"][1]

    assert rule == {"from": [{"namespaceSelector": {}}], "ports": [{"port": "metrics"}]}


def test_a_public_api_opens_its_port_to_public_addresses() -> None:
    (rule,) = egress(replace(PLAIN, upstream="https://api.example.com:8443/v1"))

    first, second = (item["ipBlock"] for item in rule["to"])
    assert rule["ports"] == [{"port": 8443}]
    assert (first["cidr"], second["cidr"]) == ("0.0.0.0/0", "::/0")
    assert {"10.0.0.0/8", "169.254.0.0/16", "192.168.0.0/16"} <= set(first["except"])
    assert "fc00::/7" in second["except"]


@pytest.mark.parametrize(
    ("upstream", "destinations", "ports"),
    [
        ("http://10.1.2.3/v1", [{"ipBlock": {"cidr": "10.1.2.3/32"}}], [{"port": 80}]),
        ("https://[fd00::1]:8443", [{"ipBlock": {"cidr": "fd00::1/128"}}], [{"port": 8443}]),
        (
            "http://api.backend.svc.cluster.local:8080",
            [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "backend"}}}],
            None,
        ),
        ("http://api", [{"podSelector": {}}], None),
    ],
)
def test_an_address_and_a_service_of_the_cluster_have_rules_of_their_own(
    upstream: str, destinations: list[Any], ports: list[Any] | None
) -> None:
    (rule,) = egress(replace(PLAIN, upstream=upstream))

    assert (rule["to"], rule.get("ports")) == (destinations, ports)


def test_loopback_needs_no_rule() -> None:
    assert egress(replace(PLAIN, upstream="http://127.0.0.1:9000")) == []


def test_an_api_whose_address_a_variable_holds_is_taken_for_a_public_one() -> None:
    (rule,) = egress(replace(PLAIN, upstream=""))

    assert rule["ports"] == [{"port": 443}]


def test_every_host_that_the_server_sends_requests_to_has_its_port() -> None:
    result = replace(PLAIN, forwarded_credential=TokenExchange("https://issuer.example:9443/token"))

    assert [rule["ports"][0]["port"] for rule in egress(result)] == [443, 9443]


def test_redis_is_reached_at_private_addresses_only_where_calls_are_counted_there() -> None:
    limited = replace(PLAIN, limits=LimitsConfig("9/minute", store=CountStore.REDIS))

    ports = [port for rule in egress(limited) for port in rule["ports"]]

    assert ports == [{"port": 443}, {"port": 6379}]
    assert "0.0.0.0/0" not in str(egress(limited)[1])
    assert "6379" not in text_of(PLAIN)


def test_a_collector_is_reached_only_where_it_is_told_of_calls() -> None:
    traced_server = replace(PLAIN, observability=ObservabilityConfig(opentelemetry=True))

    assert egress(traced_server)[1]["ports"] == [{"port": 4318}]
    assert "4318" not in text_of(PLAIN)


def test_a_hostile_host_stays_in_its_comment() -> None:
    text = text_of(replace(PLAIN, upstream="https://a.example\n    - to: []\n#:x/"))

    assert len(yaml.safe_load(text)["spec"]["egress"]) == 2
