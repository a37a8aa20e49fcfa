"""Extracts the arguments of tools from signatures, JSON definitions, lists, tables and calls."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from re import Match

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.calls import call_value_schema
from mcpgen.openspec.lower.extraction.fact import Fact, FactKind, Sentence
from mcpgen.openspec.lower.extraction.type_words import SCALARS, TYPES, type_schema
from mcpgen.openspec.model.requirements import Requirement, RequirementChange, Requirements, Role

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_SIGNATURE = re.compile(rf"`({_NAME}(?:-{_NAME})*)\(([^`]*)\)(?: ?(?:->|:) ?[^`]*)?`")
_FENCE = re.compile(r"^ *(```|~~~)[^\n]*\n(.*?)^ *\1", re.MULTILINE | re.DOTALL)
_FENCED_CALL = re.compile(
    rf"^[ \t]*({_NAME})\(([^()]{{0,4000}})\)(?:\s*(?:->|=>|→|:).*)?$", re.MULTILINE
)
_COMMENT = re.compile(r"(?<=\s)(?:#|//)[^\n]*")
_ITEM = re.compile(
    rf"^\s*[-*+] (?:\*\*)?`({_NAME})`(?:\*\*)?\s*(?:\(([^)]*)\))?(?:\*\*)?\s*(?:(?:[:—–-]|--|is)+\s*(.*))?$"
)
_INTRODUCES = re.compile(
    r"\b(?:arguments?|parameters?|inputs?|input ?schema|accepts?|takes?)\b[^.`]*:?\s*$",
    re.IGNORECASE,
)
_ROW = re.compile(r"^\s*\|(.+)\|\s*$")
_NAME_COLUMN = re.compile(r"^(?:parameter|argument|input)s?(?: name)?$|^name$", re.IGNORECASE)
_ACCEPTS = re.compile(
    r"(?:\b(?:SHALL|MUST|MAY|SHOULD|shall|must|may)\b(?: also| optionally)? |\b(?:that|and) )?"
    r"\b(?:accepts?|takes?|accepting|taking|принимать(?: как минимум)?)\b (?=[^.;]*`)([^.;]*)"
)
_RETURNS = re.compile(r"\b(?:returns?|returning|responds?|yields?)\b")
_CALL_WITH = re.compile(
    rf"`?\b({_NAME}(?:-{_NAME})*)(?:\([^`]*\))?`?(?: tool)?(?: is (?:called|invoked))? (?:with|и|с)\b:?(?=(.*))",
    re.DOTALL,
)
_GIVEN_PAIR = re.compile(
    rf"(?<![\w.])`?({_NAME})`? ?[=:] ?(\"[^\"]*\"|'[^']*'|-?\d+(?:\.\d+)?|true|false|True|False|\[[^\]`]*\]|\{{)"
)
_GIVEN_NAME = re.compile(
    rf"(?:^|,|\band|\bor|\ba|\ban|\bthe|\bvalid|\bonly|\bboth|\binvalid|\bunknown|\bno|\bexplicit|\boptional"
    rf"|\bexisting|\bunsupported|:|;) *`({_NAME})`(?= ?(?:$|,|;|and\b|or\b|set to|of\b|equal|parameters?|arguments?|is\b|"
    r"list\b|values?|array\b|→|и\b|\())"
)
_SET_TO = re.compile(
    rf"`({_NAME})` (?:set to|of|equal to|=|as) `?(\"[^\"]*\"|-?\d+|true|false|[a-z_]+)`?"
)
_KEPT = ("type", "enum", "default", "minimum", "maximum", "minLength", "maxLength", "pattern")
_MAX_TEXT = 4_000


@dataclass(slots=True)
class _Arguments:
    """Arguments read at one place."""

    schemas: dict[str, dict[str, Json]] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)


def extract_declared_arguments(
    requirements: Requirements, sentences: Sequence[Sentence], tools: Sequence[str]
) -> Iterator[Fact]:
    """Yields the arguments that the text declares for known tools.

    A list, table or sentence without the name of a tool belongs to the tool of its requirement: the
    tool in the requirement's name, or the first tool that the requirement names.
    """
    names = set(tools)
    below: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        below.setdefault(sentence.requirement, []).append(sentence)
    for requirement in requirements.requirements:
        own = below.get(requirement.name)
        if requirement.change is RequirementChange.REMOVED or not own:
            continue
        for sentence in own:
            yield from _signatures(sentence, names)
            yield from _called_arguments(sentence, names)
        subject = _subject(requirement, own, tools)
        yield from _fenced_signatures(requirement, own[0], names)
        if subject:
            yield from _listed_arguments(requirement, own[0], subject)
            yield from _accepted_arguments(own, subject, names)


def _subject(requirement: Requirement, own: Sequence[Sentence], tools: Sequence[str]) -> str:
    """Returns the only tool that a requirement is about, or `""`."""
    for text in (requirement.name, own[0].text):
        names = [
            name for name in tools if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
        ]
        if names:
            return names[0] if len(names) == 1 else ""
    return ""


def _signature_fact(
    tool: str, sentence: Sentence, signature: _Arguments, span: tuple[int, int] = (0, 0)
) -> Fact:
    return Fact(
        FactKind.ARGUMENT,
        tuple(signature.schemas),
        sentence,
        span,
        tools=(tool,),
        schemas=signature.schemas,
        required=frozenset(signature.required),
    )


def _signatures(sentence: Sentence, tools: set[str]) -> Iterator[Fact]:
    matches = _SIGNATURE.finditer(sentence.text)
    for match, signature in _parse_calls(matches, tools, is_in_step=sentence.step > 0):
        yield _signature_fact(match[1], sentence, signature, match.span())


def _parse_calls(
    matches: Iterable[Match[str]], tools: set[str], *, is_in_step: bool
) -> Iterator[tuple[Match[str], _Arguments]]:
    """Yields the matches with a tool's name and arguments, as groups 1 and 2, with the arguments."""
    for match in matches:
        signature = parse_signature(match[2], is_in_step=is_in_step) if match[1] in tools else None
        if signature and signature.schemas:
            yield match, signature


