"""Project + lock + disk → changes (pure) → disk, all or nothing."""

from mcpgen.write.apply import apply_plan, recover, require_writable, write_lock
from mcpgen.write.diff import unified_diff
from mcpgen.write.eject import eject_files
from mcpgen.write.fingerprint import (
    generator_hash,
    hash_inputs,
    hash_of,
    input_name,
    inputs_digest,
    is_current,
)
from mcpgen.write.folder_lock import folder_lock
from mcpgen.write.lock import NAME, Lock, read_lock
from mcpgen.write.package_move import add_move_findings, lock_after_move, move_package
from mcpgen.write.plan import (
    Conflict,
    FileAction,
    FileChange,
    WritePlan,
    file_name,
    plan,
    report_conflicts,
)
from mcpgen.write.snapshot import Obstacle, ProjectSnapshot, snapshot

__all__ = [
    "NAME",
    "Conflict",
    "FileAction",
    "FileChange",
    "Lock",
    "Obstacle",
    "ProjectSnapshot",
    "WritePlan",
    "add_move_findings",
    "apply_plan",
    "eject_files",
    "file_name",
    "folder_lock",
    "generator_hash",
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
    "report_conflicts",
    "require_writable",
    "snapshot",
    "unified_diff",
    "write_lock",
]
