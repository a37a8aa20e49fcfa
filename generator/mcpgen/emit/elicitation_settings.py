"""The settings of servers with elicitation, and of servers with sessions."""

from __future__ import annotations

from mcpgen.emit.policy.rule_declaration import PolicyVariable

SESSIONS = ("server.sessions", "SessionSettings")
"""The runtime module with the settings of sessions, and the class in the module."""

ASKING = (
    PolicyVariable("answer_seconds", "time for a user to answer a question", "300"),
    PolicyVariable("questions_at_once", "open questions of a process", "100"),
    PolicyVariable(
        "state_key",
        "key that seals calls waiting for answers, 32 characters or more; the same on all hosts",
        "random at every start",
    ),
    PolicyVariable(
        "several_instances",
        "whether other instances answer the same clients; requires the same key",
        "false",
    ),
)
"""The settings of every server with elicitation, as rows of the README."""

SESSION_VARIABLES = (
    *ASKING,
    PolicyVariable("sessions", "whether clients before 2026-07-28 get sessions", "true"),
    PolicyVariable(
        "session_idle_seconds", "time without a request after which a session ends", "1800"
    ),
    PolicyVariable("sessions_at_once", "open sessions", "1000"),
    PolicyVariable("sessions_per_caller", "open sessions of an authenticated caller", "100"),
)
"""The settings of a server with sessions, as rows of the README."""
