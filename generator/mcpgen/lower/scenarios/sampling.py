"""Arguments for a call: a request is sampled from the document, then flattened like the tool."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcpgen.ir.api import MediaType, Operation, Place
from mcpgen.ir.server import ArgumentSpec, BodyPlan, TextForm
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.discriminator import expand_discriminator
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.media import Media, media_kind
from mcpgen.lower.scenarios.validity import (
    ABSENT,
    Placed,
    additional_members,
    is_announced,
    value_at,
)
from mcpgen.lower.scenarios.wire_values import compact_json, scalar_text
from mcpgen.sampling import sample

_SAMPLE_BYTES = base64.b64encode(b"sample").decode()
_SAMPLE_XML = "<sample/>"


@dataclass(frozen=True, slots=True)
class Sampler:
    """Samples requests.

    `raw`: the document's definitions as JSON, with discriminators expanded.
    """

    raw: Mapping[str, Json]
    schemas: SchemaViews

    def sample_request(self, operation: Operation, *, optional: bool, body: bool = False) -> Placed:
        """Returns a sample request with or without optional values; `body` forces an optional
        body."""
        tree: Placed = {place: {} for place in Place}
        for parameter in operation.parameters:
            if parameter.required or optional or parameter.place is Place.PATH:
                value = sample(parameter.schema.json, self.raw, optional=optional)
                tree[parameter.place][parameter.name] = value
        media = _media(operation)
        if media is not None and operation.body and (operation.body.required or optional or body):
            given_schema = True if media.schema is None else media.schema.json
            schema = expand_discriminator(self.schemas, given_schema)
            body_value = sample(schema, self.raw, optional=optional)
            if media.item_schema is not None and not isinstance(body_value, list):
                body_value = [sample(media.item_schema.json, self.raw, optional=optional)]
            tree[Place.BODY][""] = _as_sequence(media, body_value)
        return tree

    def example(self, operation: Operation, bare: Placed) -> Placed | None:
        """Returns the request in the document's own examples, None without examples.

        `bare` supplies the missing required values.
        """
        tree = {place: dict(values) for place, values in bare.items()}
        has_example = False
        for parameter in operation.parameters:
            if parameter.examples:
                tree[parameter.place][parameter.name] = parameter.examples[0]
                has_example = True
        media = _media(operation)
        if media is not None and media.examples:
            tree[Place.BODY][""] = _as_sequence(media, media.examples[0])
            has_example = True
        return tree if has_example else None

    def flatten(self, arguments: Sequence[ArgumentSpec], tree: Placed) -> dict[str, Json]:
        """Returns the announced arguments for a request, by name."""
        values: dict[str, Json] = {}
        for argument in arguments:
            if argument.named_targets:
                listed = _list_fields(argument, tree, values, arguments)
                if listed:
                    values[argument.name] = listed
                continue
            value = self._sampled_value(argument, tree)
            if argument.spread:
                value = additional_members(value, argument)
            if value is ABSENT or (value is None and argument.text is not TextForm.JSON):
                continue
            value = self._to_argument(argument, value)
            if value is not None:
                values[argument.name] = value
        return values

    def _sampled_value(self, argument: ArgumentSpec, tree: Placed) -> Json:
        """Returns the value of a sample request at an argument's target."""
        if argument.place is Place.PART:
            return self._head(argument, tree)
        if argument.place is not Place.BODY:
            return value_at(tree[argument.place], argument.target)
        whole = value_at(tree[Place.BODY], ("", *argument.target))
        if whole is ABSENT and len(argument.target) == 1 and "" in tree[Place.BODY]:
            # A multipart body other than an object is one named part.
            inside = tree[Place.BODY][""]
            return ABSENT if inside is None or isinstance(inside, dict) else inside
        return whole

    def _head(self, argument: ArgumentSpec, tree: Placed) -> Json:
        """Returns a value for the head of a present part: a file name, else a sample."""
        name, what = argument.target[:2]
        part = value_at(tree[Place.BODY], ("", name) if name else ("",))
        if part is ABSENT or part is None:
            return ABSENT
        if what != "filename":
            return sample(argument.check or dict(argument.schema), self.raw, optional=False)
        return ["sample ü.txt"] if argument.schema["type"] == "array" else 'a "sample" ü.txt'

    def _to_argument(self, argument: ArgumentSpec, value: Json) -> Json:
        """Returns the value in the argument's form, None if impossible."""
        if argument.text is TextForm.JSON:
            return compact_json(value)
        if argument.text is TextForm.BASE64:
            return [_SAMPLE_BYTES] if argument.schema["type"] == "array" else _SAMPLE_BYTES
        if argument.schema.get("contentMediaType") == "application/xml":
            # Imported here for the reason given in `expected_request`.
            from mcpgen.lower.scenarios.wire_values import is_document

            return value if isinstance(value, str) and is_document(value) else _SAMPLE_XML
        if argument.schema["type"] == "string" and not isinstance(value, str):
            value = scalar_text(value)
        if argument.schema["type"] == "array" and not isinstance(value, list):
            value = [value]
        if isinstance(value, list) and argument.place is not Place.BODY:
            is_text = argument.schema["items"]["type"] == "string"
            value = [scalar_text(item) for item in value] if is_text else value
        if argument.place is Place.PATH and value in ("", ".", ".."):
            value = "sample"
        return value if is_announced(argument.schema, value) else None

    def repair(self, arguments: Sequence[ArgumentSpec], values: dict[str, Json]) -> dict[str, Json]:
        """Returns the values by argument name, with samples for missing required arguments."""
        missing = {
            argument.name: self._to_announced(argument)
            for argument in arguments
            if argument.required and argument.name not in values
        }
        return values | missing

    def _to_announced(self, argument: ArgumentSpec) -> Json:
        if argument.text is TextForm.BASE64 or "contentMediaType" in argument.schema:
            return self._to_argument(argument, "")
        if argument.text is TextForm.JSON:
            return compact_json(sample(argument.check or {}, self.raw, optional=False))
        return sample(argument.check or dict(argument.schema), self.raw, optional=False)


