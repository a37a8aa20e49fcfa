"""Secrets taken out of text that leaves the server."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from urllib.parse import quote

from .encode import json_text

SHORTEST = 6
"""Shorter secrets are left alone: taking them out would tear words apart and tell what they are."""


class Redactor:
    """Knows the secrets, and how they look once encoded."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._forms: list[str] = []
        for secret in secrets:
            self.learn(secret)

    def learn(self, secret: str) -> None:
        """Adds a secret, such as a token that was just issued."""
        if len(secret) < SHORTEST:
            return
        forms = {secret, quote(secret, safe=""), json_text(secret)[1:-1]}
        forms.add(base64.b64encode(secret.encode()).decode())
        self._forms += sorted(forms.difference(self._forms), key=lambda form: (-len(form), form))

    def clean(self, text: str) -> str:
        """The text without secrets."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, "[secret]")
        return text
