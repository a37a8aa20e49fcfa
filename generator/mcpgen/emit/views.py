"""What each template sees: one frozen dataclass per template, of `Code` and yes or no."""

from __future__ import annotations

from mcpgen.emit.code import Code
from mcpgen.frozen import frozen


@frozen
class PackageView:
    """`package/__init__.py`."""

    summary: Code


@frozen
class MainView:
    """`package/__main__.py`."""

    package: Code
    summary: Code


@frozen
class ServerView:
    """`package/server.py`."""

    summary: Code
    imports: tuple[Code, ...]
    name: Code
    title: Code
    version: Code
    instructions: Code
    has_toolsets: bool
    toolsets: Code
    security: Code
    asks_settings: bool
    app: Code
    served: Code


@frozen
class PolicyView:
    """`package/policy.py`."""

    package: Code
    summary: Code
    imports: tuple[Code, ...]
    rules: Code


@frozen
class DiscoveryView:
    """`package/discovery.py`. `groups` are names of tools by tag, `about` is what is said of tags, if
    anything is; `discovery` is the call that puts it together."""

    package: Code
    summary: Code
    tools: tuple[DeclaredView, ...]
    groups: Code
    has_about: bool
    about: Code
    discovery: Code


@frozen
class ScriptView:
    """`package/script.py`. `modules` are names of tools by module and method, `examples` arguments of a
    call of each."""

    package: Code
    summary: Code
    tool: Code
    root: Code
    modules: Code
    examples: Code


@frozen
class DocsView:
    """`package/docs.py`. `groups` are names of tools by what a person asks for, `examples` arguments of
    a call of each."""

    package: Code
    summary: Code
    tool: Code
    groups: Code
    examples: Code


@frozen
class ElicitView:
    """`package/elicit.py`."""

    package: Code
    summary: Code
    tool: Code


@frozen
class DeclaredView:
    """A tool of the server's own: the constant that holds it, and the call that declares it."""

    constant: Code
    call: Code


@frozen
class OfferView:
    """A module of `package/` with one thing that the server offers: the constant that holds it, and
    its value."""

    summary: Code
    imports: tuple[Code, ...]
    constant: Code
    value: Code


@frozen
class ChangesView:
    """`package/changes.py`. `writers` are the tools that change resources, if there are any; `changes` is
    the call that makes the offer."""

    package: Code
    summary: Code
    imports: tuple[Code, ...]
    has_writers: bool
    writers: Code
    changes: Code


@frozen
class SettingsView:
    """`package/settings.py`. `fields` are the credentials' fields, `values` those that must be set;
    `imports` and `head`, which is the class with its bases, bring the settings of other modules,
    `pydantic` what is needed of it.
    `result_bytes` is a budget."""

    package: Code
    imports: tuple[Code, ...]
    head: Code
    prefix: Code
    upstream: Code
    has_public_url: bool
    public_url: Code
    has_registry_url: bool
    registry_url: Code
    is_disabled: bool
    has_json_logs: bool
    has_result_bytes: bool
    result_bytes: Code
    has_pydantic: bool
    pydantic: Code
    has_fields: bool
    fields: tuple[SettingView, ...]
    has_values: bool
    values: tuple[SettingView, ...]


@frozen
class SettingView:
    """One field of the settings."""

    name: Code
    type: Code


@frozen
class HooksView:
    """`package/hooks.py`; the example in its docstring wraps `tool` in a function `handler`, or
    answers it if it has no request of its own."""

    has_handled: bool
    package: Code
    tool: Code
    handler: Code
    arguments: Code


@frozen
class ToolsView:
    """`package/tools/__init__.py`. A tool that is alone stands with its tuple on one line."""

    package: Code
    imports: Code
    alone: bool
    only: Code
    modules: tuple[Code, ...]


@frozen
class ToolView:
    """`package/tools/tool.py`: one tool."""

    summary: Code
    imports: tuple[Code, ...]
    name: Code
    title: Code
    description: Code
    route: Code
    hints: Code
    has_arguments: bool
    arguments: Code
    has_constants: bool
    constants: Code
    has_output: bool
    output: Code
    wrapped: bool
    has_fields: bool
    fields: Code
    strict: bool
    has_bound: bool
    bound: Code
    has_filled: bool
    filled: Code
    has_settings: bool
    settings: Code
    has_page: bool
    page: Code
    has_shared: bool
    shared: Code
    has_answer: bool
    answer: Code
    has_conditions: bool
    conditions: Code


