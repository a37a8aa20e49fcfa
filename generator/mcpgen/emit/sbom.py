"""The software bill of materials of a server: CycloneDX 1.6 as JSON, the same for the same build.

The packages are those of `requirements.lock`, from the same table. No timestamp, and a serial
number derived from the content: a build without changes changes nothing.
https://cyclonedx.org/docs/1.6/json/
"""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from mcpgen import __version__
from mcpgen.emit.code import json
from mcpgen.emit.locks import Pin, server_pins
from mcpgen.emit.project_files import release
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json

NAME = "sbom.cdx.json"


def sbom(server: Server, project: str) -> str:
    """The text of the file; `project` is the text of `pyproject.toml`."""
    pins = server_pins(project)
    name = server.package.replace("_", "-")
    root = f"pkg:pypi/{name}@{release(server)}"
    refs: dict[str, list[Json]] = {}
    for pin in pins:
        refs.setdefault(pin.name, []).append(_purl(pin))
    content: dict[str, Json] = {
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": name,
                "version": release(server),
            },
            "tools": {
                "components": [{"type": "application", "name": "mcpgen", "version": __version__}]
            },
        },
        "components": [_package_component(pin) for pin in pins],
        "dependencies": [
            {"ref": root, "dependsOn": [ref for several in refs.values() for ref in several]},
            *(
                {
                    "ref": _purl(pin),
                    "dependsOn": [ref for name in pin.requires for ref in refs[name]],
                }
                for pin in pins
            ),
        ],
    }
    head: dict[str, Json] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, json(content).text)}",
        "version": 1,
    }
    return json(head | content).text


def _package_component(pin: Pin) -> Json:
    """A package with the wheels; an installation uses a single wheel."""
    component: dict[str, Json] = {
        "type": "library",
        "bom-ref": _purl(pin),
        "name": pin.name,
        "version": pin.version,
        "purl": _purl(pin),
        "externalReferences": [
            {
                "type": "distribution",
                "url": f"{_purl(pin)}?file_name={name}",
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
            for name, digest in pin.wheels.items()
        ],
    }
    if "expression" in pin.license:
        component["licenses"] = [{"expression": pin.license["expression"]}]
    elif pin.license:
        component["licenses"] = [{"license": {"name": pin.license["name"]}}]
    if pin.marker:
        component["properties"] = [{"name": "mcpgen:marker", "value": pin.marker}]
    return component


def _purl(pin: Pin) -> str:
    """https://github.com/package-url/purl-spec"""
    return f"pkg:pypi/{pin.name}@{pin.version}"
