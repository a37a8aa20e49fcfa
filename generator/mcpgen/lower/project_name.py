"""Names of the generated project: slug, package, title, version."""

from __future__ import annotations

import keyword
import re
import sys
from dataclasses import dataclass

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.lower.descriptions import humanize, server_instructions
from mcpgen.lower.name_words import name_words, shorten
from mcpgen.lower.sanitize_text import plain_text, strip_invisible, truncate

_SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LONGEST = 40
_NOISE = re.compile(r"apis?|rest|openapi|swagger|specification|spec|the|http|v?[0-9]+")
_RESERVED = {"con", "prn", "aux", "nul", "test", "tests", "mcp", "mcpgen", "runtime", "tools"}
_DEVICES = re.compile(r"(?:com|lpt)[0-9]")


@dataclass(frozen=True, slots=True)
class ProjectNames:
    """Names of a project; fields as in `Server`."""

    slug: str
    package: str
    title: str
    version: str
    instructions: str


def project_names(api: ApiDescription, config: Config, diagnostics: Diagnostics) -> ProjectNames:
    """The names from the user's choices, else from the document's title."""
    slug = _chosen_slug(api, config, diagnostics) or _derived_slug(api.title)
    title = truncate(plain_text(config.title or api.title), 80) or humanize(slug.replace("-", "_"))
    return ProjectNames(
        slug=slug,
        package=_package(api, config, slug, diagnostics),
        title=title,
        version=_version(api.version),
        instructions=server_instructions(api, title, diagnostics),
    )


def _chosen_slug(api: ApiDescription, config: Config, diagnostics: Diagnostics) -> str:
    if not config.name:
        return ""
    if (
        _SLUG.fullmatch(config.name)
        and len(config.name) <= _LONGEST
        and not _is_reserved(config.name)
    ):
        return config.name
    _report_illegal(
        api, config.name, "name", "use small letters, digits and single dashes", diagnostics
    )
    return ""


def _derived_slug(title: str) -> str:
    """Returns the words of the title without versions and words common to API titles, as a slug."""
    parts = name_words(title.lower())
    telling = [word for word in parts if not _NOISE.fullmatch(word)] or parts
    while telling and not telling[0][0].isalpha():
        telling = telling[1:]
    slug = shorten(telling, _LONGEST - len("-api")).replace("_", "-")
    if not slug:
        return "api"
    return f"{slug}-api" if _is_reserved(slug) else slug


def _package(api: ApiDescription, config: Config, slug: str, diagnostics: Diagnostics) -> str:
    if config.package:
        name = config.package
        importable = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
        if importable and name not in sys.stdlib_module_names and not _is_reserved(name):
            return name
        hint = "use a Python identifier that names no module of the standard library"
        _report_illegal(api, name, "package", hint, diagnostics)
    return f"{slug.replace('-', '_')}_mcp"


def _report_illegal(
    api: ApiDescription, name: str, what: str, hint: str, diagnostics: Diagnostics
) -> None:
    name_text = truncate(strip_invisible(name), 80)
    diagnostics.add(codes.ILLEGAL_PROJECT_NAME, api.at, name=name_text, what=what, hint=hint)


def _is_reserved(name: str) -> bool:
    return name in _RESERVED or bool(_DEVICES.fullmatch(name))


def _version(version: str) -> str:
    return truncate(strip_invisible(version), 40) or "0.0.0"
