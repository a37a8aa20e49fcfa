"""Profiles select checks and set their weight.

A profile stands for a revision of the protocol, a host, security or latency. Several profiles can
be combined; a check in several profiles is made once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.conformance import revisions as r
from mcpgen.conformance.model import Check, Level


class ProfileKind(StrEnum):
    """Kinds of profiles."""

    PROTOCOL = "protocol"
    UNIVERSAL = "universal"
    WORKSPACE = "workspace"
    HOST = "host"
    MODEL_API = "model API"
    FRAMEWORK = "framework"
    SECURITY = "security"
    LATENCY = "latency"
    INTERNAL = "internal"


HOSTS = frozenset({ProfileKind.HOST, ProfileKind.MODEL_API, ProfileKind.FRAMEWORK})
"""Kinds of profiles whose checks come from host facts."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A profile, selected by `word`.

    `revisions`: revisions the server must support; `()` uses the supported revisions. `fails`:
    levels with violations as failures. `also`: checks of further profiles with a level (None:
    unchanged).
    """

    word: str
    title: str
    kind: ProfileKind
    about: str
    revisions: tuple[str, ...] = ()
    fails: frozenset[Level] = frozenset({Level.MUST, Level.OWN})
    also: Mapping[str, Level | None] = field(default_factory=dict)

    def takes(self, check: Check, revision: str) -> bool:
        """True if the profile includes the check in this revision (`""`: a check made once)."""
        home = "protocol" if self.kind is ProfileKind.PROTOCOL else self.word
        if check.profile != home and check.id not in self.also:
            return False
        return not revision or not self.revisions or revision in self.revisions

    def level(self, check: Check) -> Level:
        """The level of the check in this profile."""
        return self.also.get(check.id) or check.level


STRICT = frozenset({Level.MUST, Level.HOST, Level.OWN})

WORKSPACE_ALSO: Mapping[str, Level | None] = {
    **dict.fromkeys(
        (
            *("speaks-mcp", "initialize-result-shape", "session-id-visible-ascii"),
            *("session-deleted-404", "notification-202-empty", "answer-content-type"),
            *("response-keeps-id", "concurrent-ids-kept", "tools-list-shape"),
            *("input-schema-object", "tool-schemas-valid", "tool-call-answered"),
            *("tool-result-shape", "tool-result-every-revision", "first-block-text"),
            *("universal-description", "universal-argument-described", "universal-flat"),
            *("universal-argument-name", "no-stack-trace"),
        )
    ),
    "event-stream-closes": Level.HOST,
    "tool-name-unique": Level.HOST,
    "structured-content-mirrored": Level.HOST,
}
"""Checks of other profiles that Experience Workspace needs. The host's client reads a stream to its
end and ignores structured content, so a violated SHOULD loses the answer.
"""

SECURITY_ALSO: Mapping[str, Level | None] = dict.fromkeys(
    (
        *("origin-foreign-refused", "fuzzed-requests-answered"),
        *("auth-missing-401", "auth-wrong-401", "auth-challenge-present", "auth-metadata-found"),
        *("auth-metadata-shape", "auth-challenge-scope", "auth-error-code"),
    )
)
"""Checks of the specification that the profile `security` makes, too."""


def _revision(revision: str, about: str) -> Profile:
    return Profile(f"mcp-{revision}", f"MCP {revision}", ProfileKind.PROTOCOL, about, (revision,))


def _host(word: str, title: str, kind: ProfileKind, about: str) -> Profile:
    return Profile(word, title, kind, about, fails=STRICT)


_TABLE = (
    Profile(
        "protocol",
        "MCP, every supported revision",
        ProfileKind.PROTOCOL,
        "The specification, in each supported revision.",
    ),
    _revision("2024-11-05", "The first revision, over Streamable HTTP."),
    _revision("2025-03-26", "Streamable HTTP, sessions, batches, annotations."),
    _revision("2025-06-18", "Structured content, the version header, no batches."),
    _revision("2025-11-25", "Foreign origins get HTTP 403; JSON Schema 2020-12."),
    _revision("2026-07-28", "No handshake: discovery, and metadata in every request."),
    Profile(
        "universal",
        "Every known host",
        ProfileKind.UNIVERSAL,
        "The strictest limits of all known hosts and model APIs.",
    ),
    Profile(
        "experience-workspace",
        "Experience Workspace",
        ProfileKind.WORKSPACE,
        "The host's checklist for servers, and the behavior of the host's client.",
        ("2025-03-26",),
        STRICT,
        WORKSPACE_ALSO,
    ),
    _host(
        "anthropic_api", "Anthropic Messages API", ProfileKind.MODEL_API, "Tools in its requests."
    ),
    _host(
        "claude_ai_desktop",
        "Claude (web, desktop)",
        ProfileKind.HOST,
        "Connectors and their review.",
    ),
    _host("claude_code", "Claude Code", ProfileKind.HOST, "The coding agent in the terminal."),
    _host("openai_api", "OpenAI API", ProfileKind.MODEL_API, "Functions in its requests."),
    _host(
        "chatgpt_apps", "ChatGPT apps", ProfileKind.HOST, "Apps and connectors, and their review."
    ),
    _host("openai_codex", "Codex", ProfileKind.HOST, "The coding agent of OpenAI."),
    _host(
        "gemini_api", "Gemini API", ProfileKind.MODEL_API, "Function declarations in its requests."
    ),
    _host("gemini_cli", "Gemini CLI", ProfileKind.HOST, "The coding agent in the terminal."),
    _host(
        "bedrock_converse",
        "Amazon Bedrock Converse",
        ProfileKind.MODEL_API,
        "Tools in its requests.",
    ),
    _host(
        "bedrock_agent_prompt",
        "Amazon Bedrock agent prompts",
        ProfileKind.MODEL_API,
        "Tools of a stored prompt.",
    ),
    _host(
        "vercel_ai_sdk", "Vercel AI SDK", ProfileKind.FRAMEWORK, "Its MCP client for TypeScript."
    ),
    _host("vscode_copilot", "VS Code with Copilot", ProfileKind.HOST, "Agent mode in the editor."),
    _host("cursor", "Cursor", ProfileKind.HOST, "The agent of the editor."),
    _host("windsurf", "Windsurf", ProfileKind.HOST, "The agent of the editor."),
    _host("zed", "Zed", ProfileKind.HOST, "The agent of the editor."),
    _host("cline", "Cline", ProfileKind.HOST, "The agent in the editor."),
    _host("goose", "goose", ProfileKind.HOST, "The agent on the desktop and in the terminal."),
    _host("langchain_mcp_adapters", "LangChain MCP adapters", ProfileKind.FRAMEWORK, "For Python."),
    _host("cloudflare_agents", "Cloudflare Agents", ProfileKind.FRAMEWORK, "Agents in Workers."),
    _host("n8n", "n8n", ProfileKind.HOST, "The MCP client node of the workflow tool."),
    Profile(
        "security",
        "Security",
        ProfileKind.SECURITY,
        "Attacks by unknown clients, web pages and model-made arguments.",
        also=SECURITY_ALSO,
    ),
    Profile(
        "latency",
        "Latency",
        ProfileKind.LATENCY,
        "Durations of opening, listing and calling, compared with the timeouts of hosts.",
        fails=STRICT,
    ),
    Profile(
        "official",
        "Official suite",
        ProfileKind.INTERNAL,
        "The verdicts of the MCP project's conformance suite.",
    ),
    Profile(
        "promises", "Promises", ProfileKind.INTERNAL, "Calls with arguments given by the tester."
    ),
    Profile("run", "This run", ProfileKind.INTERNAL, "The command of `--run`, and the baseline."),
    Profile(
        "trial",
        "Trial",
        ProfileKind.INTERNAL,
        "The start and the API requests of a generated project.",
    ),
)

PROFILES: Mapping[str, Profile] = {profile.word: profile for profile in _TABLE}
"""Every profile by word, in the order of a report."""

DEFAULT = ("protocol", "universal")
"""Profiles of a run without `--profile`."""

PROJECT = ("protocol", "universal", "experience-workspace", "security")
"""Profiles of a generated project."""

WORDS = tuple(word for word, found in PROFILES.items() if found.kind is not ProfileKind.INTERNAL)
"""Words that users may select."""

EVERY_HOST = tuple(word for word, found in PROFILES.items() if found.kind in HOSTS)
"""The words of all hosts, model APIs and frameworks."""

ALIASES = {"adobe_experience_workspace": "experience-workspace"}


def parse_profiles(words: tuple[str, ...]) -> tuple[Profile, ...]:
    """The profiles with these words, without duplicates; the default ones for no words.

    `-` and `_` are equivalent in names of hosts. Example: `parse_profiles(("claude-code",))`.
    Raises ValueError for an unknown word.
    """
    profiles = {}
    for word in words or DEFAULT:
        name = word if word in PROFILES else word.replace("-", "_")
        name = ALIASES.get(name, name)
        if name not in PROFILES:
            raise ValueError(f"`{word}` is not a profile; there are {', '.join(WORDS)}")
        profiles[name] = PROFILES[name]
    return tuple(profiles.values())


assert all(f"mcp-{revision}" in PROFILES for revision in r.ALL)
