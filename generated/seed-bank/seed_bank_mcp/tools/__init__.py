"""The tools, in the order of the specification."""

from seed_bank_mcp._runtime.tool import Tool
from seed_bank_mcp.tools import add_variety, borrow_seeds, cancel_loan, find_varieties

TOOLS: tuple[Tool, ...] = (
    find_varieties.TOOL,
    add_variety.TOOL,
    borrow_seeds.TOOL,
    cancel_loan.TOOL,
)
