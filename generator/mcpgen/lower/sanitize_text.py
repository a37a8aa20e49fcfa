"""Prose of the document as plain text without orders to the model."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.lower.text import doubtful, plain_text, sentences, suspicious, truncate


def clean(prose: str, at: Location, diagnostics: Diagnostics) -> str:
    """Prose as plain text, without orders to the model, which are told; what may be an order is told and
    kept. Adds SUSPICIOUS_TEXT and DOUBTFUL_TEXT."""
    text = plain_text(prose)
    if text and doubtful(text):
        for sentence in sentences(text):
            if doubtful(sentence) and not suspicious(sentence):
                diagnostics.add(codes.DOUBTFUL_TEXT, at, sentence=truncate(sentence, 80))
    if not text or not suspicious(text):
        return text
    kept: list[str] = []
    for sentence in sentences(text):
        if suspicious(sentence):
            shown = truncate(sentence, 80)
            diagnostics.add(codes.SUSPICIOUS_TEXT, at, sentence=shown)
        else:
            kept.append(sentence)
    # An order may run over the end of a sentence; then nothing of the text is kept.
    return "" if suspicious(" ".join(kept)) else " ".join(kept)
