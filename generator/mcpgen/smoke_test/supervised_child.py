"""`python child.py PACKAGE`: `python -m PACKAGE`, as long as whoever started it lives.

Standard input is a pipe whose other end the starter holds and never writes to. It closes however
the starter ends, also by SIGKILL, and on every system. Uses nothing of mcpgen: the package is to run
as if we were not there.
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
    """Runs the package, which finds an empty standard input."""
    pipe = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=end_with, args=(pipe,), daemon=True).start()
    sys.path[0] = os.getcwd()  # Where `python -m` looks first; a script's own folder is not it.
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
