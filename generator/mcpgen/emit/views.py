"""The values of each template: a frozen dataclass per template, of `SourceText` and booleans."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.emit.code import SourceText


@dataclass(frozen=True, slots=True)
class PackageView:
    """`package/__init__.py`."""

    summary: SourceText


@dataclass(frozen=True, slots=True)
class RuntimeHooksView:
    """`package/runtime/hooks.py`. `asks`: calls may ask their clients, so handlers can use the
    forms of elicitation."""

    package: SourceText
    asks: bool


@dataclass(frozen=True, slots=True)
class MainView:
    """`package/__main__.py`."""

    package: SourceText
    summary: SourceText
    has_reload: bool


@dataclass(frozen=True, slots=True)
class LambdaView:
    """`package/aws_lambda.py`."""

    package: SourceText
    summary: SourceText
    function: SourceText


@dataclass(frozen=True, slots=True)
class ServerView:
    """`package/server.py`. `create_summary` is the docstring of the function `create`, `app_call`
    the returned call of `create_app`. `needs_settings`: the function needs settings even if the
    caller passes none. `is_in_process`: the function also takes an API in the same process."""

    summary: SourceText
    imports: tuple[SourceText, ...]
    name: SourceText
    title: SourceText
    version: SourceText
    instructions: SourceText
    has_toolsets: bool
    toolsets: SourceText
    security: SourceText
    needs_settings: bool
    is_in_process: bool
    app_call: SourceText
    create_summary: SourceText


@dataclass(frozen=True, slots=True)
class PolicyView:
    """`package/policy.py`."""

    package: SourceText
    summary: SourceText
    imports: tuple[SourceText, ...]
    rules: SourceText


@dataclass(frozen=True, slots=True)
class DiscoveryView:
    """`package/discovery.py`. `groups` are names of tools by tag, `tag_descriptions` the
    descriptions by tag, if any; `discovery` is the call that makes the feature."""

    package: SourceText
    summary: SourceText
    tools: tuple[BuiltinToolView, ...]
    groups: SourceText
    has_tag_descriptions: bool
    tag_descriptions: SourceText
    discovery: SourceText


@dataclass(frozen=True, slots=True)
class ScriptView:
    """`package/script.py`. `modules` are names of tools by module and method, `examples` the
    arguments of an example call by tool."""

    package: SourceText
    summary: SourceText
    tool: SourceText
    root: SourceText
    modules: SourceText
    examples: SourceText


@dataclass(frozen=True, slots=True)
class DocsView:
    """`package/docs.py`. `groups` are names of tools by topic, `examples` the arguments of an
    example call by tool."""

    package: SourceText
    summary: SourceText
    tool: SourceText
    groups: SourceText
    examples: SourceText


@dataclass(frozen=True, slots=True)
class ElicitView:
    """`package/elicit.py`."""

    package: SourceText
    summary: SourceText
    tool: SourceText


@dataclass(frozen=True, slots=True)
class BuiltinToolView:
    """A built-in tool: the constant, and the call that declares the tool."""

    constant: SourceText
    call: SourceText


@dataclass(frozen=True, slots=True)
class FeatureView:
    """A module of `package/` with a feature of the server: the constant, and the value."""

    summary: SourceText
    imports: tuple[SourceText, ...]
    constant: SourceText
    value: SourceText


@dataclass(frozen=True, slots=True)
class ChangesView:
    """`package/changes.py`. `writers` are the tools that change resources; `changes` is the call
    that makes the feature."""

    package: SourceText
    summary: SourceText
    imports: tuple[SourceText, ...]
    has_writers: bool
    writers: SourceText
    changes: SourceText


@dataclass(frozen=True, slots=True)
class SettingsView:
    """`package/settings.py`. `credential_fields` are optional: credentials of the API, and
    settings of features. Without a value of each of the `required_fields` the server does not
    start. `head` is the class name with its bases, `imports` import the bases, `pydantic` imports
    names from pydantic. `result_bytes` is a budget."""

    package: SourceText
    imports: tuple[SourceText, ...]
    head: SourceText
    prefix: SourceText
    upstream: SourceText
    has_public_url: bool
    public_url: SourceText
    has_registry_url: bool
    registry_url: SourceText
    is_disabled: bool
    has_json_logs: bool
    has_result_bytes: bool
    result_bytes: SourceText
    has_pydantic: bool
    pydantic: SourceText
    has_credential_fields: bool
    credential_fields: tuple[SettingView, ...]
    has_required_fields: bool
    required_fields: tuple[SettingView, ...]


@dataclass(frozen=True, slots=True)
class SettingView:
    """A field of the settings."""

    name: SourceText
    type: SourceText


@dataclass(frozen=True, slots=True)
class HooksView:
    """`package/hooks.py`. The example in the docstring wraps `tool` in a function `handler`, or
    answers a `tool` without a request."""

    has_handled: bool
    package: SourceText
    tool: SourceText
    handler: SourceText
    arguments: SourceText


@dataclass(frozen=True, slots=True)
class ToolsView:
    """`package/tools/__init__.py`. `alone`: there is at most one tool, and `only` is the tuple on
    one line."""

    package: SourceText
    imports: SourceText
    alone: bool
    only: SourceText
    modules: tuple[SourceText, ...]


@dataclass(frozen=True, slots=True)
class KeywordView:
    """A keyword of a call, on a line of its own."""

    name: SourceText
    value: SourceText


@dataclass(frozen=True, slots=True)
class ToolFileView:
    """`package/tools/tool.py`: a tool."""

    summary: SourceText
    imports: tuple[SourceText, ...]
    keywords: tuple[KeywordView, ...]


@dataclass(frozen=True, slots=True)
class ConftestView:
    """`tests/conftest.py`. Imports are sorted: either the package's or the tests' come first.
    `has_auth_setup`: `tests/auth_fixture.py` exists. `has_needs`: calls need settings, toolsets or
    headers of `tests/support.py`."""

    package: SourceText
    package_first: bool
    tests_first: bool
    has_auth_setup: bool
    has_needs: bool


@dataclass(frozen=True, slots=True)
class AuthFixtureView:
    """`tests/auth_fixture.py`. `address` is the path of the endpoint with the values of `path`.
    `names_credential`: the module needs the credential of `tests/support.py`. `passes_credential`:
    the server passes the caller's credential to the API. `outward` are settings with which calls
    reach the mock API."""

    address: SourceText
    path: SourceText
    scopes: SourceText
    roles: SourceText
    features: SourceText
    has_callers: bool
    has_introspection: bool
    names_credential: bool
    passes_credential: bool
    outward: SourceText


@dataclass(frozen=True, slots=True)
class PolicyTestView:
    """`tests/test_policy.py`. `has_path`: the path of the endpoint has parameters. `has_requests`:
    a tool with scopes makes a request. A call without the scopes gets an error result with a JSON
    object (`has_envelope`), or HTTP 403 with a challenge (`steps_up`)."""

    has_path: bool
    has_scopes: bool
    has_requests: bool
    has_envelope: bool
    steps_up: bool


@dataclass(frozen=True, slots=True)
class SupportView:
    """`tests/support.py`: the names of the runtime's pytest plugin, a call of every tool that has a
    scenario, a handler or a declared answer, and the settings and headers that the calls need.
    `minimal_arguments`, `handled` and `declared_answer_arguments` are the fewest arguments of tools
    that make a request, of tools with a handler, and of tools with a declared answer, by tool."""

    package: SourceText
    has_needs: bool
    needs: SourceText
    minimal_arguments: SourceText
    has_handled: bool
    handled: SourceText
    has_declared_answers: bool
    declared_answer_arguments: SourceText


@dataclass(frozen=True, slots=True)
class ContractView:
    """`tests/test_contract.py`. `budgets` are the configured budgets, by key; `hidden_tools`
    are hidden from some callers, and therefore left out of the card."""

    package: SourceText
    names: tuple[SourceText, ...]
    list_bytes: SourceText
    has_budgets: bool
    budgets: SourceText
    has_hidden_tools: bool
    has_sessions: bool
    hidden_tools: SourceText


@dataclass(frozen=True, slots=True)
class EveryToolView:
    """`tests/test_every_tool.py`. Imports are sorted as in `ConftestView`; `support` is that of
    `tests/support.py`. Tools make a request (`has_requests`), are answered by handlers
    (`has_handled`), or have a declared answer (`has_declared_answers`)."""

    package: SourceText
    package_first: bool
    tests_first: bool
    support: SourceText
    has_requests: bool
    has_handled: bool
    has_declared_answers: bool


@dataclass(frozen=True, slots=True)
class DiscoveryTestView:
    """`tests/test_discovery.py`; imports are sorted as in `ConftestView`."""

    package: SourceText
    package_first: bool
    tests_first: bool


@dataclass(frozen=True, slots=True)
class ToolsetsTestView:
    """`tests/test_toolsets.py`; imports are sorted as in `ConftestView`."""

    package: SourceText
    package_first: bool
    tests_first: bool
    sets: SourceText


@dataclass(frozen=True, slots=True)
class ResourcesTestView:
    """`tests/test_resources.py`: the announced entries, and a read of each resource that has a
    tool: URI, upstream request and answer."""

    resources: SourceText
    templates: SourceText
    prompts: SourceText
    has_resources: bool
    has_prompts: bool
    has_read: bool
    read: SourceText
    has_files: bool
    files: SourceText


@dataclass(frozen=True, slots=True)
class ToolTestView:
    """`tests/tools/test_tool.py`: the scenarios of a tool."""

    summary: SourceText
    scenarios: tuple[ScenarioView, ...]


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """A test function. `expectations` are the expressions behind `assert`."""

    name: SourceText
    summary: SourceText
    call: SourceText
    expectations: tuple[SourceText, ...]


@dataclass(frozen=True, slots=True)
class PyprojectView:
    """`pyproject.toml`."""

    name: SourceText
    version: SourceText
    description: SourceText
    command: SourceText
    package: SourceText
    is_package: bool
    requires: tuple[SourceText, ...]


@dataclass(frozen=True, slots=True)
class ConfigFileView:
    """`mcpgen.toml`."""

    has_schema: bool
    has_spec: bool
    spec: SourceText
    has_source: bool
    source: SourceText
    has_capability: bool
    capability: SourceText
    has_change: bool
    change: SourceText
    has_openapi: bool
    openapi: SourceText
    has_root: bool
    root: SourceText
    has_overlays: bool
    overlays: SourceText
    has_remote: bool
    allow_remote: SourceText
    is_package: bool
    keep_going: bool


@dataclass(frozen=True, slots=True)
class DockerView:
    """`Dockerfile`. `base_tag` is `base_image` without the digest, `own_lock` the lock file of the
    user. `has_metrics`: Prometheus scrapes metrics."""

    base_image: SourceText
    base_tag: SourceText
    has_lock: bool
    has_own_lock: bool
    own_lock: SourceText
    package: SourceText
    prefix: SourceText
    has_metrics: bool


@dataclass(frozen=True, slots=True)
class RequiredView:
    """A variable without which the server does not start. `is_secret`: the value belongs into a
    store of secrets. `reason` is a comment: the need for the variable, and a way to make a value.
    """

    name: SourceText
    is_secret: bool
    reason: SourceText


@dataclass(frozen=True, slots=True)
class ComposeView:
    """`compose.yaml`. Images have a tag or a digest; `..._tag` is the image without the digest.
    `has_store`: processes share state in Redis. `has_metrics`: Prometheus scrapes metrics.
    `workers` is the default number of workers. `required` are the variables that `.env` has to
    hold."""

    proxy_image: SourceText
    proxy_tag: SourceText
    redis_image: SourceText
    redis_tag: SourceText
    prefix: SourceText
    workers: SourceText
    has_store: bool
    has_metrics: bool
    has_required: bool
    required: tuple[RequiredView, ...]


@dataclass(frozen=True, slots=True)
class ProxyView:
    """`deploy/nginx.conf`. `upstream` is the name of the server's `upstream` block."""

    upstream: SourceText
    prefix: SourceText


