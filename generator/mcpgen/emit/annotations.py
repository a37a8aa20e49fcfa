"""Pydantic models as source text in black's layout, from what datamodel-code-generator wrote.

Its text is read as a tree of which only the shapes below may occur: whatever the document said,
nothing but imports, classes, fields, types and constants can come out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcpgen.emit.literal import Call, Joined, Name, Subscript, Value, printed

_MODULES = frozenset({"typing", "pydantic"})


def module(source: str, order: tuple[str, ...]) -> str:
    """The imports and classes of `source`, the classes in the given order.

    Raises ValueError for anything a model does not consist of.
    """
    imports: list[str] = []
    classes: dict[str, str] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef):
            classes[statement.name] = _class(statement)
        elif isinstance(statement, ast.ImportFrom) and statement.module in _MODULES:
            names = ", ".join(sorted((_imported(alias) for alias in statement.names), key=_isort))
            imports.append(f"from {statement.module} import {names}\n")
        elif not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            raise ValueError(f"a model does not have {ast.dump(statement)}")
    head = "from __future__ import annotations\n\n" + "\n".join(
        line for line in sorted(imports, reverse=True)
    )
    return "\n\n\n".join(["\n" + head.rstrip("\n"), *(classes[name] for name in order)]) + "\n"


def _isort(name: str) -> tuple[bool, str]:
    """Classes before the rest, as isort sorts them."""
    return not name[0].isupper(), name


def _imported(alias: ast.alias) -> str:
    """One name of an import."""
    if alias.asname is not None:
        raise ValueError(f"`{alias.name}` has a second name")
    return alias.name


def _class(node: ast.ClassDef) -> str:
    """A class: its base, its configuration and its fields."""
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    if bases != ["BaseModel"] or node.keywords or node.decorator_list:
        raise ValueError(f"`{node.name}` is more than a model")
    return "\n".join([f"class {node.name}(BaseModel):", *_fields(node)])


def _fields(node: ast.ClassDef) -> Iterator[str]:
    """The lines of a class body."""
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="model_config")], value=value):
                yield f"    model_config = {printed(_value(value), indent=4, before=15)}"
                if len(node.body) > 1:
                    yield ""
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=default):
                yield _field(name, _value(annotation), default)
            case _:
                raise ValueError(f"a field is not {ast.dump(statement)}")


def _field(name: str, annotation: Value, default: ast.expr | None) -> str:
    """A field. A union too wide for its line stands in parentheses, or its default does where
    that is enough."""
    before = len(name) + 2
    tail = "" if default is None else f" = {printed(_value(default))}"
    text = printed(annotation, indent=4, before=before, after=len(tail))
    if isinstance(annotation, Joined) and "\n" in text:
        line = printed(annotation, indent=4, before=before, after=len(" = ("))
        if default is not None and "\n" not in line:
            text, tail = line, f" = (\n        {printed(_value(default))}\n    )"
        else:
            text = f"(\n        {printed(annotation, indent=8)}\n    )"
    return f"    {name}: {text}{tail}"


def _value(node: ast.expr) -> Value:
    """An expression as a value to print."""
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, str | int | float):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Name(id=name):
            return Name(name)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=elements)):
            return Subscript(name, tuple(map(_value, elements)))
        case ast.Subscript(value=ast.Name(id=name), slice=element):
            return Subscript(name, (_value(element),))
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return Joined(_value(left), "| None")
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords):
            return Call(name, (), tuple((str(word.arg), _value(word.value)) for word in keywords))
        case _:
            raise ValueError(f"a type is not {ast.dump(node)}")
