"""Every module of mcpgen can be the first that a program imports: no import cycle depends on the order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def first_import_failures(folder: Path) -> list[str]:
    """The lines that `tests.first_imports` prints for a package, in a process of its own."""
    command = (sys.executable, "-m", "tests.first_imports", str(folder))
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_every_module_can_be_imported_first() -> None:
    assert first_import_failures(ROOT / "generator" / "mcpgen") == []


def test_a_module_that_only_loads_after_its_package_is_reported(tmp_path: Path) -> None:
    sources = {
        "shop/__init__.py": "",
        "shop/facts.py": "from shop.checks.base import WORD\nFACTS = (WORD,)\n",
        "shop/checks/__init__.py": "from shop.facts import FACTS\n",
        "shop/checks/base.py": "WORD = 'price'\n",
        "shop/late.py": "def facts():\n    from shop.facts import FACTS\n    return FACTS\n",
    }
    for name, source in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")

    lines = first_import_failures(tmp_path / "shop")

    assert [line.partition(":")[0] for line in lines] == ["shop.facts"]
