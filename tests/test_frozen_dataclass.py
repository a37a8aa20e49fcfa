"""A frozen value is what `dataclass(frozen=True, slots=True)` makes of its class."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from mcpgen.frozen_dataclass import frozen


@frozen
class Leaf:
    """A value with one field."""

    name: str


@frozen
class Branch:
    """A value with fields of every kind."""

    leaf: Leaf
    put: int = 1
    parts: dict[str, int] = field(default_factory=dict)
    told: str = field(default="", compare=False, repr=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.leaf.name))


@frozen
class Empty:
    """A value without fields."""


@dataclass(frozen=True, slots=True)
class Usual:
    """The fields of `Branch`, as Python makes a class of them."""

    leaf: Leaf
    put: int = 1
    parts: dict[str, int] = field(default_factory=dict)
    told: str = field(default="", compare=False, repr=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.leaf.name))


GIVEN: list[dict[str, Any]] = [
    {},
    {"put": 2},
    {"parts": {"a": 1}},
    {"told": "what is not compared"},
    {"put": 2, "parts": {"a": 1}, "told": "x"},
]


@pytest.mark.parametrize("given", GIVEN)
def test_a_value_shows_and_compares_as_one_of_a_usual_class_does(given: dict[str, Any]) -> None:
    ours: object = Branch(Leaf("oak"), **given)
    usual: object = Usual(Leaf("oak"), **given)

    assert repr(ours) == repr(usual).replace("Usual", "Branch")
    for other in GIVEN:
        theirs = Usual(Leaf("oak"), **other)
        assert (ours == Branch(Leaf("oak"), **other)) == (usual == theirs)
    assert ours != Branch(Leaf("elm"), **given)
    assert ours != usual
    assert Branch.__match_args__ == Usual.__match_args__


def test_equal_values_have_one_hash() -> None:
    assert len({Leaf("oak"), Leaf("oak"), Leaf("elm"), Empty(), Empty()}) == 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(Branch(Leaf("oak")))


def test_a_default_that_is_made_is_made_for_every_value() -> None:
    assert Branch(Leaf("oak")).parts is not Branch(Leaf("oak")).parts


@pytest.mark.parametrize(
    "again",
    [copy.copy, copy.deepcopy, replace, lambda value: pickle.loads(pickle.dumps(value))],
)
def test_a_copy_equals_its_value(again: Callable[[Branch], Branch]) -> None:
    value = Branch(Leaf("oak"), 3, {"a": 1}, "told")

    made = again(value)

    assert [getattr(made, each.name) for each in fields(made)] == [
        getattr(value, each.name) for each in fields(value)
    ]


def test_nothing_of_a_value_can_be_set_or_removed() -> None:
    value: Any = Leaf("oak")

    with pytest.raises(FrozenInstanceError):
        value.name = "elm"
    with pytest.raises(FrozenInstanceError):
        value.other = 1
    with pytest.raises(FrozenInstanceError):
        del value.name
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize(
    ("given", "named"), [((), {}), ((1, 2), {}), ((), {"other": 1}), ((1,), {"name": 1})]
)
def test_what_is_no_value_of_the_fields_is_refused(given: tuple[int, ...], named: Any) -> None:
    made: Any = Leaf

    with pytest.raises(TypeError, match=r"Leaf.__init__\(\)"):
        made(*given, **named)
