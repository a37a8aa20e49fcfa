"""Registers the server, sends heartbeats, and deregisters at the end; one process of several does so.

Registration runs beside the server and never fails it: an error of the registry is a line in the log.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator

from ..auth.config import is_safe_url
from ..server.asgi import Asgi
from ..server.middleware import Middleware
from ..settings import ServerSettings
from .client import (
    INTERVAL_SECONDS,
    Registration,
    RegistrationLost,
    RegistrationTerms,
    RegistryClient,
    RegistryError,
)
from .server_card import app_card

TURN = "REGISTRATION_TURN"
"""The variable that names the file."""

_MOST = 4096
"""Bytes that are left at most."""


class Leadership:
    """The turn of this process; in a server of one process always its own.

    Whoever has it may write into the file what the next one has to know. The operating system ends a
    turn with its process.
    """

    def __init__(self) -> None:
        self._file: int | None = None
        self._path = os.environ.get(TURN, "")

    @property
    def is_shared(self) -> bool:
        """Whether there are other processes."""
        return bool(self._path)

    def taken(self) -> bool:
        """Whether it is this process's turn, from now on."""
        if self._file is not None:
            # What clears old files away takes one that is never touched for such.
            os.utime(self._file)
            return True
        if not self._path:
            return True
        if sys.platform == "win32":
            # Nothing of several processes starts there.
            return True
        import fcntl

        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True

    def left(self) -> str:
        """What the process before has left."""
        return (
            "" if self._file is None else os.pread(self._file, _MOST, 0).decode("utf-8", "replace")
        )

    def leave(self, text: str) -> None:
        """Leaves something for the next process, and for the one that watches over all."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, text.encode(), 0)

    def end(self) -> None:
        """Gives the turn to whoever asks next."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def create_lock_file() -> str:
    """The path of a new file for turns."""
    file, path = mkstemp(prefix="registration-")
    os.close(file)
    return path


def take_lock_file(path: str) -> str:
    """What a file for turns holds, which is there no more; `""` if it was not there before."""
    file = Path(path)
    try:
        text = file.read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""
    file.unlink()
    return text


logger = logging.getLogger(__name__)

SHORTEST_SECONDS = 1.0
LONGEST_SECONDS = 300.0
"""How soon what failed is tried again, then after twice as long, and how seldom at most."""

LATER = (1.0, 1.2)
"""How much later than a registry wants it is asked again, so that servers that were told the same come
apart."""

SPREAD = (0.8, 1.0)
"""Between which parts of a pause it ends, so that servers that were started together do not all come
at once."""

FAREWELL_SECONDS = 2.0
"""How long the end of the server waits for each answer of a registry."""


class RegistrationSettings(ServerSettings):
    """Which registry is told of the server, and at which address it is reached."""

    public_url: str = ""
    """The address clients reach this server at, without the path of the endpoint."""
    registers: bool = True
    """Whether the registry is told."""
    registry_url: str = ""
    """Where the registry is."""
    registry_token: SecretStr = SecretStr("")
    """The bearer token that the registry wants."""

    @field_validator("public_url")
    @classmethod
    def _check_public(cls, url: str) -> str:
        if url and not (is_safe_url(url) and _is_base(url)):
            raise ValueError("must be an https URL without a query, or one of this machine")
        return url.rstrip("/")

    @field_validator("registry_url")
    @classmethod
    def _check_registry(cls, url: str) -> str:
        if url and not _is_base(url):
            raise ValueError("must be an http or https URL without user, query and fragment")
        return url.rstrip("/")


