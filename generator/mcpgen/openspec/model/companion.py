"""What stands beside a `spec.md` in `mcp.yaml`: schemas, fixtures and what its steps assert.

Prose cannot say these; see `docs/openspec.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.model.declared_answer import AnswerStep


class AssertionTarget(StrEnum):
    """What an assertion looks at."""

    PATH = "path"
    TEXT = "text"
    IS_ERROR = "is_error"
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
    """One claim about what an action brought back.

    `name` says which part of the subject: the path, the name of the header, what is measured
    (`result`, `tools/list`), `""` where there is one only. `claims` are the operators with their
    operands, in the order written; all have to hold: `path`, `header` and `bytes` have theirs written
    beside them, `text`, `tools`, `arguments` (with `of`) and `upstream` (with `method`, `path`,
    `query`) below them, and the others' own value is that of `equals`, or of `at_most` for
    `within_ms`. Names and words are a list (`of` may be `every`), `upstream: none` is a `count` of 0,
    and a limit is a number, whichever budget it was named by. `call` is the number of the action it is about,
    from 1, 0 for the last. `phrase` is the documented phrase it was read from, `""` if a person wrote
    it.
    """

    subject: AssertionTarget
    name: str
    claims: Mapping[str, Json]
    at: Location
    call: int = 0
    phrase: str = ""


class ActionKind(StrEnum):
    """How an action is made."""

    CALL = "call"
    REQUEST = "request"
    HTTP = "http"
    FILE = "file"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class ScenarioAction:
    """One thing a scenario does. `name` is the tool, the JSON-RPC method, the HTTP method, the path of
    a file in the project, or the module that is run; `value` the arguments, the params, the body, None,
    or the list of command-line arguments. `path` and `headers` are those of HTTP, `""` for the
    endpoint; `environment` what a command is given besides. `version` is the revision of the
    protocol, `""` for the newest. `save` are values to keep by name, each with the path where it
    stands in the result; `${name}` in a later action stands for it.
    """

    doing: ActionKind
    name: str
    value: Json
    at: Location
    path: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    save: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepBinding:
    """What one step of a scenario asserts, or why it cannot be shown by a machine."""

    step: int
    assertions: tuple[Assertion, ...]
    at: Location
    manual: str = ""


@dataclass(frozen=True, slots=True)
class ScenarioBinding:
    """How a scenario is performed. `requirement` is `""` where the scenario's name is enough.
    `digest` is that of the scenario it was written for, `""` if unknown. `manual` is the reason why
    no machine can show it."""

    requirement: str
    scenario: str
    digest: str
    given: tuple[str, ...]
    actions: tuple[ScenarioAction, ...]
    steps: tuple[StepBinding, ...]
    at: Location
    manual: str = ""


@dataclass(frozen=True, slots=True)
class FixtureExchange:
    """A request to the upstream that a fixture answers. A query parameter that is not named may have
    any value; `path` may have `*` for a segment."""

    method: str
    path: str
    query: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    body: Json
    at: Location


@dataclass(frozen=True, slots=True)
class Fixture:
    """What is there before a scenario begins. `environment` are variables the server starts with,
    `headers` what its client sends. The upstream answers as `exchanges` say or, if `app` is set, is
    the ASGI application that this function of the project's `tests/fixtures.py` makes of `values`.
    """

    name: str
    description: str
    environment: Mapping[str, str]
    headers: Mapping[str, str]
    exchanges: tuple[FixtureExchange, ...]
    app: str
    values: Mapping[str, Json]
    at: Location


@dataclass(frozen=True, slots=True)
class Input:
    """One argument of a declared tool: a flat schema. `source` is the argument of the operation
    that it is, where its name differs, and `header` the name of the header that repeats its value.
    """

    name: str
    schema: Mapping[str, Json]
    required: bool
    at: Location
    source: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True)
class UpstreamOperation:
    """The operation of an OpenAPI document that a tool calls: its id, or method and path.
    `document` is the path of the document as messages print it."""

    document: str
    operation: str
    at: Location


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool as the author declares it. `inputs` is None where the operation's own arguments are
    taken. Without `upstream` it is a tool whose handler stands in `hooks.py`, unless it has an
    `answer`. `conditions` are the keywords that its input schema has beside the arguments. `guessed`
    tells that `mcpgen bind` wrote it and nobody has looked at it since."""

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    inputs: tuple[Input, ...] | None
    output: Json
    upstream: UpstreamOperation | None
    at: Location
    guessed: bool = False
    answer: tuple[AnswerStep, ...] = ()
    conditions: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Companion:
    """`mcp.yaml`, read. `sha256` is the digest of the `spec.md` it was written for, `""` if it says
    none. `instructions` are those of the server. `glossary` gives the names, with `*` for any
    letters, that a phrase of the text stands for. `budgets` are limits by name, in bytes."""

    sha256: str
    tools: tuple[DeclaredTool, ...]
    glossary: Mapping[str, tuple[str, ...]]
    budgets: Mapping[str, int]
    fixtures: tuple[Fixture, ...]
    scenarios: tuple[ScenarioBinding, ...]
    at: Location
    title: str = ""
    instructions: str = ""
