"""Reading `mcpgen.toml`: choices become a `Config`, mistakes become located findings."""

from __future__ import annotations

import pytest

from mcpgen.config import (
    Config,
    DescriptionsConfig,
    Detail,
    FlatteningConfig,
    OutputMode,
    Selection,
    Selector,
    load,
)
from mcpgen.config.tables.limits import (
    CountStore,
    LimitsConfig,
    RateCounting,
    UnknownCallers,
    UnreachablePolicy,
)
from mcpgen.config.tables.server import AuditDestination, LogFormat, ObservabilityConfig
from mcpgen.diagnostics import Code, Diagnostics
from mcpgen.diagnostics.codes import config as codes

EVERYTHING = """\
spec = "../specs/petstore.yaml"
name = "petstore"
package = "petstore_mcp"
title = "Pet store"
upstream = "https://api.example.com/v1/"
keep_going = true

[select]
include = ["tag:pets", "GET /pets/*", {path = "/owners/*", method = "get"}]
exclude = ["deletePet"]

[names]
"GET /pets/{id}" = "show_pet"

[flatten]
max_depth = 5
max_arguments = 12

[output]
schemas = "shallow"

[descriptions]
detail = "lean"
limit = 300
"""


def _load(text: str) -> tuple[Config, list[tuple[Code, int, int, str]]]:
    """Returns the configuration, and each finding with line and column."""
    diagnostics = Diagnostics()
    config = load(text.encode(), "mcpgen.toml", diagnostics)
    return config, [(d.code, d.at.line, d.at.column, d.message) for d in diagnostics.sorted()]


def test_an_empty_file_is_all_defaults() -> None:
    config, result = _load("")

    assert config == Config()
    assert result == []


def test_every_key_reaches_the_configuration() -> None:
    config, result = _load(EVERYTHING)

    assert result == []
    assert config == Config(
        spec="../specs/petstore.yaml",
        name="petstore",
        package="petstore_mcp",
        title="Pet store",
        upstream="https://api.example.com/v1",
        selection=Selection(
            (
                Selector(tag="pets"),
                Selector(method="GET", path="/pets/*"),
                Selector(method="GET", path="/owners/*"),
            ),
            (Selector(operation="deletePet"),),
        ),
        names={"GET /pets/{id}": "show_pet"},
        flattening=FlatteningConfig(5, 12),
        output_schemas=OutputMode.SHALLOW,
        descriptions=DescriptionsConfig(Detail.LEAN, 300),
        keep_going=True,
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ('nam = "x"', 1, 1, "no key `nam`; did you mean `name`?"),
        ('\n[selekt]\ninclude = ["a"]', 2, 2, "no key `selekt`; did you mean `select`?"),
        ("[flatten]\nmax_dept = 1", 2, 1, "did you mean `flatten.max_depth`?"),
        ("flatten.max_dept = 1", 1, 9, "did you mean `flatten.max_depth`?"),
        ("max_depth = 2", 1, 1, "did you mean `flatten.max_depth`?"),
        ("authorization.foo = 2", 1, 15, "mcpgen has no key `authorization.foo`"),
        ('zebra = "x"', 1, 1, "mcpgen has no key `zebra`"),
        ('[select]\ninclude = [{ tagg = "x" }]', 2, 14, "no key `tagg`; did you mean `tag`?"),
    ],
)
def test_an_unknown_key_is_told_with_its_place_and_the_nearest_name(
    text: str, line: int, column: int, expected: str
) -> None:
    _, result = _load(text)

    [(code, *place, message)] = result
    assert (code, place) == (codes.UNKNOWN_KEY, [line, column])
    assert message.endswith(expected)


def test_a_table_with_its_old_name_counts_with_a_warning() -> None:
    config, result = _load("[authorisation]\nhide = 3\nstep_up = true\n")

    assert config.authorization.step_up
    assert [(code, line, column) for code, line, column, _ in result] == [
        (codes.RENAMED_TABLE, 1, 2),
        (codes.WRONG_TYPE, 2, 1),
    ]
    assert "`[authorization]`" in result[0][3]


