"""Parts of the declaration of some tools: constants, parts of forms, XML elements and result pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .tool import Json, Place


@dataclass(frozen=True)
class Constant:
    """A value filled in by the server because the API allows no other value; or `{}` for a required
    object, unless arguments create the object."""

    place: Place
    to: tuple[str, ...]
    value: Json
    style: str = ""
    explode: bool = False


@dataclass(frozen=True)
class Part:
    """The encoding of one property of a form or multipart body. `media_type` is the content type;
    for a range such as `image/*` every call must give a type. `base64`: a string holds base64
    bytes. `xml` is the XML encoding of the value. `needs` are required headers of the part."""

    media_type: str = ""
    base64: bool = False
    needs: tuple[str, ...] = ()
    xml: Element | None = None


@dataclass(frozen=True)
class Element:
    """The XML encoding of a value. `name` may have a prefix, bound to `namespace`. `fields` are the
    members of an object, `other` applies to further members; `each` applies to array items, which
    have an enclosing element if `wrapped`. `like` names a shape in `Body.xml` to use instead."""

    name: str = ""
    node: Literal["element", "attribute", "text", "cdata"] = "element"
    namespace: str = ""
    fields: Mapping[str, Element] = field(default_factory=dict)
    other: Element | None = None
    each: Element | None = None
    wrapped: bool = False
    like: str = ""


@dataclass(frozen=True)
class Page:
    """The size of a result page: bytes of text and items of a list, 0 for unlimited. `cursor` is
    the argument for the next page, `""` if the call must not be repeated."""

    bytes: int = 0
    items: int = 0
    cursor: str = ""

    def cursor_schema(self, strict: bool) -> dict[str, Json]:
        """The announced schema of the cursor argument."""
        return {
            "type": ["string", "null"] if strict else "string",
            "description": "Handle of the next page, from a result that was cut; the other arguments stay the same.",
        }
