"""Mutants of the distributed JavaScript of the official TypeScript SDK."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.venvs import node, npm_with

from benchmarks.mutation.javascript_source import TokenMutation, apply_mutation, token_mutations
from benchmarks.mutation.mutant import Mutant

HERE = Path(__file__).parent / "servers" / "typescript"
STARTING = 60.0
"""Seconds until a server has to listen, also on a busy machine."""

SERVER = "node_modules/@modelcontextprotocol/server/dist/"
REGIONS = {
    "streamableHttp.ts": "transport",
    "createMcpHandler.ts": "transport",
    "perRequestTransport.ts": "transport",
    "requestBody.ts": "transport",
    "toNodeHandler.ts": "transport",
    "hostHeaderValidation.ts": "security",
    "originValidation.ts": "security",
    "bearerAuth.ts": "authorization",
    "oauthMetadata.ts": "authorization",
    "server.ts": "lifecycle",
    "protocol.ts": "JSON-RPC",
    "inboundClassification.ts": "headers",
    "mcpParamHeaders.ts": "headers",
    "mediaType.ts": "headers",
    "envelope.ts": "lifecycle",
    "resultCacheHints.ts": "lifecycle",
    "encodeContract.ts": "lifecycle",
    "codec.ts": "lifecycle",
    "listenRouter.ts": "subscriptions",
    "serverEventBus.ts": "subscriptions",
}
"""The mutated files of the SDK's source with their areas."""

_FILES = (f"{SERVER}*.mjs", "node_modules/@modelcontextprotocol/node/dist/index.mjs")


@dataclass(frozen=True)
class ScriptMutant:
    """A mutant with the module (below the environment's folder) and the mutation."""

    mutant: Mutant
    module: str
    mutation: TokenMutation


@cache
def environment() -> Path:
    """The folder with the SDK and the server, installed on first use."""
    return npm_with(HERE)


@cache
def script_mutants() -> dict[str, ScriptMutant]:
    """Every mutant, by id: `typescript-sdk:FILE:LINE:COLUMN:OPERATOR`, the line of the bundle."""
    result: dict[str, ScriptMutant] = {}
    for pattern in _FILES:
        for path in sorted(environment().glob(pattern)):
            source = path.read_text("utf-8")
            if "//#region" not in source or "ajv" in path.name or "cfWorker" in path.name:
                continue
            module = path.relative_to(environment()).as_posix()
            for mutation in token_mutations(source, frozenset(REGIONS)):
                script = _mutant(module, source, mutation)
                result.setdefault(script.mutant.id, script)
    return result


def _mutant(module: str, source: str, mutation: TokenMutation) -> ScriptMutant:
    place = f"{mutation.region}:{mutation.line}:{mutation.column}"
    before = " ".join(source[mutation.start : mutation.end].split())[:60].replace("|", "∣")
    after = (" ".join(mutation.new.split())[:60] or "nothing").replace("|", "∣")
    function_suffix = f", {mutation.function}" if mutation.function else ""
    change = (
        f"{mutation.region}{function_suffix}, line {mutation.line}: `{before}` becomes `{after}`"
    )
    area = REGIONS[mutation.region]
    id = f"typescript-sdk:{place}:{mutation.operator}"
    mutant = Mutant(id, "typescript-sdk", "code", area, mutation.operator, change)
    return ScriptMutant(mutant, module, mutation)


@contextmanager
def serving_script(
    script: ScriptMutant | None, fixture: str, coverage: str = "", *, has_token: bool = True
) -> Iterator[str]:
    """The URL of the server with the mutation. `coverage`: a folder for the reached code.

    Raises RuntimeError if the server does not start.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "fixture.json").write_text(fixture, encoding="utf-8")
        command = [str(node())]
        variables = dict(os.environ)
        if script is not None:
            source = (environment() / script.module).read_text("utf-8")
            changed_file = Path(folder) / "changed.mjs"
            changed_file.write_text(apply_mutation(source, script.mutation), encoding="utf-8")
            command += ["--import", str(environment() / "changed_source.mjs")]
            variables |= {"MUTATED_MODULE": script.module, "MUTATED_SOURCE": str(changed_file)}
        if coverage:
            variables["NODE_V8_COVERAGE"] = coverage
        command += [str(environment() / "server.mjs"), f"{folder}/fixture.json", "0"]
        command += ["--token"] if has_token else []
        with subprocess.Popen(
            command,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdout is not None
            try:
                readable, _, _ = select.select([process.stdout], [], [], STARTING)
                url = process.stdout.readline().strip() if readable else ""
                if not url:
                    raise RuntimeError("the server does not start")
                yield url
            finally:
                if coverage:
                    process.terminate()
                    process.wait(STARTING)
                process.kill()


def executed_ranges(coverage: Path) -> dict[str, list[tuple[int, int, int]]]:
    """The ranges of each module with their number of executions, outermost first."""
    result: dict[str, list[tuple[int, int, int]]] = {}
    for path in coverage.glob("*.json"):
        for script in json.loads(path.read_text("utf-8"))["result"]:
            module = script["url"].rpartition("node_modules/")[2]
            ranges = result.setdefault(f"node_modules/{module}", [])
            for function in script["functions"]:
                for part in function["ranges"]:
                    ranges.append((part["startOffset"], part["endOffset"], part["count"]))
    return {module: sorted(r, key=lambda part: part[0] - part[1]) for module, r in result.items()}


def is_reached(script: ScriptMutant, ranges: dict[str, list[tuple[int, int, int]]]) -> bool:
    """True if the innermost range around the mutation was executed."""
    count = 0
    for start, end, executions in ranges.get(script.module, ()):
        if start <= script.mutation.start < end:
            count = executions
    return count > 0
