"""Matches the operations of an API with requirements and scenarios that speak of them."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import pairwise

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.source import Json
from mcpgen.lower.name_words import meaning, name_words
from mcpgen.lower.names import name_tools
from mcpgen.openspec.lower.extraction import Facts
from mcpgen.openspec.lower.extraction.fact import Sentence, sentences_of
from mcpgen.openspec.lower.step_definitions import ToolArguments, arguments_of_schemas
from mcpgen.openspec.model.companion import DeclaredTool, UpstreamOperation
from mcpgen.openspec.model.requirements import Requirements, Role

MIN_CONFIDENCE = 60
"""Smallest confidence, in per cent, with which an operation becomes a tool.

A match by verb and entity alone (45) was right in 9 of 30 read by hand, so it also needs a common
argument (+15). Matches by verb and path (80 or more) were right wherever the path was unique.
"""


class Confidence(IntEnum):
    """Confidence in a match by kind of evidence, in per cent."""

    SAME_REQUEST = 95
    """Method and path of the operation."""
    OPERATION_ID = 90
    """The `operationId`, of two or more words."""
    REQUEST_WITH_PREFIX = 85
    """Method, and a path that ends alike."""
    TOOL_NAME = 85
    """A tool name with the meaning of the operation's names."""
    REQUEST_WITH_VALUES = 80
    """Method, and a path with values in place of parameters."""
    PATH = 70
    """A path without method that fits a single operation."""
    HEADING = 60
    """Verb and entity in the name of a requirement or scenario."""
    SENTENCE = 45
    """Verb and entity in a sentence about a client or user."""


_COMMON_ARGUMENT_BONUS = 15
"""Added if the requirement has arguments of the operation in back-ticks."""

_MAX_CONFIDENCE = 95
"""Upper limit of a confidence with the bonus."""

_MAX_PREFIX_SEGMENTS = 3
"""Segments by which a path with values may be longer or shorter than the path of the operation."""