@dataclass(frozen=True, slots=True)
class KustomizationView:
    """`deploy/kubernetes/kustomization.yaml`. `version` is a YAML string. `has_metrics`: Prometheus
    scrapes metrics."""

    name: SourceText
    version: SourceText
    has_metrics: bool


@dataclass(frozen=True, slots=True)
class PodMonitorView:
    """`deploy/kubernetes/pod-monitor.yaml`. `name` is the name of the pods."""

    name: SourceText


@dataclass(frozen=True, slots=True)
class PublicRuleView:
    """Public hosts at a port; `hosts` is a comment."""

    hosts: SourceText
    port: SourceText


@dataclass(frozen=True, slots=True)
class AddressRuleView:
    """A host given as an IP address; `cidr` is a YAML string."""

    hosts: SourceText
    cidr: SourceText
    port: SourceText


@dataclass(frozen=True, slots=True)
class NamespaceRuleView:
    """Services in a namespace of the cluster. `namespace` is a YAML string; `is_own`: the namespace
    of the server."""

    hosts: SourceText
    is_own: bool
    namespace: SourceText


@dataclass(frozen=True, slots=True)
class NetworkPolicyView:
    """`deploy/kubernetes/network-policy.yaml`. `has_store`: processes share state in Redis.
    `has_collector`: OpenTelemetry exports to a collector."""

    name: SourceText
    prefix: SourceText
    has_metrics: bool
    has_store: bool
    has_collector: bool
    public: tuple[PublicRuleView, ...]
    addresses: tuple[AddressRuleView, ...]
    namespaces: tuple[NamespaceRuleView, ...]


