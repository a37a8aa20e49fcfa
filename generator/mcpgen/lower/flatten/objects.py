"""Properties of object schemas, also of objects with several variants (`oneOf`, `anyOf`,
subtypes)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_draft import HoistedBody
from mcpgen.lower.flatten.discriminator import subtypes as subtypes_of
from mcpgen.lower.flatten.merge import intersection, json_key
from mcpgen.lower.flatten.schema_view import PREFIX, SchemaView, SchemaViews, reference_name
from mcpgen.lower.flatten.types import schema_types
from mcpgen.lower.sanitize_text import strip_invisible, truncate


@dataclass(frozen=True, slots=True)
class ObjectProperty:
    """A property of an object.

    `when`: the variants with this property in words, `""` for all. `exact`: variants give the
    property different types, so a value of a different type would select a different variant.
    `unnamed`: stands for all `additionalProperties`.
    """

    name: str
    schema: Json
    required: bool
    when: str = ""
    exact: bool = False
    unnamed: bool = False


@dataclass(frozen=True, slots=True)
class ObjectProperties:
    """The properties of an object.

    `crossing`: the schema constrains several properties together. `open`: the schema describes
    `additionalProperties`. `free`: `additionalProperties: true` is written out.
    """

    all: tuple[ObjectProperty, ...]
    crossing: bool
    open: bool
    free: bool


@dataclass(frozen=True, slots=True)
class SchemaVariant:
    """One variant: its properties by name and its discriminator values."""

    label: str
    properties: Mapping[str, ObjectProperty]
    values: tuple[str, ...] = ()


def condition_sentence(
    having: list[SchemaVariant],
    parts: list[ObjectProperty],
    forms: list[SchemaVariant],
    key: str,
    *,
    everywhere: bool,
) -> str:
    """Returns a sentence: in which variants a property applies or is required."""
    needing = [form for form, part in zip(having, parts, strict=True) if part.required]
    if needing and len(needing) == len(having):
        return f"Required {_variant_label(needing, key)}."
    return "" if everywhere or len(having) == len(forms) else f"Only {_variant_label(having, key)}."


def _variant_label(forms: list[SchemaVariant], key: str) -> str:
    values = list(dict.fromkeys(value for form in forms for value in form.values))
    if key and values and all(form.values for form in forms):
        values_text = " or ".join(f"`{strip_invisible(value)}`" for value in values[:4])
        return f"if `{strip_invisible(key)}` is {values_text}" + (
            " or others" if len(values) > 4 else ""
        )
    labels = list(dict.fromkeys(form.label for form in forms))
    return f"for {' or '.join(labels[:4])}" + (" and others" if len(labels) > 4 else "")


_CROSSING = {
    "allOf",
    "not",
    "if",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "maxProperties",
    "const",
    "enum",
}
"""Keywords that constrain several properties together."""

_MAX_DEPTH = 6
_MAX_FORMS = 40


@dataclass
class Objects:
    """Finds and caches the properties of object schemas.

    `lifted` caches hoisted bodies by definition and requiredness.
    """

    schemas: SchemaViews
    lifted: dict[tuple[str, bool], HoistedBody] = field(default_factory=dict)
    _found: dict[tuple[int, int, bool], tuple[SchemaView, ObjectProperties | None]] = field(
        default_factory=dict
    )

    def properties(self, view: SchemaView) -> ObjectProperties | None:
        """Returns the properties of an object schema; None without named properties or for a
        different type."""
        return self._properties(view, 0, subtypes=True)

    def _properties(
        self, view: SchemaView, depth: int, *, subtypes: bool
    ) -> ObjectProperties | None:
        key = (id(view), depth, subtypes)
        cached = self._found.get(key)
        if cached is None or cached[0] is not view:
            cached = (view, self._find_properties(view, depth, subtypes=subtypes))
            self._found[key] = cached
        return cached[1]

    def _find_properties(
        self, view: SchemaView, depth: int, *, subtypes: bool
    ) -> ObjectProperties | None:
        kinds = schema_types(self.schemas, view)
        if (kinds and kinds != {"object"}) or depth > _MAX_DEPTH:
            return None
        own = self._own_properties(view)
        if view.branches:
            return self._union_of_variants(view, own, view.branches, depth)
        if subtypes and (variants := subtypes_of(self.schemas, view)):
            values = [choice.values for choice in variants]
            return self._union_of_variants(
                view, own, [choice.branch for choice in variants], depth, values
            )
        if not own:
            return None
        needs_more = view.get("minProperties", 0) > sum(p.required for p in own)
        crossing = needs_more or bool(_CROSSING & view.keywords.keys())
        return ObjectProperties(tuple(own), crossing, _describes_additional(view), _free(view))

    def _own_properties(self, view: SchemaView) -> list[ObjectProperty]:
        required = view.get("required", ())
        properties: Mapping[str, Json] = view.get("properties", {})
        named = [ObjectProperty(name, part, name in required) for name, part in properties.items()]
        additional = view.get("additionalProperties")
        # A name that matches a pattern has the schema of the pattern in place of this schema.
        is_described = isinstance(additional, dict) and "patternProperties" not in view.keywords
        rest: Json = additional if is_described else True
        named += [ObjectProperty(name, rest, True) for name in required if name not in properties]
        names = {part.name for part in named}
        conditional = self._conditional(view)
        dependents = view.get("dependentRequired", {})
        needed = [
            name for trigger in dependents if trigger in names for name in dependents[trigger]
        ]
        for part in self._conditional_parts(view) if named else ():
            needed += self.schemas.view(part).get("required", ())
        for name in needed:
            conditional.setdefault(name, rest)
        return named + [
            ObjectProperty(name, part, False, "Only in some cases.")
            for name, part in conditional.items()
            if name not in names
        ]

    def _conditional(self, view: SchemaView) -> dict[str, Json]:
        """Returns the properties that only `then` and `else` describe."""
        properties: dict[str, Json] = {}
        for part in self._conditional_parts(view):
            for name, schema in self.schemas.view(part).get("properties", {}).items():
                if schema is not False and name not in properties:
                    properties[name] = schema
                elif schema is not False and properties[name] != schema:
                    properties[name] = self._any_of([properties[name], schema])
        return properties

    def _conditional_parts(self, view: SchemaView) -> list[Json]:
        """Returns the schemas that hold in some cases."""
        parts = [view.get(keyword, True) for keyword in ("then", "else")]
        return [*parts, *view.get("dependentSchemas", {}).values()]

    def _union_of_variants(
        self,
        view: SchemaView,
        own: list[ObjectProperty],
        branches: list[Json],
        depth: int,
        values: list[tuple[str, ...]] | None = None,
    ) -> ObjectProperties | None:
        """Rule "oneOf/anyOf of objects": the union of all variants' properties.

        Each variant includes the object's own properties. `values`: discriminator values per
        variant; None where the variants enumerate the values.
        """
        if len(branches) > _MAX_FORMS:
            return None
        forms = [self._form(view, branch, number, depth) for number, branch in enumerate(branches)]
        variants = [form for form in forms if form is not None]
        if len(variants) < len(forms):
            return None
        key = self._discriminator(view, variants)
        is_declared = values is not None or "discriminator" in view.keywords
        if values is None:
            values = [
                self._discriminator_values(view, key, form, branch)
                for form, branch in zip(variants, branches, strict=True)
            ]
        if key:
            variants = [
                _with_discriminator_values(key, form, of, is_declared)
                for form, of in zip(variants, values, strict=True)
            ]
        names = list(
            dict.fromkeys([p.name for p in own] + [n for f in variants for n in f.properties])
        )
        mine = {p.name: p for p in own}
        united = tuple(self._merge_property(name, mine.get(name), variants, key) for name in names)
        return (
            ObjectProperties(united, True, _describes_additional(view), _free(view))
            if united
            else None
        )

    def _form(
        self, view: SchemaView, branch: Json, number: int, depth: int
    ) -> SchemaVariant | None:
        branch_view = self.schemas.view(branch)
        kinds = schema_types(self.schemas, branch_view)
        if kinds - {"object"}:
            return None
        label = strip_invisible(
            str(branch_view.get("title") or reference_name(branch) or f"variant {number + 1}")
        )
        inner = self._properties(branch_view, depth + 1, subtypes=False)
        if inner is None:
            bare = not branch_view.keywords.keys() - {"type", "title", "description", "required"}
            if not view.get("properties") or not bare:
                return None
            return SchemaVariant(label, {})
        return SchemaVariant(truncate(label, 60), {part.name: part for part in inner.all})

    def _discriminator(self, view: SchemaView, forms: list[SchemaVariant]) -> str:
        """Returns the property that distinguishes the variants, or `""`."""
        declared = view.get("discriminator")
        if declared:
            return str(declared["propertyName"])
        shared = [n for n in forms[0].properties if all(n in f.properties for f in forms)]
        for name in shared:
            values = [self._values(form.properties[name].schema) for form in forms]
            flat = [value for enumerated in values for value in enumerated]
            if all(values) and len(set(flat)) == len(flat):
                return name
        return ""

    def _discriminator_values(
        self, view: SchemaView, key: str, form: SchemaVariant, branch: Json
    ) -> tuple[str, ...]:
        """Returns the discriminator values that select a variant."""
        part = form.properties.get(key)
        values = self._values(part.schema) if part else ()
        name = reference_name(branch)
        mapping = (view.get("discriminator") or {}).get("mapping") or {}
        if not values:
            values = tuple(v for v, to in mapping.items() if str(to).removeprefix(PREFIX) == name)
        if not values and name:
            values = (name,)
        return values

    def _values(self, schema: Json) -> tuple[str, ...]:
        view = self.schemas.view(schema)
        values = view.get("enum", [view.get("const")])
        return tuple(values) if all(isinstance(value, str) for value in values) else ()

    def _merge_property(
        self, name: str, own: ObjectProperty | None, forms: list[SchemaVariant], key: str
    ) -> ObjectProperty:
        """Returns one property of the union: everything that any variant allows."""
        having = [form for form in forms if name in form.properties]
        parts = [form.properties[name] for form in having]
        everywhere = own is not None or len(having) == len(forms)
        required = (own is not None and own.required) or (
            len(having) == len(forms) and all(part.required for part in parts)
        )
        different = {json_key(part.schema): part.schema for part in parts}
        schema: Json = next(iter(different.values()), True)
        kinds = {schema_types(self.schemas, self.schemas.view(part)) for part in different.values()}
        if len(different) > 1:
            schema = self._any_of(list(different.values()))
        if own is not None:
            schema = intersection(own.schema, schema)
        condition = (
            "" if required else condition_sentence(having, parts, forms, key, everywhere=everywhere)
        )
        exact = len(kinds) > 1 or any(part.exact for part in parts)
        return ObjectProperty(name, schema, required, condition, exact)

    def _any_of(self, schemas: list[Json]) -> Json:
        """Returns `anyOf` with the first description on top, so that the property keeps one."""
        described = [self.schemas.view(schema).get("description") for schema in schemas]
        first = next((text for text in described if text), None)
        return {"anyOf": schemas} | ({"description": first} if first else {})


def _with_discriminator_values(
    key: str, form: SchemaVariant, values: tuple[str, ...], is_declared: bool
) -> SchemaVariant:
    """Returns the variant with its discriminator values.

    Without a declared discriminator the property is optional in variants that differ only in its
    values.
    """
    part = form.properties.get(key)
    required = is_declared or part is None or part.required
    schema: Json = {"type": "string", "enum": list(values)} if values else {"type": "string"}
    discriminator = ObjectProperty(
        key, intersection(part.schema if part else True, schema), required
    )
    return SchemaVariant(form.label, {**form.properties, key: discriminator}, values)


def _free(view: SchemaView) -> bool:
    """True for a written `additionalProperties: true`.

    A missing keyword allows additional properties too, but authors seldom mean that.
    """
    return view.get("additionalProperties") in (True, {})


def _describes_additional(view: SchemaView) -> bool:
    """True if the object describes its additional properties by a schema."""
    patterns = view.get("patternProperties", {})
    if any(part is not False for part in patterns.values()):
        return True
    return isinstance(view.get("additionalProperties"), dict) and bool(
        view.get("additionalProperties")
    )
