"""`python supervised_child.py PACKAGE`: runs `python -m PACKAGE` until the starting process ends.

Standard input is a pipe; the starting process holds the other end and never writes. The pipe closes
however that process ends, also by SIGKILL, and on every system. Imports nothing of mcpgen, so that
the package runs as without mcpgen.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading


def end_with(pipe: int) -> None:
    """Ends this process when the other end of the pipe is closed."""
    os.read(pipe, 1)
    os._exit(1)


def main() -> None:
    """Runs the package with an empty standard input."""
    pipe = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=end_with, args=(pipe,), daemon=True).start()
    sys.path[0] = (
        os.getcwd()
    )  # `python -m` looks in this folder first; a script looks in the script's folder.
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
