# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The command line: reads settings, opens the socket, and runs the server with graceful
shutdown."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EADDRINUSE
from types import FrameType
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..observability.logs import (
    ERRORS,
    announce,
    configure_logging,
    flush_all,
    open_standard_streams,
)
from ..settings import ServerSettings
from .app import App, StartupError
from .process import LINGER_SECONDS, DrainingServer
from .stdio import serve_stdio
from .workers import Supervisor

_Settings = TypeVar("_Settings", bound=ServerSettings)


logger = logging.getLogger(__name__)


LISTEN_FD = 3  # The first file descriptor passed by systemd


def main(
    package: str,
    settings: type[_Settings],
    create: Callable[[_Settings], App],
    arguments: Sequence[str] | None = None,
) -> int:
    """Serves until stopped; returns the exit code, 2 if the server cannot start."""
    open_standard_streams()
    values = vars(_parser(package, settings).parse_args(arguments))
    try:
        toolset = values.pop("stdio")
        options = {name: value for name, value in values.items() if value}
        if toolset is not None and (odd := options.keys() - {"upstream"}):
            raise StartupError(f"--stdio takes no --{min(odd)}: nothing listens at an address")
        app = load_app(settings, create, options)
        # The program may have disabled collection for its imports, whose objects stay.
        gc.freeze()
        gc.enable()
        if toolset is None:
            _serve(app, create)
        else:
            serve_stdio(app, toolset)
    except StartupError as reason:
        # The reason stands last, after what the log tells about it.
        flush_all()
        announce(f"{package}: {reason}", ERRORS)
        return 2
    finally:
        flush_all()
    return 0


def _parser(package: str, settings: type[ServerSettings]) -> argparse.ArgumentParser:
    prefix = settings.model_config.get("env_prefix", "")
    parser = argparse.ArgumentParser(
        prog=f"python -m {package}",
        description="Serves MCP over Streamable HTTP, or over stdio with --stdio.",
        epilog="Credentials are read from the environment only.",
    )
    parser.add_argument(
        "--stdio", nargs="?", const="", metavar="NAME", help="serve the parent process by stdio"
    )
    parser.add_argument("--host", help=f"address to listen on (or {prefix}HOST)")
    parser.add_argument("--port", help=f"port to listen on, 0 for a free one (or {prefix}PORT)")
    parser.add_argument("--workers", help=f"processes that serve (or {prefix}WORKERS)")
    parser.add_argument("--upstream", help=f"base URL of the API (or {prefix}UPSTREAM)")
    return parser


def load_app(
    settings: type[_Settings], create: Callable[[_Settings], App], values: dict[str, Any]
) -> App:
    """Creates the application, with settings, and configures the log. Raises `StartupError`."""
    try:
        loaded = settings(**values)
        configure_logging(loaded)
        app = create(loaded)
    except ValidationError as fault:
        raise StartupError(
            "; ".join(_describe_error(error, settings) for error in fault.errors())
        ) from None
    except ValueError as fault:
        raise StartupError(str(fault)) from None
    if app.needs_upstream and not app.settings.upstream:
        variable = app.settings.variable("upstream")
        raise StartupError(f"the API has no address; give --upstream URL or set {variable}")
    return app


def _describe_error(error: ErrorDetails, settings: type[ServerSettings]) -> str:
    """An invalid setting, without the value, which may be a secret."""
    field = str(error["loc"][0]) if error["loc"] else ""
    message = error["msg"].removeprefix("Value error, ")
    if not field:
        return message
    if error["type"] == "missing":
        message = "is not set; tools send its value to the API (README.md, Settings)"
    return f"{settings.variable(field)}: {message}"


def _serve(app: App, create: Callable[[_Settings], App]) -> None:
    sock = _inherited_socket() or _bind_socket(app.settings)
    url = _url(sock, app.address())
    lines = [f"Serving {app.identity.title} at {url}"]
    lines += [f"Serving its {name} tools at {url}/{name}" for name in app.identity.toolsets]

    def started_serving() -> None:
        announce("\n".join(lines))
        logger.info("%s (process %d)", "; ".join(lines), os.getpid())

    if app.settings.workers == 1:
        _serve_alone(DrainingServer(app, started_serving), sock)
    else:
        _supervise(app, create, sock, started_serving)


