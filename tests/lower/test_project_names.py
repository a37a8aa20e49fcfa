"""Project names are safe for every title."""

from __future__ import annotations

import keyword
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.config import Config


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Petstore", "petstore"),
        ("Swagger Petstore - OpenAPI 3.0", "petstore"),
        ("GitHub v3 REST API", "github"),
        ("", "api"),
        ("🐶", "api"),
        ("../../etc/passwd", "etc-passwd"),
        ("con", "con-api"),
        ("3scale", "scale"),
        ("API", "api"),
    ],
)
def test_the_slug_comes_from_the_title(build: Any, title: str, slug: str) -> None:
    server = build.lower(build.api(build.operation(), title=title)).server

    assert (server.slug, server.package) == (slug, slug.replace("-", "_") + "_mcp")


def test_the_users_names_win(build: Any) -> None:
    config = Config(name="shop", package="my_shop", title="My shop")

    server = build.lower_operation(config=config).server

    assert (server.slug, server.package, server.title) == ("shop", "my_shop", "My shop")


@pytest.mark.parametrize(
    "config",
    [Config(name="No Good"), Config(name="nul"), Config(package="class"), Config(package="json")],
)
def test_an_illegal_name_of_a_project_is_an_error(build: Any, config: Config) -> None:
    assert "MG380" in build.lower_operation(config=config).codes


@given(st.text(max_size=80))
def test_any_title_gives_safe_names(build: Any, title: str) -> None:
    server = build.lower(build.api(build.operation(), title=title, version=title)).server

    assert re.fullmatch(r"[a-z][a-z0-9-]{0,39}", server.slug)
    assert server.package.isidentifier()
    assert not keyword.iskeyword(server.package)
    assert server.title.isprintable()
    assert server.version.isprintable()


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Tides", "Tools of the API Tides."), ("Tide API", "Tools of the Tide API.")],
)
def test_instructions_say_once_that_it_is_an_api(build: Any, title: str, expected: str) -> None:
    server = build.lower(build.api(build.operation(), title=title)).server

    assert server.instructions.startswith(expected)
