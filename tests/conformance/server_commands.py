"""Commands that start test servers, and whether a server still listens."""

from __future__ import annotations

import socket
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
PATHS = [str(HERE), str(HERE.parent / "broken")]

SERVE = """
import os, sys, time
sys.path[:0] = {paths!r}
from base_server import ConformingServer, serving
from report_fixtures import Mortal, Sloppy
with serving({make}(), int(os.environ["PORT"])):
    print("serving", flush=True)
    time.sleep(60)
"""
"""A program that serves a test server at the port in `PORT`."""


def line(*words: object) -> str:
    """A command line that runs Python with these words."""
    return " ".join(f"'{word}'" for word in (sys.executable, *words))


def listens(port: int) -> bool:
    """True if a socket accepts connections at the port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def ends(port: int) -> bool:
    """True if the port is closed within two minutes."""
    deadline = time.monotonic() + 120
    while listens(port) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not listens(port)
