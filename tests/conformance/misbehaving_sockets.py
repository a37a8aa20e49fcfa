"""Targets that are not MCP servers: raw sockets, each with one defect."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Behavior = Callable[[socket.socket], None]

JSON_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def answer_with(answer: bytes) -> Behavior:
    """Sends the same bytes to everyone and hangs up."""
    return lambda peer: peer.sendall(answer)


def json_body(body: bytes) -> Behavior:
    """Sends the body as JSON."""
    return answer_with(JSON_HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)


def silent(peer: socket.socket) -> None:
    """Never says anything."""
    time.sleep(5)


def drip_header(peer: socket.socket) -> None:
    """Sends one byte of a header at intervals."""
    peer.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        peer.sendall(b"x")
        time.sleep(0.02)


def dripping_body(peer: socket.socket) -> None:
    """Sends a body of JSON byte by byte."""
    peer.sendall(JSON_HEAD + b"Content-Length: 60000\r\n\r\n")
    while True:
        peer.sendall(b" ")
        time.sleep(0.02)


def serve_tls(context: ssl.SSLContext) -> Behavior:
    """Makes a TLS handshake with the certificate of the context, then sends nothing."""

    def behave(peer: socket.socket) -> None:
        with context.wrap_socket(peer, server_side=True, suppress_ragged_eofs=True) as inner:
            inner.recv(65_536)

    return behave


def endless_comments(peer: socket.socket) -> None:
    """An event stream of comments without end."""
    peer.sendall(STREAM_HEAD)
    while True:
        peer.sendall(b": still here\n\n")
        time.sleep(0.02)


def endless_flood(peer: socket.socket) -> None:
    """An event stream of as many bytes as anyone will take."""
    peer.sendall(STREAM_HEAD)
    while True:
        peer.sendall(b"data: " + b"x" * 60_000)


def endless_body(peer: socket.socket) -> None:
    """A JSON body without end."""
    peer.sendall(JSON_HEAD + b"\r\n[")
    while True:
        peer.sendall(b"0," * 30_000)


def hanging_up(peer: socket.socket) -> None:
    """Closes the connection at once."""


@contextmanager
def target(behavior: Behavior, *, listens: bool = True) -> Iterator[str]:
    """The URL of a socket with this behavior. `listens`: waits for the client's first bytes before
    the behavior starts.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)
    stop = threading.Event()

    def serve(peer: socket.socket) -> None:
        with peer:
            peer.settimeout(2)
            try:
                if listens:
                    peer.recv(65_536)
                behavior(peer)
                # Closing with bytes unread would reset the connection and lose what was sent.
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(65_536):
                    pass
            except OSError:
                return

    def accept() -> None:
        while not stop.is_set():
            try:
                peer, _ = listener.accept()
            except TimeoutError:
                continue
            threading.Thread(target=serve, args=(peer,), daemon=True).start()

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        stop.set()
        thread.join()
        listener.close()
