"""What goes wrong between a server and a registry, as one of a few kinds."""

from __future__ import annotations

from enum import StrEnum


class RegistryErrorKind(StrEnum):
    """Why a registry has not done what it was asked for."""

    UNREACHABLE = "unreachable"
    SLOW = "slow"
    BUSY = "busy"
    """It answers, and could not do it just now."""
    REJECTED = "rejected"
    GONE = "gone"
    """It knows nothing of what was registered."""
    STRANGE = "strange"
    """What it answers is not what registries say."""
    DIFFERENT = "different"
    """It shows another card than the one it was given."""

    @property
    def passes(self) -> bool:
        """Whether the same request may do better in a moment."""
        return self in (
            RegistryErrorKind.UNREACHABLE,
            RegistryErrorKind.SLOW,
            RegistryErrorKind.BUSY,
        )


class RegistryFailure(Exception):
    """What a registry has not done; the message says it in one clause, without any secret. `wait` are the
    seconds that it wants to be left alone, 0 if it does not say."""

    def __init__(self, kind: RegistryErrorKind, told: str, wait: float = 0.0) -> None:
        super().__init__(told)
        self.kind = kind
        self.wait = wait
