"""Overlays: changes, and locations of findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.source import Source
from mcpgen.read import read
from mcpgen.read.positions import Positions

API = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
tags: [a, b]
paths:
  /a:
    get:
      summary: All.
      parameters:
        - {name: bad, in: query}
        - {name: good, in: query}
        - {name: last, in: query}
  /b:
    get: {summary: One.}
"""
HEAD = 'overlay: 1.1.0\ninfo: {title: Repair, version: "1"}\n'


class Overlaid:
    """Result of reading a description with overlays."""

    def __init__(self, folder: Path, overlays: list[str]) -> None:
        self.diagnostics = Diagnostics()
        paths = []
        for index, text in enumerate(overlays):
            path = folder / f"overlay{index}.yaml"
            path.write_text(text, encoding="utf-8")
            paths.append(str(path))
        (folder / "api.yaml").write_text(API, encoding="utf-8")
        self.folder = folder
        source = read(str(folder / "api.yaml"), self.diagnostics, overlays=paths)
        assert source is not None
        self.source: Source = source
        self.tree: Any = source.root.tree

    def line(self, *path: str) -> tuple[str, int]:
        """File and line of a value of the tree."""
        location = self.diagnostics.find_written_location(Location(self.source.root.name, path))
        documents = (*self.source.documents.values(), *self.source.overlays)
        position = Positions(documents)(location)
        assert position is not None
        return Path(location.file).name, position.line

    @property
    def findings(self) -> list[tuple[str, str, str]]:
        """Findings: name, severity and pointer in the overlay."""
        return [
            (diagnostic.code.name, diagnostic.severity.value, diagnostic.at.pointer)
            for diagnostic in self.diagnostics
        ]


Applies = Callable[..., Overlaid]


@pytest.fixture(name="apply_overlay")
def apply_overlay_fixture(tmp_path: Path) -> Applies:
    """Applies overlays to `API`, given as texts of actions or as whole texts."""

    def run(*texts: str) -> Overlaid:
        return Overlaid(tmp_path, [t if t.startswith("overlay") else HEAD + t for t in texts])

    return run


def test_mappings_are_merged_lists_appended_and_single_values_replaced(
    apply_overlay: Applies,
) -> None:
    actions = """\
actions:
  - target: $
    update:
      info: {description: Text., title: Cats}
      tags: [c]
      paths: {/b: {get: {summary: Other., deprecated: true}}}
"""

    tree = apply_overlay(actions).tree

    assert tree["info"] == {"title": "Cats", "version": "1", "description": "Text."}
    assert tree["tags"] == ["a", "b", "c"]
    assert tree["paths"]["/b"] == {"get": {"summary": "Other.", "deprecated": True}}
    assert tree["paths"]["/a"]["get"]["summary"] == "All."


@pytest.mark.parametrize(
    ("update", "tags"), [("c", ["a", "b", "c"]), ("[c, d]", ["a", "b", "c", "d"])]
)
def test_a_list_that_is_a_target_takes_one_value_or_several(
    apply_overlay: Applies, update: str, tags: list[str]
) -> None:
    assert apply_overlay(f"actions: [{{target: $.tags, update: {update}}}]").tree["tags"] == tags


def test_every_value_a_target_selects_is_changed(apply_overlay: Applies) -> None:
    tree = apply_overlay("actions: [{target: $.paths.*.get, update: {x-safe: true}}]").tree

    assert [item["get"]["x-safe"] for item in tree["paths"].values()] == [True, True]


def test_several_elements_of_a_list_are_removed_at_once(apply_overlay: Applies) -> None:
    actions = "actions: [{target: \"$..parameters[?@.name != 'good']\", remove: true}]"

    tree = apply_overlay(actions).tree

    assert tree["paths"]["/a"]["get"]["parameters"] == [{"name": "good", "in": "query"}]


