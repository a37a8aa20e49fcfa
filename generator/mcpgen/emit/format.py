"""The only import of black: the width of text, and the formatting of source text.

mcpgen prints source text in black's layout, so black runs only over text of another layout: black
reads 42 kB a second, and a large project has megabytes.
"""

from __future__ import annotations

LINE_LENGTH = 100
"""The columns of every generated Python file; the project's own settings say the same."""


def width(text: str) -> int:
    """The columns of `text` as black counts them: wide characters take two."""
    if text.isascii():
        return len(text)
    from black.strings import str_width  # black costs a fifth of a second to import

    return str_width(text)


def format_source(source: str) -> str:
    """Formats `source` with black. Raises black's InvalidInput for text that is not Python."""
    from black import format_str
    from black.mode import Mode, TargetVersion

    mode = Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY311})
    return format_str(source, mode=mode)
