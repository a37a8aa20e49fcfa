"""Deployment files: written only on request, and valid for their readers."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from emit_servers import GET_PET, PETS, server, tool
from jsonschema.validators import validator_for
from tests.programs import HADOLINT, ZIZMOR, find_program
from tests.redis_server import RedisServer

from mcpgen.config import Config, DeploymentConfig
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.config.tables.limits import CountStore, LimitsConfig
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.config.tables.server import ObservabilityConfig, RegistryConfig
from mcpgen.conformance.targets.command import free_port
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.required_variables import required_variables
from mcpgen.ir.builtin_tools import ConfirmationSpec, ScriptSpec
from mcpgen.ir.policy import Policy, TokenExchange
from mcpgen.ir.server import Server
from mcpgen_runtime.limits.redis_client import RedisSettings
from mcpgen_runtime.scripts.sandbox import ScriptSettings

LINGER_SECONDS = 1

DENO_MEGABYTES = 35
"""Memory of a Deno process before the first script."""


def emit_texts(**deployment: bool) -> dict[str, str]:
    """Returns the texts of a project, by path."""
    config = Config(deployment=DeploymentConfig(**deployment))
    return {file.path: file.text for file in emit(PETS, config, Diagnostics()).files}


def manifests() -> dict[str, Any]:
    """Returns the Kubernetes objects, by kind."""
    text = emit_texts(kubernetes=True)["deploy/kubernetes/server.yaml"]
    return {item["kind"]: item for item in yaml.safe_load_all(text)}


def pod() -> Any:
    """Returns the pod specification."""
    return manifests()["Deployment"]["spec"]["template"]["spec"]


def variables(container: Any) -> dict[str, str]:
    """Returns the environment of a container."""
    return {item["name"]: item["value"] for item in container["env"]}


def test_nothing_of_it_is_there_unless_asked_for() -> None:
    texts = emit_texts()

    assert "compose.yaml" not in texts
    assert not any(path.startswith("deploy/") for path in texts)


def test_each_is_written_alone() -> None:
    plain = emit_texts().keys()

    assert emit_texts(compose=True).keys() - plain == {
        "compose.yaml",
        "deploy/nginx.conf",
    }
    assert emit_texts(kubernetes=True).keys() - plain == {
        "deploy/kubernetes/kustomization.yaml",
        "deploy/kubernetes/network-policy.yaml",
        "deploy/kubernetes/server.yaml",
    }
    assert emit_texts(aws_lambda=True).keys() - plain == {
        "pets_mcp/_runtime/server/aws_lambda.py",
        "pets_mcp/aws_lambda.py",
    }


def test_server_that_takes_changes_has_the_watcher_and_its_setting() -> None:
    plain, texts = emit_texts(), emit_texts(reload=True)

    assert texts.keys() - plain == {
        "pets_mcp/_runtime/server/package_watch.py",
        "pets_mcp/_runtime/server/reload.py",
    }
    assert 'main("pets_mcp", Settings, reloading("pets_mcp", create))' in (
        texts["pets_mcp/__main__.py"]
    )
    assert "class Settings(ReloadSettings, ServerSettings):" in texts["pets_mcp/settings.py"]
    assert "PETS_RELOAD_BREAKING" in texts["README.md"]
    assert not any("reload" in text.lower() for text in plain.values())


def test_function_that_asks_users_needs_the_key_of_all_instances() -> None:
    config = Config(deployment=DeploymentConfig(aws_lambda=True))
    asking_server = replace(PETS, asks_in_hooks=True)
    texts = {file.path: file.text for file in emit(asking_server, config, Diagnostics()).files}

    assert (
        "LambdaFunction(Settings, create)\n"
        in emit_texts(aws_lambda=True)["pets_mcp/aws_lambda.py"]
    )
    assert "pets_mcp.aws_lambda.handler" in texts["README.md"]
    assert "LambdaFunction(Settings, create, asks=True)\n" in texts["pets_mcp/aws_lambda.py"]


def test_the_manifests_are_of_the_versions_that_kubernetes_serves() -> None:
    assert {kind: manifest["apiVersion"] for kind, manifest in manifests().items()} == {
        "Deployment": "apps/v1",
        "Service": "v1",
        "HorizontalPodAutoscaler": "autoscaling/v2",
        "PodDisruptionBudget": "policy/v1",
    }


def test_the_objects_find_each_other() -> None:
    result = manifests()
    deployment, service = result["Deployment"], result["Service"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    target = result["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]

    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == labels
    assert result["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert target == {"apiVersion": "apps/v1", "kind": "Deployment", "name": "pets-mcp"}
    assert deployment["metadata"]["name"] == "pets-mcp"
    assert service["spec"]["ports"][0]["targetPort"] == "http"


def test_the_number_of_pods_is_the_autoscalers_alone() -> None:
    result = manifests()
    scaler = result["HorizontalPodAutoscaler"]["spec"]

    assert "replicas" not in result["Deployment"]["spec"]
    assert 1 < scaler["minReplicas"] < scaler["maxReplicas"]
    assert scaler["metrics"][0]["resource"]["name"] == "cpu"


def test_the_probes_ask_what_the_server_answers() -> None:
    (container,) = pod()["containers"]

    requests = {name: container[f"{name}Probe"]["httpGet"] for name in ("liveness", "readiness")}

    assert requests == {
        "liveness": {"path": "/healthz", "port": "http"},
        "readiness": {"path": "/readyz", "port": "http"},
    }
    assert container["ports"] == [{"name": "http", "containerPort": 8000}]
    assert variables(container)["PETS_PORT"] == "8000"


def test_a_pod_has_no_rights_it_does_not_need() -> None:
    (container,) = pod()["containers"]

    assert pod()["automountServiceAccountToken"] is False
    assert pod()["securityContext"]["runAsNonRoot"] is True
    assert pod()["securityContext"]["runAsUser"] > 0
    assert pod()["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"]["memory"]
    assert container["resources"]["requests"]["cpu"]


def test_a_pod_has_the_time_to_finish_what_it_began() -> None:
    (container,) = pod()["containers"]
    environment = variables(container)
    drain, grace = float(environment["PETS_DRAIN_SECONDS"]), int(environment["PETS_GRACE_SECONDS"])
    probe = container["readinessProbe"]

    assert drain > probe["periodSeconds"] * probe["failureThreshold"]
    assert grace > 30, "a request to the API may take so long"
    assert pod()["terminationGracePeriodSeconds"] > drain + LINGER_SECONDS + grace


def test_the_kustomization_names_what_is_there() -> None:
    text = emit_texts(kubernetes=True)["deploy/kubernetes/kustomization.yaml"]

    result = yaml.safe_load(text)

    assert result["resources"] == ["network-policy.yaml", "server.yaml"]
    assert result["images"] == [{"name": "pets-mcp", "newName": "pets-mcp", "newTag": "1.2.0"}]


def test_the_compose_file_starts_the_server_behind_the_proxy() -> None:
    services = yaml.safe_load(emit_texts(compose=True)["compose.yaml"])["services"]

    assert set(services) == {"server", "proxy"}
    assert services["server"]["environment"]["PETS_WORKERS"] == "${PETS_WORKERS:-2}"
    assert "ports" not in services["server"]
    assert services["server"]["read_only"] is True
    assert services["proxy"]["volumes"] == ["./deploy/nginx.conf:/etc/nginx/nginx.conf:ro"]
    assert services["proxy"]["depends_on"] == {"server": {"condition": "service_healthy"}}


def test_a_server_that_keeps_sessions_is_one_process_whose_clients_come_back_to_it() -> None:
    config = Config(deployment=DeploymentConfig(compose=True, kubernetes=True))
    files = emit(server(GET_PET, sessions=True), config, Diagnostics()).files
    texts = {file.path: file.text for file in files}

    serving = yaml.safe_load(texts["compose.yaml"])["services"]["server"]
    objects = yaml.safe_load_all(texts["deploy/kubernetes/server.yaml"])
    (service,) = (item for item in objects if item["kind"] == "Service")

    assert serving["environment"]["PETS_WORKERS"] == "${PETS_WORKERS:-1}"
    assert service["spec"]["sessionAffinity"] == "ClientIP"
    assert "sessionAffinity" not in manifests()["Service"]["spec"]


def test_a_pod_has_room_for_the_scripts_that_it_runs_at_a_time() -> None:
    scripting = server(GET_PET, script=ScriptSpec(tool("do"), "db", {"pets": {"get": "get_pet"}}))
    files = emit(
        scripting, Config(deployment=DeploymentConfig(kubernetes=True)), Diagnostics()
    ).files
    (text,) = (file.text for file in files if file.path == "deploy/kubernetes/server.yaml")

    deployment = next(item for item in yaml.safe_load_all(text) if item["kind"] == "Deployment")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]

    assert pod()["containers"][0]["resources"]["limits"] == {"memory": "512Mi"}
    megabytes = int(container["resources"]["limits"]["memory"].removesuffix("Mi"))
    limits = ScriptSettings()
    assert megabytes >= 512 + limits.scripts_at_once * (limits.script_megabytes + DENO_MEGABYTES)


def test_the_compose_file_waits_for_calls_under_way() -> None:
    service = yaml.safe_load(emit_texts(compose=True)["compose.yaml"])["services"]["server"]
    environment = service["environment"]
    longest = float(environment["PETS_DRAIN_SECONDS"]) + int(environment["PETS_GRACE_SECONDS"])

    assert int(service["stop_grace_period"].removesuffix("s")) > longest + LINGER_SECONDS


def test_calls_that_are_counted_in_redis_bring_it_along() -> None:
    limited = server(GET_PET, limits=LimitsConfig("9/minute", store=CountStore.REDIS))
    files = emit(limited, Config(deployment=DeploymentConfig(compose=True)), Diagnostics()).files
    (text,) = (file.text for file in files if file.path == "compose.yaml")

    services = yaml.safe_load(text)["services"]

    assert set(services) == {"server", "proxy", "redis"}
    assert services["server"]["depends_on"] == {"redis": {"condition": "service_healthy"}}
    assert "ports" not in services["redis"]
    RedisSettings(
        limit_store=substitute_password(services["server"]["environment"]["PETS_LIMIT_STORE"])
    )


LIMITED = server(GET_PET, limits=LimitsConfig("9/minute", store=CountStore.REDIS))
PASSWORD = "e9" * 32


def substitute_password(text: str) -> str:
    """Returns a text of the Compose file with the Redis password instead of the variable."""
    return re.sub(r"\$\{REDIS_PASSWORD:\?[^}]+\}", PASSWORD, text)


@pytest.mark.parametrize("name", ["server", "proxy", "redis"])
def test_a_container_has_no_rights_it_does_not_need(name: str) -> None:
    service = yaml.safe_load(files_of(LIMITED)["compose.yaml"])["services"][name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert name == "server" or not service["user"].startswith("0")


def test_redis_is_on_a_network_of_its_own_with_the_server() -> None:
    content = yaml.safe_load(files_of(LIMITED)["compose.yaml"])
    services = content["services"]

    assert content["networks"] == {"store": {"internal": True}}
    assert services["redis"]["networks"] == ["store"]
    assert services["server"]["networks"] == ["default", "store"]
    assert "networks" not in services["proxy"]
    plain = yaml.safe_load(files_of(PETS)["compose.yaml"])
    assert "networks" not in plain | plain["services"]["server"]


def test_redis_answers_only_with_the_password_of_the_server() -> None:
    services = yaml.safe_load(substitute_password(files_of(LIMITED)["compose.yaml"]))["services"]
    store = urlsplit(services["server"]["environment"]["PETS_LIMIT_STORE"])
    running = RedisServer(free_port(), tuple(services["redis"]["command"][1:]))
    running.start()

    try:
        with (
            socket.create_connection(("127.0.0.1", running.port)) as connection,
            connection.makefile("rb") as answers,
        ):
            connection.sendall(f"PING\r\nAUTH {store.password}\r\nPING\r\n".encode())
            assert answers.readline().startswith(b"-NOAUTH")
            assert answers.readline() == b"+OK\r\n"
            assert answers.readline() == b"+PONG\r\n"
    finally:
        running.stop()


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("base_image", "Dockerfile"),
        ("proxy_image", "compose.yaml"),
        ("redis_image", "compose.yaml"),
    ],
)
def test_an_image_with_a_digest_is_taken_as_it_stands(key: str, path: str) -> None:
    image = f"example.com/mirror/image:1.2@sha256:{'4f' * 32}"
    deployment = replace(BOTH.deployment, **{key: image})
    diagnostics = Diagnostics()

    files = emit(LIMITED, Config(deployment=deployment), diagnostics).files

    (text,) = (file.text for file in files if file.path == path)
    assert f" {image}" in text
    assert "imagetools inspect example.com/mirror/image:1.2`" in text
    message = " ".join(name.message for name in diagnostics.sorted())
    keys = {"base_image", "proxy_image", "redis_image"}
    assert {name for name in keys if f"`deploy.{name}`" in message} == keys - {key}


def test_images_without_a_digest_are_told_only_with_files_for_production() -> None:
    diagnostics, quiet_diagnostics = Diagnostics(), Diagnostics()

    emit(PETS, BOTH, diagnostics)
    emit(PETS, Config(), quiet_diagnostics)

    assert [diagnostic.code.id for diagnostic in diagnostics.sorted()] == ["MG626", "MG626"]
    assert list(quiet_diagnostics.sorted()) == []


def test_calls_that_each_process_counts_bring_no_redis_along() -> None:
    limited = server(GET_PET, limits=LimitsConfig("9/minute"))
    files = emit(limited, Config(deployment=DeploymentConfig(compose=True)), Diagnostics()).files
    (text,) = (file.text for file in files if file.path == "compose.yaml")

    assert "redis" not in text.lower()


def test_the_proxy_buffers_no_events() -> None:
    lines = emit_texts(compose=True)["deploy/nginx.conf"].splitlines()

    messages = {line.strip() for line in lines}

    assert {
        "proxy_buffering off;",
        "proxy_cache off;",
        "proxy_read_timeout 3600s;",
        "proxy_set_header Connection '';",
    } <= messages


BOTH = Config(deployment=DeploymentConfig(compose=True, kubernetes=True))
MEASURED = server(GET_PET, observability=ObservabilityConfig(prometheus=True))


def files_of(server: Server) -> dict[str, str]:
    """Returns the files of a server with all deployment options, by path."""
    return {file.path: file.text for file in emit(server, BOTH, Diagnostics()).files}


def objects_of(server: Server) -> dict[str, Any]:
    """Returns the Kubernetes objects of a server, by kind."""
    text = files_of(server)["deploy/kubernetes/server.yaml"]
    return {item["kind"]: item for item in yaml.safe_load_all(text)}


def sources(server: Server) -> dict[str, str]:
    """Returns the pod's variables from a Secret or a ConfigMap, with their sources."""
    (container,) = objects_of(server)["Deployment"]["spec"]["template"]["spec"]["containers"]
    result = {}
    for item in container["env"]:
        for source, key in item.get("valueFrom", {}).items():
            assert key == {"name": "pets-mcp", "key": item["name"], "optional": True}
            result[item["name"]] = source
    return result