def test_a_table_with_its_old_and_its_new_name_is_unknown() -> None:
    _, result = _load("[authorisation]\nhide = true\n[authorization]\nhide = true\n")

    ((code, *_, message),) = result
    assert code == codes.UNKNOWN_KEY
    assert message.endswith("; move its keys to `[authorization]`, the new name of the table")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("spec = 3", "`spec` must be a string, and is a whole number"),
        ("title = true", "`title` must be a string, and is true or false"),
        ("keep_going = 1", "`keep_going` must be true or false, and is a whole number"),
        ("select = 1", "`select` must be a table, and is a whole number"),
        (
            '[select]\ninclude = "tag:x"',
            "`select.include` must be a list of selectors, and is a string",
        ),
        ("[select]\ninclude = [1]", "`select.include[0]` must be a string or a table, and is"),
        ("[select]\ninclude = [{tag = 1}]", "`select.include.tag` must be a string, and is"),
        ("names = []", "`names` must be a table of strings, and is a list"),
        ("[names]\nx = 1.5", "`names.x` must be a string, and is a number with a fraction"),
        (
            "[flatten]\nmax_depth = true",
            "`flatten.max_depth` must be a whole number, and is true or",
        ),
        ("title = 2026-01-01", "`title` must be a string, and is a date or a time"),
    ],
)
def test_a_value_of_another_type_is_told_and_has_its_default(text: str, message: str) -> None:
    config, result = _load(text)

    assert [code for code, *_ in result] == [codes.WRONG_TYPE]
    assert message in result[0][3]
    assert config == Config()


@pytest.mark.parametrize(
    "text",
    [
        'name = "Pet Store"',
        'name = "tests"',
        f'name = "{"a" * 41}"',
        'package = "class"',
        'package = "json"',
        'package = "mcp"',
        'package = "pet-store"',
        'title = "a\\nb"',
        'upstream = "ftp://x"',
        'upstream = "https://user:pw@x"',
        'upstream = "https://x/?a=b"',
        'upstream = "https://[x"',
        'upstream = "//x"',
        "[flatten]\nmax_depth = -1",
        "[flatten]\nmax_arguments = 0",
        '[output]\nschemas = "some"',
        "[descriptions]\nlimit = 1",
        '[descriptions]\ndetail = "none"',
        '[names]\nx = "Get"',
        '[names]\nx = "a__b"',
        '[names]\nx = ""',
        '[names]\nx = "one"\ny = "one"',
        '[deploy]\nbase_image = "python"',
        '[deploy]\nbase_image = "-x:1"',
        '[deploy]\nproxy_image = "nginx:1 AS root"',
        f'[deploy]\nredis_image = "redis:8@sha256:{"a" * 63}"',
        '[deploy]\nlock = "requirements.lock"',
        '[deploy]\nlock = "../own.lock"',
        '[deploy]\nmcpgen_hash = "sha256:0"',
    ],
)
def test_a_value_that_cannot_work_is_told_at_its_key(text: str) -> None:
    _, result = _load(text)

    assert [code for code, *_ in result] == [codes.ILLEGAL_VALUE]
    assert result[0][1] == text.count("\n") + 1