def test_nested_targets_of_a_removal_do_not_disturb_each_other(apply_overlay: Applies) -> None:
    tree = apply_overlay("actions: [{target: '$.paths..*', remove: true}]").tree

    assert tree["paths"] == {}


def test_actions_and_overlays_see_the_result_of_earlier_ones(apply_overlay: Applies) -> None:
    first = "actions: [{target: \"$.paths['/b']\", remove: true}]"
    second = "actions: [{target: $.paths, update: {/b: {post: {}}}}]"

    assert apply_overlay(first, second).tree["paths"]["/b"] == {"post": {}}
    assert "/b" not in apply_overlay(second, first).tree["paths"]


def test_a_value_is_copied_in_version_1_1(apply_overlay: Applies) -> None:
    result = apply_overlay("actions: [{target: \"$.paths['/b']\", copy: \"$.paths['/a']\"}]")

    assert result.findings == []
    assert result.tree["paths"]["/b"] == result.tree["paths"]["/a"]
    assert result.line("paths", "/b", "get", "parameters", "1") == ("api.yaml", 10)


def test_single_values_are_targets_since_version_1_1(apply_overlay: Applies) -> None:
    actions = "actions: [{target: $.info.title, update: Cats}]"
    first = HEAD.replace("1.1.0", "1.0.0") + actions

    assert apply_overlay(actions).tree["info"]["title"] == "Cats"
    assert apply_overlay(first).findings == [("unfit-action", "error", "/actions/0/target")]


@pytest.mark.parametrize(
    ("actions", "hint"),
    [
        (
            "[{target: $.info.title, update: {}}]",
            "write a value of the same type, or remove the old value and write the new value by an "
            "`update` of the mapping or list around the target",
        ),
        (
            "[{target: $, update: {info: {title: {}}}}]",
            "write a value of the same type, or remove the old value in an earlier action",
        ),
        ("[{target: $.info, copy: $.zoo}]", "let `copy` select exactly one value of the document"),
    ],
)
def test_hint_for_an_action_that_does_not_fit_fits_its_place(
    apply_overlay: Applies, actions: str, hint: str
) -> None:
    (finding,) = apply_overlay(f"actions: {actions}").diagnostics

    assert (finding.code.name, finding.hint) == ("unfit-action", hint)