@frozen
class ConftestView:
    """`tests/conftest.py`. Imports are sorted: either the package's or the tests' come first."""

    package: Code
    package_first: bool
    tests_first: bool
    has_entrance: bool
    has_needs: bool


@frozen
class EntranceView:
    """`tests/entrance.py`."""

    address: Code
    path: Code
    scopes: Code
    roles: Code
    features: Code
    has_callers: bool
    has_introspection: bool
    names_credential: bool
    hands_on: bool
    outward: Code


@frozen
class PolicyTestView:
    """`tests/test_policy.py`."""

    has_path: bool
    has_scopes: bool
    has_sending: bool
    has_envelope: bool
    steps_up: bool


@frozen
class ArgumentsView:
    """`tests/arguments.py`: a call of every tool that has a scenario, of every one that handlers
    answer and of every one whose answer is declared, and what the server needs to be called with them.
    """

    has_needs: bool
    needs: Code
    least: Code
    has_others: bool
    has_handled: bool
    handled: Code
    has_told: bool
    told: Code


@frozen
class ContractView:
    """`tests/test_contract.py`. `budgets` are those that somebody has set, by key; `unsaid` are the
    tools that its card does not have."""

    names: tuple[Code, ...]
    list_bytes: Code
    has_budgets: bool
    budgets: Code
    has_unsaid: bool
    has_sessions: bool
    unsaid: Code


@frozen
class EveryToolView:
    """`tests/test_every_tool.py`; its imports are sorted as in `ConftestView`, and `arguments` is the
    one of `tests/arguments.py`. There are tools that make a request, tools that handlers answer, tools
    whose answer is declared, or several of these."""

    package: Code
    package_first: bool
    tests_first: bool
    arguments: Code
    has_sending: bool
    has_handled: bool
    has_told: bool


@frozen
class DiscoveryTestView:
    """`tests/test_discovery.py`; its imports are sorted as in `ConftestView`."""

    package: Code
    package_first: bool
    tests_first: bool


@frozen
class ToolsetsTestView:
    """`tests/test_toolsets.py`; its imports are sorted as in `ConftestView`."""

    package: Code
    package_first: bool
    tests_first: bool
    sets: Code


@frozen
class OffersTestView:
    """`tests/test_offers.py`: what is listed, as it is announced, and a call of each resource that a tool
    reads: its URI, the request it causes, and the answer."""

    resources: Code
    templates: Code
    prompts: Code
    has_resources: bool
    has_prompts: bool
    has_read: bool
    read: Code
    has_files: bool
    files: Code


@frozen
class ToolTestView:
    """`tests/tools/test_tool.py`: the scenarios of one tool."""

    summary: Code
    scenarios: tuple[ScenarioView, ...]


@frozen
class ScenarioView:
    """One test function. `expectations` are what follows `assert`."""

    name: Code
    summary: Code
    call: Code
    expectations: tuple[Code, ...]


@frozen
class PyprojectView:
    """`pyproject.toml`."""

    name: Code
    version: Code
    description: Code
    command: Code
    package: Code
    requires: tuple[Code, ...]


@frozen
class ChoicesView:
    """`mcpgen.toml`."""

    has_spec: bool
    spec: Code
    has_source: bool
    source: Code
    has_capability: bool
    capability: Code
    has_change: bool
    change: Code
    has_root: bool
    root: Code
    has_overlays: bool
    overlays: Code
    has_remote: bool
    allow_remote: Code
    keep_going: bool


@frozen
class DockerView:
    """`Dockerfile`. `base_tag` is `base_image` without its digest, `own_lock` the lock file of the user.
    `has_metrics` tells that Prometheus asks for metrics."""

    base_image: Code
    base_tag: Code
    has_own_lock: bool
    own_lock: Code
    package: Code
    prefix: Code
    has_metrics: bool


@frozen
class RequiredView:
    """A variable without which the server does not start; `is_secret` tells where to keep it, `reason`
    is a comment: why the server needs it, and how to make one."""

    name: Code
    is_secret: bool
    reason: Code


