"""What is asked about a call before it is made, whoever makes it: a message, or the server itself."""

from __future__ import annotations

from collections.abc import Sequence

from .middleware import IncomingMessage, MessageRefused, Middleware, rules_overriding


class MessageRules:
    """The rules that look at messages, and those that are told of refusals."""

    def __init__(self, rules: Sequence[Middleware]) -> None:
        self._asking = rules_overriding(rules, "screen")
        self._watching = rules_overriding(rules, "refused")

    def __bool__(self) -> bool:
        """Whether any rule looks at messages."""
        return bool(self._asking)

    async def refusal(self, told: IncomingMessage) -> MessageRefused | None:
        """The first refusal of a message, None if it may be taken."""
        for rule in self._asking:
            if refusal := await rule.screen(told):
                await self.tell(told, refusal)
                return refusal
        return None

    async def tell(self, told: IncomingMessage, refusal: MessageRefused) -> None:
        """Tells the rules that take notice of it of a message that is not taken."""
        for rule in self._watching:
            await rule.refused(told, refusal)
