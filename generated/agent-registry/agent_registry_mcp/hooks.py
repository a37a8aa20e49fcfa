"""Your code, kept by every build: hooks that replace or wrap the request of a tool.

A handler gets the call with validated arguments; `call.upstream()` sends the request of the tool,
also with changed arguments. `agent_registry_mcp.models` has the arguments as types::

    from agent_registry_mcp.runtime.hooks import Call, Hooks, Result

    async def discover_agents(call: Call) -> Result:
        arguments = DiscoverAgentsArguments.model_validate(call.arguments)
        changed = arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return await call.upstream(changed)

    HOOKS = Hooks(tools={"discover_agents": discover_agents})
"""

from agent_registry_mcp.runtime.hooks import Hooks

HOOKS = Hooks()