@frozen
class ComposeView:
    """`compose.yaml`. Images have a tag or a digest; each `..._tag` is the image without its digest. `has_store` tells that processes share state in Redis, `has_metrics` that Prometheus
    asks for metrics; `workers` serve unless the environment says otherwise. `required` are the variables
    that `.env` has to hold."""

    proxy_image: Code
    proxy_tag: Code
    redis_image: Code
    redis_tag: Code
    prefix: Code
    workers: Code
    has_store: bool
    has_metrics: bool
    has_required: bool
    required: tuple[RequiredView, ...]


@frozen
class ProxyView:
    """`deploy/nginx.conf`; `upstream` is what it calls the server."""

    upstream: Code
    prefix: Code


@frozen
class KustomizationView:
    """`deploy/kubernetes/kustomization.yaml`; `version` is a YAML string, and `has_metrics` tells that
    Prometheus asks for metrics."""

    name: Code
    version: Code
    has_metrics: bool


@frozen
class PodMonitorView:
    """`deploy/kubernetes/pod-monitor.yaml`; `name` is the one of the pods."""

    name: Code


@frozen
class PublicRuleView:
    """Public hosts at one port; `hosts` is a comment."""

    hosts: Code
    port: Code


@frozen
class AddressRuleView:
    """A host that is an address; `cidr` is a YAML string."""

    hosts: Code
    cidr: Code
    port: Code


@frozen
class NamespaceRuleView:
    """Services in one namespace of the cluster, which is a YAML string; `is_own` tells that the server
    runs there, too."""

    hosts: Code
    is_own: bool
    namespace: Code


@frozen
class NetworkPolicyView:
    """`deploy/kubernetes/network-policy.yaml`. `has_store` tells that processes share state in Redis,
    `has_collector` that OpenTelemetry is told of calls."""

    name: Code
    prefix: Code
    has_metrics: bool
    has_store: bool
    has_collector: bool
    public: tuple[PublicRuleView, ...]
    addresses: tuple[AddressRuleView, ...]
    namespaces: tuple[NamespaceRuleView, ...]


@frozen
class ManifestsView:
    """`deploy/kubernetes/server.yaml`; `name` is the one of everything in it, and `megabytes` are what a
    pod may take. `has_sessions` tells that a client has to come back to its pod, `has_metrics` that
    Prometheus asks for metrics, and `shares_state` that any pod may get the answer to a question.
    `required` are the variables without which a pod does not start."""

    name: Code
    prefix: Code
    has_sessions: bool
    megabytes: Code
    has_metrics: bool
    shares_state: bool
    has_required: bool
    required: tuple[RequiredView, ...]


@frozen
class DockerIgnoreView:
    """`.dockerignore`; `own_lock` is the lock file of the user."""

    has_own_lock: bool
    own_lock: Code
    package: Code


@frozen
class WorkflowView:
    """`.github/workflows/mcpgen.yaml`. `has_install` tells that no lock file has mcpgen; `install` and `check` are shell commands as YAML, `checkout` and
    `setup_python` are actions at a commit."""

    checkout: Code
    setup_python: Code
    has_install: bool
    install: Code
    has_spec: bool
    check: Code


@frozen
class ReadmeView:
    """`README.md`; `log_format` is how the log is written unless the environment says otherwise."""

    title: Code
    api: Code
    count: Code
    package: Code
    name: Code
    image: Code
    prefix: Code
    upstream: Code
    address: Code
    log_format: Code
    variables: tuple[VariableView, ...]
    has_callers: bool
    policy: tuple[PolicyVariableView, ...]
    enabled: Code
    values: tuple[VariableView, ...]
    hosts: tuple[HostView, ...]
    is_found: bool
    is_strict: bool
    is_nested: bool
    has_toolsets: bool
    toolsets: tuple[ToolsetRowView, ...]
    main_serves: Code
    tools: tuple[ToolRowView, ...]
    has_own: bool
    own: tuple[OwnRowView, ...]
    has_missing: bool
    missing: tuple[MissingView, ...]
    has_resources: bool
    resources: tuple[OfferRowView, ...]
    has_prompts: bool
    prompts: tuple[OfferRowView, ...]
    build: Code


