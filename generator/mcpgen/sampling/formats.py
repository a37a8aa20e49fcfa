"""A value for every format that JSON Schema and OpenAPI name."""

from __future__ import annotations

FORMATS: dict[str, tuple[str, ...]] = {
    "date": ("2026-01-15", "2026-01-16", "2026-01-17"),
    "date-time": ("2026-01-15T09:30:00Z", "2026-01-16T09:30:00Z", "2026-01-17T09:30:00Z"),
    "time": ("09:30:00Z", "10:30:00Z", "11:30:00Z"),
    "duration": ("P1D", "P2D", "P3D"),
    "uuid": (
        "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "9b2f3c1e-7a4d-4c7e-8f21-5d0c6a1b2e3f",
        "c0a8012e-1f3b-4d5a-9e7c-8b6d4f2a1c0e",
    ),
    "email": ("ada@example.com", "ben@example.com", "cleo@example.com"),
    "idn-email": ("ada@example.com", "ben@example.com", "cleo@example.com"),
    "hostname": ("example.com", "api.example.com", "www.example.com"),
    "idn-hostname": ("example.com", "api.example.com", "www.example.com"),
    "ipv4": ("192.0.2.1", "192.0.2.2", "192.0.2.3"),
    "ipv6": ("2001:db8::1", "2001:db8::2", "2001:db8::3"),
    "uri": ("https://example.com/a", "https://example.com/b", "https://example.com/c"),
    "url": ("https://example.com/a", "https://example.com/b", "https://example.com/c"),
    "uri-reference": ("/a", "/b", "/c"),
    "iri": ("https://example.com/a", "https://example.com/b", "https://example.com/c"),
    "iri-reference": ("/a", "/b", "/c"),
    "uri-template": ("/a/{id}", "/b/{id}", "/c/{id}"),
    "json-pointer": ("/a", "/b", "/c"),
    "relative-json-pointer": ("0/a", "0/b", "0/c"),
    "regex": ("^a$", "^b$", "^c$"),
    "byte": ("c2FtcGxl", "YW5vdGhlcg==", "dGhpcmQ="),
    "binary": ("sample", "another", "third"),
    "password": ("sample-password", "another-password", "third-password"),
}
"""Three different values of each; the hosts and addresses are those reserved for documentation."""

WORDS = ("sample", "another", "third")
