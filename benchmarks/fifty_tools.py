"""A correct server of the zoo with fifty tools: prints its URL, and ends with its input."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "broken"))

from base_server import BrokenServer, serving, tool

TEXT = {"type": "string", "description": "A text."}


def main() -> None:
    """Serves until the input ends."""
    server = BrokenServer()
    server.tools += [tool(f"tool_{number}", {"text": TEXT}, []) for number in range(47)]
    with serving(server) as url:
        print(url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
