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
"""The environment variable for the path of the lock file."""

_MAX_FILE_BYTES = 4096
"""Maximum bytes of the lock file."""


class Leadership:
    """Leadership among the processes of a server, by a file lock; a single process always leads.

    The leader may store a text in the file for the next leader. The operating system releases the
    lock when the process ends.
    """

    def __init__(self) -> None:
        self._file: int | None = None
        self._path = os.environ.get(TURN, "")

    @property
    def is_shared(self) -> bool:
        """True if there are other processes."""
        return bool(self._path)

    def acquire(self) -> bool:
        """Tries to become the leader; returns True for the leader."""
        if self._file is not None:
            # Touched, so that cleaners of temporary files do not delete the file.
            os.utime(self._file)
            return True
        if not self._path:
            return True
        if sys.platform == "win32":
            # A server on Windows has a single process.
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

    def read(self) -> str:
        """The text stored by the previous leader."""
        return (
            ""
            if self._file is None
            else os.pread(self._file, _MAX_FILE_BYTES, 0).decode("utf-8", "replace")
        )

    def write(self, text: str) -> None:
        """Stores a text for the next leader and for the supervisor."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, text.encode(), 0)

    def end(self) -> None:
        """Gives up leadership."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def create_lock_file() -> str:
    """Creates a lock file; returns the path."""
    file, path = mkstemp(prefix="registration-")
    os.close(file)
    return path


def take_lock_file(path: str) -> str:
    """Reads and deletes a lock file; `""` if absent."""
    file = Path(path)
    try:
        text = file.read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""
    file.unlink()
    return text


logger = logging.getLogger(__name__)

MIN_PAUSE_SECONDS = 1.0
MAX_PAUSE_SECONDS = 300.0
"""Shortest and longest pause in seconds after failures; the pause doubles with each failure."""

LATER = (1.0, 1.2)
"""Random factor for `Retry-After`, so that servers with the same value do not return at the same
moment."""

SPREAD = (0.8, 1.0)
"""Random factor for pauses, so that servers started together spread their requests."""

FAREWELL_SECONDS = 2.0
"""Timeout in seconds of registry requests during shutdown."""


