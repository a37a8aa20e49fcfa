"""The run of a scenario: actions, assertions, and the status of each step.

The generated tests in `tests/scenarios` call the methods of `Scene`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.scenario_engine import targets
from tests.scenario_engine.exceptions import PendingStep, StaleBinding
from tests.scenario_engine.matchers import format_value
from tests.scenario_engine.outcome import ActionOutcome
from tests.scenario_engine.steps import StepResult, StepScope
from tests.scenario_engine.unexpected_failures import find_unexpected_failures, needs_content
from tests.support import MODERN, Api, SentRequest, confirmation_parameters

COMMAND_SECONDS = 60
"""Time limit of a command."""

HTTP_OK = 200
"""The HTTP status of every JSON-RPC result, also of error results."""

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(repr=False)
class Scene:
    """The server of a scenario, in front of the upstream, and the results so far.

    An assertion is about the outcome of the action with the number `at_call`, counted from 1, or of
    the last action for 0.

    `stale_reason` says why the binding is out of date, `""` otherwise. `steps` and `outcomes` are
    in the order of the run. `saved` has the values for `${name}` in later actions and claims;
    `${unique}` is a different text in every scenario, because a server may keep the data of earlier
    scenarios. `unanswered` has the request lines for which the upstream had no answer. `affirmed`
    has the numbers of the outcomes with an assertion that an empty answer cannot fulfil.
    """

    api: Api
    root: Path
    stale_reason: str = ""
    steps: list[StepResult] = field(default_factory=list)
    outcomes: list[ActionOutcome] = field(default_factory=list)
    saved: dict[str, Any] = field(default_factory=lambda: {"unique": uuid4().hex[:12]})
    unanswered: list[str] = field(default_factory=list)
    affirmed: set[int] = field(default_factory=set)

    def step(self, number: int, text: str) -> StepScope:
        """Returns the context of a step, for a `with` block with its actions and assertions."""
        # The status stays "failed" if an exception leaves the block.
        return StepScope(self.steps, self.outcomes, StepResult(number, text, "failed"))

    def premise(self, number: int, text: str) -> None:
        """Records a step that the fixtures or the actions establish, without an assertion."""
        self.steps.append(StepResult(number, text, "passed"))

    def pending(self, unchecked_text: str = "") -> None:
        """Marks the step as unchecked, or only a part of the step's text."""
        self.steps[-1].status, self.steps[-1].told = "pending", unchecked_text

    def manual(self, reason: str) -> None:
        """Marks the step as checkable only by a person."""
        self.steps[-1].status, self.steps[-1].told = "manual", reason

    def end(self) -> None:
        """Raises an exception if the scenario has no failure, but has gaps.

        Raises StaleBinding for an outdated binding; else PendingStep for unexpected failures,
        pending steps, or a scenario without assertions; else skips the test for manual steps.
        """
        __tracebackhide__ = True
        if self.stale_reason:
            raise StaleBinding(self.stale_reason)
        gaps = [*find_unexpected_failures(self.outcomes, self.affirmed, self.unanswered)]
        for step in self.steps if gaps else ():
            # Assertions on the answers may hold only because of the unexpected failure.
            if step.asserts and step.status == "passed":
                step.status, step.told = "pending", gaps[0]
        gaps += [
            f"step {step.number}: {step.text}" for step in self.steps if step.status == "pending"
        ]
        if gaps:
            raise PendingStep("; ".join(gaps))
        manual = [
            f"step {step.number}: {step.told}" for step in self.steps if step.status == "manual"
        ]
        if manual:
            pytest.skip("manual: " + "; ".join(manual))
        if not any(step.asserts for step in self.steps):
            raise PendingStep("nothing is asserted")

    def end_setup(self) -> None:
        """Ends the set-up, the actions of the fixtures: discards the outcomes and the upstream
        requests, so that assertions are about the scenario's own actions. Raises AssertionError if
        an action failed."""
        failed = [outcome for outcome in self.outcomes if outcome.is_error]
        assert not failed, f"the set-up to succeed: {failed[0].summary}"
        self.outcomes.clear()
        self.api.upstream.requests.clear()

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str] = {},
        version: str = MODERN,
        save: Mapping[str, str] = {},
    ) -> None:
        """Calls a tool; confirms the call if the server asks the user for confirmation.

        `save` has the path into the result by the name of each value to save.
        """
        params = {"name": tool, "arguments": dict(arguments or {})}
        await self._request("tools/call", params, headers, version, save, confirms=True)

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str] = {},
        version: str = MODERN,
        save: Mapping[str, str] = {},
    ) -> None:
        """Makes a JSON-RPC request in a revision of MCP."""
        await self._request(method, params or {}, headers, version, save)

    async def _request(
        self,
        method: str,
        params: Mapping[str, Any],
        headers: Mapping[str, str],
        version: str,
        save: Mapping[str, str],
        *,
        confirms: bool = False,
    ) -> None:
        params = self._fill_saved(dict(params))
        # `post` takes headers as keyword arguments. A header named `version` would collide with the
        # parameter `version`, and `Version` does not: names of headers ignore case.
        titled = {name if "-" in name else name.title(): text for name, text in headers.items()}
        header_arguments = self._fill_saved(titled)
        started, request_count = perf_counter(), len(self.api.upstream.requests)
        response = await self.api.post(method, params, version=version, **header_arguments)
        result = ActionOutcome(method, response.text).result if confirms else None
        if isinstance(result, dict) and (confirmation := confirmation_parameters(result)):
            response = await self.api.post(
                method, {**params, **confirmation}, version=version, **header_arguments
            )
        self._record_response(
            f"{method} {format_value(params)}", response, started, request_count, save
        )

    async def http(
        self,
        method: str,
        path: str = "",
        *,
        headers: Mapping[str, str] = {},
        body: Any = None,
        save: Mapping[str, str] = {},
    ) -> None:
        """Sends an HTTP request, by default to the MCP endpoint. A body that is not a string is
        sent as JSON."""
        target = str(self._fill_saved(path)) or self.api.address
        body, headers = self._fill_saved(body), self._fill_saved(dict(headers))
        content = {"content": body} if isinstance(body, str) else {"json": body}
        started, request_count = perf_counter(), len(self.api.upstream.requests)
        response = await self.api.client.request(
            method, target, headers=headers, **(content if body is not None else {})
        )
        self._record_response(f"{method} {target}", response, started, request_count, save)

    def file(self, path: str) -> None:
        """Reads a text file of the project; `path` is relative to the project's folder."""
        file = (self.root / path).resolve()
        if not file.is_relative_to(self.root.resolve()):
            raise ValueError(f"{path} is outside of the project")
        assert file.is_file(), f"there is a file {path}, but there is none"
        self.outcomes.append(ActionOutcome(path, file.read_text("utf-8")))

    async def command(
        self,
        module: str,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] = {},
        input: str = "",
    ) -> None:
        """Runs a Python module of the project to the end, in the project's folder; the module reads
        `input` from standard input. The outcome's text has standard output and standard error."""
        top_level = self.root / module.partition(".")[0]
        if not (top_level / "__init__.py").is_file() and not top_level.with_suffix(".py").is_file():
            raise ValueError(f"{module} is no module of the project")
        arguments = [str(self._fill_saved(argument)) for argument in arguments]
        variables = {name: str(self._fill_saved(text)) for name, text in environment.items()}
        pipe, started = asyncio.subprocess.PIPE, perf_counter()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *arguments),
            stdout=pipe,
            stderr=asyncio.subprocess.STDOUT,
            stdin=pipe if input else asyncio.subprocess.DEVNULL,
            cwd=self.root,
            env={**os.environ, **variables},
        )
        try:
            stdin = str(self._fill_saved(input)).encode() if input else None
            stdout, _ = await asyncio.wait_for(process.communicate(stdin), COMMAND_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()
            raise AssertionError(
                f"{module} ends within {COMMAND_SECONDS} s, but it runs on"
            ) from None
        milliseconds = (perf_counter() - started) * 1000
        action = " ".join([module, *arguments])
        text = stdout.decode(errors="replace")
        self.outcomes.append(
            ActionOutcome(
                action, text, process.returncode, milliseconds=milliseconds, is_command=True
            )
        )

    def path(self, path: str, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the values at a path of the result, or of the error."""
        outcome = self._begin_assertion(at_call, needs_content(claims))
        targets.assert_path(outcome, self._fill_saved(path), self._fill_claims(claims))

    def text(self, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the text of the result, the file or the output."""
        outcome = self._begin_assertion(at_call, needs_content(claims))
        targets.assert_text(outcome, self._fill_claims(claims))

    def header(self, name: str, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about a header of the response."""
        outcome = self._begin_assertion(at_call, needs_content(claims))
        targets.assert_header(outcome, self._fill_saved(name), self._fill_claims(claims))

    def is_error(self, expected: bool, *, at_call: int = 0) -> None:
        """Asserts that the result is an error result, or, with `expected` False, a success."""
        targets.assert_is_error(self._begin_assertion(at_call, True), expected)

    def refused(self, expected: bool, *, at_call: int = 0) -> None:
        """Asserts an error of any form: an error result, a JSON-RPC error or a status of failure;
        with `expected` False, asserts a success."""
        targets.assert_refused(self._begin_assertion(at_call, True), expected)

    def code(self, code: int, *, at_call: int = 0) -> None:
        """Asserts that the answer is a JSON-RPC error with this code."""
        targets.assert_code(self._begin_assertion(at_call, True), code)

    def status(self, status: int, *, at_call: int = 0) -> None:
        """Asserts the status of the response, or the exit code of the command."""
        # A failed tool call has the status 200, too: that status does not make an error expected.
        affirms = status not in (0, HTTP_OK)
        targets.assert_status(self._begin_assertion(at_call, affirms), status)

    def bytes(self, of: str, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the bytes of the `result`, or of the list of tools (`tools/list`),
        as compact JSON."""
        targets.assert_bytes(self._begin_assertion(at_call, needs_content(claims)), of, claims)

    def within(self, milliseconds: float, *, at_call: int = 0) -> None:
        """Asserts the longest duration of the action."""
        targets.assert_within(self._begin_assertion(at_call), milliseconds)

    def tools(
        self,
        *,
        exactly: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        at_call: int = 0,
    ) -> None:
        """Asserts the names of the listed tools; `*` in a name stands for any letters."""
        targets.assert_tools(self._begin_assertion(at_call), exactly, include, exclude)

    def arguments(
        self,
        of: Sequence[str] | str,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        at_call: int = 0,
    ) -> None:
        """Asserts the arguments of the listed tools with these names, or of `"every"` tool."""
        targets.assert_arguments(self._begin_assertion(at_call), of, include, exclude)

    def upstream(self, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the upstream requests of the action `at_call`, or, for 0, of all
        actions."""
        outcome = self._begin_assertion(at_call)
        requests: Sequence[SentRequest] = self.api.upstream.requests
        targets.assert_upstream(
            outcome.requests if at_call else requests, self._fill_claims(claims)
        )

    def _begin_assertion(self, at_call: int, affirms: bool = False) -> ActionOutcome:
        """Counts an assertion of the step, and returns the outcome of the action `at_call`, counted
        from 1; 0 for the last. `affirms`: an empty answer cannot fulfil the assertion."""
        if self.steps:
            self.steps[-1].asserts += 1
        if len(self.outcomes) < max(at_call, 1):
            raise AssertionError(f"there are {len(self.outcomes)} actions to look at")
        if affirms:
            self.affirmed.add(at_call or len(self.outcomes))
        return self.outcomes[at_call - 1]

    def _record_response(
        self,
        action: str,
        response: httpx2.Response,
        started: float,
        request_count: int,
        save: Mapping[str, str],
    ) -> None:
        """Records the outcome of an action, and saves values for later actions.

        `started` is the value of `perf_counter` before the action, `request_count` the number of
        upstream requests before the action.
        """
        milliseconds = (perf_counter() - started) * 1000
        outcome = ActionOutcome(
            action,
            response.text,
            response.status_code,
            dict(response.headers),
            milliseconds,
            tuple(self.api.upstream.requests[request_count:]),
        )
        self.outcomes.append(outcome)
        for name, path in save.items():
            values = targets.values_at(path, outcome).values
            assert values, f"{path} to be saved as {name}, but there is nothing"
            self.saved[name] = values[0]

    def _fill_saved(self, value: Any) -> Any:
        """Returns the value with the saved value for every `${name}`. A text that is only `${name}`
        becomes the saved value itself, of any type. Raises AssertionError for a name that no action
        saved."""
        if isinstance(value, dict):
            return {key: self._fill_saved(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self._fill_saved(element) for element in value]
        if not isinstance(value, str):
            return value
        reference = _REFERENCE.fullmatch(value)
        if reference:
            return self._saved_value(reference[1])
        return _REFERENCE.sub(lambda match: str(self._saved_value(match[1])), value)

    def _fill_claims(self, claims: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the claims with saved values, escaped in a pattern. Raises AssertionError if an
        empty saved value is searched for, because every text contains the empty text."""
        filled = {}
        for claim, operand in claims.items():
            if claim in ("contains", "lacks", "matches"):
                for name in _REFERENCE.findall(json.dumps(operand)):
                    is_empty = self._saved_value(name) in ("", None, [], {})
                    assert not is_empty, f"a value of ${{{name}}} to search for, but it is empty"
            if claim == "matches" and isinstance(operand, str):
                filled[claim] = _REFERENCE.sub(
                    lambda match: re.escape(str(self._saved_value(match[1]))), operand
                )
            else:
                filled[claim] = self._fill_saved(operand)
        return filled

    def _saved_value(self, name: str) -> Any:
        assert name in self.saved, f"${{{name}}} to be saved, but no action saved it"
        return self.saved[name]
