"""`--shuffle SEED` changes the order of the tests, and of nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.forkserver import own_tests

ROOT = Path(__file__).parent.parent
CONFTEST = "from tests.conftest import pytest_addoption, pytest_collection_modifyitems\n"


def names(folder: Path, *arguments: str) -> list[str]:
    """The tests of a folder in the order in which pytest would run them."""
    completed = own_tests(folder, "--collect-only", "-q", "-p", "no:cacheprovider", *arguments)
    return [line for line in completed.stdout.splitlines() if "::" in line]


def test_a_seed_gives_an_order_in_which_modules_stay_whole(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT}\n")
    for module in "abcd":
        text = "".join(f"def test_{number}():\n    pass\n" for number in range(6))
        (tmp_path / f"test_{module}.py").write_text(text)

    plain_names, first_names, second_names = (
        names(tmp_path),
        names(tmp_path, "--shuffle", "1"),
        names(tmp_path, "--shuffle", "1"),
    )

    modules = [name.split("::")[0] for name in first_names]
    assert first_names == second_names
    assert first_names != plain_names
    assert sorted(first_names) == sorted(plain_names)
    assert all(modules[start] == modules[start + 5] for start in range(0, 24, 6))
