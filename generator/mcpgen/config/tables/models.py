"""The schemas of the API with pydantic models in the project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config.key_spec import choice


class ApiSchemas(StrEnum):
    """The schemas of the API with a model in `schemas.py`."""

    NONE = "none"
    BODIES = "bodies"
    RESPONSES = "responses"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ApiModels:
    """The models of a project, besides the arguments of tools."""

    schemas: ApiSchemas = ApiSchemas.NONE

    @property
    def bodies(self) -> bool:
        """True if request bodies have models."""
        return self.schemas in (ApiSchemas.BODIES, ApiSchemas.ALL)

    @property
    def responses(self) -> bool:
        """True if successful responses have models."""
        return self.schemas in (ApiSchemas.RESPONSES, ApiSchemas.ALL)


def api_models(values: Mapping[str, Any]) -> ApiModels:
    """The models configured by the keys."""
    return ApiModels(ApiSchemas(values["models.schemas"]))


KEYS = (
    choice(
        "models.schemas",
        "The schemas of the API that `schemas.py` has pydantic models of, for hooks.",
        ApiSchemas,
    ),
)