@pytest.mark.parametrize(
    "selector",
    [
        '""',
        "{}",
        '{method = "GETT"}',
        '{path = "pets"}',
        '"tag:"',
        '"read_only:maybe"',
        '"deprecated:"',
    ],
)
def test_a_selector_that_can_match_nothing_is_told(selector: str) -> None:
    config, result = _load(f"[select]\nexclude = [{selector}]")

    assert [place[:3] for place in result] == [(codes.ILLEGAL_SELECTOR, 2, 12)]
    assert config.selection == Selection()


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("tag:pets", Selector(tag="pets")),
        ("path:/pets/*", Selector(path="/pets/*")),
        ("method:post", Selector(method="POST")),
        ("operation:GET /pets", Selector(operation="GET /pets")),
        ("get /pets/{id}", Selector(method="GET", path="/pets/{id}")),
        ("* /pets", Selector(method="*", path="/pets")),
        ("/pets", Selector(path="/pets")),
        ("apps:list", Selector(operation="apps:list")),
        ("list*", Selector(operation="list*")),
    ],
)
def test_a_string_selects_by_its_form(text: str, selector: Selector) -> None:
    config, result = _load(f'[select]\ninclude = ["{text}"]')

    assert result == []
    assert config.selection.include == (selector,)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a = \n", 1, 5), ("x = 1\nx = 2\n", 2, 6), ("a = [1,\n", 2, 1), ("[a\n", 1, 3)],
)
def test_broken_toml_is_told_where_the_parser_gave_up(text: str, line: int, column: int) -> None:
    config, result = _load(text)

    assert [place[:3] for place in result] == [(codes.BROKEN_CONFIG, line, column)]
    assert config == Config()


@pytest.mark.parametrize(
    "text",
    [
        f"a = {'[' * 5000}{']' * 5000}",
        f"a = 1{'0' * 5000}",
        f"[limits]\nretries = 0x{'f' * 4000}",
        f'[tools."GET /a".arguments.x]\ndefault = 0x{"f" * 4000}',
    ],
)
def test_toml_beyond_the_limits_of_python_is_told(text: str) -> None:
    config, result = _load(text)

    assert [code for code, *_ in result] == [codes.BROKEN_CONFIG]
    assert config == Config()


def test_bytes_that_are_not_utf_8_are_told_with_their_line() -> None:
    diagnostics = Diagnostics()

    load(b'title = "x"\nname = "\xff"\n', "mcpgen.toml", diagnostics)

    assert [(d.code, d.at.line) for d in diagnostics] == [(codes.BROKEN_CONFIG, 2)]


def test_windows_line_ends_and_a_byte_order_mark_are_fine() -> None:
    diagnostics = Diagnostics()

    config = load(b'\xef\xbb\xbftitle = "x"\r\nnam = 1\r\n', "mcpgen.toml", diagnostics)

    assert config.title == "x"
    assert [(d.at.line, d.at.column) for d in diagnostics] == [(2, 1)]


def test_all_mistakes_are_told_at_once_and_the_rest_is_taken() -> None:
    config, result = _load('nam = 1\ntitle = "T"\nspec = 2\n[flatten]\nmax_depth = 99\n')

    assert [code for code, *_ in result] == [
        codes.UNKNOWN_KEY,
        codes.WRONG_TYPE,
        codes.ILLEGAL_VALUE,
    ]
    assert config.title == "T"


def test_a_long_value_with_control_characters_is_shown_on_one_short_line() -> None:
    _, result = _load(f'title = "a\\n\\u001b{"x" * 500}"')

    assert "\x1b" not in result[0][3]
    assert len(result[0][3]) < 160


LIMITS = """\
[limits]
all = "1000/minute"
subject = "1000/12 hours"
count = "messages"
anonymous = "address"
store = "redis"
unreachable = "allow"
error_code = -32002
concurrent = 5
breaker_seconds = 1

[limits.tools]
search = "3/second"

[limits.subject_tools]
search = "1/second"
"""


def test_limits_reach_the_configuration() -> None:
    config, result = _load(LIMITS)

    assert result == []
    assert config.limits == LimitsConfig(
        all="1000/minute",
        subject="1000/12 hours",
        tools={"search": "3/second"},
        subject_tools={"search": "1/second"},
        count=RateCounting.MESSAGES,
        anonymous=UnknownCallers.ADDRESS,
        store=CountStore.REDIS,
        unreachable=UnreachablePolicy.ALLOW,
        error_code=-32002,
        concurrent=5,
        breaker_seconds=1,
    )
    location = config.at("limits", "tools", "search")
    assert location is not None
    assert (location.line, location.column) == (13, 1)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('all = "fast"', "limits.all"),
        ('all = "0/minute"', "limits.all"),
        ('subject = "10 per minute"', "limits.subject"),
        ('subject = "10/minutes "', "limits.subject"),
        ('tools = {search = "3/0 seconds"}', "limits.tools.search"),
        ("error_code = -32700", "limits.error_code"),
        ("concurrent = -1", "limits.concurrent"),
        ("breaker_seconds = 0", "limits.breaker_seconds"),
        ("retries = 11", "limits.retries"),
        ('store = "memcached"', "limits.store"),
    ],
)
def test_a_limit_that_cannot_be_kept_is_told_at_its_line(line: str, key: str) -> None:
    config, result = _load(f"[limits]\n{line}\n")

    ((code, row, _, message),) = result
    assert (code, row) == (codes.ILLEGAL_VALUE, 2)
    assert f"`{key}`" in message
    assert config.limits == LimitsConfig()


def test_who_is_told_what_reaches_the_configuration() -> None:
    config, result = _load(
        '[audit]\nto = "opentelemetry"\narguments = true\nrequired = true\n[log]\nformat = "json"\n'
        "request_ids = true\n[telemetry]\nopentelemetry = true\npropagate = false\n"
        "prometheus = true\n"
    )

    assert result == []
    assert config.observability == ObservabilityConfig(
        audit=AuditDestination.OPENTELEMETRY,
        audit_arguments=True,
        audit_required=True,
        log=LogFormat.JSON,
        request_ids=True,
        opentelemetry=True,
        propagate=False,
        prometheus=True,
    )
