"""Prose of the document as plain text without orders to the model."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.lower.text import cut, plain, sentences, suspicious


def clean(prose: str, at: Location, diagnostics: Diagnostics) -> str:
    """Prose as plain text, without sentences that speak to the model; they are told."""
    text = plain(prose)
    if not text or not suspicious(text):
        return text
    kept: list[str] = []
    for sentence in sentences(text):
        if suspicious(sentence):
            shown = cut(sentence, 80)
            diagnostics.add(codes.SUSPICIOUS_TEXT, at, sentence=shown)
        else:
            kept.append(sentence)
    # An order may run over the end of a sentence; then nothing of the text is kept.
    return "" if suspicious(" ".join(kept)) else " ".join(kept)
