"""The views of the files for running a server in production, with the Kubernetes NetworkPolicy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.emit.code import (
    SourceText,
    comment,
    docstring,
    identifier,
    image,
    integer,
    literal,
    slug,
    yaml_string,
)
from mcpgen.emit.extensions import asks_clients
from mcpgen.emit.feature_declaration import has_store
from mcpgen.emit.literal import CallExpr, NameExpr
from mcpgen.emit.package_files import api_name, variable_prefix
from mcpgen.emit.project_files import API, hosts, release
from mcpgen.emit.render import TemplateView
from mcpgen.emit.required_variables import (
    RequiredVariable,
    limit_store,
    required_variables,
    state_key,
)
from mcpgen.emit.views import (
    AddressRuleView,
    ComposeView,
    KustomizationView,
    LambdaView,
    ManifestsView,
    NamespaceRuleView,
    NetworkPolicyView,
    PodMonitorView,
    ProxyView,
    PublicRuleView,
    RequiredView,
)
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
        host, port = _endpoint_of_url(url if server.upstream or purpose != API else "")
        address = _ip_address(host)
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
        prefix=variable_prefix(server),
        has_metrics=server.observability.prometheus,
        has_store=has_store,
        has_collector=server.observability.has_opentelemetry,
        public=tuple(
            PublicRuleView(_hosts_comment(shown), integer(port))
            for port, shown in sorted(public.items())
        ),
        addresses=tuple(
            AddressRuleView(_hosts_comment(shown), yaml_string(cidr), integer(port))
            for (cidr, port), shown in sorted(addresses.items())
        ),
        namespaces=tuple(
            NamespaceRuleView(_hosts_comment(shown), not namespace, yaml_string(namespace))
            for namespace, shown in sorted(namespaces.items())
        ),
    )


def _endpoint_of_url(url: str) -> tuple[str, int]:
    """The host in lower case and the port of a URL, or of a bare host; 443 where neither scheme nor
    port says otherwise."""
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        return parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 443)
    except ValueError:
        return "", 443


def _ip_address(host: str) -> IPv4Address | IPv6Address | None:
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


def _hosts_comment(shown: Iterable[str]) -> SourceText:
    return comment("; ".join(shown), indent=_DEPTH)


_MEGABYTES = 512
"""The memory limit of a pod, in MB."""

_MEGABYTES_OF_SCRIPTS = 1536
"""The memory limit with scripts, in MB: four scripts of 128 MB each at a time, plus Deno."""


def deployment(server: Server, config: Config, asks: bool) -> Iterator[tuple[str, TemplateView]]:
    """The templates of the configured deployment files, with their views. `asks`: tools of the
    server may use elicitation."""
    name = slug(f"{server.slug}-mcp")
    # Without Redis each process would accept the same confirmation once; the server refuses to
    # start.
    is_single = server.sessions or (server.confirmation and not server.limits.is_shared)
    workers = 1 if is_single else 2
    has_metrics = server.observability.prometheus
    required = tuple(map(_view, required_variables(server, config.runtime, is_local=False)))
    if config.deployment.aws_lambda:
        yield "package/aws_lambda.py", _lambda_view(server)
    if config.deployment.compose:
        yield (
            "compose.yaml",
            ComposeView(
                *_image_and_tag(config.deployment.proxy_image),
                *_image_and_tag(config.deployment.redis_image),
                variable_prefix(server),
                integer(workers),
                has_store(server),
                has_metrics,
                bool(required),
                required,
            ),
        )
        yield "deploy/nginx.conf", ProxyView(name, variable_prefix(server))
    if config.deployment.kubernetes:
        version = yaml_string(release(server))
        yield (
            "deploy/kubernetes/kustomization.yaml",
            KustomizationView(name, version, has_metrics),
        )
        yield (
            "deploy/kubernetes/network-policy.yaml",
            network_policy_view(server, name.text, has_store(server)),
        )
        if has_metrics:
            yield "deploy/kubernetes/pod-monitor.yaml", PodMonitorView(name)
        # A pod does not learn of changes made through other pods, so several pods cannot offer
        # subscriptions.
        is_one_of_several = asks or (server.offers.notices.changes and not server.limits.is_shared)
        shared = (*limit_store(server), *([state_key(server)] if is_one_of_several else ()))
        required = (*map(_view, shared), *required)
        yield (
            "deploy/kubernetes/server.yaml",
            ManifestsView(
                name,
                variable_prefix(server),
                server.sessions,
                integer(_MEGABYTES_OF_SCRIPTS if server.script else _MEGABYTES),
                has_metrics,
                bool(is_one_of_several),
                bool(required),
                required,
            ),
        )


def _lambda_view(server: Server) -> LambdaView:
    summary = f"Serves the {api_name(server)} on AWS Lambda: `{server.package}.aws_lambda.handler`"
    settings, create = NameExpr("Settings"), NameExpr("create")
    keywords = (("asks", True),) if asks_clients(server) else ()
    function = CallExpr("LambdaFunction", (settings, create), keywords)
    return LambdaView(
        identifier(server.package),
        docstring(summary),
        literal(function, before=len("FUNCTION = ")),
    )


def _image_and_tag(reference: str) -> tuple[SourceText, SourceText]:
    return image(reference), image(reference.partition("@")[0])


def report_unpinned_images(server: Server, config: Config, diagnostics: Diagnostics) -> None:
    """Adds UNPINNED_IMAGE for each image of the configured deployment files without a digest."""
    chosen = config.deployment
    used = {
        "base_image": chosen.compose or chosen.kubernetes,
        "proxy_image": chosen.compose,
        "redis_image": chosen.compose and any(limit_store(server)),
    }
    for name, is_used in used.items():
        reference = getattr(chosen, name)
        if is_used and "@" not in reference:
            at = config.at("deploy", name) or Location("mcpgen.toml", ("deploy",))
            key = f"deploy.{name}"
            diagnostics.add(codes.UNPINNED_IMAGE, at, key=key, image=reference, name=name)


def _view(variable: RequiredVariable) -> RequiredView:
    name = identifier(variable.name)
    return RequiredView(name, variable.is_secret, comment(variable.meaning, indent=14))
