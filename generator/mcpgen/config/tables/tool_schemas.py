"""Keys about requests, arguments, models, descriptions and results of tools."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.config import validators
from mcpgen.config.key_spec import (
    KeySpec,
    KeyType,
    choice,
    key,
    keys_of,
    within,
)
from mcpgen.config.validators import ValueRule

MIN_BYTES = 500
"""The smallest page in bytes: room for an item and the text about the other pages."""

MAX_BYTES = 100_000_000
MAX_ITEMS = 1_000_000

FIELDS_RULE = "a list of names, with a `.` between those of nested objects"
"""The rule for the fields of a result, as worded in messages."""

REQUEST_RESPONSE_KEYS = (
    KeySpec(
        "fields",
        KeyType.FIELDS,
        {},
        "Fields of results that are shown, by operation; all of them where none are chosen.",
        FIELDS_RULE,
        validators.is_field,
    ),
    KeySpec(
        "bodies",
        KeyType.CHOICES,
        {},
        "Media types that bodies are sent in, by operation: its operationId, `POST /pets`, or `*`.",
        "a media type such as `application/xml`",
        validators.is_media_type,
    ),
)


class FlattenMode(StrEnum):
    """The announced shape of arguments; the requests are the same in each mode."""

    FLAT = "flat"
    STRICT = "strict"
    NESTED = "nested"


class DeprecatedArguments(StrEnum):
    """The treatment of optional arguments that the document marks as deprecated."""

    KEEP = "keep"
    DROP = "drop"


class MethodOverride(StrEnum):
    """The treatment of parameters that change the method or the path of the request."""

    DROP = "drop"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class FlatteningConfig:
    """The mapping of requests to arguments. Beyond the limits, a body property becomes JSON text."""

    max_depth: int = key(
        "flatten.max_depth",
        3,
        "Levels of nested objects that become arguments; what lies deeper is JSON text.",
        "from 0 to 16",
        within(0, 16),
    )
    max_arguments: int = key(
        "flatten.max_arguments",
        64,
        "Arguments a tool may have before nested objects become JSON text.",
        "from 1 to 1000",
        within(1, 1000),
    )
    mode: FlattenMode = key(
        "flatten.mode",
        FlattenMode,
        "The shape of the arguments: flat for every host, `strict` or `nested` for hosts that can.",
    )
    deprecated: DeprecatedArguments = key(
        "flatten.deprecated",
        DeprecatedArguments,
        "Whether optional arguments that the API calls deprecated are announced.",
    )
    method_override: MethodOverride = key(
        "flatten.method_override",
        MethodOverride,
        "Whether parameters that change the method or the path of a request are arguments.",
    )


FLATTENING_KEYS = keys_of(FlatteningConfig)


class ApiSchemas(StrEnum):
    """The schemas of the API with a model in `schemas.py`."""

    NONE = "none"
    BODIES = "bodies"
    RESPONSES = "responses"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ApiModels:
    """The models of a project, besides the arguments of tools."""

    schemas: ApiSchemas = key(
        "models.schemas",
        ApiSchemas,
        "The schemas of the API that `schemas.py` has pydantic models of, for hooks.",
    )

    @property
    def bodies(self) -> bool:
        """True if request bodies have models."""
        return self.schemas in (ApiSchemas.BODIES, ApiSchemas.ALL)

    @property
    def responses(self) -> bool:
        """True if successful responses have models."""
        return self.schemas in (ApiSchemas.RESPONSES, ApiSchemas.ALL)


MODELS_KEYS = keys_of(ApiModels)


class OutputMode(StrEnum):
    """The announced part of a result's schema."""

    OFF = "off"
    NAMES = "names"
    SHALLOW = "shallow"
    FULL = "full"


class Detail(StrEnum):
    """The amount of detail in descriptions."""

    AUTO = "auto"
    RICH = "rich"
    LEAN = "lean"


class DestructiveScope(StrEnum):
    """The tools announced with `destructiveHint: true`."""

    WRITES = "writes"
    REMOVALS = "removals"


@dataclass(frozen=True, slots=True)
class DescriptionsConfig:
    """The detail of descriptions; `limit` is the maximal number of characters."""

    detail: Detail = key(
        "descriptions.detail",
        Detail,
        "How much is said of each tool; `auto` is `rich` up to 128 operations, `lean` beyond.",
    )
    limit: int = key(
        "descriptions.limit",
        1024,
        "Characters of a tool's description; a longer one is cut at the end of a word.",
        "from 40 to 100000",
        within(40, 100_000),
    )
    titles: bool = key(
        "descriptions.titles",
        True,
        "Announce a title for every tool: where the document has no short title, the summary or the "
        "name in words.",
    )
    destructive: DestructiveScope = key(
        "descriptions.destructive",
        DestructiveScope,
        "The tools announced with `destructiveHint: true`: all that write, or only those that change "
        "or remove existing data.",
    )


DESCRIPTIONS_KEYS = (
    choice(
        "output.schemas",
        "How much of a result's schema is announced to clients.",
        OutputMode,
    ),
    *keys_of(DescriptionsConfig),
)


@dataclass(frozen=True, slots=True)
class PaginationConfig:
    """The largest page of a result, in bytes of text and in items; 0 sets no limit."""

    limit_bytes: int = key(
        "results.limit_bytes",
        0,
        "Bytes of a result that one call shows; a longer one is cut between two items. 0 for all.",
        f"0, or from {MIN_BYTES} to {MAX_BYTES}",
        ValueRule(minimum=MIN_BYTES, maximum=MAX_BYTES, unset=0),
    )
    limit_items: int = key(
        "results.limit_items",
        0,
        "Items of a result that one call shows. 0 for all.",
        f"from 0 to {MAX_ITEMS}",
        within(0, MAX_ITEMS),
    )


PAGINATION_KEYS = keys_of(PaginationConfig)
