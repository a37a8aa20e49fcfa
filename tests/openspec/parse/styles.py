"""Styles of written requirements: a row per style with the expected result."""

from __future__ import annotations

PURPOSE = "A purpose that is said in a sentence of more than fifty characters."

ABOVE = f"""# Title

## Purpose
{PURPOSE}

## Requirements

### Requirement: R
It SHALL be.

#### Scenario: S
"""
"""Text above the steps of a scenario; the steps begin on line 12."""

STEPS: list[tuple[str, str, list[str]]] = [
    ("bold keywords", "- **WHEN** a\n- **THEN** b\n", ["WHEN when a", "THEN then b"]),
    ("plain keywords", "- WHEN a\n- THEN b\n", ["WHEN when a", "THEN then b"]),
    ("keywords in lower case", "- when a\n- then b", ["WHEN when a", "THEN then b"]),
    ("keywords as in a sentence", "- When a\n- Then b", ["WHEN when a", "THEN then b"]),
    ("bold with two spaces", "**When** a  \n**Then** b  ", ["WHEN when a", "THEN then b"]),
    ("Gherkin", "Given a\nWhen b\nThen c\n", ["GIVEN given a", "WHEN when b", "THEN then c"]),
    ("no bullet, capitals", "WHEN a\nTHEN b\n", ["WHEN when a", "THEN then b"]),
    ("italic keywords", "- *WHEN* a\n- _THEN_ b", ["WHEN when a", "THEN then b"]),
    ("underscores", "- __WHEN__ a\n- __THEN__ b", ["WHEN when a", "THEN then b"]),
    ("bold and italic", "- ***WHEN*** a", ["WHEN when a"]),
    ("keywords as code", "- `WHEN` a\n- `THEN` b", ["WHEN when a", "THEN then b"]),
    ("colon behind", "- **WHEN**: a\n- THEN: b", ["WHEN when a", "THEN then b"]),
    ("colon inside", "- **WHEN:** a\n- **THEN:** b", ["WHEN when a", "THEN then b"]),
    ("comma behind", "- **WHEN**, a", ["WHEN when a"]),
    ("everything bold", "- **WHEN a is so**\n- **THEN b**", ["WHEN when a is so", "THEN then b"]),
    ("asterisks", "* **WHEN** a\n* **THEN** b", ["WHEN when a", "THEN then b"]),
    ("pluses", "+ **WHEN** a\n+ **THEN** b", ["WHEN when a", "THEN then b"]),
    ("typed bullets", "  • WHEN a\n  • THEN b", ["WHEN when a", "THEN then b"]),
    ("numbers", "1. WHEN a\n2. THEN b\n10) AND c", ["WHEN when a", "THEN then b", "AND then c"]),
    ("boxes", "- [ ] **WHEN** a\n- [x] **THEN** b", ["WHEN when a", "THEN then b"]),
    ("dashes", "– WHEN a\n— THEN b", ["WHEN when a", "THEN then b"]),
    ("a tab behind the bullet", "-\t**WHEN**\ta", ["WHEN when a"]),
    ("indented bullets", "   - **WHEN** a\n   - **THEN** b", ["WHEN when a", "THEN then b"]),
    ("blank lines between", "- **WHEN** a\n\n- **THEN** b", ["WHEN when a", "THEN then b"]),
    ("hard wrap", "- **WHEN** a\n  b\n  c\n- **THEN** d", ["WHEN when a b c", "THEN then d"]),
    (
        "lazy wrap",
        "- **WHEN** a\nb and\nthen c\n- **THEN** d",
        ["WHEN when a b and then c", "THEN then d"],
    ),
    ("a wrap before AND", "- **THEN** a (b\n  AND c)\n", ["THEN then a (b AND c)"]),
    ("a wrap with a tab", "- **WHEN** a\n\tb", ["WHEN when a b"]),
    ("a paragraph below", "- **WHEN** a\n\n  b\n- **THEN** c", ["WHEN when a b", "THEN then c"]),
    ("a list below", "- **THEN** it holds:\n  - a\n  - b\n", ["THEN then it holds: a; b"]),
    ("a numbered list below", "- **THEN** it is\n  1. a,\n  2. b\n", ["THEN then it is a, b"]),
    ("a list below a bold line", "**THEN** it holds:\n- a\n- b", ["THEN then it holds: a; b"]),
    ("lists in lists", "- **THEN** x:\n  - a\n    - b\n", ["THEN then x: a; b"]),
    ("a keyword in a list below", "- **WHEN** x\n  - and so\n", ["WHEN when x and so"]),
    ("nested bold keywords", "- **WHEN** a\n  - **AND** b", ["WHEN when a", "AND when b"]),
    ("code below", "- **THEN** b:\n  ```json\n  {}\n  ```\n", ["THEN then b: {}"]),
    (
        "code below, not indented",
        "- **WHEN** a\n~~~\nx\n~~~\n- THEN b",
        ["WHEN when a x", "THEN then b"],
    ),
    ("keywords in code", "- **WHEN** a\n```\n- **THEN** no\n```", ["WHEN when a - THEN no"]),
    ("a fence that never closes", "- **WHEN** a\n```\n- **THEN** b\n", ["WHEN when a - THEN b"]),
    (
        "AND continues",
        "- GIVEN a\n- AND b\n- WHEN c\n- AND d\n- THEN e\n- BUT f",
        ["GIVEN given a", "AND given b", "WHEN when c", "AND when d", "THEN then e", "BUT then f"],
    ),
    ("AND before anything", "- AND a\n- WHEN b", ["AND none a", "WHEN when b"]),
    ("bullets without keyword", "- **THEN** a\n- b\n- c", ["THEN then a", "- then b", "- then c"]),
    ("a bullet before", "- first\n- **WHEN** a", ["- none first", "WHEN when a"]),
    ("only bullets", "- a\n- b\n  c", ["- none a", "- none b c"]),
    ("only a paragraph", "It does a\nand b.\n\nMore.", ["- none It does a and b.", "- none More."]),
    ("a note between", "- **WHEN** a\n\nA note.\n\n- **THEN** b", ["WHEN when a", "THEN then b"]),
    (
        "criteria below prose",
        "When x, then y.\n\n**Criteria:**\n- a",
        ["WHEN when x, then y.", "- none a"],
    ),
    ("a rule", "- **WHEN** a\n\n---\n\n- **THEN** b\n", ["WHEN when a", "THEN then b"]),
    ("a heading inside", "- **WHEN** a\n##### More\n- **THEN** b", ["WHEN when a", "THEN then b"]),
    ("back-ticks stay", "- **WHEN** `a_b_c` is `*x*`", ["WHEN when `a_b_c` is `*x*`"]),
    ("emphasis goes", "- **WHEN** **a** is *b* or _c_", ["WHEN when a is b or c"]),
    ("no emphasis", "- **WHEN** 2 * 3 and a_b_c, x/*.py", ["WHEN when 2 * 3 and a_b_c, x/*.py"]),
    ("escapes", "- **WHEN** connection\\_id \\*", ["WHEN when connection_id *"]),
    ("double back-ticks", "- **WHEN** ``a ` *b*`` *c*", ["WHEN when ``a ` *b*`` c"]),
    ("nothing behind", "- **WHEN**\n- **THEN** b", ["WHEN when ", "THEN then b"]),
    ("on the next line", "- **WHEN**\n  a\n", ["WHEN when a"]),
    (
        "Chinese",
        "- **当** 甲\n- **那么** 乙\n- **并且** 丙",
        ["WHEN when 甲", "THEN then 乙", "AND then 丙"],
    ),
    ("Japanese", "- **もし**、甲\n- **ならば** 乙", ["WHEN when 甲", "THEN then 乙"]),
    (
        "Spanish",
        "- **CUANDO** a\n- **ENTONCES** b\n- **Y** c",
        ["WHEN when a", "THEN then b", "AND then c"],
    ),
    (
        "Portuguese",
        "- **QUANDO** a\n- **ENTÃO** b\n- **E** c",
        ["WHEN when a", "THEN then b", "AND then c"],
    ),
    (
        "German",
        "- **Wenn** a\n- **Dann** b\n- **Und** c",
        ["WHEN when a", "THEN then b", "AND then c"],
    ),
    (
        "French",
        "- **ÉTANT DONNÉ** a\n- **QUAND** b\n- **ALORS** c",
        ["GIVEN given a", "WHEN when b", "THEN then c"],
    ),
    ("Russian", "- КОГДА а\n- Тогда б\n- **И** в", ["WHEN when а", "THEN then б", "AND then в"]),
    ("Korean", "- **만일** 가\n- **그러면** 나", ["WHEN when 가", "THEN then 나"]),
    ("no keyword in a word", "- WHENEVER a\n- WHEN b", ["- none WHENEVER a", "WHEN when b"]),
    (
        "English bullets",
        "- Als ob\n- E. coli\n- WHEN b",
        ["- none Als ob", "- none E. coli", "WHEN when b"],
    ),
]
"""Rows: style, body of a scenario, expected steps as `KEYWORD role text` (`-` for no keyword)."""

