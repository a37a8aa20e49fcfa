"""The handler that adds the caller to a result. This file is ours; every build keeps it."""

from launchpad_mcp.runtime.hooks import Call, Hooks, Result


async def admin_deploy_worker(call: Call) -> Result:
    """Returns the deployed worker, with the caller as `deployedBy`."""
    result = await call.upstream()
    worker = result.answered.body if result.answered else None
    if result.failed or not isinstance(worker, dict):
        return result
    return Result.of({**worker, "deployedBy": call.caller.subject})


HOOKS = Hooks(tools={"admin_deploy_worker": admin_deploy_worker})
