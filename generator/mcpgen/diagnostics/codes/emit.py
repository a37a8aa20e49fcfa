"""Findings of the emit stage: MG4xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

FILE_CLASH = Code(
    "MG401",
    "file-clash",
    Severity.ERROR,
    "`{path}` and `{first}` would be the same file where the disk ignores case",
    hint="choose another name for one of the two tools under `[names]` in mcpgen.toml",
    explanation="Every tool has its own module, and the disks of macOS and Windows do not "
    "distinguish `Pet.py` from `pet.py`: one file would silently replace the other. Nothing is "
    "written. Give one of the operations another tool name.",
)

PACKAGE_HIDES_MODULE = Code(
    "MG402",
    "package-hides-module",
    Severity.ERROR,
    "the package `{package}` would hide the module `{package}` that the server needs",
    hint="set `package` in mcpgen.toml to another name, such as `{package}_mcp`",
    explanation="`python -m <package>` searches the project's folder first. A package with the "
    "name of a standard library module or of a dependency of the server would be imported "
    "instead, and the server could not start. Nothing is written.",
)
