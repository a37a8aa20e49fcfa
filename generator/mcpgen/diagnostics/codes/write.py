"""Findings of the write stage: MG5xx."""

from mcpgen.diagnostics.diagnostic import Code, Severity

BROKEN_LOCK = Code(
    "MG501",
    "broken-lock",
    Severity.ERROR,
    "the lock cannot be read: {reason}",
    hint="restore it from version control; without it the promised tool names are lost",
    explanation="`mcpgen.lock` says which files of the project are mcpgen's and which tool names it "
    "has promised. Without it mcpgen cannot tell its files from yours, so it changes none. If a "
    "merge broke it, delete it and build again: files that already are what mcpgen would write are "
    "taken over, and every other one is named. Tool names that the lock had kept are lost with it.",
)
NEWER_LOCK = Code(
    "MG502",
    "newer-lock",
    Severity.ERROR,
    "the lock was written by mcpgen {version}, in a format this mcpgen does not know",
    hint="install mcpgen {version} or later",
    explanation="The project was built with a newer mcpgen. An older one would misread what the lock "
    "promises, so it changes nothing.",
)
NOT_OURS = Code(
    "MG503",
    "not-ours",
    Severity.ERROR,
    "the file exists, and mcpgen did not write it",
    hint="move it out of the way, or build into another folder",
    explanation="mcpgen wants to write a file where one stands that is not in its lock, so it is "
    "somebody's work and will not be overwritten. This happens when the folder holds another "
    "project, or when the lock was lost.",
)
EDITED = Code(
    "MG504",
    "edited-by-hand",
    Severity.ERROR,
    "the file was edited by hand since mcpgen wrote it",
    hint="move the change to hooks.py and restore the file with `git checkout -- {file}`, or keep it "
    "as yours with `mcpgen eject {file}`",
    explanation="The file is mcpgen's, and the next build would overwrite your change, so it stops. "
    "There are three ways out. A change of behaviour belongs in `hooks.py`, which is yours. If the "
    "file itself shall be yours, `mcpgen eject FILE` hands it to you: later builds leave it alone. To "
    "drop the change, restore the file from version control (`git checkout -- FILE`), or delete it "
    "and build again.",
)
EDITED_AND_GONE = Code(
    "MG505",
    "edited-and-gone",
    Severity.ERROR,
    "the file was edited by hand, and the project no longer has it",
    hint="delete the file, or keep it as yours with `mcpgen eject {file}`",
    explanation="The specification or your choices no longer lead to this file, so the build would "
    "delete it; but it holds a change of yours. Decide: delete it, or eject it and it stays as "
    "yours.",
)
OBSTACLE = Code(
    "MG506",
    "obstacle",
    Severity.ERROR,
    "mcpgen would have to write through {obstacle}",
    hint="replace it with a plain folder or file, or build into another folder",
    explanation="Every file of a project is written inside its folder, as a plain file. A symbolic "
    "link would lead the write elsewhere, and a folder where a file belongs (or a file where a "
    "folder belongs) cannot be replaced without losing what it holds.",
)
EJECTED = Code(
    "MG507",
    "ejected",
    Severity.NOTE,
    "the file is ejected: it is yours, and this build left it as it is",
    hint="to hand it back, delete it and build again",
    explanation="`mcpgen eject` made this file yours. It no longer follows the specification, so "
    "compare it now and then with what mcpgen would write: delete it, build, and look at the "
    "difference in version control.",
)
OUTSIDE = Code(
    "MG508",
    "outside",
    Severity.ERROR,
    "`{path}` does not lead to a file inside the project's folder",
    hint="report it with the specification that causes it",
    explanation="A path that mcpgen was about to write leads out of the project's folder, or is not "
    "portable. Nothing was written. Names in a specification never become paths unchecked, so this "
    "is a fault in mcpgen.",
)
NOT_IN_LOCK = Code(
    "MG509",
    "not-in-lock",
    Severity.ERROR,
    "mcpgen owns no file `{path}` in this project{nearest}",
    hint="`mcpgen.lock` lists the files that can be ejected",
    explanation="Only a file that mcpgen rewrites at every build can be ejected. Files such as "
    "`hooks.py`, `pyproject.toml` and `README.md` are yours from the first build on.",
)
NOTHING_LEFT = Code(
    "MG510",
    "nothing-left",
    Severity.ERROR,
    "none of the {count} operations could become a tool, so there is no server to write",
    hint="mend one of the operations that the other findings name",
    explanation="With `--keep-going`, operations that cannot be generated are left out. Here that "
    "leaves nothing, and a server without tools is of no use to anybody.",
)
MISSING_DISTRIBUTION = Code(
    "MG511",
    "missing-distribution",
    Severity.WARNING,
    "the server needs `{distribution}`, which this file does not ask for",
    hint="add `{requirement}` to `dependencies`",
    explanation="`pyproject.toml` is yours after the first build, so mcpgen does not change it. What "
    "was chosen since then, such as authentication, needs another distribution, and an installation "
    "without it would not start.",
)
OLDER_GENERATOR = Code(
    "MG512",
    "older-generator",
    Severity.ERROR,
    "mcpgen {later} built this project, and this is mcpgen {version}, which would undo what is new",
    hint="install mcpgen {later} or later, or pass `--downgrade` to go back to {version} on purpose",
    explanation="The runtime of a server is written by the mcpgen that builds it. An older one would "
    "replace the runtime with its own, in which later bug fixes are missing. `mcpgen.lock` has the "
    "version that built last; versions are compared as PEP 440 orders them. `mcpgen build "
    "--downgrade` rewrites the project all the same, and `--check --downgrade` shows what would "
    "change.",
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
    explanation="A hook for a tool that does not exist would never run, so the server refuses to start "
    "with one. `hooks.py` is read and not run, so `--check` and `--no-verify` find this too; keys "
    "that only running the file tells are found when the server is started, and by the project's "
    "tests.",
)
OTHER_PACKAGE = Code(
    "MG513",
    "other-package",
    Severity.WARNING,
    "the package was called `{before}` and is `{package}` now{files}",
    hint="start `python -m {package}` wherever `{before}` is started, or set `package` to `{before}` again",
    explanation="The package is the folder of the server and the name by which Python imports and starts "
    "the server. The build moves the files of yours that lie in the folder, such as `hooks.py`, and "
    "mends imports in them, in your tests and in ejected files, and the names in `pyproject.toml`. "
    "Scripts that start the server by the old name have to be changed. An installed project has to "
    "be installed again, because its command imports the package.",
)
OLD_PACKAGE_NAMED = Code(
    "MG514",
    "old-package-named",
    Severity.WARNING,
    "the file still has the word `{before}`, the package's old name",
    hint="write `{package}` where the package is meant",
    explanation="The package has another name. Files of yours are mended where they certainly name it: in "
    "imports, in the names of modules, in the scripts and tools of `pyproject.toml`. Other places "
    "may mean something else and are left to you; the first one of the file is shown.",
)
IMMOVABLE = Code(
    "MG515",
    "immovable",
    Severity.ERROR,
    "`{path}` cannot be moved to the package's new folder: {obstacle}",
    hint="move the file yourself, or keep the old `package` in mcpgen.toml",
    explanation="The package has another name, and files of yours lie in its folder. All of them move, or "
    "none. Text files with portable names are moved by the build; links, other files, and files whose "
    "new place is taken are left to you.",
)