@frozen
class HostView:
    """A row of the table of hosts that the server talks to."""

    url: Code
    purpose: Code
    secrets: Code


@frozen
class VariableView:
    """A row of the table of settings."""

    name: Code
    meaning: Code


@frozen
class PolicyVariableView:
    """A row of the table of settings, for a rule of the policy."""

    name: Code
    meaning: Code
    absent: Code


@frozen
class OwnRowView:
    """A row of the table of tools that the server has beside those of the API."""

    name: Code
    summary: Code


@frozen
class OfferRowView:
    """A row of the table of resources or prompts; `source` is what reads a resource, or what fills a
    prompt."""

    name: Code
    meaning: Code
    source: Code


@frozen
class ToolRowView:
    """A row of the table of tools."""

    name: Code
    summary: Code
    request: Code
    reads: Code


@frozen
class ToolsetRowView:
    """A row of the table of sets of tools."""

    name: Code
    count: Code
    tools: Code


@frozen
class MissingView:
    """An operation that has no tool, and why."""

    name: Code
    reason: Code


@frozen
class StageView:
    """`tests/scenarios/conftest.py`; its imports are sorted as in `ConftestView`."""

    package: Code
    package_first: bool
    tests_first: bool
    has_entrance: bool
    has_needs: bool


@frozen
class GivenView:
    """`tests/scenarios/given.py`. `fixtures` is the dictionary of all of them, `imports` the classes it
    needs."""

    has_apps: bool
    imports: Code
    fixtures: Code


@frozen
class FixturesView:
    """`tests/fixtures.py`: the functions that make the upstream of a fixture."""

    functions: tuple[Code, ...]


@frozen
class StatementView:
    """One statement of a test, which may have to be waited for, and the comment above it."""

    has_comment: bool
    waits: bool
    comment: Code
    code: Code


@frozen
class StepView:
    """A step of a scenario: the head of its block, and the statements in it, if it has any."""

    has_statements: bool
    head: Code
    statements: tuple[StatementView, ...]


@frozen
class ProofView:
    """The test of one scenario; `mark` says which, `decorators` what is known not to be shown."""

    mark: Code
    decorators: tuple[Code, ...]
    name: Code
    summary: Code
    has_text: bool
    text: Code
    statements: tuple[StatementView, ...]
    steps: tuple[StepView, ...]


@frozen
class ChapterView:
    """`tests/scenarios/test_<requirement>.py`."""

    summary: Code
    marks: Code
    requirement: Code
    proofs: tuple[ProofView, ...]


@frozen
class ProofRowView:
    """A scenario in a table: its requirement, its name, how much of it is bound, and what is not."""

    requirement: Code
    scenario: Code
    coverage: Code
    told: Code


@frozen
class ScenariosView:
    """`SCENARIOS.md`."""

    summary: Code
    rows: tuple[ProofRowView, ...]


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
    "mcpgen.toml": ChoicesView,
    "package/__init__.py": PackageView,
    "package/__main__.py": MainView,
    "package/changes.py": ChangesView,
    "package/discovery.py": DiscoveryView,
    "package/docs.py": DocsView,
    "package/elicit.py": ElicitView,
    "package/hooks.py": HooksView,
    "package/offer.py": OfferView,
    "package/policy.py": PolicyView,
    "package/script.py": ScriptView,
    "package/server.py": ServerView,
    "package/settings.py": SettingsView,
    "package/tools/__init__.py": ToolsView,
    "package/tools/tool.py": ToolView,
    "pyproject.toml": PyprojectView,
    "tests/arguments.py": ArgumentsView,
    "tests/conftest.py": ConftestView,
    "tests/entrance.py": EntranceView,
    "tests/fixtures.py": FixturesView,
    "tests/scenarios/conftest.py": StageView,
    "tests/scenarios/given.py": GivenView,
    "tests/scenarios/test_requirement.py": ChapterView,
    "tests/test_contract.py": ContractView,
    "tests/test_discovery.py": DiscoveryTestView,
    "tests/test_every_tool.py": EveryToolView,
    "tests/test_offers.py": OffersTestView,
    "tests/test_policy.py": PolicyTestView,
    "tests/test_toolsets.py": ToolsetsTestView,
    "tests/tools/test_tool.py": ToolTestView,
}
"""Every template and its view."""
