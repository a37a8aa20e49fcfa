"""The only import of Jinja: templates arrange the fields of views and can print only `SourceText`."""

from __future__ import annotations

from dataclasses import Field, fields
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from mcpgen.emit.code import SourceText


class TemplateView(Protocol):
    """A frozen dataclass with all values of a template."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


def templates_folder() -> Path:
    """The folder `project` of the templates: inside an installed package, or of the source tree."""
    package = Path(__file__).parents[1]
    installed = package / "templates" / "project"
    return installed if installed.is_dir() else package.parents[1] / "templates" / "project"


def runtime_folder() -> Path:
    """The folder of the runtime's distribution: inside an installed mcpgen, or of the source tree."""
    package = Path(__file__).parents[1]
    installed = package / "runtime"
    return installed if installed.is_dir() else package.parents[1] / "runtime"


def render(template: str, view: TemplateView) -> str:
    """The text of a template, filled from the view's fields.

    Raises TypeError if the template prints a value that is not `SourceText`.
    """
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    return _template(template).render(values)


def environment() -> Environment:
    """The shared Jinja environment: no globals, no filters, no tests; undefined names raise."""
    jinja = Environment(
        loader=FileSystemLoader(templates_folder()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        finalize=_only_code,
    )
    jinja.globals.clear()
    jinja.filters.clear()
    jinja.tests.clear()
    return jinja


@cache
def _template(name: str) -> Template:
    """The compiled template of a path below the templates' folder."""
    return _environment().get_template(f"{name}.jinja")


@cache
def _environment() -> Environment:
    """The environment, made once."""
    return environment()


def _only_code(value: object) -> str:
    """The text of `SourceText`; everything else is a defect of a view."""
    if isinstance(value, SourceText):
        return value.text
    raise TypeError(f"only Code can be printed, not {type(value).__name__}")