def test_an_alias_is_changed_only_where_it_is_selected(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text("openapi: 3.1.0\na: &x {k: [1]}\nb: *x\n", encoding="utf-8")
    text = HEAD + "actions: [{target: $.a.k, update: 2}]"
    (tmp_path / "o.yaml").write_text(text, encoding="utf-8")

    source = read(str(tmp_path / "api.yaml"), Diagnostics(), overlays=[str(tmp_path / "o.yaml")])

    assert source is not None
    assert (source.root.tree["a"], source.root.tree["b"]) == ({"k": [1, 2]}, {"k": [1]})


def test_a_value_is_located_where_it_was_written(apply_overlay: Applies) -> None:
    actions = """\
actions:
  - target: $.paths['/a'].get.parameters[0]
    remove: true
  - target: $.paths['/a'].get.parameters
    update:
      name: new
      in: query
  - target: $.paths['/b'].get
    update: {deprecated: true}
"""

    line = apply_overlay(actions).line

    assert line("paths", "/a", "get", "parameters", "0") == ("api.yaml", 10)
    assert line("paths", "/a", "get", "parameters", "1", "name") == ("api.yaml", 11)
    assert line("paths", "/a", "get", "parameters", "2", "name") == ("overlay0.yaml", 8)
    assert line("paths", "/b", "get", "deprecated") == ("overlay0.yaml", 11)
    assert line("paths", "/b", "get", "summary") == ("api.yaml", 13)
    assert line("paths", "/b", "get") == ("api.yaml", 13)


def test_a_removed_value_is_located_at_the_removal(apply_overlay: Applies) -> None:
    line = apply_overlay("actions:\n  - target: $.info\n    remove: true\n").line

    assert line("info") == ("overlay0.yaml", 4)


def test_a_reference_that_an_overlay_brings_is_followed_from_the_description(
    tmp_path: Path,
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "repairs").mkdir()
    (tmp_path / "api.yaml").write_text("openapi: 3.1.0\npaths: {}\n", encoding="utf-8")
    (tmp_path / "parts" / "pet.yaml").write_text("get: {}\n", encoding="utf-8")
    update = "{/p: {$ref: parts/pet.yaml}, /q: {$ref: parts/none.yaml}}"
    text = HEAD + f"actions:\n  - target: $.paths\n    update: {update}\n"
    (tmp_path / "repairs" / "o.yaml").write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()

    source = read(
        str(tmp_path / "api.yaml"), diagnostics, overlays=[str(tmp_path / "repairs" / "o.yaml")]
    )

    assert source is not None
    assert list(source.documents) == ["", "parts/pet.yaml"]
    (diagnostic,) = diagnostics
    assert (diagnostic.code.name, Path(diagnostic.at.file).name) == ("missing-reference", "o.yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("actions: [{target: $, update: {}}]\n", []),
        ("x-tool: 1\nactions: [{target: $, update: {}, x-y: 1}]\n", []),
        (
            "action: []\nactions: [{target: $, update: {}}]",
            [("unknown-overlay-key", "error", "/action")],
        ),
        ("actions: []\n", [("malformed-overlay", "error", "/actions")]),
        ("actions: [5]\n", [("malformed-overlay", "error", "/actions/0")]),
        ("actions: [{update: {}}]\n", [("malformed-overlay", "error", "/actions/0")]),
        (
            "actions: [{target: 5, update: {}}]\n",
            [("malformed-overlay", "error", "/actions/0/target")],
        ),
        (
            "actions: [{target: $, remove: 'yes'}]\n",
            [("malformed-overlay", "error", "/actions/0/remove")],
        ),
        (
            "actions: [{target: $, updates: {}}]\n",
            [
                ("unknown-overlay-key", "error", "/actions/0/updates"),
                ("idle-action", "warning", "/actions/0"),
            ],
        ),
        (
            "actions: [{target: paths, update: {}}]",
            [("illegal-target", "error", "/actions/0/target")],
        ),
        (
            "actions: [{target: '$.a[', update: {}}]",
            [("illegal-target", "error", "/actions/0/target")],
        ),
        (
            "actions: [{target: $.zoo, remove: true}]",
            [("idle-target", "warning", "/actions/0/target")],
        ),
        ("actions: [{target: $.info}]", [("idle-action", "warning", "/actions/0")]),
        ("actions: [{target: $, remove: true}]", [("unfit-action", "error", "/actions/0")]),
        (
            "actions: [{target: $.info, update: x}]",
            [("unfit-action", "error", "/actions/0/update")],
        ),
        (
            "actions: [{target: $, update: {info: {title: {}}}}]",
            [("unfit-action", "error", "/actions/0/update/info/title")],
        ),
        (
            "actions: [{target: $, update: {tags: x}}]",
            [("unfit-action", "error", "/actions/0/update/tags")],
        ),
        (
            "actions: [{target: $.info, update: {}, remove: true}]",
            [("contradictory-action", "warning", "/actions/0/update")],
        ),
        (
            "actions: [{target: $.info, copy: $.paths.*}]",
            [("unfit-action", "error", "/actions/0/copy")],
        ),
        ("overlay: 2.0.0\n", [("no-overlay", "error", "/overlay")]),
        ("overlay: true\n", [("no-overlay", "error", "/overlay")]),
        (
            "overlay: 1.0.1\nactions: [{target: $, copy: $.info}]\n",
            [
                ("malformed-overlay", "warning", "/info"),
                ("unknown-overlay-key", "error", "/actions/0/copy"),
                ("idle-action", "warning", "/actions/0"),
            ],
        ),
        (
            "extends: other.yaml\nactions: [{target: $, update: {}}]\n",
            [("other-target", "warning", "/extends")],
        ),
        ("extends: ./api.yaml\nactions: [{target: $, update: {}}]\n", []),
        ("extends: https://e.com/other.yaml\nactions: [{target: $, update: {}}]\n", []),
        (
            "extends: 5\nactions: [{target: $, update: {}}]\n",
            [("malformed-overlay", "error", "/extends")],
        ),
    ],
)
def test_every_mistake_is_reported_at_its_location(
    apply_overlay: Applies, text: str, expected: Any
) -> None:
    result = apply_overlay(text)

    assert result.findings == expected
    assert {Path(diagnostic.at.file).name for diagnostic in result.diagnostics} <= {"overlay0.yaml"}
    assert result.source.is_unusable is any(severity == "error" for _, severity, _ in expected)


