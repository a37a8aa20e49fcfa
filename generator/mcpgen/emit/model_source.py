"""Pydantic models as values, and as source text in black's layout.

The output of datamodel-code-generator is read as a tree with only the shapes below, so no document
can inject anything but imports, classes, fields, types and constants.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from mcpgen.emit.literal import (
    LINE_LENGTH,
    CallExpr,
    NameExpr,
    SubscriptExpr,
    UnionExpr,
    Value,
    format_source,
    one_line_literal,
    printed,
    width,
)

_MODULES = {
    "typing": ("Annotated", "Any", "Literal"),
    "pydantic": ("BaseModel", "ConfigDict", "Field"),
}
"""The modules that models import from, with the permitted names in import order."""

_BUILTINS = ("bool", "dict", "float", "int", "list", "str")
_TYPES = frozenset({*_BUILTINS, *(name for names in _MODULES.values() for name in names)})
"""The names permitted in the type of a field, besides the names of classes."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a model. `default` holds a single value, or nothing for a required field."""

    name: str
    annotation: Value
    default: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """A class: name, configuration and fields."""

    name: str
    config: Value
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Imports:
    """The imported names of a class by module, in the order of the import statement."""

    typing: tuple[str, ...]
    pydantic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassBody:
    """The lines of a class below the `class` statement, and the imported names."""

    text: str
    imports: Imports


def read_models(source: str, classes: Container[str] = ()) -> Iterator[Model]:
    """The models of a text; the types of fields may name `classes`. Raises ValueError for anything
    a model does not consist of. The models have the order of the text."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef):
            model = _class(statement)
            for name in _names_of(model):
                if name not in _TYPES and name not in classes:
                    raise ValueError(f"`{name}` is no type of a field")
            yield model
        elif _is_rebuild(statement, classes):
            continue  # pydantic does the same when the class is used first
        elif isinstance(statement, ast.ImportFrom) and statement.module in _MODULES:
            for alias in statement.names:
                _require_plain(alias, _MODULES[statement.module])
        elif not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            raise ValueError(f"a model does not have {ast.dump(statement)}")


def class_body(model: Model) -> ClassBody:
    """The source text of a model's body, with the names imported from `typing` and `pydantic`."""
    return ClassBody(
        "\n".join(_class_lines(model)), _model_imports({"BaseModel", *_names_of(model)})
    )


def module(classes: Mapping[str, ClassBody]) -> str:
    """The imports of the classes, and the classes in order; `""` if there is no class."""
    if not classes:
        return ""
    bodies = classes.values()
    imports = _model_imports(
        {name for body in bodies for name in (*body.imports.typing, *body.imports.pydantic)}
    )
    head = ["\nfrom __future__ import annotations"]
    if imports.typing:
        head.append(f"from typing import {', '.join(imports.typing)}")
    head.append(f"from pydantic import {', '.join(imports.pydantic)}")
    texts = (f"class {name}(BaseModel):\n{body.text}" for name, body in classes.items())
    return "\n\n\n".join(["\n\n".join(head), *texts]) + "\n"


def _model_imports(used: Container[str]) -> Imports:
    """The names among `used` that models import."""
    typing, pydantic = (
        tuple(name for name in names if name in used) for names in _MODULES.values()
    )
    return Imports(typing, pydantic)


def _names_of(model: Model) -> Iterator[str]:
    """The names used in the configuration and in the fields of a model."""
    yield from _names_in_type(model.config)
    for field in model.fields:
        for value in (field.annotation, *field.default):
            yield from _names_in_type(value)


def _names_in_type(value: Value) -> Iterator[str]:
    """The names used in a type."""
    match value:
        case NameExpr(text=name):
            yield name
        case SubscriptExpr(name=name, elements=elements):
            yield name
            for element in elements:
                yield from _names_in_type(element)
        case UnionExpr(value=value, other=other):
            yield from _names_in_type(value)
            yield from _names_in_type(other)
        case CallExpr(callee=name, keywords=keywords):
            yield name
            for _, value in keywords:
                yield from _names_in_type(value)


