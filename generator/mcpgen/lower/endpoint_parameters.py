"""Path parameters of the MCP endpoint (`/tenants/{tenant}/mcp`), filled in by the request's URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mcpgen.config import Config
from mcpgen.config.tables.server import PARAMETER
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ApiDescription, Operation, Parameter, Place, Schema, Style
from mcpgen.ir.server import ArgumentSpec, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.checks import compilable_pattern
from mcpgen.sampling import sample

_SCALARS = ("string", "integer", "number", "boolean")
_PLAIN = (
    *("type", "enum", "const", "pattern", "minLength", "maxLength", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)
"""Keywords about a single scalar, without subschemas."""

_MAX_SAMPLE = 64
"""Maximum characters of a sample value in the paths of scenarios."""


@dataclass(frozen=True, slots=True)
class EndpointParameters:
    """Parameters of the endpoint with sample values for scenarios, and the definitions of the document
    by name."""

    samples: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, Json] = field(default_factory=dict)

    def fix_in(self, operation: Operation) -> Operation:
        """Returns the operation with its endpoint parameters fixed, so that none becomes an
        argument."""
        if not self.samples:
            return operation
        parameters = tuple(self._fix(parameter) for parameter in operation.parameters)
        return replace(operation, parameters=parameters)

    def bind_tool(self, tool: ToolSpec, operation: Operation, diagnostics: Diagnostics) -> ToolSpec:
        """Returns the tool with endpoint parameters bound to the URL instead of constants. Adds
        UNUSABLE_PATTERN for a pattern that jsonschema-rs cannot compile; the pattern is dropped."""
        bound = tuple(
            self._bind_to_endpoint(parameter, diagnostics)
            for parameter in operation.parameters
            if parameter.place is Place.PATH and parameter.name in self.samples
        )
        if not bound:
            return tool
        names = {constant.name for constant in bound}
        constants = tuple(
            constant
            for constant in tool.constants
            if constant.place is not Place.PATH or constant.target[0] not in names
        )
        return replace(tool, constants=constants, bound=bound)

    def _bind_to_endpoint(self, parameter: Parameter, diagnostics: Diagnostics) -> ArgumentSpec:
        """Returns the parameter as an argument unavailable to callers."""
        name = parameter.name
        schema = _scalar_schema(parameter.schema.json, self.definitions)
        if "pattern" in schema:
            pattern = compilable_pattern(schema.pop("pattern"), parameter.schema.at, diagnostics)
            schema |= {} if pattern is None else {"pattern": pattern}
        return ArgumentSpec(name, schema, True, Place.PATH, (name,), parameter.at)

    def _fix(self, parameter: Parameter) -> Parameter:
        if parameter.place is not Place.PATH or parameter.name not in self.samples:
            return parameter
        schema = Schema({"const": self.samples[parameter.name]}, parameter.schema.at)
        return replace(
            parameter, schema=schema, content="", style=Style.SIMPLE, explode=False, examples=()
        )


def endpoint_parameters(
    api: ApiDescription, operations: Sequence[Operation], config: Config, diagnostics: Diagnostics
) -> EndpointParameters:
    """The parameters in the path of the endpoint. Adds UNBOUND_PARAMETER and UNKNOWN_PARAMETER."""
    names = PARAMETER.findall(config.endpoint.path)
    at = config.at("endpoint", "path") or api.at
    raw = {name: schema.json for name, schema in api.definitions.items()}
    described = {
        parameter.name: parameter
        # Reversed: the first operation in the document wins.
        for operation in reversed(operations)
        for parameter in operation.parameters
        if parameter.place is Place.PATH
    }
    for name in names:
        if name not in described and operations:
            hint = (
                closest_match(name, list(described)) or "no operation has a parameter in its path"
            )
            diagnostics.add(codes.UNBOUND_PARAMETER, at, name=name, nearest=hint)
    for name in config.authentication.path_claims:
        if name not in names:
            place = config.at("authentication", "path_claims", name) or at
            hint = closest_match(name, names) or f"the path is `{config.endpoint.path}`"
            diagnostics.add(codes.UNKNOWN_PARAMETER, place, name=name, nearest=hint)
    return EndpointParameters({name: _path_sample(described.get(name), raw) for name in names}, raw)


def _path_sample(parameter: Parameter | None, raw: Mapping[str, Json]) -> str:
    """Returns a sample value that may stand in a path, else `sample`."""
    value = sample(parameter.schema.json, raw, optional=False) if parameter else None
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    is_plain = text.isascii() and text.replace("-", "").replace("_", "").isalnum()
    return text if is_plain and len(text) <= _MAX_SAMPLE else "sample"


def _scalar_schema(schema: Json, definitions: Mapping[str, Json]) -> dict[str, Json]:
    """Returns the keywords `_PLAIN` of the schema of one scalar type (string without `type`), references
    resolved; `{}` for any other schema, also for one with several types."""
    # A circle of references ends after as many steps as there are definitions.
    for _ in definitions:
        if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
            break
        schema = definitions.get(str(schema["$ref"]).removeprefix("#/$defs/"))
    if not isinstance(schema, dict) or schema.get("type", "string") not in _SCALARS:
        return {}
    return {keyword: schema[keyword] for keyword in _PLAIN if keyword in schema}
