"""Characters that are not seen although their Unicode category does not say so."""

from __future__ import annotations

INVISIBLE_CHARACTERS = frozenset(
    {
        0x00AD,  # soft hyphen
        0x034F,  # combining grapheme joiner
        *(0x115F, 0x1160, 0x3164, 0xFFA0),  # fillers of Hangul
        *(0x17B4, 0x17B5),  # inherent vowels of Khmer
        0x2800,  # blank pattern of Braille
        *range(0x180B, 0x1810),  # variation selectors and vowel separator of Mongolian
        *range(0xFE00, 0xFE10),  # variation selectors; U+FE0F after an emoji is ordinary text
        *range(0xE0100, 0xE01F0),
    }
)
"""Code points without a glyph whose category is mostly mark, letter or symbol. The categories that
begin with C (controls, formats, unassigned characters) are invisible, too, and not in the set."""