class SelfRegistration(Middleware):
    """The rule that registers. `path` is that of the endpoint. The server is registered by its card, or,
    if `generic` or with a `ttl` in seconds, as any agent; with a `ttl` it is ephemeral, otherwise it
    sends a heartbeat `every` so many seconds.

    Raises `ValueError` without the addresses it needs, and where a token would be read on its way.
    """

    def __init__(
        self,
        settings: RegistrationSettings,
        path: str = "/mcp",
        ttl: int = 0,
        every: float = INTERVAL_SECONDS,
        *,
        generic: bool = False,
    ) -> None:
        self._registers = settings.registers
        self._url = settings.registry_url
        self._terms = RegistrationTerms(generic or ttl > 0, ttl, every)
        self._token = settings.registry_token.get_secret_value()
        self._address = f"{settings.public_url}{path}"
        self._app: Asgi | None = None
        self._ready, self._over = asyncio.Event(), asyncio.Event()
        self._held: Registration | None = None
        # A registry may take every registration and lose it: only a sign of life makes up for that.
        self._forgotten = 0
        self._wished = 0.0
        if not self._registers:
            return
        for field in ("registry_url", "public_url"):
            if not getattr(settings, field):
                off = settings.variable("registers")
                raise ValueError(f"set {settings.variable(field)}, or {off}=false")
        if self._token and not is_safe_url(self._url):
            raise ValueError(f"{settings.variable('registry_url')}: a token needs https")

    def gate(self, app: Asgi) -> Asgi:
        """The application as it is: it is what the registry is told of."""
        self._app = app
        self._ready.set()
        return app

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The time in which the registry knows of the server."""
        if not self._registers:
            yield
            return
        self._ready, self._over = asyncio.Event(), asyncio.Event()
        turn = Leadership()
        async with self._registry() as registry:
            task = asyncio.create_task(self._stay(registry, turn))
            try:
                yield
            finally:
                await self._ended(task)
                turn.end()
                if self._held and not turn.is_shared:
                    await _withdraw(registry, self._held)

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """The time in which one of several processes registers the server for all. When they have ended,
        whichever of them that was, it is withdrawn here."""
        if not self._registers:
            yield
            return
        path = os.environ[TURN] = create_lock_file()
        try:
            yield
        finally:
            del os.environ[TURN]
            held = Registration.read(take_lock_file(path))
            if held:
                asyncio.run(self._end(held))

    def _registry(self) -> RegistryClient:
        return RegistryClient(self._url, self._token, self._terms)

    async def _end(self, held: Registration) -> None:
        async with self._registry() as registry:
            await _withdraw(registry, held)

    async def _stay(self, registry: RegistryClient, turn: Leadership) -> None:
        """Registers, and says that the server is alive, as long as it is."""
        await self._ready.wait()
        lost = 0
        while not self._over.is_set():
            if turn.taken():
                lost = await self._told(registry, turn, lost)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause(lost)):
                    await self._over.wait()

    async def _told(self, registry: RegistryClient, turn: Leadership, lost: int) -> int:
        """How many times in a row the registry was not told, or has forgotten what it was told."""
        self._wished = 0.0
        try:
            await self._tell(registry, turn)
            return 0
        except RegistrationLost as trouble:
            logger.warning("the registry has forgotten the server: %s", trouble)
            await self._forget(registry, turn)
            return self._forgotten
        except (RegistryError, LookupError) as trouble:
            self._wished = trouble.wait if isinstance(trouble, RegistryError) else 0.0
            logger.warning("the registry was not told of the server: %s", trouble)
        except Exception:
            # Whatever it is, the next sign of life must not be missed for it.
            logger.exception("the registry was not told of the server")
        return lost + 1

    async def _forget(self, registry: RegistryClient, turn: Leadership) -> None:
        """Lets go of a registration: the next time the server is registered anew. What a registry has
        lost but in part is withdrawn, or there would be one more each time."""
        held, self._held = self._held, None
        self._forgotten += 1
        turn.leave("")
        if held:
            await _withdraw(registry, held)

    async def _ended(self, task: asyncio.Task[None]) -> None:
        """Returns when nothing is told any more. What has been begun gets a moment to be done: a
        registration whose id never came could not be withdrawn."""
        self._over.set()
        if self._ready.is_set():
            await asyncio.wait([task], timeout=FAREWELL_SECONDS)
        task.cancel()
        await asyncio.wait([task], timeout=FAREWELL_SECONDS)

    async def _tell(self, registry: RegistryClient, turn: Leadership) -> None:
        """Registers the server, or says that it is alive."""
        self._held = self._held or Registration.read(turn.left())
        if self._held:
            await registry.renew(self._held)
            self._forgotten = 0
            return
        assert self._app
        self._held = await registry.register(await app_card(self._app, self._address))
        turn.leave(self._held.text())
        logger.info("registered as %s", self._held.id)

    def _pause(self, lost: int) -> float:
        """How long to wait, after so many failures, and not less than the registry wishes."""
        wished = min(self._wished * random.uniform(*LATER), LONGEST_SECONDS)
        return max(self._after(lost) * random.uniform(*SPREAD), wished)

    def _after(self, lost: int) -> float:
        """How long to wait, after so many failures."""
        if not lost:
            return self._terms.pause
        longest = self._terms.pause if self._held else LONGEST_SECONDS
        return float(min(SHORTEST_SECONDS * 2 ** min(lost - 1, 20), longest))


async def _withdraw(registry: RegistryClient, held: Registration) -> None:
    """Takes the server out, if the registry is quick about it."""
    try:
        async with asyncio.timeout(FAREWELL_SECONDS):
            await registry.withdraw(held.id)
    except (RegistryError, TimeoutError) as trouble:
        logger.warning("the registry was not told that the server ends: %s", trouble)


def _is_base(url: str) -> bool:
    """Whether paths can stand behind a URL, and nobody's secret stands in it."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return False
    return url.isprintable() and not any(sign in url for sign in " ?#@")
