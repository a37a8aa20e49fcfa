# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Removes secrets from text that leaves the server."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from urllib.parse import quote

from ..upstream.value_text import compact_json, replace_surrogates

MIN_SECRET_LENGTH = 6
"""Minimum length of a secret; masking shorter values would tear words apart and reveal the
values."""

MASK = "[secret]"  # Replaces a secret

_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*')


class Redactor:
    """Masks secrets, including URL-encoded, JSON-escaped and base64 forms."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._forms: list[str] = []
        for secret in secrets:
            self.learn(secret)

    def learn(self, secret: str) -> None:
        """Adds a secret, such as a newly issued token."""
        if len(secret) < MIN_SECRET_LENGTH:
            return
        forms = {secret, quote(secret, safe=""), compact_json(secret)[1:-1]}
        forms.add(base64.b64encode(secret.encode()).decode())
        new_forms = sorted(forms.difference(self._forms))
        # Longest first: a secret that begins with another secret must be masked as a whole.
        self._forms = sorted([*self._forms, *new_forms], key=len, reverse=True)

    def knowing(self, secrets: Iterable[str]) -> Redactor:
        """A copy that also masks these secrets."""
        more = Redactor(secrets)
        more._forms = sorted([*more._forms, *self._forms], key=len, reverse=True)
        return more

    def clean(self, text: str) -> str:
        """The text with secrets masked."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, MASK)
        return text

    def clean_json(self, text: str) -> str:
        """The JSON text with secrets masked, still valid JSON: only whole strings and numbers
        change."""
        if "\\" not in text and replace_surrogates(self.clean(text)) == text:
            return text
        return _SCALAR.sub(self._clean_scalar, text)

    def _clean_scalar(self, match: re.Match[str]) -> str:
        if match[0].startswith('"'):
            return compact_json(replace_surrogates(self.clean(json.loads(match[0]))))
        # A part of a longer number is not a secret; a whole number may be a secret.
        return f'"{MASK}"' if match[0] in self._forms else match[0]