def _is_rebuild(statement: ast.stmt, classes: Container[str]) -> bool:
    """True if a statement is `A.model_rebuild()` for a class `A`."""
    match statement:
        case ast.Expr(
            ast.Call(ast.Attribute(ast.Name(id=name), "model_rebuild"), args=[], keywords=[])
        ):
            return name in classes
    return False


def _require_plain(alias: ast.alias, allowed: tuple[str, ...]) -> None:
    """Raises ValueError unless a name is in `allowed` and imported without an alias."""
    if alias.asname is not None or alias.name not in allowed:
        raise ValueError(f"a model does not import `{alias.name}` like that, under another name")


def _class(node: ast.ClassDef) -> Model:
    """Reads a class: base, configuration and fields."""
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    if bases != ["BaseModel"] or node.keywords or node.decorator_list:
        raise ValueError(f"`{node.name}` is more than a model")
    config: list[Value] = []
    fields: list[Field] = []
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="model_config")], value=value) if not fields:
                config.append(_expression_value(value))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=None):
                fields.append(Field(name, _expression_value(annotation)))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=default):
                fields.append(
                    Field(name, _expression_value(annotation), (_expression_value(default),))
                )
            case _:
                raise ValueError(f"a field is not {ast.dump(statement)}")
    if len(config) != 1:
        raise ValueError(f"the model `{node.name}` has not one configuration")
    return Model(node.name, config[0], tuple(fields))


def _class_lines(model: Model) -> Iterator[str]:
    """The lines of a class body."""
    yield f"    model_config = {printed(model.config, indent=4, before=15)}"
    if model.fields:
        yield ""
    for field in model.fields:
        yield _field_line(field)


def _field_line(field: Field) -> str:
    """A field. A union too wide for the line stands in parentheses, or only the default if this is
    enough."""
    annotation = field.annotation
    if _is_composed(annotation):
        values = "".join(f" = {one_line_literal(value)}" for value in field.default)
        line = f"    {field.name}: {one_line_literal(annotation)}{values}"
        if width(line) > LINE_LENGTH:
            line = format_source(f"class Model:\n{line}\n").partition("\n")[2].rstrip()
        return line
    before = len(field.name) + 2
    tail = "".join(f" = {printed(value)}" for value in field.default)
    text = printed(annotation, indent=4, before=before, after=len(tail))
    if isinstance(annotation, UnionExpr) and "\n" in text:
        line = printed(annotation, indent=4, before=before, after=len(" = ("))
        if field.default and "\n" not in line:
            text, tail = line, f" = (\n        {printed(field.default[0])}\n    )"
        else:
            text = f"(\n        {printed(annotation, indent=8)}\n    )"
    return f"    {field.name}: {text}{tail}"


def _is_composed(annotation: Value) -> bool:
    """True if a type has a union or a map at any depth: only black splits such a type into lines."""
    match annotation:
        case UnionExpr(value=value, other=other):
            return other is not None or _is_composed(value)
        case SubscriptExpr(name=name, elements=elements):
            return name == "dict" or any(map(_is_composed, elements))
    return False


def _expression_value(node: ast.expr | None) -> Value:
    """An expression as a value to print."""
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, str | int | float):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Name(id=name):
            return NameExpr(name)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=elements)):
            return SubscriptExpr(name, tuple(map(_expression_value, elements)))
        case ast.Subscript(value=ast.Name(id=name), slice=element):
            return SubscriptExpr(name, (_expression_value(element),))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return UnionExpr(_expression_value(left), _expression_value(right))
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords):
            return CallExpr(
                name, (), tuple((str(word.arg), _expression_value(word.value)) for word in keywords)
            )
        case _:
            raise ValueError(f"a type is not {ast.dump(node) if node else None}")