SPECS: list[tuple[str, str, list[str], list[str]]] = [
    ("a plain spec", ABOVE + "- WHEN a\n- THEN b\n", ["R", "  S (2)"], []),
    ("CRLF", (ABOVE + "- WHEN a\n").replace("\n", "\r\n"), ["R", "  S (1)"], []),
    ("CR", (ABOVE + "- WHEN a\n").replace("\n", "\r"), ["R", "  S (1)"], []),
    ("a byte order mark", "\ufeff" + ABOVE + "- WHEN a\n", ["R", "  S (1)"], []),
    (
        "closed headings",
        ABOVE.replace(": S", ": S ####").replace(": R", ": R ###") + "- WHEN a",
        ["R", "  S (1)"],
        [],
    ),
    ("C#", ABOVE.replace(": R", ": In C#") + "- WHEN a", ["In C#", "  S (1)"], []),
    (
        "a heading in a fence",
        ABOVE + "- WHEN a\n```\n### Requirement: X\n```\n",
        ["R", "  S (1)"],
        [],
    ),
    (
        "a fence with more marks",
        ABOVE + "- WHEN a\n````\n```\n#### Scenario: X\n````\n",
        ["R", "  S (1)"],
        [],
    ),
    (
        "a fence of the other kind",
        ABOVE + "- WHEN a\n~~~\n```\n~~~\n#### Scenario: X\n- WHEN b",
        ["R", "  S (1)", "  X (1)"],
        [],
    ),
    ("an indented heading is text", ABOVE + "- WHEN a\n #### Scenario: X\n", ["R", "  S (1)"], []),
    ("a heading without a space", ABOVE + "- WHEN a\n####Scenario: X\n", ["R", "  S (1)"], []),
    (
        "a glued requirement",
        ABOVE + "- WHEN a\n###Requirement: X\nIt SHALL.\n",
        ["R", "  S (1)", "X"],
        ["unproven-requirement"],
    ),
    (
        "lower case headings",
        ABOVE.replace("Requirements", "requirements").replace("Requirement:", "requirement:")
        + "- WHEN a",
        ["R", "  S (1)"],
        [],
    ),
    (
        "another heading of level 3",
        ABOVE + "- WHEN a\n### Notes\nIt SHALL.\n#### N\n- WHEN b",
        ["R", "  S (1)", "Notes", "  N (1)"],
        [],
    ),
    (
        "any heading of level 4",
        ABOVE.replace("Scenario: S", "Edge case") + "- WHEN a",
        ["R", "  Edge case (1)"],
        [],
    ),
    ("a deeper scenario", ABOVE.replace("####", "#####") + "- WHEN a", ["R", "  S (1)"], []),
    (
        "a scenario of level 3",
        ABOVE.replace("####", "###") + "- WHEN a\n#### x\ny",
        ["R", "  S (1)"],
        ["miswritten-scenario"],
    ),
    (
        "a bold scenario",
        ABOVE.replace("#### Scenario: S", "**Scenario: S**") + "- WHEN a",
        ["R", "  S (1)"],
        ["miswritten-scenario"],
    ),
    (
        "a scenario in a list",
        ABOVE.replace("#### Scenario: S", "- **Scenario:** S") + "  - **WHEN** a",
        ["R", "  S (1)"],
        ["miswritten-scenario"],
    ),
    (
        "an empty scenario",
        ABOVE + "\n#### Scenario: T\n- WHEN a",
        ["R", "  S (0)", "  T (1)"],
        ["empty-scenario"],
    ),
    ("no scenario", ABOVE.partition("####")[0], ["R"], ["unproven-requirement"]),
    (
        "a scenario twice",
        ABOVE + "- WHEN a\n#### Scenario: S\n- WHEN b",
        ["R", "  S (1)", "  S (1)"],
        ["duplicate-scenario"],
    ),
    (
        "a requirement twice",
        ABOVE + "- WHEN a\n### Requirement: R\nMUST\n#### Scenario: T\n- WHEN a",
        ["R", "  S (1)", "R", "  T (1)"],
        ["duplicate-requirement"],
    ),
    (
        "no body",
        ABOVE.replace("It SHALL be.", "") + "- WHEN a",
        ["R", "  S (1)"],
        ["empty-requirement"],
    ),
    (
        "SHALL in the heading only",
        ABOVE.replace("It SHALL be.", "So.").replace(": R", ": R SHALL") + "- WHEN a",
        ["R SHALL", "  S (1)"],
        ["no-normative-word"],
    ),
    (
        "metadata only",
        ABOVE.replace("It SHALL be.", "**Rule**: It MUST be.") + "- WHEN a",
        ["R", "  S (1)"],
        [],
    ),
    (
        "metadata beside",
        ABOVE.replace("It SHALL be.", "**Rule**: It MUST be.\nSo.") + "- WHEN a",
        ["R", "  S (1)"],
        ["no-normative-word"],
    ),
    (
        "a long text",
        ABOVE.replace("It SHALL be.", "It SHALL be." * 50) + "- WHEN a",
        ["R", "  S (1)"],
        ["long-requirement"],
    ),
    (
        "no Purpose",
        ABOVE.replace("## Purpose", "## Why") + "- WHEN a",
        ["R", "  S (1)"],
        ["missing-section"],
    ),
    (
        "a short Purpose",
        ABOVE.replace(PURPOSE, "Short.") + "- WHEN a",
        ["R", "  S (1)"],
        ["unwritten-purpose"],
    ),
    (
        "a Purpose to be done",
        ABOVE.replace(PURPOSE, "TBD " + PURPOSE) + "- WHEN a",
        ["R", "  S (1)"],
        ["unwritten-purpose"],
    ),
    ("Spanish todo", ABOVE.replace(PURPOSE, "Todo " + PURPOSE) + "- WHEN a", ["R", "  S (1)"], []),
    (
        "no section Requirements",
        ABOVE.replace("## Requirements", "## Demands") + "- WHEN a",
        ["R", "  S (1)"],
        ["misplaced-requirement", "missing-section"],
    ),
    (
        "a requirement after the section",
        ABOVE + "- WHEN a\n## Notes\n### Requirement: X\nMUST\n#### Scenario: T\n- WHEN b",
        ["R", "  S (1)", "X", "  T (1)"],
        ["misplaced-requirement"],
    ),
    (
        "a delta's heading",
        ABOVE + "- WHEN a\n## ADDED Requirements\n",
        ["R", "  S (1)"],
        ["misplaced-requirement"],
    ),
    (
        "groups",
        ABOVE.replace("### Req", "### Group\n#### Req").replace("#### Scen", "##### Scen")
        + "- WHEN a",
        ["R", "  S (1)"],
        [],
    ),
    (
        "a title between",
        ABOVE + "- WHEN a\n\n# Other\n\n### Requirement: X\nMUST\n#### Scenario: T\n- WHEN a",
        ["R", "  S (1)", "X", "  T (1)"],
        [],
    ),
    (
        "a rule between",
        ABOVE + "- WHEN a\n\n---\n\n### Requirement: X\nMUST\n#### Scenario: T\n- WHEN a",
        ["R", "  S (1)", "X", "  T (1)"],
        [],
    ),
    (
        "a non-breaking space",
        ABOVE.replace("### Requirement: R", "###\u00a0Requirement: R") + "- WHEN a",
        ["R", "  S (1)"],
        [],
    ),
    (
        "a flattened page",
        "Title\n\nPurpose\n\n"
        + PURPOSE
        + "\n\nRequirements\n\nRequirement: R\n\nIt SHALL.\n\nScenario: S\n\n  • WHEN a\n  • THEN b\n",
        ["R", "  S (2)"],
        ["flattened-page"],
    ),
    ("nothing", "", [], ["missing-section", "missing-section", "no-requirement"]),
    (
        "prose",
        "# Title\n\nOnce upon a time.\n",
        [],
        ["missing-section", "missing-section", "no-requirement"],
    ),
]
"""Rows: style, spec, expected requirements and scenarios with step counts, diagnostics."""

