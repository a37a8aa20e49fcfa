"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {
    "find_varieties": {"species": "sample"},
    "add_variety": {"name": "Gullhaven Yellow", "species": "Solanum lycopersicum"},
    "borrow_seeds": {"variety": 1, "grams": 2.5},
    "cancel_loan": {"variety": 1, "member": "000000000A"},
}
