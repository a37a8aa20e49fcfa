"""Your code, kept by every build: what a tool does instead of its request, or around it.

A handler gets the call with validated arguments; `call.upstream()` does what the tool would do
without a hook. `seed_bank_mcp.models` has the arguments as types::

    async def find_varieties(call: Call) -> Result:
        arguments = FindVarietiesArguments.model_validate(call.arguments)
        given = arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return await call.upstream(given)

    HOOKS = Hooks(tools={"find_varieties": find_varieties})
"""

from seed_bank_mcp.runtime.hooks import Hooks

HOOKS = Hooks()
