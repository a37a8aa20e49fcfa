"""XML shapes of a body, from the `xml` objects of its schema.

Source: https://spec.openapis.org/oas/v3.2.0.html#xml-object, which includes the rules of 3.0 and
3.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.server import ElementSpec, XmlNode
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.schema_view import PREFIX, SchemaView
from mcpgen.lower.flatten.types import SCALARS, schema_types
from mcpgen.lower.sanitize_text import strip_invisible, truncate

_NAME = re.compile(r"[A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff][\w.-]*")
_BESIDE = {"$ref", "xml", "title", "description", "deprecated", "default", "examples", "x-mcp-name"}
"""Keywords beside a reference that leave the content of the element unchanged."""

_MAX_DEPTH = 10
_MAX_SHAPES = 2_000
"""Shapes of one body. Only schemas written in place count: a definition of the document has
one shape, which other shapes name."""


class NoXmlForm(Exception):
    """A schema has no form in XML; the message is the reason."""


def xml_shapes(context: FlattenContext, schema: Json) -> Mapping[str, ElementSpec]:
    """Returns the shapes of a body by name, `""` for the root. Raises `NoXmlForm`."""
    writer = _ShapeWriter(context)
    view = context.schemas.view(schema)
    kinds = schema_types(context.schemas, view)
    if not kinds or len(kinds - SCALARS) + bool(kinds & SCALARS) != 1:
        raise NoXmlForm("its schema is free-form")
    is_described = isinstance(view.get("additionalProperties"), dict) or context.objects.properties(
        view
    )
    if kinds == {"object"} and not is_described:
        raise NoXmlForm("its schema is free-form")
    root = writer.element(schema, _component_name(schema), 0)
    if not root.name:
        raise NoXmlForm("nothing names its root element")
    if root.node is not XmlNode.ELEMENT or (kinds == {"array"} and not root.wrapped):
        raise NoXmlForm("it has no root element")
    return {"": root, **writer.named}


def xml_part_shape(
    context: FlattenContext, schema: Json, name: str
) -> tuple[ElementSpec, Mapping[str, ElementSpec]]:
    """Returns the shape of one multipart part and the shapes it refers to. Raises `NoXmlForm`."""
    writer = _ShapeWriter(context)
    return writer.element(schema, _component_name(schema) or name, 0), writer.named


def _component_name(schema: Json) -> str:
    """Returns the name of the referenced definition, or `""`."""
    if not isinstance(schema, dict) or "$ref" not in schema:
        return ""
    return str(schema["$ref"]).removeprefix(PREFIX)


@dataclass
class _ShapeWriter:
    """Writes shapes. `named` are the shapes of definitions, `bound` the namespaces by prefix."""

    context: FlattenContext
    named: dict[str, ElementSpec] = field(default_factory=dict)
    bound: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def element(self, schema: Json, default: str, depth: int) -> ElementSpec:
        """Returns the shape of a value; `default` is the name of its property."""
        self.count += 1
        if depth > _MAX_DEPTH or self.count > _MAX_SHAPES:
            raise NoXmlForm("its schema is nested too deeply")
        view = self.context.schemas.view(schema)
        kinds = schema_types(self.context.schemas, view)
        xml = self._xml(schema)
        if "array" in kinds:
            return self._array(view, kinds, xml, default, depth)
        if "object" in kinds and kinds != {"object"}:
            raise NoXmlForm(f"`{_format_name(default)}` is an object or something else")
        head = self._head(xml, default)
        if "object" in kinds:
            return self._object(schema, view, head, depth)
        return head

    def _array(
        self,
        view: SchemaView,
        kinds: frozenset[str],
        xml: Mapping[str, Json],
        default: str,
        depth: int,
    ) -> ElementSpec:
        if kinds != {"array"} or view.get("prefixItems"):
            raise NoXmlForm(f"`{_format_name(default)}` is a tuple, or an array or something else")
        wrapped = bool(xml.get("wrapped")) or xml.get("nodeType") == "element"
        if xml.get("attribute") or xml.get("nodeType") == "attribute":
            return self._head(xml, default)
        head = self._head(xml if wrapped else {}, default)
        items = view.get("items", True)
        # Items of a property have the name of the property, items elsewhere that of their
        # component.
        own = head.name.rpartition(":")[2] or default
        item = self.element(items, own if depth else _component_name(items) or own, depth + 1)
        if not wrapped and schema_types(self.context.schemas, self.context.schemas.view(items)) == {
            "array"
        }:
            raise NoXmlForm(f"the arrays of `{_format_name(default)}` cannot be told apart")
        if item.node is XmlNode.ATTRIBUTE:
            raise NoXmlForm(f"the items of `{_format_name(default)}` are attributes")
        return ElementSpec(head.name, namespace=head.namespace, each=item, wrapped=wrapped)

    def _object(self, schema: Json, view: SchemaView, head: ElementSpec, depth: int) -> ElementSpec:
        if head.node is not XmlNode.ELEMENT:
            raise NoXmlForm(f"`{_format_name(head.name)}` is an object and not an element")
        name = _component_name(schema)
        if name and schema.keys() <= _BESIDE and name in self.context.schemas.definitions:
            if name not in self.named:
                self.named[name] = ElementSpec()
                self.named[name] = self._inside(view, ElementSpec(), depth + 1)
            return ElementSpec(head.name, namespace=head.namespace, like=name)
        return self._inside(view, head, depth + 1)

    def _inside(self, view: SchemaView, head: ElementSpec, depth: int) -> ElementSpec:
        """Returns the shape of an object with its members."""
        if any(self._xml(branch).get("name") for branch in view.branches):
            raise NoXmlForm(f"the forms of `{_format_name(head.name)}` have names of their own")
        properties = self.context.objects.properties(view)
        fields = {}
        for part in properties.all if properties else ():
            seen = self.context.schemas.view(part.schema)
            if not seen.get("readOnly") and not seen.contradiction:
                shape = self.element(part.schema, part.name, depth)
                self._report_borrowed(part.schema, part.name, shape)
                fields[part.name] = replace(shape, name="") if shape.name == part.name else shape
        extra = view.get("additionalProperties")
        other = None
        if isinstance(extra, dict) and extra:
            # The call gives the keys, so the element names are unknown here.
            other = self.element(extra, "", depth)
        attributes = [e.name or k for k, e in fields.items() if e.node is XmlNode.ATTRIBUTE]
        if len(set(attributes)) < len(attributes):
            raise NoXmlForm(f"two attributes of `{_format_name(head.name)}` have one name")
        for key, field_shape in fields.items():
            if not field_shape.name and not _NAME.fullmatch(key):
                raise NoXmlForm(f"`{_format_name(key)}` cannot be the name of an element")
        return ElementSpec(head.name, namespace=head.namespace, fields=fields, other=other)

    def _report_borrowed(self, schema: Json, name: str, shape: ElementSpec) -> None:
        """Adds BORROWED_XML_NAME for a property whose element name comes from the referenced
        schema."""
        component = _component_name(schema)
        is_own = shape.each is not None or not component or "xml" in schema
        if is_own or shape.name in ("", name) or component not in self.context.schemas.definitions:
            return
        self.context.diagnostics.add(
            codes.BORROWED_XML_NAME,
            self.context.schemas.definitions[component].at,
            name=_format_name(name),
            element=shape.name,
            schema=_format_name(component),
        )

    def _xml(self, schema: Json) -> Mapping[str, Json]:
        """Returns the `xml` object of a schema or of the referenced definition, else `{}`."""
        for _ in range(_MAX_DEPTH):
            if not isinstance(schema, dict):
                return {}
            if "xml" in schema:
                return dict(schema["xml"])
            parts = schema.get("allOf", ())
            own = [part for part in parts if isinstance(part, dict) and "xml" in part]
            if own:
                return dict(own[0]["xml"])
            name = _component_name(schema) or (_component_name(parts[0]) if len(parts) == 1 else "")
            if name not in self.context.schemas.definitions:
                return {}
            schema = self.context.schemas.definitions[name].json
        return {}

    def _head(self, xml: Mapping[str, Json], default: str) -> ElementSpec:
        """The name, the namespace and the kind of a node."""
        node = _node(xml)
        name = str(xml.get("name") or default)
        prefix = str(xml.get("prefix") or "")
        if ":" in name and not prefix:
            prefix, _, name = name.partition(":")
        namespace = str(xml.get("namespace") or self.bound.get(prefix, ""))
        if name and not _NAME.fullmatch(name):
            raise NoXmlForm(f"`{_format_name(name)}` cannot be the name of an element")
        if not namespace.isprintable() or " " in namespace:
            raise NoXmlForm(f"the namespace of `{_format_name(name)}` is none")
        if prefix == "xml" and node is XmlNode.ATTRIBUTE:
            return ElementSpec(f"xml:{name}", node)
        if prefix and (not _NAME.fullmatch(prefix) or prefix.lower().startswith("xml")):
            raise NoXmlForm(f"`{_format_name(prefix)}` cannot be a prefix")
        if prefix and not namespace:
            raise NoXmlForm(f"the prefix `{_format_name(prefix)}` has no namespace")
        if node is XmlNode.ATTRIBUTE and namespace and not prefix:
            raise NoXmlForm(f"the attribute `{_format_name(name)}` has a namespace but no prefix")
        if prefix and self.bound.setdefault(prefix, namespace) != namespace:
            raise NoXmlForm(f"the prefix `{_format_name(prefix)}` has two namespaces")
        return ElementSpec(f"{prefix}:{name}" if prefix else name, node, namespace)


def _node(xml: Mapping[str, Json]) -> XmlNode:
    node_type = xml.get("nodeType")
    if node_type in {node.value for node in XmlNode}:
        return XmlNode(node_type)
    return XmlNode.ATTRIBUTE if xml.get("attribute") else XmlNode.ELEMENT


def _format_name(name: str) -> str:
    return truncate(strip_invisible(name), 60) or "body"
