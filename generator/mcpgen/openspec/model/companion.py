"""The content of `mcp.yaml`: schemas, fixtures and assertions that prose cannot express.

See `docs/openspec.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.model.declared_answer import AnswerAct
from mcpgen.openspec.model.requirements import Requirements

HEADER_VALUE_PATTERN = r"(?:[\x21-\x7e\xa0-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?)?"
"""A value that a header can carry."""


class AssertionTarget(StrEnum):
    """The part of a response an assertion is about."""

    PATH = "path"
    TEXT = "text"
    IS_ERROR = "is_error"
    REFUSED = "refused"
    CODE = "code"
    STATUS = "status"
    HEADER = "header"
    BYTES = "bytes"
    TOOLS = "tools"
    ARGUMENTS = "arguments"
    UPSTREAM = "upstream"
    TIME = "within_ms"


@dataclass(frozen=True, slots=True)
class Assertion:
    """An assertion about the response to an action.

    `name` is the part of the subject: a path, a header name, or the measured payload (`result`,
    `tools/list`); `""` for subjects without parts.

    `claims` maps operators to operands, in document order; all must hold. In YAML, the claims of
    `path`, `header` and `bytes` stand beside the subject; claims of `text`, `tools`, `arguments`
    (with `of`) and `upstream` (with `method`, `path`, `query`) stand below. The value of any other
    subject is the operand of `equals`, or of `at_most` for `within_ms`. Names and words are lists
    (`of` may be `every`), `upstream: none` is a `count` of 0, and a named budget is resolved to a
    number.

    `call` is the number of the action, from 1, or 0 for the last. `phrase` names the phrase
    that read the assertion, `""` for an assertion of the companion.
    """

    subject: AssertionTarget
    name: str
    claims: Mapping[str, Json]
    at: Location
    call: int = 0
    phrase: str = ""


class ActionKind(StrEnum):
    """Kind of an action."""

    CALL = "call"
    REQUEST = "request"
    HTTP = "http"
    FILE = "file"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class ScenarioAction:
    """An action of a scenario.

    `name` and `value` by kind: tool and arguments, JSON-RPC method and params, HTTP method and
    body, path of a project file and None, module and command-line arguments. `path` and `headers`
    belong to HTTP, `""` for the endpoint. `environment` extends the environment of a command, which
    reads `input` from standard input. `version` is the protocol revision, `""` for the newest.
    `save` maps names to result paths; `${name}` in a later action is replaced by the saved value.
    """

    kind: ActionKind
    name: str
    value: Json
    at: Location
    path: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    save: Mapping[str, str] = field(default_factory=dict)
    input: str = ""


@dataclass(frozen=True, slots=True)
class StepBinding:
    """Assertions of a step, or the reason for a manual check.

    `unchecked`: words of the step that the assertions do not show.
    """

    step: int
    assertions: tuple[Assertion, ...]
    at: Location
    manual: str = ""
    unchecked: str = ""


@dataclass(frozen=True, slots=True)
class ScenarioBinding:
    """Binding of a scenario.

    `requirement` is `""` if the scenario's name is unique. `digest` identifies the scenario's text
    at the time of writing, `""` if unknown. `manual` is the reason for a manual check. `guessed`:
    drafted by `mcpgen bind` and not yet reviewed, so not performed.
    """

    requirement: str
    scenario: str
    digest: str
    given: tuple[str, ...]
    actions: tuple[ScenarioAction, ...]
    steps: tuple[StepBinding, ...]
    at: Location
    manual: str = ""
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class FixtureExchange:
    """A request to the upstream and the fixture's response.

    Query parameters not listed may have any value; `*` in `path` matches a segment.
    """

    method: str
    path: str
    query: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    body: Json
    at: Location


@dataclass(frozen=True, slots=True)
class Fixture:
    """State before a scenario begins.

    `environment`: variables of the server process. `headers`: sent by the client. `exchanges`:
    responses of the upstream. `app`: function in the project's `tests/fixtures.py` that builds the
    upstream's ASGI application from `values`. `setup`: actions before those of the scenario.
    `arguments`: values of arguments and path parameters that a text names without a value, by name.
    `guessed`: drafted by `mcpgen bind` from a step, without the state.
    """

    name: str
    description: str
    environment: Mapping[str, str]
    headers: Mapping[str, str]
    exchanges: tuple[FixtureExchange, ...]
    app: str
    values: Mapping[str, Json]
    at: Location
    guessed: bool = False
    setup: tuple[ScenarioAction, ...] = ()
    arguments: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompanionDefinition:
    """A step definition of the companion: binds every step with the words of `pattern`.

    In `pattern`, `*` is any text and `{name}` a text that replaces `${name}` in actions and
    assertions. A GIVEN or WHEN gets the fixtures in `given` and `actions`, any other step
    `assertions`. `manual` is the reason for a manual check.
    """

    pattern: str
    given: tuple[str, ...]
    actions: tuple[ScenarioAction, ...]
    assertions: tuple[Assertion, ...]
    at: Location
    manual: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    """An argument of a declared tool, with a flat schema.

    `source` is the operation's argument if the name differs. `header` is the request header that
    repeats the value.
    """

    name: str
    schema: Mapping[str, Json]
    required: bool
    at: Location
    source: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True)
class UpstreamOperation:
    """The operation a tool calls: id, or method and path.

    `document` is the path of the OpenAPI document as printed in messages.
    """

    document: str
    operation: str
    at: Location


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool declared by the author.

    `inputs` is None if the operation's own arguments apply. A tool without `upstream` and `answer`
    has its handler in `hooks.py`. `conditions` are keywords of the input schema beside the
    arguments. `guessed`: drafted by `mcpgen bind` and not yet reviewed.
    """

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    inputs: tuple[Input, ...] | None
    output: Json
    upstream: UpstreamOperation | None
    at: Location
    guessed: bool = False
    answer: tuple[AnswerAct, ...] = ()
    conditions: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Companion:
    """The parsed `mcp.yaml`.

    `sha256` is the digest of the matching `spec.md`, `""` if absent. `instructions` belong to the
    server. `glossary` maps phrases of the text to tool names (`*` matches any characters).
    `definitions` are the step definitions; the first with the words of a step counts.
    `budgets` are limits in bytes, by name.
    """

    sha256: str
    tools: tuple[DeclaredTool, ...]
    glossary: Mapping[str, tuple[str, ...]]
    budgets: Mapping[str, int]
    fixtures: tuple[Fixture, ...]
    scenarios: tuple[ScenarioBinding, ...]
    at: Location
    title: str = ""
    instructions: str = ""
    definitions: tuple[CompanionDefinition, ...] = ()


@dataclass(frozen=True, slots=True)
class Capability:
    """Requirements of a server with their companion, None without a file `mcp.yaml`."""

    requirements: Requirements
    companion: Companion | None = None

    @property
    def name(self) -> str:
        """The path below `specs/`, or the name of the file or folder."""
        return self.requirements.capability
