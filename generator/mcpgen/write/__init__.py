"""Project + lock + disk → changes (pure) → disk, all or nothing."""

from mcpgen.write.apply import applied, recover, require_writable, write_lock
from mcpgen.write.diff import diff
from mcpgen.write.disk import Disk, Obstacle, snapshot
from mcpgen.write.eject import eject
from mcpgen.write.folder_lock import folder_lock
from mcpgen.write.inputs import (
    generator,
    hash_inputs,
    hash_of,
    input_name,
    inputs_digest,
    is_current,
)
from mcpgen.write.lock import NAME, Lock, read_lock
from mcpgen.write.package_move import add_move_findings, lock_after_move, move_package
from mcpgen.write.plan import Action, Change, Conflict, Plan, add_findings, file_name, plan
from mcpgen.write.staging import adder

__all__ = [
    "NAME",
    "Action",
    "Change",
    "Conflict",
    "Disk",
    "Lock",
    "Obstacle",
    "Plan",
    "add_findings",
    "add_move_findings",
    "adder",
    "applied",
    "diff",
    "eject",
    "file_name",
    "folder_lock",
    "generator",
    "hash_inputs",
    "hash_of",
    "input_name",
    "inputs_digest",
    "is_current",
    "lock_after_move",
    "move_package",
    "plan",
    "read_lock",
    "recover",
    "require_writable",
    "snapshot",
    "write_lock",
]