@dataclass(frozen=True, slots=True)
class ManifestsView:
    """`deploy/kubernetes/server.yaml`. `name` is the name of every object, `megabytes` the memory
    limit of a pod. `has_sessions`: a client has to return to the same pod. `has_metrics`:
    Prometheus scrapes metrics. `shares_state`: any pod may get the answer to an elicitation.
    `required` are the variables without which a pod does not start."""

    name: SourceText
    prefix: SourceText
    has_sessions: bool
    megabytes: SourceText
    has_metrics: bool
    shares_state: bool
    has_required: bool
    required: tuple[RequiredView, ...]


@dataclass(frozen=True, slots=True)
class DockerIgnoreView:
    """`.dockerignore`; `own_lock` is the lock file of the user."""

    has_own_lock: bool
    own_lock: SourceText
    package: SourceText


@dataclass(frozen=True, slots=True)
class WorkflowView:
    """`.github/workflows/mcpgen.yaml`. `has_install`: no lock file has mcpgen. `install` and
    `check` are shell commands as YAML, `checkout` and `setup_python` are actions at a commit."""

    has_lock: bool
    checkout: SourceText
    setup_python: SourceText
    has_install: bool
    install: SourceText
    has_spec: bool
    check: SourceText


@dataclass(frozen=True, slots=True)
class ReadmeView:
    """`README.md`. `exports`: the variables of the command that starts the server. `reading`,
    `writing`, `deleting`, `addresses` and `credentials`: cells of the table of effects.
    `has_additive`: some writing tools are announced as destructive. `runtime`: name of the
    runtime's package. `log_format`: format of the log without the variable. `enabled`: the cell
    with the default of ENABLED. `values`: required settings. `has_tool_search`: clients search for
    tools instead of listing the tools. `main_endpoint_tools`: the tools of the main endpoint, in
    words.
    """

    title: SourceText
    is_package: bool
    has_lambda: bool
    exports: tuple[VariableView, ...]
    reading: SourceText
    writing: SourceText
    deleting: SourceText
    addresses: SourceText
    credentials: SourceText
    runtime: SourceText
    has_fast_path: bool
    has_additive: bool
    has_streams: bool
    api: SourceText
    count: SourceText
    package: SourceText
    name: SourceText
    image: SourceText
    prefix: SourceText
    upstream: SourceText
    address: SourceText
    clients: tuple[ClientSnippetView, ...]
    log_format: SourceText
    variables: tuple[VariableView, ...]
    has_callers: bool
    policy: tuple[PolicyVariableView, ...]
    enabled: SourceText
    values: tuple[VariableView, ...]
    hosts: tuple[HostView, ...]
    has_tool_search: bool
    is_strict: bool
    is_nested: bool
    has_toolsets: bool
    toolsets: tuple[ToolsetRowView, ...]
    main_endpoint_tools: SourceText
    tools: tuple[ToolRowView, ...]
    has_builtin_tools: bool
    builtin_tools: tuple[BuiltinToolRowView, ...]
    has_missing: bool
    missing: tuple[MissingView, ...]
    has_resources: bool
    resources: tuple[ResourceRowView, ...]
    has_prompts: bool
    prompts: tuple[ResourceRowView, ...]
    build: SourceText


