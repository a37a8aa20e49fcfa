"""Draws values from JSON Schema 2020-12: every branch, bound and presence is chosen in turn.

`Drawer.choose` takes the least used option of a place, so that a few draws reach every branch of a
union. Draws depend only on a seed, through a digest instead of `hash`. Recursion and size are bounded.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import jsonschema_rs

from mcpgen.sampling import sample

Option = TypeVar("Option")

MAX_DEPTH = 8
"""How many references may lie below each other before only what is required is drawn."""
MAX_ATTEMPTS = 4
"""How many times a value of one schema is attempted."""
MAX_SIZE = 250
"""How many members and items one value may have before only what is required is drawn."""

MAX_LENGTH = 5000
"""How many characters a text may have at most, whatever its schema allows."""

FORMATS = {
    *("date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"),
    *("uri-reference", "regex", "json-pointer", "idn-email", "iri"),
}
TEXTS = ("word", "", "a b", "é", "a,b", "5", "true", "null", "a&b=c;d", "%41", "+", '"q"', "a/b")
NUMBERS = (5, 5.0, 0, 1.5, -2.5, 1)
INTEGERS = (5, 5.0, 0, 1, 10, 100, 1000, -1, 2**53 + 1)
CONTENTS = ("bytes", "", "\x00\xff\r\n--\x80", "é")
ENCODED = ("Ynl0ZXM=", "AP8=")
ANYTHING: tuple[Any, ...] = ("text", 5, True, {"k": [1, None]}, ["a", 1.5], None, {}, [])
PREFIX = "#/$defs/"


class Unsatisfiable(Exception):
    """The drawer found no value for a schema."""


class Binary(str):
    """Bytes as a string with one character per byte."""

    __slots__ = ()

    @property
    def content(self) -> bytes:
        """The bytes."""
        return self.encode("latin-1")


class Drawer:
    """Draws values. `definitions` are the targets of `#/$defs/…`; `seed` is any text."""

    def __init__(self, definitions: Mapping[str, Any], seed: str) -> None:
        digest = hashlib.sha256(seed.encode()).digest()
        self._random = random.Random(int.from_bytes(digest[:8], "big"))
        self._definitions = definitions
        self._branch_counts: Counter[tuple[str, int]] = Counter()
        self._size = 0
        self._raw = False
        self._any_values = ANYTHING
        self._nesting = 0

    def choose(self, place: str, options: Sequence[Option]) -> Option:
        """The least used option of a place; random between equally used options."""
        counts = [self._branch_counts[place, index] for index in range(len(options))]
        minimum = min(counts)
        index = self._random.choice([n for n, count in enumerate(counts) if count == minimum])
        self._branch_counts[place, index] += 1
        return options[index]

    def begin(self, *, raw: bool = False, is_parameter: bool = False) -> None:
        """Starts a new value. A parameter whose schema names no type is a text: nothing in a request
        tells a server that the text is an array.

        `raw` tells that strings with the format `binary` are bytes, at the root and
        among the members of the root: deeper values travel as JSON.
        """
        self._size = 0
        self._nesting = 0
        self._raw = raw
        self._any_values = ANYTHING[:3] if is_parameter else ANYTHING

    def draw(self, schema: Any, place: str, depth: int = 0) -> Any:
        """A value for a schema. Raises Unsatisfiable after a few attempts with different branches."""
        for _ in range(MAX_ATTEMPTS - 1):
            try:
                return self._draw_value(schema, place, depth)
            except Unsatisfiable:
                if self._is_full(depth):
                    raise
        return self._draw_value(schema, place, depth)

    def _draw_value(self, schema: Any, place: str, depth: int) -> Any:
        self._size += 1
        parts, depth = self._parts(schema, place, depth)
        if any(part is False for part in parts):
            raise Unsatisfiable(place)
        rules = [part for part in parts if isinstance(part, dict)]
        enums = [rule["enum"] for rule in rules if isinstance(rule.get("enum"), list)]
        enums += [[rule["const"]] for rule in rules if "const" in rule]
        kinds = self._kinds(rules)
        if enums:
            common = [
                item
                for item in enums[0]
                if all(item in values for values in enums)
                and (kinds is None or _kind_fits(item, kinds))
            ]
            if not common:
                raise Unsatisfiable(place)
            return self.choose(f"{place}?enum", common)
        if kinds is None:
            kinds = self._guessed(rules)
        if kinds is None:
            return self.choose(f"{place}?any", self._any_values)
        if not kinds:
            raise Unsatisfiable(place)
        kind = self.choose(f"{place}?type", sorted(kinds))
        if kind == "null" and len(kinds) > 1 and self._is_full(depth):
            return None
        return self._of_kind(kind, rules, place, depth)

    def _of_kind(self, kind: str, rules: list[dict[str, Any]], place: str, depth: int) -> Any:
        if kind == "object":
            self._nesting += 1
            try:
                return self._object(rules, place, depth)
            finally:
                self._nesting -= 1
        if kind == "array":
            return self._array(rules, place, depth)
        if kind == "string":
            return self.choose(f"{place}?string", self._strings(rules))
        if kind == "boolean":
            return self.choose(f"{place}?boolean", (True, False))
        if kind == "null":
            return None
        return self.choose(f"{place}?number", list(_numbers(rules, kind)))

    def _is_full(self, depth: int) -> bool:
        return depth > MAX_DEPTH or self._size > MAX_SIZE

    def _parts(self, schema: Any, place: str, depth: int, owner: str = "") -> tuple[list[Any], int]:
        """Schemas that a value has to meet together, with one branch per union, and the depth of
        references. `owner` is the definition that has the schema in `allOf`."""
        if not isinstance(schema, dict):
            return [schema], depth
        if depth > 4 * MAX_DEPTH:
            raise Unsatisfiable(f"{place}: endless")
        pending: list[tuple[Any, str, str]] = []
        if isinstance(schema.get("$ref"), str):
            depth += 1
            name = schema["$ref"].removeprefix(PREFIX)
            pending.append((self._definitions[name], name, owner))
        enclosing_owner = owner or (place if place in self._definitions else "")
        for index, part in enumerate(schema.get("allOf", ())):
            pending.append((part, f"{place}/allOf/{index}", enclosing_owner))
        for keyword in ("oneOf", "anyOf"):
            if schema.get(keyword):
                branch, branch_place = self._branch(schema[keyword], f"{place}?{keyword}", depth)
                pending += [
                    (branch, branch_place, ""),
                    (self._value_of_branch(schema, branch), branch_place, ""),
                ]
        if "if" in schema:
            branch = self.choose(f"{place}?if", ("then", "else"))
            pending.append((schema.get(branch, True), f"{place}/{branch}", ""))
            pending += [(schema["if"], f"{place}/if", "")] if branch == "then" else []
        if "discriminator" in schema and not any(key in schema for key in ("oneOf", "anyOf")):
            pending += self._subtype(schema, place, owner)
            depth += 1
        result: list[Any] = [schema]
        for part, branch_place, part_owner in pending:
            more, depth = self._parts(part, branch_place, depth, part_owner)
            result += more
        return result, depth

    def _branch(self, branches: list[Any], place: str, depth: int) -> tuple[Any, str]:
        """A branch of a union and its place; for a large value, the branch with the fewest references."""
        numbers = range(len(branches))
        if self._is_full(depth):
            index = min(numbers, key=lambda number: self._weight(branches[number], 0))
        else:
            index = self.choose(place, numbers)
        return branches[index], f"{place}/{index}"

    def _subtype(
        self, schema: dict[str, Any], place: str, owner: str
    ) -> list[tuple[Any, str, str]]:
        """Schemas that a discriminator adds: the value for `owner`, or any value with its definition."""
        values: Mapping[str, str] = schema["discriminator"]["values"]
        name = schema["discriminator"]["propertyName"]
        allowed_values = [value for value, target in values.items() if owner in ("", target)]
        if not allowed_values:
            return []
        value = self.choose(f"{place}?discriminator", allowed_values)
        rule = {"type": "object", "properties": {name: {"const": value}}}
        target = self._definitions[values[value]]
        result = [(rule, place, "")]
        if not owner and target is not schema:
            result.append((target, values[value], values[value]))
        return result

    def _value_of_branch(self, schema: dict[str, Any], branch: Any) -> Any:
        """The discriminator's value for a branch: from `mapping`, or the schema's name."""
        discriminator = schema.get("discriminator")
        reference = branch.get("$ref") if isinstance(branch, dict) else None
        if not discriminator or not isinstance(reference, str):
            return True
        name = reference.removeprefix(PREFIX)
        values = [value for value, target in discriminator["values"].items() if target == name]
        if not values:
            return True
        return {"type": "object", "properties": {discriminator["propertyName"]: {"enum": values}}}

    def _weight(self, schema: Any, depth: int) -> int:
        """The least number of references that a value of the schema needs."""
        if not isinstance(schema, dict) or depth > 3:
            return 5
        weight = 1 + 3 * ("$ref" in schema) + len(schema.get("required", ()))
        if "$ref" in schema:
            weight += self._weight(
                self._definitions[schema["$ref"].removeprefix(PREFIX)], depth + 1
            )
        return weight

    def _kinds(self, rules: list[dict[str, Any]]) -> set[str] | None:
        """The types that all rules allow; None for rules without a type."""
        texts: set[str] | None = None
        for rule in rules:
            type_keyword = rule.get("type")
            if type_keyword is None:
                continue
            type_names = {type_keyword} if isinstance(type_keyword, str) else set(type_keyword)
            type_names |= {"integer"} if "number" in type_names else set()
            texts = type_names if texts is None else texts & type_names
        if texts and "number" in texts:
            texts.discard("integer")
        return texts

    def _guessed(self, rules: list[dict[str, Any]]) -> set[str] | None:
        keys = {key for rule in rules for key in rule}
        if keys & {"properties", "additionalProperties", "required", "patternProperties"}:
            return {"object"}
        if keys & {"items", "prefixItems"}:
            return {"array"}
        if keys & {"minimum", "maximum", "multipleOf"}:
            return {"number"}
        if keys & {"pattern", "minLength", "maxLength", "format"}:
            return {"string"}
        return None

    def _strings(self, rules: list[dict[str, Any]]) -> list[str]:
        keywords = {key: text for rule in rules for key, text in rule.items()}
        minimum = max([rule.get("minLength", 0) for rule in rules], default=0)
        maximum = min([rule.get("maxLength", MAX_LENGTH) for rule in rules], default=MAX_LENGTH)
        patterns = [{"pattern": rule["pattern"]} for rule in rules if "pattern" in rule]
        name = keywords.get("format")
        is_encoded = name == "byte" or "contentEncoding" in keywords
        is_bytes = not is_encoded and (name == "binary" or "contentMediaType" in keywords)
        texts: list[str] = [*TEXTS, "x" * min(minimum, MAX_LENGTH), "y" * min(maximum, MAX_LENGTH)]
        if self._raw and self._nesting < 2 and is_bytes:
            texts = [Binary(text) for text in CONTENTS]
        elif is_encoded and not patterns:
            texts = list(ENCODED)
        elif name in FORMATS or patterns:
            keys = ("pattern", "format", "minLength", "maxLength")
            value = sample(
                {"type": "string", **{key: keywords[key] for key in keys if key in keywords}}
            )
            texts = [str(value)] if name in FORMATS else [str(value), *texts]
        valid = jsonschema_rs.Draft202012Validator({"allOf": [True, *patterns]})
        fitting = [
            text for text in texts if minimum <= len(text) <= maximum and valid.is_valid(str(text))
        ]
        if not fitting:
            raise Unsatisfiable(f"string: {keywords}")
        return list(dict.fromkeys(fitting))

    def _array(self, rules: list[dict[str, Any]], place: str, depth: int) -> list[Any]:
        minimum = max([rule.get("minItems", 0) for rule in rules], default=0)
        maximum = min([rule.get("maxItems", 10**9) for rule in rules], default=10**9)
        prefix: list[Any] = next(
            (rule["prefixItems"] for rule in rules if rule.get("prefixItems")), []
        )
        items = [rule["items"] for rule in rules if "items" in rule]
        if prefix and items == [False]:
            maximum = min(maximum, len(prefix))
        sizes = sorted({minimum, max(minimum, min(1, maximum)), max(minimum, min(2, maximum))})
        if prefix:
            sizes = sorted({minimum, max(minimum, min(len(prefix), maximum))})
        size = min(sizes) if self._is_full(depth) else self.choose(f"{place}?items", sizes)
        if size > 200:
            raise Unsatisfiable(f"{place}: large")
        is_unique = any(rule.get("uniqueItems") for rule in rules)
        result: list[Any] = []
        for index in range(size):
            schema = prefix[index] if index < len(prefix) else _all_of(items)
            for _ in range(8):
                item = self.draw(schema, f"{place}/items", depth)
                if not is_unique or all(_differ(item, present) for present in result):
                    break
            else:
                if len(result) >= minimum:
                    return result
                raise Unsatisfiable(f"{place}: unique")
            result.append(item)
        return result

    def _object(self, rules: list[dict[str, Any]], place: str, depth: int) -> dict[str, Any]:
        properties: dict[str, list[Any]] = {}
        required: list[str] = []
        for rule in rules:
            for name, property_schema in rule.get("properties", {}).items():
                properties.setdefault(name, []).append(property_schema)
            required += [name for name in rule.get("required", ()) if name not in required]
            for name, needed_names in rule.get("dependentRequired", {}).items():
                required += [needed_name for needed_name in needed_names if name in required]
        maximum = min([rule.get("maxProperties", 10**9) for rule in rules], default=10**9)
        result: dict[str, Any] = {}
        is_all = not self._is_full(depth) and self.choose(f"{place}?all", (False, True, None))
        for name in [
            *properties,
            *(name for name in required if name not in properties),
        ]:
            inner = f"{place}/{name}"
            parts = properties.get(name, [self._unnamed(rules)])
            if name not in required:
                if self._is_full(depth) or len(result) >= maximum or is_all is False:
                    continue
                if is_all is None and not self.choose(f"{inner}?present", (True, False)):
                    continue
            try:
                result[name] = self.draw(_all_of(parts), inner, depth)
            except Unsatisfiable:
                if name in required:
                    raise
        free = self._unnamed(rules)
        is_told = any(
            "additionalProperties" in rule or "patternProperties" in rule for rule in rules
        )
        minimum = max([rule.get("minProperties", 0) for rule in rules], default=0)
        is_named = any("properties" in rule for rule in rules)
        counts = (0, 1) if is_named else (0, 1, 2)
        if (is_told or not is_named) and not self._is_full(depth):
            count = self.choose(f"{place}?free", counts) if free is not False else 0
            for name in ("free key", "é.b")[: max(count, minimum - len(result))]:
                if len(result) < maximum and free is not False:
                    result[name] = self.draw(free, f"{place}/additionalProperties", depth)
        return result

    def _unnamed(self, rules: list[dict[str, Any]]) -> Any:
        """The schema of members without a name."""
        if any(rule.get("additionalProperties") is False for rule in rules):
            return False
        parts = [rule["additionalProperties"] for rule in rules if "additionalProperties" in rule]
        return _all_of(parts)


def _all_of(parts: list[Any]) -> Any:
    """One schema that requires several schemas together."""
    if len(parts) == 1:
        return parts[0]
    return {"allOf": parts} if parts else True


def _kind_fits(value: Any, kinds: set[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return bool(kinds & {"integer", "number"})
    names = {float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null") in kinds


def _differ(first: Any, second: Any) -> bool:
    return bool(first != second or isinstance(first, bool) is not isinstance(second, bool))


def _numbers(rules: list[dict[str, Any]], kind: str) -> Iterator[int | float]:
    """Bounds, and ordinary numbers inside the bounds."""
    keywords = {key: item for rule in rules for key, item in rule.items()}
    low = max([rule["minimum"] for rule in rules if "minimum" in rule], default=None)
    high = min([rule["maximum"] for rule in rules if "maximum" in rule], default=None)
    bits = {"int32": 31, "int64": 63}.get(str(keywords.get("format")))
    step = keywords.get("multipleOf")
    result: list[int | float] = [item for item in (low, high) if item is not None]
    if "exclusiveMinimum" in keywords:
        result.append(keywords["exclusiveMinimum"] + 1)
    if "exclusiveMaximum" in keywords:
        result.append(keywords["exclusiveMaximum"] - 1)
    result += INTEGERS if kind == "integer" else NUMBERS
    result += [-(2**bits), 2**bits - 1] if bits else []
    result += [step, 2 * step] if step else []
    fitting = [
        item
        for item in result
        if (low is None or item >= low)
        and (high is None or item <= high)
        and all(item > rule["exclusiveMinimum"] for rule in rules if "exclusiveMinimum" in rule)
        and all(item < rule["exclusiveMaximum"] for rule in rules if "exclusiveMaximum" in rule)
        and (kind != "integer" or item == int(item))
        and (bits is None or -(2**bits) <= item < 2**bits)
        and (step is None or item % step == 0)
    ]
    if not fitting:
        raise Unsatisfiable(f"number: {keywords}")
    yield from fitting
