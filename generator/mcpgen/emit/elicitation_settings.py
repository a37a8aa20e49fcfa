"""The settings of a server that asks its users, and of one that keeps sessions."""

from __future__ import annotations

from mcpgen.emit.policy.rule_declaration import PolicyVariable

SESSIONS = ("server.sessions", "SessionSettings")
"""The module of the runtime, and the class in it, with the settings of sessions."""

ASKING = (
    PolicyVariable("answer_seconds", "how long a user may take to answer", "300"),
    PolicyVariable("questions_at_once", "to how many questions a process waits for answers", "100"),
    PolicyVariable(
        "state_key",
        "what seals calls that wait for answers, 32 characters or more; the same on all hosts",
        "made anew at every start",
    ),
    PolicyVariable(
        "several_instances",
        "whether other instances answer the same clients, which takes the same key",
        "false",
    ),
)
"""The settings of every server that asks, as the README tells them."""

SESSION_VARIABLES = (
    *ASKING,
    PolicyVariable("sessions", "whether clients before 2026-07-28 get sessions", "true"),
    PolicyVariable(
        "session_idle_seconds", "after how long without a request a session ends", "1800"
    ),
    PolicyVariable("sessions_at_once", "how many sessions are kept at a time", "1000"),
    PolicyVariable(
        "sessions_per_caller", "how many of them one authenticated caller may have", "100"
    ),
)
"""Those of a server that keeps sessions."""