@dataclass(frozen=True, slots=True)
class HostView:
    """A row of the table of hosts that the server sends requests to."""

    url: SourceText
    purpose: SourceText
    secrets: SourceText


@dataclass(frozen=True, slots=True)
class ClientSnippetView:
    """A client, and the entry of the server in the client's file."""

    title: SourceText
    file: SourceText
    entry: SourceText


@dataclass(frozen=True, slots=True)
class VariableView:
    """A row of the table of settings."""

    name: SourceText
    meaning: SourceText


@dataclass(frozen=True, slots=True)
class PolicyVariableView:
    """A row of the table of settings, for a rule of the policy. `default` is the cell with the
    effect of a missing variable."""

    name: SourceText
    meaning: SourceText
    default: SourceText


@dataclass(frozen=True, slots=True)
class BuiltinToolRowView:
    """A row of the table of built-in tools."""

    name: SourceText
    summary: SourceText


@dataclass(frozen=True, slots=True)
class ResourceRowView:
    """A row of the table of resources or prompts; `source` is the tool or file of a resource, or of
    a prompt."""

    name: SourceText
    meaning: SourceText
    source: SourceText


@dataclass(frozen=True, slots=True)
class ToolRowView:
    """A row of the table of tools. `is_read_only` is the cell `yes` or `no`."""

    name: SourceText
    summary: SourceText
    request: SourceText
    is_read_only: SourceText