class RegistrationSettings(ServerSettings):
    """Settings of the registry and of the server's public URL."""

    public_url: str = ""
    """The URL at which clients reach this server, without the path of the endpoint."""
    registers: bool = True
    """Switches registration on."""
    registry_url: str = ""
    """The URL of the registry."""
    registry_token: SecretStr = SecretStr("")
    """The bearer token for the registry."""

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
    """Registers the server. `path` is the path of the endpoint. Registers by card or, if `generic`
    or with a `ttl` in seconds, as an agent; with a `ttl` the registration is ephemeral, otherwise a
    heartbeat follows `every` so many seconds.

    Raises `ValueError` without the URLs, and for a token over unencrypted HTTP.
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
        self._off = settings.variable("registers")
        self._url = settings.registry_url
        self._terms = RegistrationTerms(generic or ttl > 0, ttl, every)
        self._token = settings.registry_token.get_secret_value()
        self._address = f"{settings.public_url}{path}"
        self._app: Asgi | None = None
        self._ready, self._stopping = asyncio.Event(), asyncio.Event()
        self._registration: Registration | None = None
        # A registry may accept every registration and lose it again: only a successful heartbeat
        # resets the count.
        self._losses = 0
        self._requested_pause = 0.0
        if not self._registers:
            return
        for field in ("registry_url", "public_url"):
            if not getattr(settings, field):
                raise ValueError(f"set {settings.variable(field)}, or {self._off}=false")
        if self._token and not is_safe_url(self._url):
            raise ValueError(f"{settings.variable('registry_url')}: a token needs https")

    def http_only(self) -> str:
        """Names the setting, if the server registers."""
        if not self._registers:
            return ""
        return f"a registry needs an HTTP address; set {self._off}=false"

    def gate(self, app: Asgi) -> Asgi:
        """Keeps the application, whose card is registered; adds nothing."""
        self._app = app
        self._ready.set()
        return app

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keeps the server registered while running."""
        if not self._registers:
            yield
            return
        self._ready, self._stopping = asyncio.Event(), asyncio.Event()
        leadership = Leadership()
        async with self._registry() as registry:
            task = asyncio.create_task(self._keep_registered(registry, leadership))
            try:
                yield
            finally:
                await self._stop_task(task)
                leadership.end()
                if self._registration and not leadership.is_shared:
                    await _withdraw(registry, self._registration)

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """Chooses a leader among several processes; deregisters when all have ended."""
        if not self._registers:
            yield
            return
        path = os.environ[TURN] = create_lock_file()
        try:
            yield
        finally:
            del os.environ[TURN]
            registration = Registration.read(take_lock_file(path))
            if registration:
                asyncio.run(self._withdraw_last(registration))

    def _registry(self) -> RegistryClient:
        return RegistryClient(self._url, self._token, self._terms)

    async def _withdraw_last(self, registration: Registration) -> None:
        async with self._registry() as registry:
            await _withdraw(registry, registration)

    async def _keep_registered(self, registry: RegistryClient, leadership: Leadership) -> None:
        """Registers, then sends heartbeats until the server ends."""
        await self._ready.wait()
        failures = 0
        while not self._stopping.is_set():
            if leadership.acquire():
                failures = await self._send_heartbeat(registry, leadership, failures)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause(failures)):
                    await self._stopping.wait()

    async def _send_heartbeat(
        self, registry: RegistryClient, leadership: Leadership, failures: int
    ) -> int:
        """Sends one heartbeat; returns the failures in a row."""
        self._requested_pause = 0.0
        try:
            await self._register_or_renew(registry, leadership)
            return 0
        except RegistrationLost as error:
            logger.warning("the registry has forgotten the server: %s", error)
            await self._forget(registry, leadership)
            return self._losses
        except (RegistryError, LookupError) as error:
            self._requested_pause = error.wait if isinstance(error, RegistryError) else 0.0
            logger.warning("the registry was not told of the server: %s", error)
        except Exception:
            # No error of any kind may stop the next heartbeat.
            logger.exception("the registry was not told of the server")
        return failures + 1

    async def _forget(self, registry: RegistryClient, leadership: Leadership) -> None:
        """Drops a lost registration, so that the next heartbeat registers again. Also deregisters:
        a registration lost only in part would otherwise be duplicated."""
        registration, self._registration = self._registration, None
        self._losses += 1
        leadership.write("")
        if registration:
            await _withdraw(registry, registration)

    async def _stop_task(self, task: asyncio.Task[None]) -> None:
        """Waits for the heartbeat task to end. A started registration gets `FAREWELL_SECONDS` to
        finish: without the id the registration cannot be withdrawn."""
        self._stopping.set()
        if self._ready.is_set():
            await asyncio.wait([task], timeout=FAREWELL_SECONDS)
        task.cancel()
        await asyncio.wait([task], timeout=FAREWELL_SECONDS)

    async def _register_or_renew(self, registry: RegistryClient, leadership: Leadership) -> None:
        """Registers the server, or sends a heartbeat."""
        self._registration = self._registration or Registration.read(leadership.read())
        if self._registration:
            await registry.renew(self._registration)
            self._losses = 0
            return
        assert self._app
        self._registration = await registry.register(await app_card(self._app, self._address))
        leadership.write(self._registration.text())
        logger.info("registered as %s", self._registration.id)

    def _pause(self, failures: int) -> float:
        """Seconds to wait after `failures` in a row, at least the registry's `Retry-After`."""
        requested = min(self._requested_pause * random.uniform(*LATER), MAX_PAUSE_SECONDS)
        return max(self._base_pause(failures) * random.uniform(*SPREAD), requested)

    def _base_pause(self, failures: int) -> float:
        """Seconds to wait after `failures` in a row, without random factor."""
        if not failures:
            return self._terms.pause
        longest = self._terms.pause if self._registration else MAX_PAUSE_SECONDS
        return float(min(MIN_PAUSE_SECONDS * 2 ** min(failures - 1, 20), longest))


async def _withdraw(registry: RegistryClient, registration: Registration) -> None:
    """Deregisters, unless the registry takes longer than `FAREWELL_SECONDS`."""
    try:
        async with asyncio.timeout(FAREWELL_SECONDS):
            await registry.withdraw(registration.id)
    except (RegistryError, TimeoutError) as error:
        logger.warning("the registry was not told that the server ends: %s", error)


def _is_base(url: str) -> bool:
    """True for an http(s) URL to which paths can be appended and that contains no credentials."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return False
    return url.isprintable() and not any(sign in url for sign in " ?#@")