def test_prometheus_reaches_the_metrics_of_each_pod() -> None:
    objects = objects_of(MEASURED)
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    texts = files_of(MEASURED)
    monitor = yaml.safe_load(texts["deploy/kubernetes/pod-monitor.yaml"])

    assert {"name": "metrics", "containerPort": 9464} in container["ports"]
    assert variables(container)["PETS_METRICS_HOST"] == "0.0.0.0"
    assert variables(container)["PETS_METRICS_PORT"] == "9464"
    ports = objects["Service"]["spec"]["ports"]
    assert {"name": "metrics", "port": 9464, "targetPort": "metrics"} in ports
    assert (monitor["apiVersion"], monitor["kind"]) == ("monitoring.coreos.com/v1", "PodMonitor")
    labels = objects["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert monitor["spec"]["selector"]["matchLabels"] == labels
    assert monitor["spec"]["podMetricsEndpoints"][0]["port"] == "metrics"
    resources = yaml.safe_load(texts["deploy/kubernetes/kustomization.yaml"])["resources"]
    assert resources == ["network-policy.yaml", "server.yaml", "pod-monitor.yaml"]


def test_prometheus_reaches_the_metrics_beside_the_proxy_of_compose() -> None:
    service = yaml.safe_load(files_of(MEASURED)["compose.yaml"])["services"]["server"]

    assert service["environment"]["PETS_METRICS_HOST"] == "0.0.0.0"
    assert service["expose"] == ["9464"]
    assert "ports" not in service
    assert "EXPOSE 9464" in files_of(MEASURED)["Dockerfile"]


def test_without_prometheus_no_port_is_open_for_it() -> None:
    texts = files_of(PETS)

    assert "9464" not in "".join(text for path, text in texts.items() if "_runtime" not in path)
    assert "deploy/kubernetes/pod-monitor.yaml" not in texts


def test_the_manifests_name_what_the_policy_requires() -> None:
    limited = server(GET_PET, limits=LimitsConfig("9/minute", store=CountStore.REDIS))
    asking_server = server(GET_PET, confirmation=ConfirmationSpec(("get_pet",)))
    keyed_server = server(GET_PET, policy=Policy(authentication=AuthenticationConfig()))
    opaque = AuthenticationConfig(
        issuer="https://i.example", introspection_url="https://i.example/i"
    )
    exchange = TokenExchange("https://i.example/token")

    assert sources(PETS) == {}
    assert sources(limited) == {"PETS_LIMIT_STORE": "secretKeyRef"}
    assert sources(asking_server) == {"PETS_STATE_KEY": "secretKeyRef"}
    assert sources(keyed_server) == {"PETS_CALLER_KEYS": "secretKeyRef"}
    assert sources(
        server(GET_PET, policy=Policy(authentication=opaque), forwarded_credential=exchange)
    ) == {
        "PETS_CALLER_INTROSPECTION_CLIENT_ID": "secretKeyRef",
        "PETS_CALLER_INTROSPECTION_CLIENT_SECRET": "secretKeyRef",
        "PETS_PUBLIC_URL": "configMapKeyRef",
        "PETS_EXCHANGE_CLIENT_ID": "secretKeyRef",
        "PETS_EXCHANGE_CLIENT_SECRET": "secretKeyRef",
    }
    assert sources(server(GET_PET, registry=RegistryConfig(url="https://registry.example"))) == {
        "PETS_PUBLIC_URL": "configMapKeyRef"
    }


def test_an_address_is_required_for_tokens_where_the_server_does_not_listen_on_loopback_alone() -> (
    None
):
    authentication = AuthenticationConfig(
        issuer="https://i.example", jwks_url="https://i.example/keys"
    )
    tokens = server(GET_PET, policy=Policy(authentication=authentication))

    assert sources(tokens) == {"PETS_PUBLIC_URL": "configMapKeyRef"}
    assert [
        variable.name
        for variable in required_variables(tokens, RuntimeMode.VENDORED, is_local=True)
    ] == []


def test_a_pod_is_told_that_others_answer_where_calls_ask_their_user() -> None:
    asking_server = server(GET_PET, confirmation=ConfirmationSpec(("get_pet",)))
    (container,) = objects_of(asking_server)["Deployment"]["spec"]["template"]["spec"]["containers"]
    plain = {item["name"]: item.get("value") for item in container["env"]}

    assert plain["PETS_SEVERAL_INSTANCES"] == "true"
    assert "PETS_SEVERAL_INSTANCES" not in variables(pod()["containers"][0])


def test_the_compose_file_names_what_its_variables_have_to_hold() -> None:
    keyed_server = server(GET_PET, policy=Policy(authentication=AuthenticationConfig()))

    text = files_of(keyed_server)["compose.yaml"]

    assert "#   PETS_CALLER_KEYS: hashed keys of callers; made by `python -m pets_mcp." in text
    assert "STATE_KEY" not in text


def test_the_image_installs_dependencies_before_it_copies_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = files_of(MEASURED)
    lines = texts["Dockerfile"].splitlines()
    (tmp_path / "pyproject.toml").write_text(texts["pyproject.toml"], encoding="utf-8")
    _, program, _ = texts["Dockerfile"].replace("\\\n", "").split('"', 2)
    monkeypatch.chdir(tmp_path)

    exec(program)

    project = tomllib.loads(texts["pyproject.toml"])["project"]
    expected = project["dependencies"] + project["optional-dependencies"]["fast"]
    assert capsys.readouterr().out.splitlines() == expected
    installs = next(row for row, line in enumerate(lines) if "--require-hashes" in line)
    copies = next(row for row, line in enumerate(lines) if line == "COPY pets_mcp pets_mcp")
    assert installs < copies
    assert sum(line.startswith("FROM ") for line in lines) == 2
    assert "USER 10001" in lines
    assert pod()["securityContext"]["runAsUser"] == 10001


def test_hadolint_finds_nothing_in_the_image(tmp_path: Path) -> None:
    program = find_program(HADOLINT)
    (tmp_path / "Dockerfile").write_text(files_of(MEASURED)["Dockerfile"], encoding="utf-8")

    completed = subprocess.run(
        [program, "Dockerfile"], cwd=tmp_path, capture_output=True, text=True
    )

    assert (completed.returncode, completed.stdout) == (0, "")


def test_compose_starts_one_worker_where_calls_are_confirmed_without_redis() -> None:
    confirmed_server = server(GET_PET, confirmation=ConfirmationSpec(("get_pet",)))
    shared = server(
        GET_PET,
        confirmation=ConfirmationSpec(("get_pet",)),
        limits=LimitsConfig(store=CountStore.REDIS),
    )
    config = Config(deployment=DeploymentConfig(compose=True))

    def services(server: Server) -> Any:
        files = {file.path: file.text for file in emit(server, config, Diagnostics()).files}
        return yaml.safe_load(files["compose.yaml"])["services"]

    single_services, shared_services = services(confirmed_server), services(shared)

    assert single_services["server"]["environment"]["PETS_WORKERS"] == "${PETS_WORKERS:-1}"
    assert "redis" not in single_services
    assert shared_services["server"]["environment"]["PETS_WORKERS"] == "${PETS_WORKERS:-2}"
    assert shared_services["server"]["environment"]["PETS_LIMIT_STORE"].endswith("@redis:6379/0")


WORKFLOW = ".github/workflows/mcpgen.yaml"


def test_zizmor_finds_nothing_in_the_workflow(tmp_path: Path) -> None:
    program = find_program(ZIZMOR)
    path = tmp_path / WORKFLOW
    path.parent.mkdir(parents=True)
    path.write_text(files_of(PETS)[WORKFLOW], encoding="utf-8")
    loose = path.read_text("utf-8").replace("persist-credentials: false", "fetch-depth: 1")
    command = [program, "--offline", "--no-progress", "--quiet", str(path)]

    strict = subprocess.run(command, capture_output=True, text=True)
    path.write_text(loose, encoding="utf-8")
    completed = subprocess.run(command, capture_output=True, text=True)

    assert (strict.returncode, strict.stderr) == (0, "")
    assert completed.returncode != 0
    assert "artipacked" in completed.stdout


@pytest.mark.parametrize(
    ("name", "path"), [("github-workflows", WORKFLOW), ("compose-spec", "compose.yaml")]
)
def test_the_published_schema_takes_the_file(name: str, path: str) -> None:
    folder = files("check_jsonschema").joinpath("builtin_schemas", "vendor")
    schema = json.loads(folder.joinpath(f"{name}.json").read_text("utf-8"))
    # PyYAML reads YAML 1.1, where the key `on` is true.
    content = yaml.safe_load(files_of(LIMITED)[path].replace("\non: ", '\n"on": '))

    assert [error.message for error in validator_for(schema)(schema).iter_errors(content)] == []