@dataclass(frozen=True, slots=True)
class ToolsetRowView:
    """A row of the table of sets of tools."""

    name: SourceText
    count: SourceText
    tools: SourceText


@dataclass(frozen=True, slots=True)
class MissingView:
    """An operation without a tool, and the reason."""

    name: SourceText
    reason: SourceText


@dataclass(frozen=True, slots=True)
class ScenarioConftestView:
    """`tests/scenarios/conftest.py`; imports are sorted as in `ConftestView`."""

    package: SourceText
    package_first: bool
    tests_first: bool
    has_auth_setup: bool
    has_needs: bool


@dataclass(frozen=True, slots=True)
class ScenarioFixturesView:
    """`tests/scenarios/fixtures.py`. `fixtures` is the dictionary of all fixtures, `imports` the
    imported classes."""

    has_apps: bool
    imports: SourceText
    fixtures: SourceText


@dataclass(frozen=True, slots=True)
class FixturesView:
    """`tests/fixtures.py`: the functions that make the upstream of a fixture."""

    functions: tuple[SourceText, ...]


@dataclass(frozen=True, slots=True)
class StatementView:
    """A statement of a test, possibly with `await`, and the comment above the statement."""

    has_comment: bool
    waits: bool
    comment: SourceText
    code: SourceText


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of a scenario: the head of the block, and the statements, if any."""

    has_statements: bool
    head: SourceText
    statements: tuple[StatementView, ...]


@dataclass(frozen=True, slots=True)
class BoundScenarioView:
    """The test of a scenario; `mark` identifies the scenario, `decorators` mark a known gap."""

    mark: SourceText
    decorators: tuple[SourceText, ...]
    name: SourceText
    summary: SourceText
    has_text: bool
    text: SourceText
    statements: tuple[StatementView, ...]
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class RequirementTestView:
    """`tests/scenarios/test_<requirement>.py`."""

    summary: SourceText
    marks: SourceText
    requirement: SourceText
    scenarios: tuple[BoundScenarioView, ...]


@dataclass(frozen=True, slots=True)
class BoundScenarioRowView:
    """A scenario in a table: requirement, name, extent of the bindings, and the unbound steps."""

    requirement: SourceText
    scenario: SourceText
    coverage: SourceText
    unbound: SourceText


@dataclass(frozen=True, slots=True)
class ScenariosView:
    """`SCENARIOS.md`."""

    summary: SourceText
    rows: tuple[BoundScenarioRowView, ...]


TEMPLATES: dict[str, type] = {
    ".dockerignore": DockerIgnoreView,
    ".github/workflows/mcpgen.yaml": WorkflowView,
    "Dockerfile": DockerView,
    "README.md": ReadmeView,
    "SCENARIOS.md": ScenariosView,
    "compose.yaml": ComposeView,
    "deploy/kubernetes/kustomization.yaml": KustomizationView,
    "deploy/kubernetes/network-policy.yaml": NetworkPolicyView,
    "deploy/kubernetes/pod-monitor.yaml": PodMonitorView,
    "deploy/kubernetes/server.yaml": ManifestsView,
    "deploy/nginx.conf": ProxyView,
    "mcpgen.toml": ConfigFileView,
    "package/__init__.py": PackageView,
    "package/__main__.py": MainView,
    "package/aws_lambda.py": LambdaView,
    "package/changes.py": ChangesView,
    "package/discovery.py": DiscoveryView,
    "package/docs.py": DocsView,
    "package/elicit.py": ElicitView,
    "package/hooks.py": HooksView,
    "package/feature.py": FeatureView,
    "package/policy.py": PolicyView,
    "package/runtime/hooks.py": RuntimeHooksView,
    "package/script.py": ScriptView,
    "package/server.py": ServerView,
    "package/settings.py": SettingsView,
    "package/tools/__init__.py": ToolsView,
    "package/tools/tool.py": ToolFileView,
    "pyproject.toml": PyprojectView,
    "tests/support.py": SupportView,
    "tests/conftest.py": ConftestView,
    "tests/auth_fixture.py": AuthFixtureView,
    "tests/fixtures.py": FixturesView,
    "tests/scenarios/conftest.py": ScenarioConftestView,
    "tests/scenarios/fixtures.py": ScenarioFixturesView,
    "tests/scenarios/test_requirement.py": RequirementTestView,
    "tests/test_contract.py": ContractView,
    "tests/test_discovery.py": DiscoveryTestView,
    "tests/test_every_tool.py": EveryToolView,
    "tests/test_resources.py": ResourcesTestView,
    "tests/test_policy.py": PolicyTestView,
    "tests/test_toolsets.py": ToolsetsTestView,
    "tests/tools/test_tool.py": ToolTestView,
}
"""Every template with the class of the template's view."""
