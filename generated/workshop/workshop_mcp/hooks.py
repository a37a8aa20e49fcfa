"""Your code, kept by every build: hooks that replace or wrap the request of a tool.

A handler gets the call with validated arguments; `call.upstream()` sends the request of the tool,
also with changed arguments. `workshop_mcp.models` has the arguments as types::

    from workshop_mcp.runtime.hooks import Call, Hooks, Result

    async def list_bicycles(call: Call) -> Result:
        arguments = ListBicyclesArguments.model_validate(call.arguments)
        changed = arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return await call.upstream(changed)

    HOOKS = Hooks(tools={"list_bicycles": list_bicycles})
"""

from workshop_mcp.runtime.hooks import Hooks

HOOKS = Hooks()
