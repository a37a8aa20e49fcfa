"""The settings of servers with elicitation, and of servers with sessions."""

from __future__ import annotations

from mcpgen.emit.policy.rule_declaration import PolicyVariable

SESSIONS = ("server.sessions", "SessionSettings")
"""The runtime module with the settings of sessions, and the class in the module."""

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
"""The settings of every server with elicitation, as rows of the README."""

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
"""The settings of a server with sessions, as rows of the README."""
