"""No value keeps a server busy, whatever its schema is and whatever is wrong with it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from templates.project.package.runtime import effort, engine_fast, engine_pure
from templates.project.package.runtime.asked import following
from templates.project.package.runtime.decode import decode
from templates.project.package.runtime.effort import Effort, Unjudged
from templates.project.package.runtime.even import longest
from templates.project.package.runtime.request import Refused
from templates.project.package.runtime.tool import Argument, Body, Hints, Route, Tool
from templates.project.package.runtime.validate import MOST_PROBLEMS, Check, text_lines
from tests.bounds import works_at_most
from tests.runtime.conftest import Serving, WireUpstream

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
ENGINES: list[Any] = [engine_fast.Engine, engine_pure.Engine]
engines = pytest.mark.parametrize("engine", ENGINES, ids=["fast", "pure"])


def holding(schema: Any, **more: Any) -> Any:
    """An object whose member `a` has a schema."""
    return {"type": "object", "properties": {"a": schema}, **more}


def nested(times: int, innermost: Any) -> Any:
    """Objects inside one another, each with a member `a`."""
    return nested(times - 1, {"a": innermost}) if times else innermost


REF = {"$ref": "#/$defs/N"}
BELOW = {"properties": {"a": REF}}
TANGLED: dict[str, Any] = {
    "anyOf": {
        "anyOf": [holding(REF, required=["a"]), holding(REF, minProperties=1), {"type": "null"}]
    },
    "oneOf": {"oneOf": [holding(REF), holding(REF), {"type": "null"}]},
    "allOf": {"type": ["object", "null"], "allOf": [BELOW, BELOW]},
    "if": {"type": ["object", "null"], "if": BELOW, "then": BELOW, "else": False},
    "unevaluated": {
        "type": ["object", "null"],
        "anyOf": [holding(REF), {"required": ["b"]}],
        "unevaluatedProperties": False,
    },
    "patterns": {
        "type": ["object", "null"],
        "patternProperties": {"a": REF, "^a": REF},
    },
}


def closed(schema: Any) -> Any:
    """A schema that refers to itself as `N`."""
    return {**REF, "$defs": {"N": schema}}


@pytest.mark.parametrize("keyword", TANGLED)
@pytest.mark.parametrize("innermost", [None, "wrong"])
def test_a_few_bytes_do_not_keep_a_validator_busy(keyword: str, innermost: Any) -> None:
    with works_at_most(5):
        problems = Check(lambda: closed(TANGLED[keyword])).problems(nested(40, innermost))

    assert [problem.keyword for problem in problems] == ["unjudged"]


@pytest.mark.parametrize("keyword", TANGLED)
def test_what_can_be_judged_is_judged_by_the_same_schemas(keyword: str) -> None:
    check = Check(lambda: closed(TANGLED[keyword]))

    assert bool(check.problems(nested(3, None))) is (keyword == "oneOf")
    assert check.problems(nested(3, "wrong"))


def test_what_takes_too_much_to_tell_is_judged_all_the_same() -> None:
    with works_at_most(5):
        (problem,) = Check(lambda: closed(TANGLED["anyOf"])).problems(nested(13, "wrong"))

    assert problem.keyword == "untold"


@pytest.mark.parametrize(
    "schema",
    [
        holding({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}),
        holding({"type": "string", "pattern": "^(a+)+$"}),
        {"properties": {f"p{number}": {"type": "string"} for number in range(150)}},
    ],
)
def test_values_of_a_plain_schema_are_not_counted(schema: Any) -> None:
    assert Effort(schema).is_plain


@pytest.mark.parametrize(
    "schema",
    [
        closed(holding(REF)),
        {"allOf": [holding({"type": "string"})] * 150},
        {"pattern": "(?!a)"},
        {"anyOf": [{}], "unevaluatedProperties": False},
        {"allOf": [{}], "unevaluatedItems": False},
        {"patternProperties": {"(a)\\1": {}}},
        closed({"properties": {"default": REF, "enum": REF, "$defs": REF}}),
    ],
)
def test_values_of_any_other_are(schema: Any) -> None:
    assert not Effort(schema).is_plain


def ruled(times: int, keyword: str) -> Any:
    """A schema inside others that each want to know what it looked at."""
    inner: Any = holding({"type": "integer"})
    for _ in range(times):
        inner = {keyword: [inner], "unevaluatedProperties": False}
    return inner


@pytest.mark.parametrize("keyword", ["anyOf", "allOf"])
@pytest.mark.parametrize(("times", "told"), [(8, []), (14, ["unjudged"]), (20, ["unjudged"])])
@engines
def test_what_rules_the_rest_inside_one_another_is_counted_as_often_as_it_asks(
    engine: Any, keyword: str, times: int, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("templates.project.package.runtime.validate.Engine", engine)
    check = Check(lambda: ruled(times, keyword))

    with works_at_most(3):
        problems = check.problems({"a": 1})

    assert [problem.keyword for problem in problems] == told


VECTORS = {"anyOf": [{"items": {"type": "number"}}, {"items": {"$ref": "#"}}, holding({}), {}]}
ROWS = {"items": {**holding({"type": "string"}), "additionalProperties": {"type": "integer"}}}
TREE = closed(
    {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": REF}},
        "additionalProperties": False,
    }
)
VALID: dict[str, tuple[Any, Any]] = {
    "floats": (VECTORS, [[number + 0.5 for number in range(768)]] * 10),
    "rows": (closed(ROWS), [{"a": "v", "b": 1, "c": number} for number in range(3_000)]),
    "a tree": (TREE, {"b": [{"a": str(number), "b": []} for number in range(1_700)]}),
    "texts": ({"items": {"pattern": "^(?!xn--)[a-z.]+$"}}, ["a.example"] * 20_000),
}


@pytest.mark.parametrize("kind", VALID)
@engines
def test_large_values_of_everyday_are_judged(
    engine: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("templates.project.package.runtime.validate.Engine", engine)
    schema, value = VALID[kind]

    assert Check(lambda: schema).problems(value) == []


@pytest.mark.parametrize(
    "item",
    [{"type": "number"}, {"$ref": "#/$defs/F"}, {"anyOf": [{"type": "number"}, REF, {}]}, True],
)
def test_numbers_in_a_list_are_counted_at_once(item: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {"items": item, "$defs": {"F": {"type": "number"}, "N": holding({"$ref": "#"})}}
    followed: list[Any] = []

    def noted(asked: Any, *rest: Any) -> Any:
        followed.append(asked)
        return following(asked, *rest)

    monkeypatch.setattr(effort, "following", noted)
    monkeypatch.setattr(effort, "PLAIN", 0)

    assert Effort(schema).can_be_judged([0.5] * 50_000)
    assert len(followed) == 2


NAMES = st.sampled_from(["a", "b"])
SCALARS = st.sampled_from([None, 1, "a", True])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=6,
)
SIMPLE = st.sampled_from([REF, {"type": "object"}, {"type": "string"}, {}, True])
ONE_INSIDE = [
    *("items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"),
    *("not", "if", "then", "else", "propertyNames"),
]
SCHEMAS = st.recursive(
    SIMPLE,
    lambda inner: st.dictionaries(
        st.sampled_from(["allOf", "anyOf", "oneOf"]),
        st.lists(inner, min_size=1, max_size=2),
        max_size=2,
    )
    | st.dictionaries(
        st.sampled_from(ONE_INSIDE),
        inner,
        max_size=3,
    )
    | st.fixed_dictionaries(
        {"prefixItems": st.lists(inner, min_size=1, max_size=2), "items": inner}
    )
    | st.dictionaries(
        st.sampled_from(["properties", "patternProperties", "dependentSchemas"]),
        st.dictionaries(NAMES, inner, max_size=2),
        max_size=2,
    )
    | st.tuples(inner, st.sampled_from(["unevaluatedProperties", "unevaluatedItems"])).map(
        lambda pair: {"anyOf": [pair[0], {"required": ["b"]}], pair[1]: False}
    ),
    max_leaves=6,
)
"""Schemas that may refer to the whole, which is asked about what is inside."""


def parts(value: Any) -> int:
    """How many values and names a value consists of."""
    if isinstance(value, dict):
        return 1 + sum(1 + parts(member) for member in value.values())
    return 1 + (sum(map(parts, value)) if isinstance(value, list) else 0)


class Counter:
    """A keyword that counts how often its schema is asked."""

    asked = 0

    def __init__(self, *_: Any) -> None:
        pass

    def validate(self, _: Any) -> None:
        """Counts; it allows everything."""
        Counter.asked += 1


def counted(schema: Any) -> Any:
    """The schema with the keyword in each that is inside, in front of what may end its judgement."""
    if isinstance(schema, list):
        return [counted(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {"counted": True, **{key: _inside(key, part) for key, part in schema.items()}}


def _inside(key: str, part: Any) -> Any:
    if key in ("properties", "patternProperties", "dependentSchemas", "$defs"):
        return {name: counted(each) for name, each in part.items()}
    return part if key in ("type", "required", "$ref") else counted(part)


@settings(max_examples=500, deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_no_more_is_asked_than_was_counted(schema: Any, value: Any) -> None:
    # What is asked about the value itself must not lead back, as in every schema that is emitted.
    whole = {
        "properties": {"a": schema},
        "items": schema,
        "$defs": {"N": {"properties": {"b": schema}}},
    }
    validator = jsonschema_rs.Draft202012Validator(counted(whole), keywords={"counted": Counter})

    Counter.asked = 0
    validator.is_valid(value)

    with pytest.MonkeyPatch.context() as less:
        less.setattr(effort, "MOST", Counter.asked - 1)
        less.setattr(Effort, "_longest", 0)
        decided = Effort(whole)
        assert decided.is_plain or not decided.can_be_judged(value)
        assert not decided.is_plain or Counter.asked <= effort.PLAIN * parts(value)


@settings(max_examples=200, deadline=None)
@given(schema=SCHEMAS, value=VALUES, most=st.integers(1, 12))
def test_of_no_value_is_more_asked_than_was_known_beforehand(
    schema: Any, value: Any, most: int
) -> None:
    whole = {"properties": {"a": schema}, "items": schema, "$defs": {"N": {"items": schema}}}
    validator = jsonschema_rs.Draft202012Validator(counted(whole), keywords={"counted": Counter})

    Counter.asked = 0
    validator.is_valid(value)

    assert not longest(whole, most) or Counter.asked <= most * parts(value)


MANY = {
    "$ref": "#/$defs/N",
    "$defs": {
        "N": {"anyOf": [{"$ref": f"#/$defs/V{number}"} for number in range(9)]},
        **{f"V{number}": {**holding({"type": "string"}), "not": {}} for number in range(8)},
        "V8": {"prefixItems": [{}, REF], "patternProperties": {"^x": REF}},
    },
}


@pytest.mark.parametrize(
    ("schema", "levels"),
    [
        (TREE, 2),
        (closed(holding(REF, additionalProperties=REF)), 2),
        (closed({"allOf": [holding(REF), {"properties": {"b": REF}}]}), 3),
        (closed({"anyOf": [{"items": REF}, {"additionalProperties": REF}]}), 3),
        (MANY, 5),
        *((closed(each), 0) for each in TANGLED.values()),
        (closed({"items": REF, "contains": REF}), 0),
        (closed({"prefixItems": [REF], "items": REF}), 0),
        (closed({"dependentSchemas": {"a": holding(REF)}, "properties": {"a": REF}}), 0),
        (closed({"items": REF, "pattern": "^(a|a)*\\1$"}), 0),
        (closed({"allOf": [{}] * 250, "items": REF}), 0),
        (closed(REF), 0),
        (closed({"allOf": [{"properties": {str(n): REF for n in range(3_000)}}] * 2}), 0),
    ],
)
def test_schemas_that_lead_back_are_known_beforehand_unless_they_ask_twice(
    schema: Any, levels: int
) -> None:
    assert longest(schema, effort.PLAIN) == levels


def test_a_hundred_thousand_values_of_a_tree_are_judged_without_counting_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(effort, "following", None)
    leaves = [{"a": str(number), "b": []} for number in range(50_000)]

    assert Check(lambda: TREE).problems({"b": leaves}) == []


def test_trees_that_are_too_deep_for_the_stack_are_counted() -> None:
    schema, deep = closed({"anyOf": [{"anyOf": [holding(REF)]}]}), nested(490, {})

    assert longest(schema, effort.PLAIN) == 4
    assert Effort(schema).can_be_judged(deep)
    assert not Effort(schema).can_be_judged(nested(520, {}))


@settings(max_examples=200, deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_what_is_counted_at_once_is_what_is_counted_one_by_one(schema: Any, value: Any) -> None:
    whole = {"properties": {"a": schema}, "items": schema, "$defs": {"N": {"items": schema}}}
    counting = Effort(whole)
    alone = next(
        most
        for most in range(10_000)
        if counting._within(most, lambda _: 1, value, lambda *_: None)
    )

    assert counting._within(alone, effort._judging, value, counting._alikes)
    assert not counting._within(alone - 1, effort._judging, value, counting._alikes)


@settings(max_examples=300, deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_what_is_within_bounds_is_judged_as_ever(schema: Any, value: Any) -> None:
    whole = {"properties": {"a": schema}, "$defs": {"N": {"properties": {"b": schema}}}}

    problems = Check(lambda: whole).problems(value)

    assert bool(problems) is not Draft202012Validator(whole).is_valid(value)


LARGE: dict[str, tuple[Any, Any]] = {
    "items": ({"items": {"type": "string"}}, [1]),
    "items of no form": (
        {"items": {"anyOf": [holding({"type": "string"}, required=["a"])] * 5}},
        [{}],
    ),
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_few_of_many_problems_are_told(kind: str) -> None:
    schema, items = LARGE[kind]

    problems = Check(lambda: schema).problems(items * 500)

    assert len(problems) == MOST_PROBLEMS + 1
    assert text_lines(problems, "a")[-1] == "a: 400 more problems, which are not told"


@pytest.mark.parametrize("kind", LARGE)
def test_so_many_problems_that_nobody_can_hold_them_are_one(kind: str) -> None:
    schema, items = LARGE[kind]

    with works_at_most(10):
        (problem,) = Check(lambda: schema).problems(items * 500_000)

    assert problem.keyword == "untold"


def test_unknown_members_are_not_told_by_the_hundred_thousand() -> None:
    schema = {"properties": {"name": {}}, "additionalProperties": False}

    with works_at_most(10):
        (problem,) = Check(lambda: schema).problems(dict.fromkeys(map(str, range(200_000)), 1))

    assert problem.keyword == "untold"


@pytest.mark.parametrize("name", ["a" * 1_000, "a" * 3_000_000])
def test_a_long_name_is_not_repeated_for_each_problem_below_it(name: str) -> None:
    schema = {"additionalProperties": {"items": {"type": "string"}}}

    with works_at_most(10):
        told = text_lines(Check(lambda: schema).problems({name: [1] * 1_000}), "a")

    assert len("".join(told)) < 50_000


def test_what_is_wrong_beside_a_large_file_is_told() -> None:
    schema = {"properties": {"file": {"type": "string"}, "pages": {"type": "integer"}}}

    (problem,) = Check(lambda: schema).problems({"file": "a" * 3_000_000, "pages": "all"})

    assert problem.path == ("pages",)


@pytest.mark.parametrize("pattern", ["(?=(a+)+$)b", "^(a|a)*\\1$"])
def test_a_pattern_that_goes_back_is_searched_in_short_texts_only(pattern: str) -> None:
    check = Check(lambda: {"type": "string", "pattern": pattern})

    with works_at_most(5):
        long = check.problems("a" * 1_000_000)
        short = check.problems("cc")

    assert [problem.keyword for problem in long] == ["unjudged"]
    assert [problem.keyword for problem in short] == ["pattern"]


@pytest.mark.parametrize("pattern", ["(a|b)*a(a|b){3000}c", "(a|b)*a((a|b){60}){50}c"])
def test_a_pattern_that_counts_far_is_searched_in_short_texts_only(pattern: str) -> None:
    check = Check(lambda: {"type": "string", "pattern": pattern})
    text = "".join(Random(1).choices("ab", k=3_000))

    with works_at_most(10):
        long = check.problems(text * 200)
        short = check.problems(text)

    assert [problem.keyword for problem in long] == ["unjudged"]
    assert [problem.keyword for problem in short] == ["pattern"]


@pytest.mark.parametrize(
    "pattern",
    [
        *("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "^.{0,255}$", "^(?:a|b)+$", "\\d{4}-[*+]"),
        *(r"^\p{L}+$", r"^\(?\d{3}\)?$", "^(?i)abc$", r"^(?<year>\d{4})$", r"^(?P<year>\d{4})$"),
        *(r"^[.*+?^$(){}]+$", r"^[\w\-\(\?\)]+$", r"^(?!\s*$).+", r"^(?=.*\d)(?!(a|b)+$)\w{8,}$"),
    ],
)
def test_patterns_of_everyday_are_searched_without_counting(pattern: str) -> None:
    assert Effort({"pattern": pattern}).is_plain


@pytest.mark.parametrize(
    "pattern",
    [
        *("^(?!(?=(a+)+$)b)", "^(?=a)*(?!b)", "^(?!a)b|(?=(a+)+$)b", r"^(?!a)(a|b)*\1", "(?x)a"),
        *("a{2}+", "(?>a)", "^(?!a)(?=b)*", "^(?:(?:a{0,100}){100}){0,1}(?:b){0}!", "(x){0}a{501}"),
    ],
)
def test_others_are_counted(pattern: str) -> None:
    assert not Effort({"pattern": pattern}).is_plain


@pytest.mark.parametrize("pattern", [r"^(?!\s*$).+", r"^((?!<script>)[\s\S])*$"])
@engines
def test_no_text_is_too_long_to_look_ahead_in_it(
    engine: Any, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("templates.project.package.runtime.validate.Engine", engine)
    check = Check(lambda: {"type": "object", **holding({"type": "string", "pattern": pattern})})

    assert check.problems({"a": "a word " * 2_857}) == []


def test_names_that_a_pattern_goes_back_in_are_counted() -> None:
    check = Check(lambda: {"patternProperties": {"^(a|a)*\\1$": {"type": "integer"}}})

    with works_at_most(10):
        (problem,) = check.problems({"a" * 30 + str(number): 1 for number in range(50_000)})

    assert problem.keyword == "unjudged"


def test_json_in_a_text_is_as_deep_as_a_message_at_most() -> None:
    argument = Argument("a", "body", {"type": "string"}, text="json")

    assert json.dumps(decode(argument, "[" * 200 + "]" * 200)) == "[" * 200 + "]" * 200
    assert decode(argument, json.dumps(["["] * 500)) == ["["] * 500
    for depth in (201, 900, 100_000):
        with pytest.raises(Refused, match="nested too deeply"):
            decode(argument, "[" * depth + "]" * depth)


def test_schemas_that_follow_each_other_too_far_below_one_another_are_not_asked() -> None:
    chain = {f"C{number}": {"anyOf": [{"$ref": f"#/$defs/C{number + 1}"}]} for number in range(90)}
    schema = {"$ref": "#/$defs/C0", "$defs": {**chain, "C90": holding({"$ref": "#/$defs/C0"})}}

    (problem,) = Check(lambda: schema).problems(nested(190, 1))

    assert problem.keyword == "unjudged"


@pytest.mark.parametrize(
    ("items", "alike"),
    [
        ([{"a": number} for number in range(20_000)], False),
        ([[number, True] for number in range(20_000)], False),
        ([1, True], False),
        ([0, False, "0", None, "", [], {}], False),
        ([1, 1.0], True),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], True),
        ([1e308, 10**308 * 2], False),
    ],
)
@engines
def test_a_long_list_is_searched_once_for_what_it_repeats(
    engine: Any, items: Any, alike: bool
) -> None:
    with works_at_most(5):
        passes = engine({"uniqueItems": True}).passes(items)

    assert passes is not alike


@engines
def test_a_long_number_is_divided_too(engine: Any) -> None:
    assert engine({"multipleOf": 7}).passes(7 * 10**4_000)
    assert not engine({"type": "number", "multipleOf": 0.5}).passes(float("inf"))


@pytest.mark.parametrize("forms", [False, True])
def test_many_problems_are_told_once_each_in_pure_python(forms: bool) -> None:
    texts = {"items": {"type": "string"}}
    engine = engine_pure.Engine({"anyOf": [texts]} if forms else texts)

    with works_at_most(5):
        problems = engine.problems([1] * 15_000)

    assert len(problems[0].expected[0] if forms else problems) == 15_000


FIELDS = {name: {"type": "string"} for name in "abcdefgh"}
ROW = dict.fromkeys(FIELDS, "a text")


@pytest.mark.parametrize(
    ("item", "items", "path"),
    [
        ({"type": "integer"}, [*range(10_000), "x"], (10_000,)),
        (
            {"type": "object", "properties": FIELDS, "additionalProperties": False},
            [*[ROW] * 599, {**ROW, "c": 1}],
            (599, "c"),
        ),
    ],
)
@engines
def test_one_mistake_among_many_values_is_told_with_its_place(
    engine: Any, item: Any, items: Any, path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("templates.project.package.runtime.validate.Engine", engine)

    (problem,) = Check(lambda: {"items": item}).problems(items)

    assert (problem.path, problem.keyword) == (path, "type")


def test_a_pattern_takes_only_so_many_steps_in_pure_python() -> None:
    engine = engine_pure.Engine({"pattern": "([ab]*a[ab]{200}){3}c"})

    with works_at_most(20):
        assert not engine.passes("ab" * 10_000)
        with pytest.raises(Unjudged):
            engine.passes("".join(Random(1).choices("ab", k=100_000)))
        assert not engine.passes("ab" * 10_000)


@pytest.mark.parametrize("pattern", ["^(?:){4000000000}$", "^(?:){0,4000000000}$"])
def test_nothing_is_not_repeated_in_pure_python(pattern: str) -> None:
    with works_at_most(5):
        engine = engine_pure.Engine({"pattern": pattern})

        assert engine.passes("")
        assert not engine.passes("a")


def test_what_is_too_deep_for_pure_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("templates.project.package.runtime.validate.Engine", engine_pure.Engine)

    (problem,) = Check(lambda: closed(holding(REF))).problems(nested(190, 1))

    assert problem.keyword in ("unjudged", "untold")


ITSELF = {"anyOf": [holding({"$ref": "#"}, required=["a"])] * 2 + [{"type": "null"}]}
TOOL = Tool(
    "note",
    "Note",
    "",
    Route("POST", "/notes", body=Body("application/json")),
    HINTS,
    (
        Argument("tags", "body", {"type": "array", "items": {"type": "string"}}),
        Argument("more", "body", {"type": "string"}, text="json", check=ITSELF),
        Argument("rate", "query", {"type": "number"}, style="form"),
    ),
)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"more": json.dumps(nested(40, None))}, "- more: is too much to check against its schema"),
        ({"more": json.dumps(nested(12, 1))}, "- more: does not meet its schema, and is too much"),
        ({"more": "[" * 300 + "]" * 300}, "- more: is nested too deeply"),
        ({"tags": [1] * 200}, "- arguments: 100 more problems, which are not told"),
        ({"tags": [1] * 50_000, "more": "{"}, "- arguments: does not meet its schema, and is too"),
    ],
)
async def test_a_call_that_asks_too_much_is_refused_in_plain_words(
    upstream: WireUpstream, serving: Serving, arguments: Any, line: str
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        with works_at_most(10):
            told = await client.error("note", **arguments)

    assert told.split("\n")[-1].startswith(line)
    assert not upstream.requests


@pytest.mark.anyio
async def test_a_number_that_json_cannot_write_is_not_sent(
    upstream: WireUpstream, serving: Serving
) -> None:
    free = Argument("free", "body", {"type": "string"}, text="json")
    tool = Tool("note", "", "", Route("POST", "/", body=Body("application/json")), HINTS, (free,))

    async with serving(tool, upstream=upstream.url) as client:
        told = await client.error("note", free='{"a": 1e400}')

    assert told.split("\n")[1:] == ["- body: holds a number that is too large"]
    assert not upstream.requests
