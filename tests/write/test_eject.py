"""Handing a file to the user."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import write as codes
from mcpgen.write import Lock, eject_files

LOCK = Lock("0.1.0", "d", files={"Dockerfile": "h1", "petstore_mcp/server.py": "h2"})


def test_an_ejected_file_is_no_longer_mcpgens() -> None:
    lock = eject_files(LOCK, ["Dockerfile"], "mcpgen.lock", Diagnostics())

    assert lock.files == {"petstore_mcp/server.py": "h2"}
    assert lock.ejected == ("Dockerfile",)


def test_ejecting_twice_changes_nothing() -> None:
    ejected_lock = eject_files(LOCK, ["Dockerfile"], "mcpgen.lock", Diagnostics())

    assert eject_files(ejected_lock, ["Dockerfile"], "mcpgen.lock", Diagnostics()) == ejected_lock


def test_a_file_mcpgen_does_not_own_cannot_be_ejected_and_nothing_else_is() -> None:
    diagnostics = Diagnostics()

    lock = eject_files(LOCK, ["Dockerfile", "petstore_mcp/sever.py"], "mcpgen.lock", diagnostics)

    assert lock is LOCK
    assert [d.code for d in diagnostics] == [codes.NOT_IN_LOCK]
    assert "did you mean `petstore_mcp/server.py`?" in next(d.message for d in diagnostics)
