"""The scenarios of the official suite, with the capabilities that each scenario needs.

The suite was made for SDKs, whose test servers have tools, resources and prompts with agreed names.
For a server without these, a scenario is not applicable.
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


def _tool(name: str, about: str, tool: str, *needs: str) -> SuiteScenario:
    return SuiteScenario(name, about, (f"tool {tool}", *needs))


def _resource(name: str, about: str, *needs: str) -> SuiteScenario:
    return SuiteScenario(name, about, ("resources", *needs))


def _prompt(name: str, about: str, prompt: str) -> SuiteScenario:
    return SuiteScenario(name, about, ("prompts", f"prompt {prompt}"))


def _watched(name: str, about: str) -> SuiteScenario:
    return _resource(name, about, "resources.subscribe", "resource test://watched-resource")


def _asking(name: str, about: str, tool: str) -> SuiteScenario:
    return _tool(f"input-required-result-{name}", about, f"test_input_required_result_{tool}")


SCENARIOS = (
    SuiteScenario("server-initialize", "The handshake is answered."),
    SuiteScenario(
        "server-session-lifecycle", "A session that was ended is not found any more.", (SESSIONS,)
    ),
    SuiteScenario("server-stateless", "Requests stand for themselves, without a handshake."),
    SuiteScenario("ping", "A ping is answered."),
    SuiteScenario("logging-set-level", "The level of log messages can be set.", ("logging",)),
    SuiteScenario(
        "completion-complete",
        "Arguments are completed.",
        ("completions", "prompt test_prompt_with_arguments"),
    ),
    SuiteScenario("tools-list", "Tools are listed in the shape of the specification."),
    _tool("tools-call-simple-text", "A tool gives back a text.", "test_simple_text"),
    _tool("tools-call-image", "A tool gives back an image.", "test_image_content"),
    _tool("tools-call-audio", "A tool gives back audio.", "test_audio_content"),
    _tool("tools-call-embedded-resource", "A tool gives back a file.", "test_embedded_resource"),
    _tool("tools-call-mixed-content", "A tool mixes content.", "test_multiple_content_types"),
    _tool("tools-call-error", "A failing tool says so in its result.", "test_error_handling"),
    _tool("tools-call-with-logging", "A tool writes log messages.", "test_tool_with_logging"),
    _tool("tools-call-with-progress", "A tool reports progress.", "test_tool_with_progress"),
    _tool("tools-call-sampling", "A tool asks the client's model.", "test_sampling"),
    _tool("tools-call-elicitation", "A tool asks the user.", "test_elicitation"),
    _tool("json-schema-2020-12", "Keywords of schemas are kept.", "json_schema_2020_12_tool"),
    _tool(
        "elicitation-sep1034-defaults",
        "Questions carry defaults.",
        "test_elicitation_sep1034_defaults",
    ),
    _tool(
        "elicitation-sep1330-enums",
        "Questions offer choices.",
        "test_elicitation_sep1330_enums",
    ),
    _tool(
        "server-sse-polling",
        "A closed event stream can be taken up again.",
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
    _resource("sep-2164-resource-not-found", "A resource that is not there is a known error."),
    SuiteScenario("prompts-list", "Prompts are listed.", ("prompts",)),
    _prompt("prompts-get-simple", "A prompt is given.", "test_simple_prompt"),
    _prompt(
        "prompts-get-with-args",
        "A prompt with arguments is given.",
        "test_prompt_with_arguments",
    ),
    _prompt(
        "prompts-get-embedded-resource",
        "A prompt holds a file.",
        "test_prompt_with_embedded_resource",
    ),
    _prompt("prompts-get-with-image", "A prompt holds an image.", "test_prompt_with_image"),
    SuiteScenario("dns-rebinding-protection", "A foreign Host or Origin is refused."),
    SuiteScenario("caching", "Answers say how long they may be kept."),
    SuiteScenario("http-header-validation", "Headers agree with the body."),
    SuiteScenario(
        "http-custom-header-server-validation",
        "Headers that mirror arguments agree with them.",
        (HEADER_TOOL,),
    ),
    _asking("basic-elicitation", "A result asks the user.", "elicitation"),
    _asking("basic-sampling", "A result asks the client's model.", "sampling"),
    _asking("basic-list-roots", "A result asks for the client's roots.", "list_roots"),
    _asking("request-state", "What was begun is taken up by its state.", "request_state"),
    _asking("multiple-input-requests", "A result asks several things.", "multiple_inputs"),
    _asking("multi-round", "A result asks again.", "multi_round"),
    _asking("missing-input-response", "A missing answer is asked for again.", "elicitation"),
    _prompt(
        "input-required-result-non-tool-request",
        "A prompt asks the user.",
        "test_input_required_result_prompt",
    ),
    _asking("result-type", "A result that asks says so.", "elicitation"),
    SuiteScenario("input-required-result-unsupported-methods", "Only some methods may ask."),
    _asking("tampered-state", "A state that was changed is refused.", "tampered_state"),
    _asking("capability-check", "Only what the client can do is asked.", "capabilities"),
    _asking("ignore-extra-params", "Answers nobody asked for are ignored.", "elicitation"),
    _asking("validate-input", "Answers are validated.", "elicitation"),
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
        level=Level.MUST,
        profile=PROFILE,
        sentence=about or f"The scenario `{scenario}` of the official suite holds.",
        clause=f"@modelcontextprotocol/conformance {VERSION}, scenario {scenario}",
        url=_URL,
        explanation="The official suite judges SDKs by this scenario; hosts are written against "
        "what it accepts.",
        fix="Read the suite's own message beside this finding; where it and the specification "
        "disagree, the specification is right.",
        revisions=REVISIONS,
    )


SCENARIO_CHECKS = {
    scenario.name: suite_check(scenario.name, scenario.about) for scenario in SCENARIOS
}
"""Every scenario as a check, by the suite's name."""

RUNS = Check(
    id="official-suite-runs",
    level=Level.MUST,
    profile=PROFILE,
    sentence="The official suite runs to its end and says what it found.",
    clause=f"@modelcontextprotocol/conformance {VERSION}",
    url=_URL,
    explanation="A scenario that was not run says nothing, which must not look like success.",
    fix="Give it more time with `--deadline`, and see that the server answers at all.",
    revisions=REVISIONS,
)

CHECKS = {check.id: check for check in (RUNS, *SCENARIO_CHECKS.values())}
"""Every check of the profile, by id."""

NEEDS = {scenario.name: scenario.needs for scenario in SCENARIOS}
"""The needs of each scenario, by the suite's name."""
