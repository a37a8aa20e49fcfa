"""The run of a scenario: actions, assertions, and the status of each step."""

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
from tests.scenario_engine.unexpected_failures import accidents, affirms
from tests.support import MODERN, Api, SentRequest, confirmation_parameters

SECONDS = 60
"""Seconds for a command."""

OK = 200
"""The HTTP status of results, also of error results."""

_SAVED = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(repr=False)
class Scene:
    """The server of a scenario, in front of the upstream, and the results of the steps so far.
    `strays` are the upstream requests without an answer; `looked_at` are the numbers of the
    outcomes with an assertion other than a denial. `saved` begins with a text of its own for every
    scenario, since a server may keep the data of earlier scenarios."""

    api: Api
    root: Path
    stale: str = ""
    steps: list[StepResult] = field(default_factory=list)
    outcomes: list[ActionOutcome] = field(default_factory=list)
    saved: dict[str, Any] = field(default_factory=lambda: {"unique": uuid4().hex[:12]})
    strays: list[str] = field(default_factory=list)
    looked_at: set[int] = field(default_factory=set)

    def step(self, number: int, text: str) -> StepScope:
        """The context of a step, around the step's actions and assertions."""
        return StepScope(self.steps, self.outcomes, StepResult(number, text, "failed"))

    def premise(self, number: int, text: str) -> None:
        """Records a step that the fixtures and actions of the scenario fulfil."""
        self.steps.append(StepResult(number, text, "passed"))

    def pending(self, rest: str = "") -> None:
        """Marks the step, or the rest of the step, as unchecked."""
        self.steps[-1].status, self.steps[-1].told = "pending", rest

    def manual(self, reason: str) -> None:
        """Marks the step as checkable only by a person."""
        self.steps[-1].status, self.steps[-1].told = "manual", reason

    def end(self) -> None:
        """Reports gaps of a scenario without failures: raises StaleBinding, PendingStep, or the
        exception that skips a test."""
        __tracebackhide__ = True
        if self.stale:
            raise StaleBinding(self.stale)
        unshown = [*accidents(self.outcomes, self.looked_at, self.strays)]
        for step in self.steps if unshown else ():
            if step.asserts and step.status == "passed":
                step.status, step.told = "pending", unshown[0]
        pending = [step for step in self.steps if step.status == "pending"]
        unshown += [f"step {step.number}: {step.text}" for step in pending]
        if unshown:
            raise PendingStep("; ".join(unshown))
        manual = [
            f"step {step.number}: {step.told}" for step in self.steps if step.status == "manual"
        ]
        if manual:
            pytest.skip("manual: " + "; ".join(manual))
        if not any(step.asserts for step in self.steps):
            raise PendingStep("nothing is asserted")

    def end_setup(self) -> None:
        """Ends the actions of the fixtures: no assertion counts their outcomes and their upstream
        requests. Raises AssertionError if an action failed, because the state is missing."""
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
        """Calls a tool; confirms the call if the server asks for confirmation."""
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
        """Makes a JSON-RPC request in a revision of the protocol."""
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
        told = self._filled(dict(params))
        # A header may have the name of a parameter of `post`; parameters have no capital letters.
        titled = {name if "-" in name else name.title(): text for name, text in headers.items()}
        sent = self._filled(titled)
        begun, seen = perf_counter(), len(self.api.upstream.requests)
        response = await self.api.post(method, told, version=version, **sent)
        result = ActionOutcome(method, response.text).result if confirms else None
        if isinstance(result, dict) and (more := confirmation_parameters(result)):
            response = await self.api.post(method, {**told, **more}, version=version, **sent)
        self._answered(f"{method} {format_value(told)}", response, begun, seen, save)

    async def http(
        self,
        method: str,
        path: str = "",
        *,
        headers: Mapping[str, str] = {},
        body: Any = None,
        save: Mapping[str, str] = {},
    ) -> None:
        """Sends an HTTP request; a body that is not a string is sent as JSON. The default path is
        the endpoint's."""
        where = str(self._filled(path)) or self.api.address
        told, sent = self._filled(body), self._filled(dict(headers))
        written = {"content": told} if isinstance(told, str) else {"json": told}
        begun, seen = perf_counter(), len(self.api.upstream.requests)
        response = await self.api.client.request(
            method, where, headers=sent, **(written if told is not None else {})
        )
        self._answered(f"{method} {where}", response, begun, seen, save)

    def file(self, path: str) -> None:
        """Reads a text of the project."""
        place = (self.root / path).resolve()
        if not place.is_relative_to(self.root.resolve()):
            raise ValueError(f"{path} is outside of the project")
        assert place.is_file(), f"there is a file {path}, but there is none"
        self.outcomes.append(ActionOutcome(path, place.read_text("utf-8")))

    async def command(
        self,
        module: str,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] = {},
        input: str = "",
    ) -> None:
        """Runs a Python module of the project to the end, in the project's folder; the module reads
        `input` from standard input."""
        top = self.root / module.partition(".")[0]
        if not (top / "__init__.py").is_file() and not top.with_suffix(".py").is_file():
            raise ValueError(f"{module} is no module of the project")
        words = [str(self._filled(word)) for word in arguments]
        told = {key: str(self._filled(text)) for key, text in environment.items()}
        pipe, begun = asyncio.subprocess.PIPE, perf_counter()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *words),
            stdout=pipe,
            stderr=asyncio.subprocess.STDOUT,
            stdin=pipe if input else asyncio.subprocess.DEVNULL,
            cwd=self.root,
            env={**os.environ, **told},
        )
        try:
            sent = str(self._filled(input)).encode() if input else None
            printed, _ = await asyncio.wait_for(process.communicate(sent), SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()
            raise AssertionError(f"{module} ends within {SECONDS} s, but it runs on") from None
        took = (perf_counter() - begun) * 1000
        action = " ".join([module, *words])
        text = printed.decode(errors="replace")
        self.outcomes.append(ActionOutcome(action, text, process.returncode, milliseconds=took))

    def path(self, path: str, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the values at a path of the result, or of the error."""
        told = self._claimed(claims)
        targets.assert_path(self._at(at_call, affirms(claims)), self._filled(path), told)

    def text(self, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the text of the result, the file or the output."""
        targets.assert_text(self._at(at_call, affirms(claims)), self._claimed(claims))

    def header(self, name: str, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about a header of the response."""
        told = self._claimed(claims)
        targets.assert_header(self._at(at_call, affirms(claims)), self._filled(name), told)

    def is_error(self, wanted: bool, *, at_call: int = 0) -> None:
        """Asserts that the result is an error result, or, with `wanted` False, a success."""
        targets.assert_is_error(self._at(at_call, True), wanted)

    def refused(self, wanted: bool, *, at_call: int = 0) -> None:
        """Asserts an error of any form: an error result, a JSON-RPC error or a status of failure; with
        `wanted` False, asserts a success."""
        targets.assert_refused(self._at(at_call, True), wanted)

    def code(self, code: int, *, at_call: int = 0) -> None:
        """Asserts that the answer is a JSON-RPC error with this code."""
        targets.assert_code(self._at(at_call, True), code)

    def status(self, status: int, *, at_call: int = 0) -> None:
        """Asserts the status of the response, or the exit code of the command."""
        targets.assert_status(self._at(at_call, status not in (0, OK)), status)

    def bytes(self, of: str, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the bytes of the `result`, or of the list of tools (`tools/list`)."""
        targets.assert_bytes(self._at(at_call, affirms(claims)), of, claims)

    def within(self, milliseconds: float, *, at_call: int = 0) -> None:
        """Asserts how long the action took at most."""
        targets.assert_within(self._at(at_call), milliseconds)

    def tools(
        self,
        *,
        exactly: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        at_call: int = 0,
    ) -> None:
        """Asserts the names of the listed tools; `*` in a name stands for any letters."""
        targets.assert_tools(self._at(at_call), exactly, include, exclude)

    def arguments(
        self,
        of: Sequence[str] | str,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        at_call: int = 0,
    ) -> None:
        """Asserts the arguments of the listed tools of these names, or of `every` tool."""
        targets.assert_arguments(self._at(at_call), of, include, exclude)

    def upstream(self, *, at_call: int = 0, **claims: Any) -> None:
        """Asserts claims about the upstream requests of the scenario, or of a single action."""
        every: Sequence[SentRequest] = self.api.upstream.requests
        claims = self._claimed(claims)
        looked_at = self._at(at_call)
        targets.assert_upstream(looked_at.requests if at_call else every, claims)

    def _at(self, at_call: int, affirmed: bool = False) -> ActionOutcome:
        """The outcome of an action, counted from 1; 0 for the last. Counts an assertion;
        `affirmed`: the assertion is more than a denial."""
        if self.steps:
            self.steps[-1].asserts += 1
        if len(self.outcomes) < max(at_call, 1):
            raise AssertionError(f"there are {len(self.outcomes)} actions to look at")
        if affirmed:
            self.looked_at.add(at_call or len(self.outcomes))
        return self.outcomes[at_call - 1]

    def _answered(
        self,
        action: str,
        response: httpx2.Response,
        begun: float,
        seen: int,
        save: Mapping[str, str],
    ) -> None:
        """Records a response, and saves values for later actions."""
        took = (perf_counter() - begun) * 1000
        requests = tuple(self.api.upstream.requests[seen:])
        outcome = ActionOutcome(
            action, response.text, response.status_code, dict(response.headers), took, requests
        )
        self.outcomes.append(outcome)
        for name, path in save.items():
            values = targets.values_at(path, outcome).values
            assert values, f"{path} to be kept as {name}, but there is nothing"
            self.saved[name] = values[0]

    def _filled(self, value: Any) -> Any:
        """A value with every `${name}` replaced by the saved value. Raises AssertionError for a
        name that no action saved."""
        if isinstance(value, dict):
            return {key: self._filled(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self._filled(one) for one in value]
        if not isinstance(value, str):
            return value
        whole = _SAVED.fullmatch(value)
        if whole:
            return self._kept(whole[1])
        return _SAVED.sub(lambda match: str(self._kept(match[1])), value)

    def _claimed(self, claims: Mapping[str, Any]) -> dict[str, Any]:
        """The claims with saved values. Raises AssertionError for an empty value in a search, which
        any text has."""
        told = {}
        for claim, operand in claims.items():
            if claim in ("contains", "lacks", "matches"):
                for name in _SAVED.findall(json.dumps(operand)):
                    empty = self._kept(name) in ("", None, [], {})
                    assert not empty, f"a value of ${{{name}}} to search for, but it is empty"
            if claim == "matches" and isinstance(operand, str):
                told[claim] = _SAVED.sub(
                    lambda match: re.escape(str(self._kept(match[1]))), operand
                )
            else:
                told[claim] = self._filled(operand)
        return told

    def _kept(self, name: str) -> Any:
        assert name in self.saved, f"${{{name}}} to be saved, but no action saved it"
        return self.saved[name]
