"""What those ask who keep the server running: whether it lives, and whether to send it requests.

https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
"""

from __future__ import annotations

from collections.abc import Sequence

from .asgi import Send, respond
from .middleware import Middleware

LIVE = "/healthz"
READY = "/readyz"
PATHS = (LIVE, READY)
"""Where the probes are answered, whoever asks."""


async def answer_probe(path: str, rules: Sequence[Middleware], draining: bool, send: Send) -> None:
    """Answers 200, or 503 if requests had better go elsewhere: the server is about to end, or one of
    the rules that have a say in it cannot do its work."""
    if path == LIVE:
        await respond(send, 200, {"status": "ok"})
        return
    reasons = ["the server is about to end"] if draining else []
    reasons += [reason for rule in rules if (reason := await rule.ready())]
    if reasons:
        await respond(send, 503, {"status": "not ready", "reasons": reasons})
    else:
        await respond(send, 200, {"status": "ready"})
