"""Findings of the write stage: MG5xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

BROKEN_LOCK = Code(
    "MG501",
    "broken-lock",
    Severity.ERROR,
    "`mcpgen.lock` cannot be read: {reason}",
    hint="restore the lock from version control; without it the published tool names are lost",
    explanation="`mcpgen.lock` lists the files that mcpgen owns and the published tool names. "
    "Without the lock mcpgen cannot distinguish its files from yours, so nothing is changed. "
    "If there is no good version, delete the lock and build again: files that equal mcpgen's output "
    "are taken over, and each other file is left unchanged and reported as MG503. Tools may then "
    "get other names than the published ones.",
)
NEWER_LOCK = Code(
    "MG502",
    "newer-lock",
    Severity.ERROR,
    "the lock was written by mcpgen {version}, in a format this mcpgen does not know",
    hint="install mcpgen {version} or later",
    explanation="A newer mcpgen built the project. An older mcpgen would misread the lock, so "
    "nothing is changed.",
)
NOT_OURS = Code(
    "MG503",
    "not-ours",
    Severity.ERROR,
    "the file exists, and mcpgen did not write it",
    hint="move the file, or build into another folder",
    explanation="mcpgen would write to a path with a file that is not in the lock, so the file "
    "belongs to somebody else and is not overwritten. The folder holds another project, or the "
    "lock was lost.",
)
EDITED = Code(
    "MG504",
    "edited-by-hand",
    Severity.ERROR,
    "the file was edited by hand since mcpgen wrote it",
    hint="move the change to hooks.py and restore the file with `git checkout -- {file}`, or keep "
    "it as yours with `mcpgen eject {file}`",
    explanation="mcpgen owns the file, and the next build would overwrite your change, so the "
    "build stops. There are three solutions. Move a change of behavior to `hooks.py`, which is "
    "yours. Or take over the file with `mcpgen eject FILE`: later builds leave the file alone. Or "
    "drop the change: restore the file from version control (`git checkout -- FILE`), or delete "
    "the file and build again.",
)
EDITED_AND_GONE = Code(
    "MG505",
    "edited-and-gone",
    Severity.ERROR,
    "mcpgen no longer generates this file, and the file was edited by hand",
    hint="delete the file, or keep it as yours with `mcpgen eject {file}`",
    explanation="A build deletes files that are no longer generated, but the file "
    "has your change. Delete the file, or eject it to keep it as yours.",
)
OBSTACLE = Code(
    "MG506",
    "obstacle",
    Severity.ERROR,
    "a file of the project has to be written here or below, but here is {obstacle}",
    hint="move or delete what is at this path, or build into another folder",
    explanation="Every file of a project is written inside its folder, as a plain file. A "
    "symbolic link would redirect the write, and a folder in place of a file (or a file in place "
    "of a folder) cannot be replaced without loss.",
)
EJECTED = Code(
    "MG507",
    "ejected",
    Severity.NOTE,
    "the file is ejected: it is yours, and mcpgen does not generate it",
    hint="to return the file to mcpgen, delete it and build again",
    explanation="`mcpgen eject` made this file yours, so builds do not apply changes of the "
    "description or of mcpgen to it. To see what a build would write, commit the file, delete it, "
    "run `mcpgen build`, and compare in version control.",
)
OUTSIDE = Code(
    "MG508",
    "outside",
    Severity.ERROR,
    "`{path}` does not lead to a file inside the project's folder",
    hint="report the bug with the specification that causes it",
    explanation="A path of the output leads out of the project's folder, or is not portable. "
    "Nothing was written. Names from a specification are checked before they become paths, so "
    "this is a bug in mcpgen.",
)
NOT_IN_LOCK = Code(
    "MG509",
    "not-in-lock",
    Severity.ERROR,
    "mcpgen owns no file `{path}` in this project{nearest}",
    hint="`mcpgen.lock` lists the files that can be ejected",
    explanation="Only a file that mcpgen rewrites at every build can be ejected. Files such as "
    "`hooks.py`, `pyproject.toml` and `README.md` are yours after the first build.",
)
NOTHING_LEFT = Code(
    "MG510",
    "nothing-left",
    Severity.ERROR,
    "no operation can become a tool ({count} tried), so there is no server to write",
    hint="correct one of the operations that the other findings name",
    explanation="With `--keep-going`, operations that cannot become tools are left out. Here no "
    "operation is left, and a server needs at least one tool.",
)
MISSING_DISTRIBUTION = Code(
    "MG511",
    "missing-distribution",
    Severity.WARNING,
    "the server needs `{distribution}`, which this file does not require",
    hint="add `{requirement}` to `dependencies`",
    explanation="`pyproject.toml` is yours after the first build, so mcpgen does not change it. A "
    "feature chosen since then, such as authentication, needs another distribution; an "
    "installation without it would not start.",
)
OTHER_RUNTIME_REQUIRED = Code(
    "MG521",
    "other-runtime-required",
    Severity.WARNING,
    "`{present}` does not admit mcpgen-runtime {version}, which the server is built for",
    hint="replace the requirement with `{requirement}`",
    explanation='With `runtime = "package"` the server imports an installed mcpgen-runtime. A minor version may '
    "rename what the server imports. mcpgen replaces a range of versions that mcpgen wrote (MG522), and leaves a "
    "requirement that you have edited.",
)
CHANGED_REQUIREMENTS = Code(
    "MG522",
    "changed-requirements",
    Severity.NOTE,
    "the build replaced requirements in this file, to fit {cause}",
    hint="review the difference, and install the project again",
    explanation="The two ways to get the runtime need other distributions. After a change of `runtime` the build replaces the "
    "lines of `pyproject.toml` in which the two ways differ, and no other line. If you have edited one of these lines, "
    "the file stays, and MG511 names the requirements to add. In package mode a build for a later minor version of the "
    "runtime replaces the range of versions that an earlier build wrote.",
)
OLDER_GENERATOR = Code(
    "MG512",
    "older-generator",
    Severity.ERROR,
    "mcpgen {later} built this project, and this is mcpgen {version}, which would revert newer "
    "changes",
    hint="install mcpgen {later} or later, or pass `--downgrade` to use {version} on purpose",
    explanation="The mcpgen that builds a server writes its runtime. An older mcpgen would "
    "replace the runtime with an older one, without later bug fixes. `mcpgen.lock` has the "
    "version of the last build; versions are ordered by PEP 440. `mcpgen build --downgrade` "
    "rewrites the project, and `--check --downgrade` shows the changes.",
)
OLDER_RUNTIME = Code(
    "MG519",
    "older-runtime",
    Severity.ERROR,
    "this project has a copy of mcpgen-runtime {later}, and this mcpgen has {version}",
    hint="install a later mcpgen, or pass `--downgrade` to go back to {version} on purpose",
    explanation="A build replaces the copy of the runtime by the runtime of the mcpgen that builds. An older runtime lacks "
    "later fixes. `mcpgen.lock` has the version of the copy. `mcpgen build --downgrade` replaces the copy all "
    "the same.",
)
UNKNOWN_HOOK = Code(
    "MG516",
    "unknown-hook",
    Severity.ERROR,
    "`HOOKS` overrides `{name}`, which is not a tool of this server",
    hint="{hint}",
    explanation="A hook for an unknown tool would never run, so the server refuses to start. The "
    "build parses `hooks.py` without running it, so `--check` and `--no-verify` find the fault, "
    "too; keys that exist only at run time are found when the server starts, and by the project's "
    "tests.",
    remedy="name a tool of the server in `HOOKS`, or remove the entry",
)
QUESTION_IN_HOOK = Code(
    "MG520",
    "question-in-hook",
    Severity.ERROR,
    "a handler calls `{name}`, but this server cannot ask users",
    hint="set `elicitation.hooks = true` in mcpgen.toml",
    explanation="A server has the modules for questions to users only if the configuration has one "
    "of: `elicitation.mode`, `elicitation.sessions`, `confirm`, a prompt with `ask`, a tool "
    "without an operation, or `elicitation.hooks`. The build parses `hooks.py` without running it; "
    "at run time such a call fails with an internal error.",
)
OTHER_PACKAGE = Code(
    "MG513",
    "other-package",
    Severity.WARNING,
    "the package was called `{before}` and is `{package}` now{files}",
    hint="start `python -m {package}` wherever `{before}` is started, or set `package` to "
    "`{before}` again",
    explanation="Change scripts that start the server by the old name, and install the project again, "
    "because its command imports the package. The build has moved your files in the folder, such as "
    "`hooks.py`, and corrected imports in these files, in your tests and in ejected files, and the "
    "names in `pyproject.toml`.",
)
OLD_PACKAGE_NAMED = Code(
    "MG514",
    "old-package-named",
    Severity.WARNING,
    "the file still has the word `{before}`, the old name of the package",
    hint="write `{package}` where the package is meant",
    explanation="The package was renamed. mcpgen corrects your files where the word certainly is the "
    "package: in imports, in names of modules, in the scripts and tools of `pyproject.toml`. A "
    "Python file that gives the name another meaning, or that has a syntax error, is not changed. "
    "Other occurrences may mean something else and are left to you; the first occurrence in the "
    "file is shown.",
)
IMMOVABLE = Code(
    "MG515",
    "immovable",
    Severity.ERROR,
    "`{path}` cannot be moved to the package's new folder: {obstacle}",
    hint="move the file yourself, or keep the old `package` in mcpgen.toml",
    explanation="The package has another name, and its folder holds files of yours. Either all "
    "files move, or none. The build moves text files with portable names; links, other files, and "
    "files whose new path exists are left to you.",
)
