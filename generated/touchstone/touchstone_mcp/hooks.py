"""Your code, kept by every build: hooks that replace or wrap the request of a tool.

A handler gets the call with validated arguments; `call.upstream()` sends the request of the tool,
also with changed arguments. `touchstone_mcp.models` has the arguments as types::

    from touchstone_mcp.runtime.hooks import Call, Hooks, Result

    async def test_simple_text(call: Call) -> Result:
        arguments = TestSimpleTextArguments.model_validate(call.arguments)
        changed = arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return await call.upstream(changed)

    HOOKS = Hooks(tools={"test_simple_text": test_simple_text})
"""

from touchstone_mcp.runtime.hooks import Hooks

HOOKS = Hooks()
