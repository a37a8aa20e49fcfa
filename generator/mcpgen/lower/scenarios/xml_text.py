"""Expected XML in canonical form, which makes two documents comparable.

Independent of the runtime's code, so that each checks the other. Source:
https://spec.openapis.org/oas/v3.2.0.html#xml-object and https://www.w3.org/TR/xml-c14n2/.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import ParseError, XMLParser, canonicalize
from xml.sax.saxutils import escape, quoteattr

from mcpgen.ir.server import ElementSpec, XmlNode
from mcpgen.ir.source import Json
from mcpgen.lower.scenarios.parameter_styles import scalar_text

_NIL = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"'


def canonical(shapes: Mapping[str, ElementSpec], value: Json) -> str:
    """Returns the canonical document of a value; `""` for an inexpressible value."""
    document = _XmlWriter(shapes).write(shapes[""], "", value)
    try:
        return canonicalize(document)
    except (ParseError, UnicodeEncodeError):
        return ""


def canonical_xml(document: str) -> str:
    """Returns a document in canonical form. Raises ParseError for malformed XML."""
    return canonicalize(document)


def is_document(text: str) -> bool:
    """True for a well-formed document without a DOCTYPE."""
    if "<!DOCTYPE" in text:
        return False
    parser = XMLParser()
    try:
        parser.feed(text)
        parser.close()
    except (ParseError, UnicodeEncodeError):
        return False
    return True


class _XmlWriter:
    """Writes values by shapes, which may refer to named shapes."""

    def __init__(self, shapes: Mapping[str, ElementSpec]) -> None:
        self._shapes = shapes

    def write(self, shape: ElementSpec, key: str, value: Json) -> str:
        """Returns a value as the text of its element."""
        inner = self._shapes[shape.like] if shape.like else shape
        name = shape.name or key
        if isinstance(value, list):
            item_shape = inner.each or ElementSpec()
            content = "".join(self.write(item_shape, name, item) for item in value)
            return self._wrap(shape, name, [], content) if shape.wrapped else content
        if isinstance(value, dict):
            return self._wrap(shape, name, *self._members(inner, value))
        if value is None:
            return self._wrap(shape, name, [_NIL], "")
        if shape.node is not XmlNode.ELEMENT:
            return escape(scalar_text(value))
        return self._wrap(shape, name, [], escape(scalar_text(value)))

    def _members(self, shape: ElementSpec, value: Mapping[str, Json]) -> tuple[list[str], str]:
        attributes: dict[str, str] = {}
        ordered = [key for key in shape.fields if key in value]
        ordered += [key for key in value if key not in shape.fields]
        content = ""
        for key in ordered:
            field = shape.fields.get(key, shape.other or ElementSpec())
            if field.node is not XmlNode.ATTRIBUTE:
                content += self.write(field, key, value[key])
            elif value[key] is not None:
                name = field.name or key
                items = value[key] if isinstance(value[key], list) else [value[key]]
                if field.namespace:
                    attributes[f"xmlns:{name.split(':')[0]}"] = field.namespace
                attributes[name] = " ".join(map(scalar_text, items))
        return [f"{name}={quoteattr(member)}" for name, member in attributes.items()], content

    def _wrap(self, shape: ElementSpec, name: str, attributes: list[str], content: str) -> str:
        if shape.namespace:
            prefix = name.split(":")[0] if ":" in name else ""
            space = f"xmlns:{prefix}" if prefix else "xmlns"
            declared = f"{space}={quoteattr(shape.namespace)}"
            attributes = [
                attribute for attribute in attributes if not attribute.startswith(f"{space}=")
            ]
            attributes = [declared, *attributes]
        return f"<{' '.join([name, *attributes])}>{content}</{name}>"