def test_a_document_named_by_a_relative_path_is_the_one_of_an_absolute_overlay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("api.yaml").write_text(API, encoding="utf-8")
    text = (
        "overlay: 1.1.0\ninfo: {title: o, version: '1'}\n"
        "extends: api.yaml\nactions: [{target: $, update: {}}]\n"
    )
    Path("o.yaml").write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()

    read("api.yaml", diagnostics, overlays=[str(tmp_path / "o.yaml")])

    assert not list(diagnostics)


def test_an_action_that_does_not_fit_changes_nothing(apply_overlay: Applies) -> None:
    result = apply_overlay("actions: [{target: $, update: {info: {a: 1}, tags: {}}}]")

    assert result.tree == yaml.safe_load(API)


def test_an_overlay_that_is_not_there_is_reported(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(API, encoding="utf-8")
    diagnostics = Diagnostics()

    source = read(str(tmp_path / "api.yaml"), diagnostics, overlays=[str(tmp_path / "no.yaml")])

    assert [diagnostic.code.name for diagnostic in diagnostics] == ["missing-file"]
    assert source is not None
    assert source.is_unusable


def test_an_overlay_cannot_grow_a_document_without_end(apply_overlay: Applies) -> None:
    action_text = "  - {target: $.tags, copy: $.tags}\n"

    result = apply_overlay("actions:\n" + action_text * 20)

    assert {name for name, _, _ in result.findings} == {"large-overlay"}
    assert len(result.tree["tags"]) < 100_000


def test_an_overlay_cannot_nest_a_document_without_end(apply_overlay: Applies) -> None:
    deep = "{a: " * 150 + "1" + "}" * 150

    result = apply_overlay(
        f"actions:\n  - {{target: $.info, update: {deep}}}\n"
        f"  - {{target: $..a, update: {deep}}}\n"
    )

    assert [name for name, _, _ in result.findings] == ["large-overlay"]


def test_a_copy_and_its_original_are_changed_apart(apply_overlay: Applies) -> None:
    actions = """\
actions:
  - {target: $.info, update: {x: {k: 1}}}
  - {target: $, update: {y: {}}}
  - {target: $.y, copy: $.info.x}
  - {target: $.y, copy: $.info}
  - {target: $.y.x, update: {k: 2}}
"""

    tree = apply_overlay(actions).tree

    assert (tree["info"]["x"], tree["y"]["x"], tree["y"]["k"]) == ({"k": 1}, {"k": 2}, 1)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("(a*)*b", False), ("A.*", True), (".l", False), ("(?=A).*", False)],
)
def test_a_pattern_of_a_query_takes_time_in_proportion_to_the_text(
    apply_overlay: Applies, pattern: str, expected: Any
) -> None:
    growing_action = (
        "actions:\n  - target: $.paths['/b'].get.summary\n    update: " + "a" * 50_000 + "\n"
    )
    query_action = (
        f"  - {{target: \"$.paths.*[?match(@.summary, '{pattern}')]\", update: {{x: 1}}}}\n"
    )

    result = apply_overlay(growing_action + query_action)

    assert ("x" in result.tree["paths"]["/a"]["get"]) is expected
