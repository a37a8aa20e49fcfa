"""Hold conversations as one client: `drive.py PROGRAM`, run in the environment of that client.

`PROGRAM` is a Python file that defines `connect(url, headers)`, an asynchronous context manager of two
functions: `list_tools()` returns names, `call_tool(name, arguments)` returns `(is_error, text)`, where
`is_error` is None if the client does not say whether the result is an error.

Reads conversations from standard input as JSON, `{name: {url, headers, calls: [[tool, arguments]]}}`, and
prints one line of JSON, `{name: {tools, results} | {raised}}`.
"""

import asyncio
import json
import runpy
import sys


async def hold(connect, url, headers, calls):
    """Connects, lists the tools and makes the calls; an exception in a call is recorded."""
    async with connect(url, headers) as (list_tools, call_tool):
        report = {"tools": await list_tools(), "results": []}
        for tool, arguments in calls:
            try:
                is_error, text = await call_tool(tool, arguments)
                report["results"].append({"is_error": is_error, "text": text})
            except Exception as error:  # noqa: BLE001 - each library raises its own
                report["results"].append({"raised": describe_error(error)})
        return report


def describe_error(error):
    """Type and text of an exception, or of the first exception of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


async def main(connect, conversations):
    """Holds the conversations in sequence."""
    reports = {}
    for name, conversation in conversations.items():
        try:
            reports[name] = await hold(connect, **conversation)
        except Exception as error:  # noqa: BLE001 - the same
            reports[name] = {"raised": describe_error(error)}
    return reports


if __name__ == "__main__":
    program = runpy.run_path(sys.argv[1])
    print(json.dumps(asyncio.run(main(program["connect"], json.load(sys.stdin)))))
