"""Your code, kept by every build: what a tool does instead of its request, or around it.

A handler gets the call with validated arguments; `call.upstream()` does what the tool would do
without a hook. `agent_registry_mcp.models` has the arguments as types::

    async def discover_agents(call: Call) -> Result:
        arguments = DiscoverAgentsArguments.model_validate(call.arguments)
        given = arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return await call.upstream(given)

    HOOKS = Hooks(tools={"discover_agents": discover_agents})
"""

from agent_registry_mcp.runtime.hooks import Hooks

HOOKS = Hooks()
