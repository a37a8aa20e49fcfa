"""XML bodies: built from arguments by their shapes, or checked as text before sending."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.test_bodies import build_request, field

from mcpgen_runtime.tool import Argument, Body
from mcpgen_runtime.tool_parts import Element
from mcpgen_runtime.upstream.exchange import InvalidArguments

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def build_document(root: Element, value: Any, **shapes: Element) -> str:
    """Returns the XML document of a value."""
    body = Body("application/xml", True, xml={"": root, **shapes})
    argument = field("body", to=(), text="json")
    return (
        (build_request(body, (argument,), {"body": value}).body or b"").decode().removeprefix(HEAD)
    )


def refusal_reason(root: Element, value: Any) -> str:
    """Returns the reason why a value makes no document."""
    with pytest.raises(InvalidArguments) as fault:
        build_document(root, value)
    return "; ".join(fault.value.problems)


SAMPLE = Element(
    "Person",
    fields={
        "id": Element(node="attribute"),
        "name": Element("sample:name", namespace="https://example.com/schema/sample"),
    },
)
ANIMAL = Element("animal")

TABLE = [
    (Element("n"), '"a"', "<n>a</n>"),
    (Element("n"), "1.0", "<n>1</n>"),
    (Element("n"), "true", "<n>true</n>"),
    (Element("n"), '"<a> & \\"b\\" ]]>\\r\\n"', '<n>&lt;a&gt; &amp; "b" ]]&gt;&#13;\n</n>'),
    (
        SAMPLE,
        '{"name": "example", "id": 123}',
        '<Person id="123"><sample:name xmlns:sample="https://example.com/schema/sample">'
        "example</sample:name></Person>",
    ),
    (SAMPLE, '{"id": "\\"<\\t\\n&"}', '<Person id="&quot;&lt;&#9;&#10;&amp;"></Person>'),
    (SAMPLE, '{"id": null}', "<Person></Person>"),
    (
        Element("a", fields={"b": Element(each=Element())}),
        '{"b": [1, 2]}',
        "<a><b>1</b><b>2</b></a>",
    ),
    (
        Element("a", fields={"b": Element(each=ANIMAL)}),
        '{"b": [1, 2]}',
        "<a><animal>1</animal><animal>2</animal></a>",
    ),
    (
        Element("a", fields={"b": Element("aliens", each=ANIMAL, wrapped=True)}),
        '{"b": [1]}',
        "<a><aliens><animal>1</animal></aliens></a>",
    ),
    (
        Element("a", fields={"b": Element("aliens", each=Element(), wrapped=True)}),
        '{"b": [1]}',
        "<a><aliens><aliens>1</aliens></aliens></a>",
    ),
    (Element("a", namespace="urn:x"), '{"b": 1}', '<a xmlns="urn:x"><b>1</b></a>'),
    (Element("p:a", namespace='urn:<&"'), "1", '<p:a xmlns:p="urn:&lt;&amp;&quot;">1</p:a>'),
    (
        Element(
            "p:a",
            namespace="urn:p",
            fields={"b": Element("p:b", node="attribute", namespace="urn:p")},
        ),
        '{"b": 1}',
        '<p:a xmlns:p="urn:p" p:b="1"></p:a>',
    ),
    (
        Element("a", fields={"t": Element(node="text"), "c": Element(node="cdata")}),
        '{"c": "x ]]> <y>", "t": "<&"}',
        "<a>&lt;&amp;<![CDATA[x ]]]]><![CDATA[> <y>]]></a>",
    ),
    (
        Element("a", fields={"b": Element()}),
        '{"b": null}',
        '<a><b xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></b></a>',
    ),
    (Element("a", other=Element(each=Element("i"))), '{"k": [1]}', "<a><i>1</i></a>"),
    (
        Element("a", fields={"last": Element(), "first": Element()}),
        '{"first": 1, "more": {"x": [1, 2]}, "last": 2}',
        "<a><last>2</last><first>1</first><more><x>1</x><x>2</x></more></a>",
    ),
]


@pytest.mark.parametrize(("root", "value", "document"), TABLE)
def test_a_value_is_written_by_its_shape(root: Element, value: str, document: str) -> None:
    assert build_document(root, value) == document


def test_a_recursive_shape_is_written_to_any_depth() -> None:
    tree = Element(fields={"kids": Element(each=Element("kid", like="Tree"))})

    document = build_document(Element("tree", like="Tree"), '{"kids": [{"kids": [{}]}]}', Tree=tree)

    assert document == "<tree><kid><kid></kid></kid></tree>"


@pytest.mark.parametrize("sign", ["\\u0000", "\\u001b", "\\ufffe", "\\ud800"])
def test_what_xml_cannot_carry_is_refused_by_the_name_of_its_argument(sign: str) -> None:
    message = refusal_reason(Element("a"), f'{{"b": ["x{sign}"]}}')

    assert message.startswith("body.b[0]: must not hold")


@pytest.mark.parametrize("key", ["a b", "<x", "1a", "", "a/", "p:a", 'a="1"', "a\\u0000"])
def test_a_key_that_is_no_name_cannot_become_an_element(key: str) -> None:
    message = refusal_reason(Element("a"), '{"' + key.replace('"', '\\"') + '": 1}')

    assert "cannot be the name of an XML element" in message


def test_a_fault_is_told_by_the_argument_that_fills_the_place() -> None:
    body = Body("application/xml", True, xml={"": Element("a", fields={"b": Element()})})
    argument = Argument("body_b", "body", {"type": "string"}, to=("b",))

    with pytest.raises(InvalidArguments) as fault:
        build_request(body, (argument,), {"body_b": "\x00"})

    assert fault.value.problems == ("body_b: must not hold '\\x00', which XML cannot carry",)


def test_a_charset_is_declared_and_what_it_lacks_is_told() -> None:
    body = Body("text/xml; charset=iso-8859-1", True, xml={"": Element("a")})
    argument = field("body", to=())

    request = build_request(body, (argument,), {"body": "é"})
    with pytest.raises(InvalidArguments) as fault:
        build_request(body, (argument,), {"body": "€"})

    assert request.body == b'<?xml version="1.0" encoding="iso-8859-1"?>\n<a>\xe9</a>'
    assert "iso-8859-1" in fault.value.problems[0]


GIVEN = [
    ("<a/>", ""),
    ('<?xml version="1.0" encoding="UTF-8"?><a>é&lt;</a>', ""),
    ("<a>", "no element found"),
    ("", "no element found"),
    ("<a/><b/>", "junk after document element"),
    ("<a>&x;</a>", "undefined entity"),
    ("<!DOCTYPE a><a/>", "must not hold a DOCTYPE"),
    ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "must not hold a DOCTYPE"),
    ('<?xml version="1.0" encoding="utf-16"?><a/>', "must not declare the encoding utf-16"),
    ("<a>\x00</a>", "not well-formed"),
]


@pytest.mark.parametrize(("text", "problem"), GIVEN)
def test_a_document_that_is_given_is_looked_at_first(text: str, problem: str) -> None:
    arguments = (field("body", to=()),)

    if problem:
        with pytest.raises(InvalidArguments) as fault:
            build_request(Body("application/xml", True), arguments, {"body": text})
        assert problem in fault.value.problems[0]
    else:
        assert build_request(Body("text/xml"), arguments, {"body": text}).body == text.encode()
