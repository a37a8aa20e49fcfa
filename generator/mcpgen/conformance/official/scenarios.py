"""The scenarios of the official suite, with the capabilities needed by each scenario.

The suite was made for SDKs with test tools, resources and prompts of agreed names. For other
servers most scenarios are not applicable.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.conformance.model import Check, Level

VERSION = "0.2.0-alpha.12"
"""The version of `@modelcontextprotocol/conformance` in the lock file."""

PROFILE = "official"
"""The profile of the scenarios."""

REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
"""The revisions that the suite supports."""

HEADER_TOOL = "a tool with `x-mcp-header`"
SESSIONS = "sessions"


@dataclass(frozen=True, slots=True)
class SuiteScenario:
    """A scenario. `needs` lists what the server has to offer, all of it.

    A need is a capability (`resources`), a flag of a capability (`resources.subscribe`), `tool`,
    `prompt`, `resource` or `template` with a name (`tool test_simple_text`), `HEADER_TOOL` or
    `SESSIONS`.
    """

    name: str
    about: str
    needs: tuple[str, ...] = ()


def _suite_scenario(name: str, about: str, tool: str, *needs: str) -> SuiteScenario:
    return SuiteScenario(name, about, (f"tool {tool}", *needs))


def _resource(name: str, about: str, *needs: str) -> SuiteScenario:
    return SuiteScenario(name, about, ("resources", *needs))


def _prompt(name: str, about: str, prompt: str) -> SuiteScenario:
    return SuiteScenario(name, about, ("prompts", f"prompt {prompt}"))


def _watched(name: str, about: str) -> SuiteScenario:
    return _resource(name, about, "resources.subscribe", "resource test://watched-resource")


def _asking(name: str, about: str, tool: str) -> SuiteScenario:
    return _suite_scenario(
        f"input-required-result-{name}", about, f"test_input_required_result_{tool}"
    )


SCENARIOS = (
    SuiteScenario("server-initialize", "The handshake is answered."),
    SuiteScenario("server-session-lifecycle", "A deleted session is unknown.", (SESSIONS,)),
    SuiteScenario("server-stateless", "Requests need no handshake."),
    SuiteScenario("ping", "A ping is answered."),
    SuiteScenario("logging-set-level", "The level of log messages can be set.", ("logging",)),
    SuiteScenario(
        "completion-complete",
        "Arguments are completed.",
        ("completions", "prompt test_prompt_with_arguments"),
    ),
    SuiteScenario("tools-list", "The list of tools has the specified shape."),
    _suite_scenario("tools-call-simple-text", "A tool returns text.", "test_simple_text"),
    _suite_scenario("tools-call-image", "A tool returns an image.", "test_image_content"),
    _suite_scenario("tools-call-audio", "A tool returns audio.", "test_audio_content"),
    _suite_scenario(
        "tools-call-embedded-resource",
        "A tool returns an embedded resource.",
        "test_embedded_resource",
    ),
    _suite_scenario(
        "tools-call-mixed-content", "A tool returns mixed content.", "test_multiple_content_types"
    ),
    _suite_scenario(
        "tools-call-error", "A failing tool returns an error result.", "test_error_handling"
    ),
    _suite_scenario(
        "tools-call-with-logging", "A tool writes log messages.", "test_tool_with_logging"
    ),
    _suite_scenario(
        "tools-call-with-progress", "A tool reports progress.", "test_tool_with_progress"
    ),
    _suite_scenario("tools-call-sampling", "A tool requests sampling.", "test_sampling"),
    _suite_scenario("tools-call-elicitation", "A tool requests elicitation.", "test_elicitation"),
    _suite_scenario(
        "json-schema-2020-12", "Keywords of JSON Schema are preserved.", "json_schema_2020_12_tool"
    ),
    _suite_scenario(
        "elicitation-sep1034-defaults",
        "Elicitation schemas carry defaults.",
        "test_elicitation_sep1034_defaults",
    ),
    _suite_scenario(
        "elicitation-sep1330-enums",
        "Elicitation schemas offer enumerations.",
        "test_elicitation_sep1330_enums",
    ),
    _suite_scenario(
        "server-sse-polling",
        "A closed event stream can be resumed.",
        "test_reconnection",
        SESSIONS,
    ),
    SuiteScenario("server-sse-multiple-streams", "Several streams are open at once."),
    _resource("resources-list", "Resources are listed."),
    _resource("resources-read-text", "A text is read.", "resource test://static-text"),
    _resource("resources-read-binary", "A file is read.", "resource test://static-binary"),
    _resource(
        "resources-templates-read",
        "A resource is read through a template.",
        "template test://template/{id}/data",
    ),
    _watched("resources-subscribe", "A resource is subscribed to."),
    _watched("resources-unsubscribe", "A subscription is ended."),
    _resource("sep-2164-resource-not-found", "An unknown resource gets the specified error."),
    SuiteScenario("prompts-list", "Prompts are listed.", ("prompts",)),
    _prompt("prompts-get-simple", "A prompt is returned.", "test_simple_prompt"),
    _prompt(
        "prompts-get-with-args",
        "A prompt with arguments is returned.",
        "test_prompt_with_arguments",
    ),
    _prompt(
        "prompts-get-embedded-resource",
        "A prompt holds a file.",
        "test_prompt_with_embedded_resource",
    ),
    _prompt("prompts-get-with-image", "A prompt holds an image.", "test_prompt_with_image"),
    SuiteScenario("dns-rebinding-protection", "A foreign Host or Origin is refused."),
    SuiteScenario("caching", "Results carry cache hints."),
    SuiteScenario("http-header-validation", "Headers match the body."),
    SuiteScenario(
        "http-custom-header-server-validation",
        "Headers that mirror arguments match the arguments.",
        (HEADER_TOOL,),
    ),
    _asking("basic-elicitation", "A result requests elicitation.", "elicitation"),
    _asking("basic-sampling", "A result requests sampling.", "sampling"),
    _asking("basic-list-roots", "A result requests the client's roots.", "list_roots"),
    _asking("request-state", "A request continues from its state.", "request_state"),
    _asking("multiple-input-requests", "A result has several input requests.", "multiple_inputs"),
    _asking("multi-round", "A result requests input again.", "multi_round"),
    _asking(
        "missing-input-response", "A missing input response is requested again.", "elicitation"
    ),
    _prompt(
        "input-required-result-non-tool-request",
        "A prompt requests elicitation.",
        "test_input_required_result_prompt",
    ),
    _asking(
        "result-type", "A result with input requests has the right `resultType`.", "elicitation"
    ),
    SuiteScenario(
        "input-required-result-unsupported-methods", "Only some methods may request input."
    ),
    _asking("tampered-state", "A modified state is refused.", "tampered_state"),
    _asking(
        "capability-check", "Input requests respect the client's capabilities.", "capabilities"
    ),
    _asking("ignore-extra-params", "Unrequested input responses are ignored.", "elicitation"),
    _asking("validate-input", "Input responses are validated.", "elicitation"),
)
"""Every scenario of the dated revisions, in the suite's order."""