def _list_fields(
    argument: ArgumentSpec,
    tree: Placed,
    values: Mapping[str, Json],
    arguments: Sequence[ArgumentSpec],
) -> list[str]:
    """Returns the names for `null_fields` or `empty_fields` that the request needs."""
    targets = [
        spec.target for spec in arguments if spec.place is Place.BODY and spec.name in values
    ]
    targets += [
        spec.named_targets[name]
        for spec in arguments
        if spec.named_targets
        for name in values.get(spec.name, ())
    ]
    return [
        name
        for name, target in argument.named_targets.items()
        if _is_empty(value_at(tree[Place.BODY], ("", *target)), null=bool(argument.nulls))
        and not any(path[: len(target)] == target for path in targets if path)
    ]


def _is_empty(value: Json, *, null: bool) -> bool:
    """True for null, or for an object whose members all have arguments."""
    return value is None if null else isinstance(value, dict)


def _media(operation: Operation) -> MediaType | None:
    """Returns the representation sent as the body, None without a body."""
    return operation.body.media[0] if operation.body else None


def _as_sequence(media: MediaType, value: Json) -> Json:
    """Returns a value as a one-item list for line-based media types."""
    if media_kind(media.name) is not Media.LINES or isinstance(value, list):
        return value
    if not isinstance(value, str):
        return [value]
    try:
        return [json.loads(line) for line in value.replace("\x1e", "").splitlines() if line]
    except ValueError:
        return [value]


def with_files(plan: BodyPlan | None, values: Mapping[str, Json]) -> Mapping[str, Json]:
    """Returns the values by argument name, with base64 in JSON text for unnamed file parts."""
    if plan is None or not any(part.base64 for part in plan.parts.values()) or "body" not in values:
        return values
    is_text = isinstance(values["body"], str)
    items = json.loads(values["body"]) if is_text else [*values["body"]]
    if not isinstance(items, list):
        return values  # An example of the document may have any type.
    for index, item in enumerate(items):
        part = plan.parts.get(str(index), plan.parts.get(""))
        if part is not None and part.base64 and isinstance(item, str):
            items[index] = _SAMPLE_BYTES
    return {**values, "body": compact_json(items) if is_text else items}
