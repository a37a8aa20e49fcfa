"""`admin_deploy_worker` sends `PUT /workers/{name}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "admin_deploy_worker",
        {"name": "a", "script": "export default {fetch: () => new Response('hello')}"},
        {"name": "sample", "version": 1},
    )

    assert sent.line == "PUT /workers/a"
    assert sent.json == {"script": "export default {fetch: () => new Response('hello')}"}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "admin_deploy_worker",
        {"name": "greeter", "script": "export default {fetch: () => new Response('hello')}"},
        {"name": "sample", "version": 1},
    )

    assert sent.line == "PUT /workers/greeter"
    assert sent.json == {"script": "export default {fetch: () => new Response('hello')}"}
