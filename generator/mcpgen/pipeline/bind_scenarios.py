"""Binds the scenarios of requirements to a server."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.server import Server
from mcpgen.pipeline.load_spec import LoadedSpec


def bind_scenarios(server: Server, loaded_spec: LoadedSpec, diagnostics: Diagnostics) -> Server:
    """Returns the server with bound scenarios; unchanged without requirements."""
    if loaded_spec.requirements is None:
        return server
    from mcpgen.openspec.lower.bind_scenarios import bind_requirements

    proofs = bind_requirements(
        loaded_spec.requirements, loaded_spec.companion, server.tools, diagnostics
    )
    return replace(server, proofs=proofs)
