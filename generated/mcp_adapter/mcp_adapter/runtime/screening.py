"""What is asked about a call before it is made, whoever makes it: a message, or the server itself."""

from __future__ import annotations

from collections.abc import Sequence

from .policy import Refusal, Rule, Told, having


class Screening:
    """The rules that look at messages, and those that are told of refusals."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._asking = having(rules, "screen")
        self._watching = having(rules, "refused")

    def __bool__(self) -> bool:
        """Whether any rule looks at messages."""
        return bool(self._asking)

    async def refusal(self, told: Told) -> Refusal | None:
        """The first refusal of a message, None if it may be taken."""
        for rule in self._asking:
            if refusal := await rule.screen(told):
                await self.tell(told, refusal)
                return refusal
        return None

    async def tell(self, told: Told, refusal: Refusal) -> None:
        """Tells the rules that take notice of it of a message that is not taken."""
        for rule in self._watching:
            await rule.refused(told, refusal)
