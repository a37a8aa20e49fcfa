"""The sources, the name and the runtime of the project."""

from __future__ import annotations

from enum import StrEnum

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice, switch, text


class RuntimeMode(StrEnum):
    """The way a project gets the runtime."""

    VENDORED = "vendored"
    """Copies the needed modules of the runtime to `<package>/_runtime/`."""
    PACKAGE = "package"
    """The project depends on the distribution `mcpgen-runtime`."""


KEYS = (
    text(
        "spec",
        "Path of the API description or of the requirements, relative to this file.",
        "the path of a file",
        validators.is_path,
    ),
    text(
        "source",
        "URL from which `spec` was fetched; `mcpgen build --refresh` fetches it again.",
        "an http or https URL without user and password",
        validators.is_document_url,
    ),
    text(
        "capability",
        "Capabilities of an OpenSpec folder to build, by their path below `specs/`, with commas.",
        "the name of a capability",
        validators.is_path,
    ),
    text(
        "change",
        "Which change of an OpenSpec folder is laid over it, by the name of its folder.",
        "the name of a change",
        validators.is_path,
    ),
    text(
        "openapi",
        "Path of the API description behind the requirements, relative to this file.",
        "the path of a file",
        validators.is_path,
    ),
    text(
        "root",
        "Folder that `$ref` may not leave, relative to this file; the one of `spec` if empty.",
        "the path of a folder",
        validators.is_path,
    ),
    KeySpec(
        "overlays",
        KeyType.TEXTS,
        (),
        "Paths of overlays that repair the API description, relative to this file, in order.",
        "the path of a file",
        validators.is_path,
    ),
    KeySpec(
        "allow_remote",
        KeyType.TEXTS,
        (),
        "Hosts that a `$ref` may be fetched from, with a port where it is not the usual one.",
        "a host name or an address, with an optional port, and nothing else",
        validators.is_host,
    ),
    text(
        "name",
        "Name of the project and of the MCP server; from the API's title if empty.",
        "lower-case words of letters and digits joined by `-`, at most 40 characters",
        validators.is_slug,
    ),
    text(
        "package",
        "Import name of the Python package; the name with `_mcp` if empty.",
        "a lower-case Python name that no module of Python or of the server's dependencies has",
        validators.is_package,
    ),
    text(
        "title",
        "The title that people see; the API's title if empty.",
        "one line of at most 200 characters",
        validators.is_line,
    ),
    text(
        "upstream",
        "Base URL of the API; the first server of the API description if empty.",
        "an http or https URL without user, query and fragment",
        validators.is_base_url,
        "upstream",
    ),
    choice(
        "runtime",
        "Whether the runtime is copied into the project, or a dependency on `mcpgen-runtime`.",
        RuntimeMode,
    ),
    switch(
        "fast_path",
        "Whether a project with a copy of the runtime has the fast path; with `package` it always has.",
    ),
    switch(
        "in_process",
        "Whether the server can call an API in its own process; with `package` it always can.",
    ),
    switch("keep_going", "Whether to build the other tools when an operation cannot be generated."),
)
