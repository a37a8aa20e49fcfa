"""The settings of a server that keeps sessions."""

from __future__ import annotations

from mcpgen.emit.policy.declared import Variable

SESSIONS = ("sessions", "SessionSettings")
"""The module of the runtime, and the class in it, with the settings."""

SESSION_VARIABLES = (
    Variable("sessions", "whether clients before 2026-07-28 get sessions", "true"),
    Variable("session_idle_seconds", "after how long without a request a session ends", "1800"),
    Variable("sessions_at_once", "how many sessions are kept at a time", "1000"),
)
"""The settings as the README tells them."""
