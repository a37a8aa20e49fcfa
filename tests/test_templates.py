"""Templates arrange the values of a view, without decisions."""

from dataclasses import fields, is_dataclass
from typing import get_type_hints

import pytest
from jinja2 import nodes

from mcpgen.emit import views
from mcpgen.emit.render import environment, templates_folder
from mcpgen.emit.views import TEMPLATES

ALLOWED = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.For,
    nodes.If,
    nodes.Name,
    nodes.Getattr,
    nodes.Include,
)

ANSWERS = {
    field.name
    for view in vars(views).values()
    if is_dataclass(view)
    for field in fields(view)
    if field.type == "bool"
}
"""The fields of any view that are yes or no."""

FOLDER = templates_folder()
NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.jinja"))


def tree(source: str) -> nodes.Template:
    return environment().parse(source)


def offences(template: nodes.Template) -> list[str]:
    """Nodes of a template that are not allowed."""
    name__s = [type(node).__name__ for node in template.find_all(nodes.Node)]
    names = {kind.__name__ for kind in ALLOWED}
    offences = [name for name in name__s if name not in names]
    conditions = [branch.test for branch in template.find_all(nodes.If)]
    if not all(isinstance(condition, nodes.Name | nodes.Getattr) for condition in conditions):
        offences.append("a condition that is not a field")
    return offences


@pytest.mark.parametrize("name", NAMES)
def test_a_template_only_prints_repeats_and_asks_yes_or_no(name: str) -> None:
    template = tree((FOLDER / name).read_text("utf-8"))

    assert offences(template) == []


@pytest.mark.parametrize(
    "source",
    [
        "{{ name() }}",
        "{% set name = other %}",
        "{% if name == other %}{% endif %}",
        "{% if not name %}{% endif %}",
        "{% macro name() %}{% endmacro %}",
        "{{ 'text' }}",
        "{{ name ~ other }}",
        "{{ name[0] }}",
        "{{ name if other }}",
        "{% if name is defined %}{% endif %}",
    ],
)
def test_the_rule_notices_a_template_that_decides(source: str) -> None:
    template = tree(source)

    assert offences(template)


def test_the_environment_has_no_filters_tests_or_globals() -> None:
    jinja = environment()

    assert not jinja.filters
    assert not jinja.tests
    assert not jinja.globals


def test_every_template_has_one_view_and_every_view_one_template() -> None:
    assert [name.removesuffix(".jinja") for name in NAMES] == sorted(TEMPLATES)
    assert len(set(TEMPLATES.values())) == len(TEMPLATES)


def test_a_condition_asks_for_a_boolean_field_of_the_view() -> None:
    for name, view in TEMPLATES.items():
        template = tree((FOLDER / f"{name}.jinja").read_text("utf-8"))
        tests = [branch.test for branch in template.find_all(nodes.If)]

        field_names = [test.name for test in tests if isinstance(test, nodes.Name)]
        parts = [test.attr for test in tests if isinstance(test, nodes.Getattr)]
        assert {get_type_hints(view)[field] for field in field_names} <= {bool}, name
        assert all(field in ANSWERS for field in parts), name


def test_a_view_is_frozen_and_holds_nothing_that_could_be_printed_by_accident() -> None:
    for view in vars(views).values():
        if is_dataclass(view) and isinstance(view, type) and view.__module__ == views.__name__:
            kinds = {str(field.type) for field in fields(view)}

            assert view.__setattr__ is not object.__setattr__, view
            assert all(
                kind in ("SourceText", "bool")
                or (kind.startswith("tuple[") and kind != "tuple[str, ...]")
                for kind in kinds
            ), view
