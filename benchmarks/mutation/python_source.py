"""Mutants of Python source: each changes one node of the syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_Positioned = ast.expr | ast.stmt | ast.keyword | ast.ExceptHandler
_SILENT = ("logger", "_logger", "logging", "warnings", "span", "otel")
"""Names of objects whose calls no client sees."""


@dataclass(frozen=True, slots=True)
class SourceMutation:
    """A change of the node `index` (in the order of `ast.walk`), by operator.

    `line` and `column` are the position of the node, `statement` the first line of the statement,
    `function` the name of the innermost function or class (`""`: none).
    """

    index: int
    operator: str
    line: int
    column: int
    statement: int
    text: str
    function: str = ""


def source_mutations(source: str) -> list[SourceMutation]:
    """Every mutation of a module, in the order of `ast.walk`. Docstrings, annotations, decorators,
    log messages and texts for people (with a space) are left alone.
    """
    tree = ast.parse(source)
    skipped_ids = _unnoticeable_ids(tree)
    statements, functions = _statements(tree), _functions(tree)
    result = []
    for index, node in enumerate(ast.walk(tree)):
        if id(node) in skipped_ids or not isinstance(node, _Positioned):
            continue
        for operator, new_node in _changes(node):
            before, after = ast.unparse(node), ast.unparse(new_node) if new_node else "nothing"
            text = f"`{_short(before)}` becomes `{_short(after)}`"
            line, column = node.lineno, node.col_offset
            statement = statements.get(id(node), line)
            function = functions.get(id(node), "")
            result.append(SourceMutation(index, operator, line, column, statement, text, function))
    return result


def apply_mutation(source: str, mutation: SourceMutation) -> str:
    """The source with the mutation."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    node = nodes[mutation.index]
    new_node = next(new for operator, new in _changes(node) if operator == mutation.operator)
    for parent in nodes:
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, new_node)
            elif isinstance(value, list) and any(entry is node for entry in value):
                position = next(i for i, entry in enumerate(value) if entry is node)
                value[position : position + 1] = [new_node] if new_node else []
    return ast.unparse(ast.fix_missing_locations(tree))


def _short(text: str) -> str:
    text = " ".join(text.split()).replace("`", "'").replace("|", "∣")
    return text if len(text) <= 60 else text[:57] + "..."


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """The changes of a node: operator and new node (None: the node is removed)."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        negated = copy.deepcopy(node)
        negated.test = ast.UnaryOp(ast.Not(), negated.test)
        yield "negate-condition", negated
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        changed_compare = copy.deepcopy(node)
        changed_compare.ops = [_COMPARISONS[type(node.ops[0])]()]
        yield "compare", changed_compare
    if isinstance(node, ast.BoolOp):
        new_operation = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and-or", ast.BoolOp(new_operation, copy.deepcopy(node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop-not", copy.deepcopy(node.operand)
    if isinstance(node, ast.Constant) and (value := _other_constant(node.value)) is not None:
        yield "constant", ast.Constant(value)
    if _is_removable(node):
        yield "drop-statement", ast.Pass()
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield "return-none", ast.Return(ast.Constant(None))
    if isinstance(node, ast.Continue):
        yield "break", ast.Break()
    if isinstance(node, ast.keyword) and node.arg:
        yield "drop-argument", None
    if isinstance(node, ast.Dict):
        for position, key in enumerate(node.keys):
            if isinstance(key, ast.Constant | ast.Name):
                changed_dict = copy.deepcopy(node)
                del changed_dict.keys[position], changed_dict.values[position]
                yield f"drop-entry-{position}", changed_dict
    if isinstance(node, ast.ExceptHandler) and not isinstance(node.body[0], ast.Raise):
        yield "re-raise", ast.ExceptHandler(node.type, node.name, [ast.Raise()])


def _is_removable(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Await)
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
    return isinstance(node, ast.Raise | ast.AugAssign | ast.Delete)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _other_constant(value: object) -> bool | int | str | bytes | None:
    """Another value of the same type; None for a text for people."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str) and " " not in value:
        return value + "-x" if value else "x"
    if isinstance(value, bytes):
        return value + b"-x"
    return None


def _unnoticeable_ids(tree: ast.AST) -> set[int]:
    """The ids of nodes that no client can notice."""
    skipped_ids: set[int] = set()

    def skip(node: ast.AST | None) -> None:
        if node is not None:
            skipped_ids.update(id(inner) for inner in ast.walk(node))

    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            skip(node.annotation)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            skip(node.returns)
            if any("overload" in ast.unparse(decorator) for decorator in node.decorator_list):
                skip(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                skip(decorator)
        if isinstance(node, ast.JoinedStr):
            skipped_ids.update(id(part) for part in node.values)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            skip(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skip(node)
        if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node.targets[0]):
            skip(node)
        call = node.value if isinstance(node, ast.Expr) else node
        if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[0] in _SILENT:
            skip(node)
        if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom):
            skip(node)
    return skipped_ids


def _statements(tree: ast.AST) -> dict[int, int]:
    """The first line of the innermost statement of each node, by id."""
    lines: dict[int, int] = {}

    def visit(node: ast.AST, line: int) -> None:
        if isinstance(node, ast.stmt):
            line = node.lineno
        lines[id(node)] = line
        for child in ast.iter_child_nodes(node):
            visit(child, line)

    visit(tree, 1)
    return lines


def _functions(tree: ast.AST) -> dict[int, str]:
    """The name of the innermost function or class around each node, by id."""
    names: dict[int, str] = {}

    def visit(node: ast.AST, name: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = node.name
        names[id(node)] = name
        for child in ast.iter_child_nodes(node):
            visit(child, name)

    visit(tree, "")
    return names
