"""The view of the Kubernetes NetworkPolicy: where a pod sends requests, as addresses and ports."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from mcpgen.emit.code import SourceText, comment, integer, slug, yaml_string
from mcpgen.emit.package_files import prefix
from mcpgen.emit.project_files import API, hosts
from mcpgen.emit.views import AddressRuleView, NamespaceRuleView, NetworkPolicyView, PublicRuleView
from mcpgen.ir.server import Server

_PORTS = {"http": 80, "https": 443}
_DEPTH = 4
"""The columns in front of a comment."""


def network_policy_view(server: Server, name: str, has_store: bool) -> NetworkPolicyView:
    """`deploy/kubernetes/network-policy.yaml`. Hosts of a kind with the same port share a rule.
    Loopback addresses get no rule, since a pod always reaches itself."""
    public: dict[int, list[str]] = {}
    addresses: dict[tuple[str, int], list[str]] = {}
    namespaces: dict[str, list[str]] = {}
    for url, purpose, _ in hosts(server):
        # Without a server URL in the description, `url` is the name of the environment variable.
        host, port = _host_and_port(url if server.upstream or purpose != API else "")
        address = _address(host)
        shown = f"{purpose}: {url}"
        if host == "localhost" or (address and address.is_loopback):
            continue
        if address:
            addresses.setdefault((f"{address}/{address.max_prefixlen}", port), []).append(shown)
        elif (namespace := _namespace(host)) is not None:
            namespaces.setdefault(namespace, []).append(shown)
        else:
            public.setdefault(port, []).append(shown)
    return NetworkPolicyView(
        name=slug(name),
        prefix=prefix(server),
        has_metrics=server.knowledge.prometheus,
        has_store=has_store,
        has_collector=server.knowledge.opentelemetry,
        public=tuple(
            PublicRuleView(_comment(shown), integer(port)) for port, shown in sorted(public.items())
        ),
        addresses=tuple(
            AddressRuleView(_comment(shown), yaml_string(cidr), integer(port))
            for (cidr, port), shown in sorted(addresses.items())
        ),
        namespaces=tuple(
            NamespaceRuleView(_comment(shown), not namespace, yaml_string(namespace))
            for namespace, shown in sorted(namespaces.items())
        ),
    )


def _host_and_port(url: str) -> tuple[str, int]:
    """The host in lower case and the port of a URL, or of a bare host; 443 where neither scheme nor
    port says otherwise."""
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        return parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 443)
    except ValueError:
        return "", 443


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _namespace(host: str) -> str | None:
    """The namespace of a Kubernetes service, `""` for the server's own; None for another host.
    https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/
    """
    if not host:
        return None
    labels = host.removesuffix(".cluster.local").split(".")
    if len(labels) == 3 and labels[2] == "svc":
        return labels[1]
    return "" if len(labels) == 1 else None


def _comment(shown: Iterable[str]) -> SourceText:
    return comment("; ".join(shown), indent=_DEPTH)
