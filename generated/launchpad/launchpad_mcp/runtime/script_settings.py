"""What bounds the scripts that a server runs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from .docs_settings import DocsSettings


class ScriptSettings(DocsSettings):
    """The limits of one script, of all at once, and where Deno is."""

    script_deno: str = ""
    """The path of Deno; the one that the package `deno` brings if empty, else that of `PATH`."""
    script_warm: Annotated[int, Field(ge=0, le=64)] = 1
    """How many processes wait, started, for a script each."""
    scripts_at_once: Annotated[int, Field(gt=0)] = 4
    """How many scripts a process of the server runs at a time."""
    script_seconds: Annotated[float, Field(gt=0)] = 30
    """How long a script may take, with its calls."""
    script_cpu_seconds: Annotated[int, Field(gt=0)] = 10
    """How long it may occupy a processor."""
    script_megabytes: Annotated[int, Field(ge=16, le=4096)] = 128
    """How much memory it may take beside what Deno itself needs."""
    script_calls: Annotated[int, Field(ge=0)] = 100
    """How many calls it may make."""
    script_calls_at_once: Annotated[int, Field(gt=0)] = 8
    """How many of them are under way at a time; others wait."""
    script_bytes: Annotated[int, Field(gt=0)] = 64 * 1024
    """How long its text may be."""
    script_result_bytes: Annotated[int, Field(gt=0)] = 100_000
    """How large its value may be, as compact JSON."""
    script_log_characters: Annotated[int, Field(ge=0)] = 10_000
    """How much of what it logs is shown."""