_EXPLICIT = re.compile(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[` ]+(?:https?://[^/\s`]+)?(/[^\s`\"'),;]*)"
)
_BARE_PATH = re.compile(r"`(/[A-Za-z][^\s`\"']*)`")
_PARAMETER = re.compile(r"\{[^{}/]*\}|^:\w+$|^<[^<>/]*>$|^\$\{[^{}/]*\}$")
_SCREEN = re.compile(
    r"\b(?:buttons?|click(?:s|ed)?|pages?|screens?|dialogs?|modals?|renders?|rendered|components?|views?"
    r"|tabs?|tests?|migrations?)\b",
    re.IGNORECASE,
)
"""Words of steps in a user interface or a build, which name entities without calling the API."""

_ACTOR = re.compile(
    r"\b(?:clients?|callers?|users?|agents?|API|admins?|administrators?|operators?)\b"
)
_MODAL = re.compile(r"^(?:(?:The|A|An) )?[\w`/ -]{1,60}? (?:SHALL|MUST) (?!NOT)(?:be able to )?")
_VERBS = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}
_BACKTICKED = re.compile(r"`([A-Za-z][\w-]*)(?:\([^`]*\))?`")
_CALLS = re.compile(
    r"\b(?:map|wrap|call|invok|issu|mirror|forward|send|perform|hit|quer(?:y|ies)|back)\w*|\bvia\b|→|->|=>"
)
"""Words between a tool and the request that the tool makes."""

_SERVER_SENDS = re.compile(
    r"(?:the )?(?:MCP )?(?:server|tool|wrapper|adapter|handler|it) (?:SHALL )?"
    r"(?:issues?|sends?|makes?|performs?|forwards?|invokes?|calls?)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|NOT|never|NEVER|no|instead|rather)\b")
_AND = re.compile(r"[`,/ ]*(?:and|or|plus)?[` ]*")
_MAX_DESCRIPTION = 300


@dataclass(frozen=True, slots=True)
class OperationEvidence:
    """A place in the text that speaks of an operation.

    `confidence` is in per cent. `reason` is the evidence in words. `capability` is the name of the
    capability with the sentence.
    """

    confidence: int
    reason: str
    capability: str
    sentence: Sentence

    @property
    def at(self) -> Location:
        """Position of the sentence."""
        return self.sentence.at


@dataclass(frozen=True, slots=True)
class OperationMatch:
    """An operation with its evidence, the strongest first.

    `document` is the path of the API; `tool` is the name of the operation's tool; `arguments` are
    the arguments of the tool.
    """

    document: str
    operation: Operation
    tool: str
    evidence: tuple[OperationEvidence, ...]
    arguments: ToolArguments
    description: str = ""

    @property
    def confidence(self) -> int:
        """Confidence of the strongest evidence, in per cent."""
        return self.evidence[0].confidence if self.evidence else 0

    @property
    def is_tool(self) -> bool:
        """Whether the evidence is enough for a tool."""
        return self.confidence >= MIN_CONFIDENCE

    @property
    def reason(self) -> str:
        """The strongest evidence in words, with its position."""
        first = self.evidence[0]
        where = f"{first.at.file}:{first.at.line}"
        return f"{first.reason} ({first.confidence} %, {where})"


@dataclass(frozen=True, slots=True)
class OperationMatches:
    """All operations of an API, in document order, and requests that the API does not have.

    `document` is the path of the API. `unknown` has capability and position of the first mention,
    by request.
    """

    document: str
    matches: tuple[OperationMatch, ...]
    unknown: Mapping[str, tuple[str, Location]] = field(default_factory=dict)

    @property
    def capabilities(self) -> frozenset[str]:
        """Names of the capabilities that speak of an operation."""
        return frozenset(
            evidence.capability
            for match in self.matches
            for evidence in match.evidence
            if evidence.confidence >= MIN_CONFIDENCE
        )

    def has_operation(self, tool: str) -> bool:
        """Returns whether an operation is behind the tool."""
        return any(match.tool == tool and match.is_tool for match in self.matches)

    def strongest_in(self, capability: str) -> list[OperationMatch]:
        """Returns the matches whose strongest evidence is in a capability."""
        return [
            match
            for match in self.matches
            if match.evidence and match.evidence[0].capability == capability
        ]

    def within(self, capabilities: Collection[str]) -> Iterator[OperationMatch]:
        """Yields the matches with evidence in the capabilities, reduced to the evidence there."""
        for match in self.matches:
            evidence = tuple(
                candidate for candidate in match.evidence if candidate.capability in capabilities
            )
            if evidence:
                yield replace(match, evidence=evidence)


def matched_tools(
    matches: Iterable[OperationMatch], used: Collection[str]
) -> Iterator[tuple[DeclaredTool, OperationMatch]]:
    """Yields a declared tool per operation that the text names with enough confidence.

    `used` are operations that other tools call already, by id or by method and path.
    """
    for match in matches:
        operation = match.operation
        if not match.is_tool or {operation.id, operation.key} & set(used):
            continue
        at = match.evidence[0].at
        document = os.path.relpath(match.document, os.path.dirname(at.file) or ".")
        tool = DeclaredTool(
            name=match.tool,
            title="",
            description=match.description,
            annotations={},
            inputs=None,
            output=None,
            upstream=UpstreamOperation(document.replace(os.sep, "/"), operation.key, at),
            at=at,
            guessed=True,
        )
        yield tool, match


def match_operations(
    texts: Sequence[tuple[Requirements, Facts]], document: str, api: ApiDescription
) -> OperationMatches:
    """Matches every operation with the texts, by names, paths, verbs, entities and arguments."""
    names = dict(name_tools(api.operations, Config(), Diagnostics(), api.at))
    index = _OperationIndex.of([_NamedOperation.of(operation, api) for operation in api.operations])
    operations = index.operations
    evidence: dict[str, list[OperationEvidence]] = defaultdict(list)
    unknown: dict[str, tuple[str, Location]] = {}
    for requirements, facts in texts:
        for tool in facts.tools:
            for candidate in _by_name(tool, index):
                names[candidate.operation.key] = tool
        sentences = sentences_of(requirements)
        names |= {
            candidate.operation.key: tool
            for tool, candidate in _stated_requests(sentences, facts.tools, operations).items()
        }
        backticked = _backticked_names(sentences)
        for sentence in sentences:
            for request in _unknown_requests(sentence, operations):
                unknown.setdefault(request, (requirements.capability, sentence.at))
            for candidate, confidence, reason in _evidence(sentence, index, facts):
                common = sorted(candidate.arguments & backticked[sentence.requirement])
                if common:
                    confidence = min(_MAX_CONFIDENCE, confidence + _COMMON_ARGUMENT_BONUS)
                    reason += f" with {', '.join(f'`{name}`' for name in common[:3])}"
                evidence[candidate.operation.key].append(
                    OperationEvidence(confidence, reason, requirements.capability, sentence)
                )
    matches = []
    for candidate in operations:
        strongest = sorted(evidence[candidate.operation.key], key=lambda item: -item.confidence)
        matches.append(
            OperationMatch(
                document,
                candidate.operation,
                names[candidate.operation.key],
                tuple(strongest),
                _operation_arguments(candidate.operation, api),
            )
        )
    return OperationMatches(document, tuple(_described(matches, texts)), unknown)


@dataclass(frozen=True, slots=True)
class _NamedOperation:
    """An operation with its path and names in comparable form.

    Parameters of the `path` are None. `meanings` are the sets of words that the path, id and
    summary mean.
    """

    operation: Operation
    path: tuple[str | None, ...]
    meanings: tuple[frozenset[str], ...]
    arguments: frozenset[str]

    @classmethod
    def of(cls, operation: Operation, api: ApiDescription) -> _NamedOperation:
        path = _segments(operation.path)
        literals = [segment for segment in path if segment]
        verb = _VERBS.get(operation.method, operation.method.lower())
        meanings = {frozenset({verb, *meaning(literals[-1])})} if literals else set()
        if len(name_words(operation.id)) > 1:
            meanings.add(meaning(operation.id))
        if operation.summary:
            meanings.add(meaning(operation.summary))
        arguments = _operation_arguments(operation, api).takes
        distinctive = tuple(candidate for candidate in meanings if len(candidate) > 1)
        return cls(operation, path, distinctive, arguments - {"id"})

    @property
    def is_single(self) -> bool:
        """Whether the path ends with a parameter: the operation is about a single entity."""
        return bool(self.path) and self.path[-1] is None


@dataclass(frozen=True, slots=True)
class _OperationIndex:
    """Operations by `operationId` of several words, and by a word of each meaning.

    GitHub's API has 1,223 operations: without the index each sentence would be compared with all.
    """

    operations: Sequence[_NamedOperation]
    by_id: Mapping[str, _NamedOperation]
    by_word: Mapping[str, Sequence[tuple[frozenset[str], _NamedOperation]]]

    @classmethod
    def of(cls, operations: Sequence[_NamedOperation]) -> _OperationIndex:
        by_word: dict[str, list[tuple[frozenset[str], _NamedOperation]]] = defaultdict(list)
        verbs = {*_VERBS.values(), "list"}
        for candidate in operations:
            for words in candidate.meanings:
                # A long noun is in few sentences.
                key_word = max(words, key=lambda word: (word not in verbs, len(word), word))
                by_word[key_word].append((words, candidate))
        ids = {
            candidate.operation.id: candidate
            for candidate in operations
            if len(name_words(candidate.operation.id)) > 1
        }
        return cls(operations, ids, by_word)

    def with_meaning_in(self, words: frozenset[str], extra: int = 0) -> list[_NamedOperation]:
        """Returns the operations whose meaning is part of `words`, in document order.

        `extra` bounds the number of words beyond the meaning; 0 for no bound.
        """
        identities = {
            id(candidate)
            for word in words
            for meaning, candidate in self.by_word.get(word, ())
            if meaning <= words and (not extra or len(words) <= len(meaning) + extra)
        }
        if not identities:
            return []
        return [candidate for candidate in self.operations if id(candidate) in identities]


def _operation_arguments(operation: Operation, api: ApiDescription) -> ToolArguments:
    """Returns the parameters and the properties of the request body of an operation as arguments."""
    schemas: dict[str, Json] = {}
    required: list[str] = []
    for media in operation.body.media if operation.body else ():
        schema = _resolved(media.schema.json if media.schema else None, api)
        properties, needs = schema.get("properties"), schema.get("required")
        if isinstance(properties, dict):
            for name, inner in properties.items():
                own_schema = _resolved(inner, api)
                if not own_schema.get("readOnly"):
                    schemas[name] = own_schema
        required += [name for name in needs if name in schemas] if isinstance(needs, list) else []
    for parameter in operation.parameters:
        schemas[parameter.name] = _resolved(parameter.schema.json, api)
        required += [parameter.name] if parameter.required else []
    return arguments_of_schemas(schemas, required, operation.key)


def _resolved(schema: Json, api: ApiDescription) -> Mapping[str, Json]:
    """Returns a schema without a reference at its root."""
    for _ in range(10):
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(reference, str):
            break
        target = api.definitions.get(reference.rpartition("/")[2])
        schema = target.json if target else None
    return schema if isinstance(schema, dict) else {}


def _segments(path: str) -> tuple[str | None, ...]:
    """Returns the segments of a path; parameters, however written, are None."""
    plain = path.partition("?")[0].rstrip("/.,:;")
    parts = [part for part in plain.split("/") if part]
    return tuple(None if _PARAMETER.search(part) else part for part in parts)


def _evidence(
    sentence: Sentence,
    index: _OperationIndex,
    facts: Facts,
) -> Iterator[tuple[_NamedOperation, int, str]]:
    """Yields operations that a sentence speaks of, with confidence and reason."""
    text, operations = sentence.text, index.operations
    explicit = list(_EXPLICIT.finditer(text))
    for request in explicit:
        if answer := _by_request(request[1], request[2], operations):
            candidate, confidence = answer
            yield candidate, confidence, f"`{request[1]} {request[2].rstrip('.,:;')}`"
    tools = set(facts.tools)
    for name in dict.fromkeys(re.findall(r"[\w-]+(?:[./][\w-]+)*", text)):
        if name in index.by_id:
            yield index.by_id[name], Confidence.OPERATION_ID, f"the operation `{name}`"
        if name in tools:
            for candidate in _by_name(name, index):
                yield candidate, Confidence.TOOL_NAME, f"the tool `{name}`"
    if explicit:
        return
    for path in _BARE_PATH.findall(text):
        candidates = [
            candidate for candidate in operations if _is_same(_segments(path), candidate.path)
        ]
        words = meaning(text)
        by_verb = [
            candidate for candidate in candidates if _VERBS.get(candidate.operation.method) in words
        ]
        for candidate in (
            candidates if len(candidates) == 1 else by_verb if len(by_verb) == 1 else ()
        ):
            yield candidate, Confidence.PATH, f"the path `{path}`"
    yield from _by_meaning(sentence, index)


def _stated_requests(
    sentences: Sequence[Sentence], tools: Collection[str], operations: Sequence[_NamedOperation]
) -> dict[str, _NamedOperation]:
    """Returns the operation of each tool that makes one request: "`a` maps onto `POST /b`".

    Between both stand a word such as `wraps`, and no other tool or request. A tool with several
    requests is left out, and so is the second tool of an operation.
    """
    requests: dict[str, dict[str, _NamedOperation]] = {}
    for role in (Role.NONE, Role.THEN):
        # The requirement's body decides before the examples of scenarios.
        stated: dict[str, dict[str, _NamedOperation]] = defaultdict(dict)
        for sentence in sentences:
            text = _text_about_request(sentence, tools) if sentence.role is role else ""
            for tool, request in _requests_of_tools(text, tools):
                if answer := _by_request(request[1], request[2], operations):
                    candidate, _ = answer
                    stated[tool][candidate.operation.key] = candidate
        requests = {**stated, **requests}
    single = {tool: next(iter(own.values())) for tool, own in requests.items() if len(own) == 1}
    first = {candidate.operation.key: tool for tool, candidate in reversed(single.items())}
    return {
        tool: single_operation
        for tool, single_operation in single.items()
        if first[single_operation.operation.key] == tool
    }


def _text_about_request(sentence: Sentence, tools: Collection[str]) -> str:
    """Returns the sentence of a requirement's body; for a THEN about a request of the server, the
    sentence after the name of the tool that WHEN calls; else `""`."""
    if sentence.role is Role.NONE:
        return sentence.text
    tools_called = {name for name in _BACKTICKED.findall(sentence.about) if name in tools}
    sends = len(tools_called) == 1 and _SERVER_SENDS.match(sentence.text)
    return f"`{tools_called.pop()}`: {sentence.text}" if sends else ""


def _requests_of_tools(text: str, tools: Collection[str]) -> Iterator[tuple[str, re.Match[str]]]:
    """Yields tools with their requests: `a` wraps one request, `a` and `b` wrap two in this order.

    `runs` are the maximal sequences of tools, or of requests, joined by `and` or commas.
    """
    mentions = [match for match in _BACKTICKED.finditer(text) if match[1] in tools]
    runs: list[list[re.Match[str]]] = []
    for match in sorted([*mentions, *_EXPLICIT.finditer(text)], key=lambda match: match.start()):
        before = runs[-1][-1] if runs else None
        if before and before.re is match.re and _AND.fullmatch(text, before.end(), match.start()):
            runs[-1].append(match)
        else:
            runs.append([match])
    for subjects, requests in pairwise(runs):
        between = text[subjects[-1].end() : requests[0].start()]
        if subjects[0].re is not _BACKTICKED or requests[0].re is not _EXPLICIT:
            continue
        if len(subjects) == len(requests) and _CALLS.search(between) and not _NOT.search(between):
            yield from (
                (tool[1], request) for tool, request in zip(subjects, requests, strict=True)
            )


def _unknown_requests(sentence: Sentence, operations: Sequence[_NamedOperation]) -> Iterator[str]:
    """Yields requests in a sentence that no operation answers."""
    for request in _EXPLICIT.finditer(sentence.text):
        if _segments(request[2]) and not _by_request(request[1], request[2], operations):
            yield f"{request[1]} {request[2].rstrip('.,:;')}"


def _by_request(
    method: str, path: str, operations: Sequence[_NamedOperation]
) -> tuple[_NamedOperation, int] | None:
    """Returns the operation of a request with the confidence, or None.

    Paths are compared first for equality, then by their ends (a prefix such as `/api/v1` more or
    less), then with values in place of parameters.
    """
    segments = _segments(path)
    own = [candidate for candidate in operations if candidate.operation.method == method]
    for confidence, fits in (
        (Confidence.SAME_REQUEST, _is_same),
        (Confidence.REQUEST_WITH_PREFIX, _is_suffix),
        (Confidence.REQUEST_WITH_VALUES, _is_example),
    ):
        fitting = [candidate for candidate in own if fits(segments, candidate.path)]
        if fitting:
            # Of several paths that end alike, the shortest difference is the likeliest.
            nearest = min(fitting, key=lambda candidate: abs(len(candidate.path) - len(segments)))
            return nearest, confidence
    return None


def _is_same(candidate: tuple[str | None, ...], path: tuple[str | None, ...]) -> bool:
    return candidate == path


def _is_suffix(candidate: tuple[str | None, ...], path: tuple[str | None, ...]) -> bool:
    """Returns whether the shorter path is the end of the longer path and has a literal segment."""
    shorter, longer = sorted((candidate, path), key=len)
    return any(shorter) and longer[-len(shorter) :] == shorter


def _is_example(candidate: tuple[str | None, ...], path: tuple[str | None, ...]) -> bool:
    """Returns whether a path has values in place of parameters."""
    shorter, longer = sorted((candidate, path), key=len)
    if not shorter or len(longer) - len(shorter) > _MAX_PREFIX_SEGMENTS:
        return False
    pairs = list(zip(reversed(candidate), reversed(path), strict=False))
    return all(segment == right or right is None for segment, right in pairs) and any(
        segment == right and segment for segment, right in pairs
    )


def _by_name(tool: str, index: _OperationIndex) -> list[_NamedOperation]:
    """Returns the only operation whose name means the same as a tool's name."""
    words = meaning(tool)
    candidates = [
        candidate for candidate in index.with_meaning_in(words) if words in candidate.meanings
    ]
    plural = _is_plural(tool)
    fitting = [candidate for candidate in candidates if candidate.is_single != plural]
    return candidates if len(candidates) == 1 else fitting if len(fitting) == 1 else []


def _is_plural(text: str) -> bool:
    words = name_words(text)
    return "list" in words or bool(words and words[-1].endswith("s") and len(words[-1]) > 3)


def _by_meaning(
    sentence: Sentence, index: _OperationIndex
) -> Iterator[tuple[_NamedOperation, int, str]]:
    """Yields the operation whose verb and entity a heading or a caller's step has."""
    if sentence.role is Role.THEN or _SCREEN.search(f"{sentence.text} {sentence.scenario}"):
        return
    headings = (sentence.requirement, sentence.scenario)
    for heading in headings:
        candidate = _only(index.with_meaning_in(meaning(heading), extra=1), heading)
        if heading and candidate:
            yield candidate, Confidence.HEADING, f"“{heading}”"
            return
    if not _ACTOR.search(sentence.text):
        return
    if candidate := _only(index.with_meaning_in(meaning(sentence.text)), sentence.text):
        yield candidate, Confidence.SENTENCE, f"the verb and the entity in “{sentence.text[:60]}”"


def _only(fitting: Sequence[_NamedOperation], text: str) -> _NamedOperation | None:
    """Returns the only operation that fits; singular or plural decides between several."""
    if len(fitting) == 1:
        return fitting[0]
    plural = _is_plural(text)
    candidates = [candidate for candidate in fitting if candidate.is_single != plural]
    return candidates[0] if len(candidates) == 1 else None


def _backticked_names(sentences: Sequence[Sentence]) -> Mapping[str, frozenset[str]]:
    """Returns the names in back-ticks by requirement."""
    names: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        names[sentence.requirement].update(
            re.findall(r"`([A-Za-z_]\w*)(?:[:=][^`]*)?`", sentence.text)
        )
    return defaultdict(frozenset, {key: frozenset(value) for key, value in names.items()})


def _described(
    matches: Sequence[OperationMatch], texts: Sequence[tuple[Requirements, Facts]]
) -> Iterator[OperationMatch]:
    """Yields the matches; a requirement about a single operation describes the operation."""
    users: dict[tuple[str, str], set[str]] = defaultdict(set)
    for match in matches:
        for evidence in match.evidence:
            if evidence.confidence >= MIN_CONFIDENCE:
                users[evidence.capability, evidence.sentence.requirement].add(match.operation.key)
    bodies = {
        (requirements.capability, requirement.name): requirement.text
        for requirements, _ in texts
        for requirement in requirements.requirements
    }
    for match in matches:
        places = [
            (evidence.capability, evidence.sentence.requirement) for evidence in match.evidence
        ]
        own = next((place for place in places if users.get(place) == {match.operation.key}), None)
        yield replace(match, description=_imperative(bodies[own])) if own else match


def _imperative(body: str) -> str:
    """Returns the first sentence of a requirement without its subject: `Return the notes.`"""
    line = " ".join(body.strip().partition("\n\n")[0].split())
    first = re.split(r"(?<=[.!?])\s+(?=[A-Z`*])", line)[0]
    modal = _MODAL.match(first)
    if modal is None:
        return ""
    remainder = first[modal.end() :].replace("**", "")
    text = remainder[:1].upper() + remainder[1:]
    return (
        text if len(text) <= _MAX_DESCRIPTION else f"{text[:_MAX_DESCRIPTION].rpartition(' ')[0]} …"
    )


def _names_of_operation(match: OperationMatch) -> set[str]:
    """Returns the names by which a companion may name an operation."""
    return {match.operation.key, match.operation.id}


def report_matches(
    matches: OperationMatches,
    capabilities: Collection[str],
    tools: Mapping[str, DeclaredTool],
    diagnostics: Diagnostics,
) -> None:
    """Reports operations that the text names, and requests that the API lacks.

    Adds MG767, MG768 and MG782. `tools` are those of the server, so operations that a companion
    names count as asked for.
    """
    used = {tool.upstream.operation for tool in tools.values() if tool.upstream}
    for match in matches.within(capabilities):
        key = match.operation.key
        if match.tool in tools and tools[match.tool].guessed:
            diagnostics.add(
                codes.MATCHED_OPERATION,
                match.evidence[0].at,
                tool=match.tool,
                operation=key,
                reason=match.reason,
            )
        elif match.confidence < MIN_CONFIDENCE and not _names_of_operation(match) & used:
            diagnostics.add(
                codes.DOUBTFUL_OPERATION,
                match.evidence[0].at,
                operation=key,
                reason=match.reason,
            )
    for request, (capability, at) in matches.unknown.items():
        if capability in capabilities:
            diagnostics.add(codes.UNKNOWN_REQUEST, at, request=request, document=matches.document)


def report_unasked(
    matches: OperationMatches, tools: Mapping[str, DeclaredTool], diagnostics: Diagnostics
) -> None:
    """Reports the operations that no requirement names and no tool calls. Adds MG769."""
    used = {tool.upstream.operation for tool in tools.values() if tool.upstream}
    unasked = [
        f"`{match.operation.key}`"
        for match in matches.matches
        if not match.evidence and not _names_of_operation(match) & used
    ]
    if unasked:
        more = f" and {len(unasked) - 10} more" if len(unasked) > 10 else ""
        diagnostics.add(
            codes.UNASKED_OPERATIONS,
            Location(matches.document),
            count=len(unasked),
            names=", ".join(unasked[:10]) + more,
        )