PARTS = {
    "sep-2575-server-rejects-undeclared-capability": ("tool test_missing_capability",),
    "sep-2575-missing-capability-http-400": ("tool test_missing_capability",),
    "sep-2575-http-server-no-independent-requests-on-stream": ("tool test_streaming_elicitation",),
    "sep-2575-server-no-log-without-loglevel": ("tool test_logging_tool",),
    "sep-2549-prompts-list-caching-hints": ("prompts",),
    "sep-2549-resources-list-caching-hints": ("resources",),
    "sep-2549-resources-templates-list-caching-hints": ("resources",),
    "sep-2549-resources-read-caching-hints": ("resources",),
    "server-sse-multiple-streams-session": (SESSIONS,),
}
"""Needs of single checks beyond the needs of the scenario."""

_URL = "https://github.com/modelcontextprotocol/conformance"


def suite_check(scenario: str, about: str = "") -> Check:
    """The check that stands for a scenario in the report."""
    return Check(
        id=f"official-{scenario}",
        level=Level.OWN,
        profile=PROFILE,
        sentence=about or f"The scenario `{scenario}` of the official suite holds.",
        clause=f"@modelcontextprotocol/conformance {VERSION}, scenario {scenario}",
        url=_URL,
        explanation="The official suite tests SDKs with this scenario, and hosts rely on the behavior "
        "of SDKs.",
        fix="Read the suite's message in this finding. If the message contradicts the specification, "
        "follow the specification.",
        revisions=REVISIONS,
    )


SCENARIO_CHECKS = {
    scenario.name: suite_check(scenario.name, scenario.about) for scenario in SCENARIOS
}
"""Every scenario as a check, by the suite's name."""

RUNS = Check(
    id="official-suite-runs",
    level=Level.OWN,
    profile=PROFILE,
    sentence="The official suite runs to its end and writes results.",
    clause=f"@modelcontextprotocol/conformance {VERSION}",
    url=_URL,
    explanation="A scenario that did not run must not look like a success.",
    fix="Raise `--deadline`, and check that the server answers.",
    revisions=REVISIONS,
)

CHECKS = {check.id: check for check in (RUNS, *SCENARIO_CHECKS.values())}
"""Every check of the profile, by id."""

NEEDS = {scenario.name: scenario.needs for scenario in SCENARIOS}
"""The needs of each scenario, by the suite's name."""