def _serve_alone(server: DrainingServer, sock: socket.socket) -> None:
    """Serves in this process. On SIGHUP the server finishes running calls and executes the program
    again, in the same process and with the same socket, where new connections wait. In a terminal,
    SIGHUP ends the server."""
    hang_up: signal.Signals | None = getattr(signal, "SIGHUP", None)
    sockets: list[socket.socket] = []
    is_in_terminal = os.isatty(0)

    def handle_hangup(number: int, frame: FrameType | None) -> None:
        if is_in_terminal:
            server.handle_exit(signal.SIGTERM, frame)
        elif server.restart():
            # The server closes its own socket; a duplicate must not hold connections when the
            # server only ends.
            sockets.append(sock.dup())

    if hang_up:
        signal.signal(hang_up, handle_hangup)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (hang_up,))
    # uvicorn repeats SIGINT after the end, which raises KeyboardInterrupt here.
    with suppress(KeyboardInterrupt):
        server.run([sock])
    if hang_up and server.restarts:
        signal.pthread_sigmask(signal.SIG_BLOCK, (hang_up,))
        _execute_again(*sockets)


def _execute_again(sock: socket.socket) -> NoReturn:
    """Executes the program again in this process and passes the socket as systemd does:
    https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html"""
    logger.info("Process %d begins anew", os.getpid())
    flush_all()
    os.dup2(sock.fileno(), LISTEN_FD)
    os.set_inheritable(LISTEN_FD, True)
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _inherited_socket() -> socket.socket | None:
    """The socket passed to this process, None if absent."""
    fds, pid = (os.environ.pop(name, "") for name in ("LISTEN_FDS", "LISTEN_PID"))
    if fds != "1" or pid != str(os.getpid()):
        return None
    os.set_inheritable(LISTEN_FD, False)
    return _without_delay(socket.socket(fileno=LISTEN_FD))


def _supervise(
    app: App,
    create: Callable[[Any], App],
    sock: socket.socket,
    started_serving: Callable[[], None],
) -> None:
    if sys.platform == "win32":
        raise StartupError("several workers need Linux or macOS")
    with app.supervised():
        Supervisor(create, app.settings, sock).run(started_serving)
    logger.info("Process %d has stopped", os.getpid())


def _bind_socket(settings: ServerSettings) -> socket.socket:
    """A listening socket. Waits for a previous server that still drains at the same address."""
    host, port = settings.host, settings.port
    seconds = settings.drain_seconds + 2 * LINGER_SECONDS
    end = time.monotonic() + seconds
    is_told = False
    while True:
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            return _without_delay(socket.create_server((host, port), family=family, backlog=2048))
        except OSError as fault:
            if fault.errno != EADDRINUSE or time.monotonic() > end:
                raise StartupError(
                    f"cannot listen on {host}:{port}: {_start_failure(fault)}"
                ) from None
        if not is_told:
            is_told = True
            text = "%s:%d is in use; it is tried for %g s, which a server takes at most to leave it"
            logger.warning(text, host, port, seconds)
        time.sleep(0.1)


def _start_failure(fault: OSError) -> str | None:
    """The system's text; `create_server` adds the address to the text of `fault`. Numbers of
    `getaddrinfo` are not errno's (on macOS 8 is an unknown host, and ENOEXEC), nor are the numbers
    of Windows' sockets, which begin at 10000."""
    number = fault.errno or 0
    if isinstance(fault, socket.gaierror) or not 0 < number < 10_000:
        return fault.strerror
    return os.strerror(number)


def _without_delay(sock: socket.socket) -> socket.socket:
    """Sets TCP_NODELAY for the socket's connections. asyncio does so only for sockets with an
    explicit protocol number; otherwise each small response waits about 40 ms for the client's
    acknowledgement."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def _url(sock: socket.socket, path: str) -> str:
    host, port = sock.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"
