"""Emitted rules of limits and observability."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator
from dataclasses import replace

from emit_servers import GET_PET, PETS, server

from mcpgen.config import Config
from mcpgen.config.tables.limits import CountStore, LimitsConfig, UnknownCallers, UnreachablePolicy
from mcpgen.config.tables.server import AuditDestination, LogFormat, ObservabilityConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.credentials import stems
from mcpgen.emit.policy import rules
from mcpgen.emit.runtime import runtime_files
from mcpgen.ir.builtin_tools import ConfirmationSpec
from mcpgen.ir.server import Server
from mcpgen_runtime.settings import ServerSettings

ALL = server(
    GET_PET,
    limits=LimitsConfig(
        "9/minute",
        "8/minute",
        tools={"get_pet": "7/minute"},
        anonymous=UnknownCallers.ADDRESS,
        store=CountStore.REDIS,
        concurrent=3,
        retries=2,
        breaker_failures=4,
    ),
    observability=ObservabilityConfig(
        AuditDestination.LINES,
        log=LogFormat.JSON,
        opentelemetry=True,
        propagate=False,
        prometheus=True,
    ),
)


def texts(server: Server) -> dict[str, str]:
    """Returns the files of a project."""
    return {file.path: file.text for file in emit(server, Config(), Diagnostics()).files}


def test_knowledge_stands_around_limits_and_limits_around_what_spares_the_api() -> None:
    assert [rule.call.callee for rule in rules(ALL)] == [
        "RequestIds",
        "Telemetry",
        "Metrics",
        "Audit",
        "RateLimits",
        "Caps",
        "Retries",
        "CircuitBreaker",
    ]


def test_a_server_with_nothing_of_it_has_no_rules() -> None:
    assert rules(PETS) == ()
    assert (
        rules(
            server(
                GET_PET,
                limits=LimitsConfig(unreachable=UnreachablePolicy.ALLOW, store=CountStore.REDIS),
            )
        )
        == ()
    )


def test_what_is_said_is_written_and_nothing_else() -> None:
    policy = texts(ALL)["pets_mcp/policy.py"]

    assert 'Rates(all="9/minute", subject="8/minute", tools={"get_pet": "7/minute"}),' in policy
    assert "redis_windows(settings)," in policy
    assert "by_address=True," in policy
    assert "messages" not in policy
    assert 'Telemetry(settings, service="pets", propagate=False),' in policy


def test_every_distribution_that_the_rules_need_is_asked_for_and_pinned() -> None:
    files = texts(ALL)

    dependencies = tomllib.loads(files["pyproject.toml"])["project"]["dependencies"]
    pins = {line.split("==")[0] for line in files["requirements.lock"].splitlines()}

    names = {item.split(">=")[0] for item in dependencies}
    assert names >= {"limits", "redis", "prometheus-client", "opentelemetry-sdk"}
    assert names <= pins


def test_the_code_of_a_refusal_is_the_status_unless_another_is_chosen() -> None:
    server_spec = server(GET_PET, limits=LimitsConfig("9/minute", error_code=-32002))

    assert "code=429" in texts(ALL)["pets_mcp/policy.py"]
    assert "code=-32002" in texts(server_spec)["pets_mcp/policy.py"]


def test_events_go_to_opentelemetry_instead_of_lines() -> None:
    observability_config = ObservabilityConfig(AuditDestination.OPENTELEMETRY, audit_required=True)

    files = texts(replace(ALL, observability=observability_config))

    assert 'Audit(settings, audit_records, server="pets")' in files["pets_mcp/policy.py"]
    assert "pets_mcp/_runtime/observability/audit_json.py" not in files


def test_a_required_audit_is_a_rule_of_its_own() -> None:
    files = texts(
        replace(ALL, observability=ObservabilityConfig(AuditDestination.LINES, audit_required=True))
    )

    policy = files["pets_mcp/policy.py"]
    assert 'RequiredAudit(settings, audit_lines(settings), server="pets")' in policy
    assert "observability.audit_json import RequiredAudit, audit_lines" in policy
    assert "RequiredAudit" not in texts(ALL)["pets_mcp/policy.py"]


def test_a_project_with_a_log_of_json_says_so_in_its_settings() -> None:
    assert 'log_format: Literal["text", "json"] = "json"' in texts(ALL)["pets_mcp/settings.py"]
    assert "log_format" not in texts(PETS)["pets_mcp/settings.py"]
    assert "| `PETS_LOG_FORMAT` |" in texts(PETS)["README.md"]


def test_no_credential_of_a_document_takes_the_name_of_a_setting() -> None:
    for path in runtime_files():
        if path.endswith(".py"):
            name = path.removesuffix(".py").replace("/", ".")
            importlib.import_module(f"mcpgen_runtime.{name}")
    fields = {name for kind in _kinds(ServerSettings) for name in kind.model_fields}
    schemes = PETS.security_schemes

    for field in fields:
        (stem,) = stems([replace(schemes[0], id=field)]).values()
        assert stem != field


def _kinds(kind: type[ServerSettings]) -> Iterator[type[ServerSettings]]:
    """Yields all settings classes of the runtime."""
    if kind.__module__.startswith("mcpgen_runtime."):
        yield kind
        for item in kind.__subclasses__():
            yield from _kinds(item)


def test_every_setting_of_a_rule_is_told_in_the_readme() -> None:
    readme = texts(ALL)["README.md"]

    for rule in rules(ALL):
        if rule.settings:
            module, name = rule.settings
            result = importlib.import_module(f"mcpgen_runtime.{module}")
            for field in result.__dict__[name].model_fields.keys() - ServerSettings.model_fields:
                assert f"| `PETS_{field.upper()}` |" in readme


def test_state_is_shared_in_redis_only_where_that_is_chosen() -> None:
    result = replace(ALL, confirmation=ConfirmationSpec(("get_pet",)))
    memory_server = replace(result, limits=replace(result.limits, store=CountStore.MEMORY))

    redis_texts, memory_texts = texts(result), texts(memory_server)

    assert (
        'Confirmation(settings, ("get_pet",), redis_states(settings)),'
        in redis_texts["pets_mcp/policy.py"]
    )
    assert "share=redis_circuits(settings)" in redis_texts["pets_mcp/policy.py"]
    assert "RedisSettings" in redis_texts["pets_mcp/settings.py"]
    assert "| `PETS_LIMIT_STORE` |" in redis_texts["README.md"]
    assert not [path for path in memory_texts if "redis" in path]
    assert not any(
        "redis" in text
        for path, text in memory_texts.items()
        if path.endswith(("policy.py", "settings.py"))
    )
    assert '"redis' not in memory_texts["pyproject.toml"]