BLOCK = "### Requirement: {}\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** a\n"

DELTAS: list[tuple[str, str, list[str], list[str]]] = [
    ("ADDED", "## ADDED Requirements\n" + BLOCK.format("A"), ["added A", "  S (1)"], []),
    ("MODIFIED", "## MODIFIED Requirements\n" + BLOCK.format("A"), ["modified A", "  S (1)"], []),
    ("any case", "## Added requirements\n" + BLOCK.format("A"), ["added A", "  S (1)"], []),
    (
        "a section twice",
        f"## ADDED Requirements\n{BLOCK.format('A')}## ADDED Requirements\n{BLOCK.format('B')}",
        ["added A", "  S (1)", "added B", "  S (1)"],
        [],
    ),
    (
        "REMOVED beside",
        f"## ADDED Requirements\n{BLOCK.format('A')}## REMOVED Requirements\n### Requirement: B\n",
        ["added A", "  S (1)"],
        ["needless-delta"],
    ),
    (
        "only REMOVED",
        "## REMOVED Requirements\n### Requirement: B\n",
        [],
        ["needless-delta", "no-requirement"],
    ),
    (
        "RENAMED",
        "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n",
        ["renamed B (was A)"],
        [],
    ),
    (
        "RENAMED and MODIFIED",
        f"## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n## MODIFIED Requirements\n{BLOCK.format('B')}",
        ["modified B (was A)", "  S (1)"],
        [],
    ),
    (
        "another heading",
        "## ADDED Requirements\n### Notes\n" + BLOCK.format("A"),
        ["added A", "  S (1)"],
        ["unread-heading"],
    ),
    (
        "another heading inside",
        "## ADDED Requirements\n### Requirement: A\nMUST\n### Notes\n#### N\ntext\n",
        ["added A", "  N (1)"],
        ["unread-heading"],
    ),
    (
        "outside",
        f"{BLOCK.format('X')}## ADDED Requirements\n{BLOCK.format('A')}",
        ["added A", "  S (1)"],
        ["misplaced-requirement"],
    ),
    (
        "a deep scenario",
        "## ADDED Requirements\n" + BLOCK.format("A").replace("####", "#####"),
        ["added A", "  S (1)"],
        ["miswritten-scenario"],
    ),
    (
        "no scenario",
        "## ADDED Requirements\n### Requirement: A\nMUST\n",
        ["added A"],
        ["unproven-requirement"],
    ),
    (
        "twice",
        "## ADDED Requirements\n" + BLOCK.format("A") * 2,
        ["added A", "  S (1)"] * 2,
        ["contradicting-delta"],
    ),
    (
        "in two sections",
        f"## ADDED Requirements\n{BLOCK.format('A')}## REMOVED Requirements\n### Requirement: A\n",
        ["added A", "  S (1)"],
        ["contradicting-delta", "needless-delta"],
    ),
    (
        "FROM without TO",
        f"## ADDED Requirements\n{BLOCK.format('A')}## RENAMED Requirements\n- FROM: ### Requirement: B\n",
        ["added A", "  S (1)"],
        ["contradicting-delta"],
    ),
    (
        "the old name",
        f"## RENAMED Requirements\n- FROM: ### Requirement: A\n- TO: ### Requirement: B\n## MODIFIED Requirements\n{BLOCK.format('A')}",
        ["renamed B (was A)", "modified A", "  S (1)"],
        ["contradicting-delta"],
    ),
    ("nothing in it", "## ADDED Requirements\n\n(none)\n", [], ["no-requirement"]),
    (
        "a flattened page",
        "Title\n\nADDED Requirements\n\nRequirement: R\n\nIt SHALL.\n\nScenario: S\n\n  • WHEN a\n",
        ["added R", "  S (1)"],
        ["flattened-page"],
    ),
]
"""Rows: style, delta, expected changes, diagnostics."""