def parse_signature(text: str, *, is_in_step: bool = False) -> _Arguments | None:
    """Parses the parameters of a Python or TypeScript signature, or of an example call.

    Two forms have example values: `name: "x"`, with a value in the place of a type, and
    `search(limit=3)`, a call in a step (`is_in_step`). An example value gives the type of the argument
    only. Outside of steps `limit=3` is a default.
    """
    if len(text) > _MAX_TEXT:
        return None
    plain = " ".join(text.strip().strip("{} ").split())
    optional = set(re.findall(rf"({_NAME})\?\s*:", plain))
    plain = re.sub(rf"({_NAME})\?\s*:", r"\1:", plain)
    # TypeScript allows a parameter without a default behind one with a default, Python behind `*`.
    tree = _parse_parameters(plain) or _parse_parameters(f"*, {plain}")
    if tree is None:
        return None
    signature = _Arguments()
    positional = [*tree.posonlyargs, *tree.args]
    parameters = [*positional, *tree.kwonlyargs]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(tree.defaults))
    defaults += [*tree.defaults, *tree.kw_defaults]
    annotations = [parameter.annotation for parameter in parameters]
    is_typed = any(node and not _is_example(node) for node in annotations)
    is_declaration = is_typed or not is_in_step
    for parameter, default in zip(parameters, defaults, strict=True):
        if parameter.arg in ("self", "cls", "ctx", "context"):
            continue
        annotation = parameter.annotation
        example = annotation if annotation and _is_example(annotation) else None
        schema = _example_schema(example or default)
        if annotation and not example:
            schema |= type_schema(ast.unparse(annotation))
        value = _literal(default)
        if default is None and is_typed and not example and parameter.arg not in optional:
            signature.required.add(parameter.arg)
        elif is_declaration and isinstance(value, str | int | float):
            schema["default"] = value
        signature.schemas[parameter.arg] = schema
    return signature


def _parse_parameters(text: str) -> ast.arguments | None:
    """Parses the parameters of a Python function; None for other text."""
    try:
        tree = ast.parse(f"def f({text}): ...").body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree.args if isinstance(tree, ast.FunctionDef) else None


def _is_example(node: ast.expr) -> bool:
    """Returns whether a node in the place of a type is a value: `"x"`, `3`, `{name: "x"}`."""
    match node:
        case ast.Constant(value=value):
            return value is not None
        case ast.Dict(values=parts) | ast.List(elts=parts):
            return any(map(_is_example, parts))
        case ast.UnaryOp(operand=operand):
            return _is_example(operand)
    return False


def _example_schema(node: ast.expr | None) -> dict[str, Json]:
    """Returns the schema of a value, `{}` if unknown; an object may have names without quotes."""
    if isinstance(node, ast.Dict):
        return {"type": "object"}
    return dict(call_value_schema(_literal(node))) or (
        {"type": "array"} if isinstance(node, ast.List) else {}
    )


def _literal(node: ast.expr | str | None) -> Json:
    """Returns the JSON value of a literal; None for other nodes and texts."""
    try:
        value = ast.literal_eval(node) if node is not None else None
        json.dumps(value, allow_nan=False)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    return value


def _fenced_signatures(
    requirement: Requirement, sentence: Sentence, tools: set[str]
) -> Iterator[Fact]:
    """Yields the arguments of JSON definitions and signatures in fenced blocks."""
    texts = [(requirement.text, False)]
    texts += [(scenario.text, True) for scenario in requirement.scenarios]
    for text, is_in_step in texts:
        for fence in _FENCE.finditer(text):
            body = fence[2]
            if body.lstrip().startswith(("{", "[")):
                for name, schema in _json_tools(body):
                    if name in tools:
                        yield _signature_fact(name, sentence, _arguments_of_schema(schema))
                continue
            matches = _FENCED_CALL.finditer(_COMMENT.sub("", body))
            for match, signature in _parse_calls(matches, tools, is_in_step=is_in_step):
                yield _signature_fact(match[1], sentence, signature)


def _json_tools(body: str) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yields names and input schemas of tool definitions in JSON."""
    try:
        tree = json.loads(body)
    except (ValueError, RecursionError):
        return
    tools = tree.get("tools", [tree]) if isinstance(tree, dict) else tree
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict) and isinstance(tool.get("name"), str):
            schema = tool.get("inputSchema") or tool.get("input_schema") or tool.get("parameters")
            if isinstance(schema, dict):
                yield tool["name"], schema


def _arguments_of_schema(schema: Mapping[str, Json]) -> _Arguments:
    """Reads the properties of a JSON Schema; keywords without a flat meaning are left out."""
    signature = _Arguments()
    properties = schema.get("properties")
    needed = schema.get("required")
    for name, property_schema in properties.items() if isinstance(properties, dict) else ():
        kinds = (*SCALARS, "array", "object")
        if not isinstance(property_schema, dict) or property_schema.get("type") not in kinds:
            signature.schemas[name] = {}
            continue
        simple = {
            key: property_schema[key]
            for key in _KEPT
            if key in property_schema and property_schema["type"] in SCALARS
        }
        simple["type"] = property_schema["type"]
        items = property_schema.get("items")
        if (
            property_schema["type"] == "array"
            and isinstance(items, dict)
            and items.get("type") in SCALARS
        ):
            simple["items"] = {"type": items["type"]}
        if isinstance(property_schema.get("description"), str):
            simple["description"] = property_schema["description"]
        signature.schemas[name] = simple
    if isinstance(needed, list):
        signature.required.update(name for name in needed if name in signature.schemas)
    return signature


def _listed_arguments(requirement: Requirement, sentence: Sentence, subject: str) -> Iterator[Fact]:
    """Yields the arguments of a list or table of parameters in the body of a requirement."""
    lines = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), requirement.text).split("\n")
    signature = _Arguments()
    listing = False
    columns: list[str] = []
    for line in lines:
        if len(line) > _MAX_TEXT:
            continue
        row = _ROW.match(line)
        if row:
            cells = [cell.strip() for cell in row[1].split("|")]
            if not columns:
                columns = cells if _NAME_COLUMN.match(cells[0]) else [""]
            elif columns != [""] and not set(cells[0]) <= set("-: "):
                _add_row(signature, columns, cells)
            continue
        columns = []
        item = _ITEM.match(line)
        if item and listing:
            _add_item(signature, item[1], item[2] or "", item[3] or "")
        elif line.strip():
            listing = bool(_INTRODUCES.search(line.strip().rstrip(":*"))) and line.rstrip(
                "* "
            ).endswith(":")
    if signature.schemas:
        yield _signature_fact(subject, sentence, signature)


def _add_item(signature: _Arguments, name: str, type_text: str, words: str) -> None:
    """Adds `mode` (string, required, default: `x`) with its description."""
    if not type_text and (inline := re.match(r"\(?([^)—–]*?)\)?(?: [—–-]+ |: |$)", words)):
        type_text = inline[1] if len(inline[1]) < 60 else ""
    schema: dict[str, Json] = {}
    for word in re.findall(r"[A-Za-z]+", type_text):
        if kind := TYPES.get(word.lower()):
            schema["type"] = kind
            break
    enum = re.search(r"(?:enum|one of|either)[: ]+(.*)", f"{type_text} {words}")
    if enum and schema.get("type", "string") == "string":
        values = re.findall(r"[`\"]([^`\"]+)[`\"]", enum[1].partition("default")[0])
        if len(values) > 1:
            schema |= {"type": "string", "enum": values}
    default = re.search(r"defaults?(?: to| is)?[:=]? ?[`\"]?([\w.-]+)", f"{type_text}; {words}")
    value = _convert_value(default[1], schema.get("type")) if default else None
    if value is not None and value in schema.get("enum", [value]):
        schema["default"] = value
    bounds = re.search(r"(?<![\d.])(\d+) ?(?:-|–|to|\.\.) ?(\d+)(?![\d.])", type_text)
    if bounds and schema.get("type") in ("integer", "number") and int(bounds[1]) < int(bounds[2]):
        schema |= {"minimum": int(bounds[1]), "maximum": int(bounds[2])}
    if words:
        schema["description"] = words.strip()[:1].upper() + words.strip()[1:]
    if re.search(r"\brequired\b", type_text) and not re.search(r"\bnot required\b", type_text):
        signature.required.add(name)
        schema.pop("default", None)
    signature.schemas.setdefault(name, schema)


def _convert_value(text: str, kind: Json) -> Json:
    """Returns a default of the type of its argument; None if text and type disagree."""
    if kind == "boolean":
        return {"true": True, "false": False}.get(text.lower())
    if kind in ("integer", "number"):
        return int(text) if re.fullmatch(r"-?\d{1,15}", text) else None
    return text if kind == "string" and text not in ("None", "null", "none") else None


def _add_row(signature: _Arguments, columns: Sequence[str], cells: Sequence[str]) -> None:
    name = cells[0].strip("`* ")
    if not re.fullmatch(_NAME, name):
        return
    row = dict(zip((column.lower() for column in columns), cells, strict=False))
    kind = ", ".join(row[key] for key in row if key.startswith(("type", "default")))
    if "default" in row:
        bare = row["default"].strip('`" ')
        kind = f"{row.get('type', '')}" + (
            f", default: {bare}" if re.fullmatch(r"[\w.-]+", bare) else ""
        )
    required = row.get("required", "").lower()
    kind += ", required" if required.startswith(("y", "true", "✓", "✔")) else ""
    words = next((row[key] for key in row if key.startswith(("desc", "meaning", "purpose"))), "")
    _add_item(signature, name, kind, words)


def _accepted_arguments(own: Sequence[Sentence], subject: str, tools: set[str]) -> Iterator[Fact]:
    """Yields the names behind `accepts`, in sentences about the tool of the requirement."""
    for sentence in own:
        if sentence.role is Role.THEN:
            continue
        match = _ACCEPTS.search(sentence.text)
        if match is None or re.search(r"\bNOT\b|\bnot\b", match[0]):
            continue
        accepted = _RETURNS.split(match[1], maxsplit=1)[0]
        names = [
            name for name in re.findall(rf"`({_NAME})(?:: ?\w+)?`", accepted) if name not in tools
        ]
        if names:
            yield _signature_fact(
                subject, sentence, _Arguments({name: {} for name in names}), match.span()
            )


def _called_arguments(sentence: Sentence, tools: set[str]) -> Iterator[Fact]:
    """Yields the arguments of a described call: `a` is called with `b: 1`, `c` set to 2 and `d`."""
    if sentence.role not in (Role.WHEN, Role.GIVEN, Role.NONE):
        return
    match = next((match for match in _CALL_WITH.finditer(sentence.text) if match[1] in tools), None)
    if match is None:
        return
    text = re.sub(r"\([^()]*\)", "", match[2])
    signature = _Arguments()
    for pair in _GIVEN_PAIR.finditer(text):
        signature.schemas.setdefault(pair[1], _schema_of_text(pair[2]))
    for pair in _SET_TO.finditer(text):
        signature.schemas.setdefault(pair[1], _schema_of_text(pair[2]))
    for name in _GIVEN_NAME.finditer(text):
        signature.schemas.setdefault(name[1], {})
    for excluded in tools | {"true", "false", "null", "None"}:
        signature.schemas.pop(excluded, None)
    if signature.schemas:
        yield _signature_fact(match[1], sentence, signature, match.span())


def _schema_of_text(text: str) -> dict[str, Json]:
    """Returns the schema of a value written in a step; `{` begins an object."""
    if text.lower() in ("true", "false"):
        return {"type": "boolean"}
    if text == "{":
        return {"type": "object"}
    is_list = text.startswith("[")
    return dict(call_value_schema(_literal(text))) or ({"type": "array"} if is_list else {})