SPEC = (
    f"# T\n\n## Purpose\n{PURPOSE}\n\n## Requirements\n\n{BLOCK.format('A')}\n{BLOCK.format('B')}"
)

PAIR = "- FROM: `### Requirement: {}`\n- TO: `### Requirement: {}`\n"

MERGES: list[tuple[str, str | None, str, list[str] | None]] = [
    ("ADDED goes to the end", SPEC, "## ADDED Requirements\n" + BLOCK.format("C"), ["A", "B", "C"]),
    ("RENAMED stays", SPEC, "## RENAMED Requirements\n" + PAIR.format("A", "Z"), ["Z", "B"]),
    ("REMOVED goes", SPEC, "## REMOVED Requirements\n### Requirement: A\n", ["B"]),
    ("REMOVED in a list", SPEC, "## REMOVED Requirements\n* `### Requirement: A`\n", ["B"]),
    (
        "MODIFIED stays",
        SPEC,
        "## MODIFIED Requirements\n" + BLOCK.format("A") + "- THEN c\n",
        ["A", "B"],
    ),
    (
        "swapped names",
        SPEC,
        "## RENAMED Requirements\n" + PAIR.format("A", "C") + PAIR.format("B", "A"),
        ["C", "A"],
    ),
    (
        "RENAMED and ADDED",
        SPEC,
        f"## RENAMED Requirements\n{PAIR.format('A', 'C')}## ADDED Requirements\n{BLOCK.format('A')}",
        ["C", "B", "A"],
    ),
    (
        "REMOVED and spelt anew",
        SPEC,
        f"## REMOVED Requirements\n### Requirement: A\n## ADDED Requirements\n{BLOCK.format('a')}",
        ["B", "a"],
    ),
    (
        "everything at once",
        SPEC,
        f"## ADDED Requirements\n{BLOCK.format('D')}## MODIFIED Requirements\n{BLOCK.format('C')}- THEN x\n## REMOVED Requirements\n### Requirement: B\n## RENAMED Requirements\n{PAIR.format('A', 'C')}",
        ["C", "D"],
    ),
    ("ADDED already", SPEC, "## ADDED Requirements\n" + BLOCK.format("B"), ["A", "B"]),
    ("REMOVED already", SPEC, "## REMOVED Requirements\n### Requirement: Q\n", ["A", "B"]),
    ("RENAMED already", SPEC, "## RENAMED Requirements\n" + PAIR.format("Q", "A"), ["A", "B"]),
    ("a new spec", None, "## ADDED Requirements\n" + BLOCK.format("A"), ["A"]),
    (
        "a new spec with its Purpose",
        None,
        f"## Purpose\n{PURPOSE}\n\n## ADDED Requirements\n{BLOCK.format('A')}",
        ["A"],
    ),
    (
        "a Purpose that hides",
        None,
        f"## Purpose\n{PURPOSE} <!--\n\n## ADDED Requirements\n{BLOCK.format('A')}",
        ["A"],
    ),
    (
        "a Purpose in a comment",
        None,
        f"<!--\n## Purpose\n{PURPOSE}\n-->\n## ADDED Requirements\n{BLOCK.format('A')}",
        ["A"],
    ),
    (
        "another Purpose",
        SPEC,
        f"## Purpose\nAnother.\n## ADDED Requirements\n{BLOCK.format('C')}",
        ["A", "B", "C"],
    ),
    (
        "blank lines",
        SPEC.replace("\n\n", "\n\n\n\n") + "\n\n## Notes\n\n\n\nMore\n\n",
        "## ADDED Requirements\n" + BLOCK.format("C"),
        ["A", "B", "C"],
    ),
    (
        "blank lines in code",
        SPEC + "```\na\n\n\nb\n```\n",
        "## ADDED Requirements\n" + BLOCK.format("C"),
        ["A", "B", "C"],
    ),
    (
        "a preamble",
        SPEC.replace("## Requirements\n", "## Requirements\n\nAbove all:\n\n\n"),
        "## ADDED Requirements\n" + BLOCK.format("C"),
        ["A", "B", "C"],
    ),
    (
        "no section Requirements",
        "# T\n\n## Purpose\nx\n",
        "## ADDED Requirements\n" + BLOCK.format("C"),
        ["C"],
    ),
    (
        "a note goes with it",
        SPEC.replace("\n### Requirement: B", "\n# Note\n\n### Requirement: B"),
        "## REMOVED Requirements\n### Requirement: A\n",
        ["B"],
    ),
    ("ADDED that is there", SPEC, "## ADDED Requirements\n" + BLOCK.format("A") + "- x\n", None),
    ("ADDED but for case", SPEC, "## ADDED Requirements\n" + BLOCK.format("a"), None),
    ("MODIFIED that is not there", SPEC, "## MODIFIED Requirements\n" + BLOCK.format("Q"), None),
    (
        "MODIFIED that drops a scenario",
        SPEC,
        "## MODIFIED Requirements\n### Requirement: A\nMUST\n#### Scenario: T\n- x\n",
        None,
    ),
    (
        "MODIFIED that drops a twin",
        SPEC.replace("- **WHEN** a\n\n### R", "- **WHEN** a\n#### Scenario: S\n- y\n\n### R"),
        "## MODIFIED Requirements\n" + BLOCK.format("A"),
        None,
    ),
    ("REMOVED but for case", SPEC, "## REMOVED Requirements\n### Requirement: a\n", None),
    ("RENAMED that is not there", SPEC, "## RENAMED Requirements\n" + PAIR.format("Q", "Z"), None),
    ("RENAMED to what is there", SPEC, "## RENAMED Requirements\n" + PAIR.format("A", "B"), None),
    (
        "RENAMED to all but what is there",
        SPEC,
        "## RENAMED Requirements\n" + PAIR.format("A", "b"),
        None,
    ),
    ("RENAMED in its case", SPEC, "## RENAMED Requirements\n" + PAIR.format("A", "a"), ["a", "B"]),
    ("MODIFIED of a new spec", None, "## MODIFIED Requirements\n" + BLOCK.format("A"), None),
    (
        "TO before FROM",
        SPEC,
        "## RENAMED Requirements\n- TO: ### Requirement: B\n- FROM: ### Requirement: A\n",
        None,
    ),
    (
        "interleaved",
        SPEC,
        "## RENAMED Requirements\n- FROM: ### Requirement: A\n- FROM: ### Requirement: B\n- TO: ### Requirement: C\n- TO: ### Requirement: D\n",
        None,
    ),
    ("nothing asked for", SPEC, "## ADDED Requirements\n", None),
    (
        "a broken spec",
        SPEC + BLOCK.format("A"),
        "## ADDED Requirements\n" + BLOCK.format("C"),
        None,
    ),
    (
        "RENAMED and REMOVED",
        SPEC,
        f"## RENAMED Requirements\n{PAIR.format('A', 'C')}## REMOVED Requirements\n### Requirement:  a\n",
        None,
    ),
]
"""Rows: case, spec or None, delta, expected requirements; None for a rejected delta."""
