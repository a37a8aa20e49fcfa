"""Decompression in small pieces: a few bytes of gzip can hold gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from .upstream_response import UpstreamError

ACCEPTED = "gzip"
"""What a request allows the API to compress with: what every API that compresses can."""

PIECE = 64 * 1024
"""How many bytes of content are held at once beyond those that are kept."""

MEMBERS = 1024
"""How many compressed members one after another a body may have: each of them costs time, also an empty one."""

WINDOW = 256
"""How many bytes are given to the decompression of a member first. The number doubles up to `PIECE`, because zlib
copies the bytes behind the end of a member, which are many where members are small."""

_AUTOMATIC = zlib.MAX_WBITS | 32


def pieces(chunks: AsyncIterator[bytes], coding: str) -> AsyncIterator[bytes]:
    """The content of a body as it comes, decompressed.

    Raises `UpstreamError` for a coding that was not asked for, or for broken data.
    """
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        return chunks
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise UpstreamError("answered in a compression that was not asked for")
    return _inflated(chunks)


async def read_bounded(content: AsyncIterator[bytes], budget: int) -> tuple[bytes, bool]:
    """The content put together and whether it is all of it; at most `budget` bytes."""
    body = bytearray()
    async for piece in content:
        body += piece
        if len(body) > budget:
            return bytes(body[:budget]), False
    return bytes(body), True


async def _inflated(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    inflater = zlib.decompressobj(_AUTOMATIC)
    members, window = 0, WINDOW
    async for chunk in chunks:
        rest = memoryview(chunk)
        while rest:
            if inflater.eof or not members:
                # gzip allows one member after another.
                inflater = zlib.decompressobj(_AUTOMATIC)
                members, window = members + 1, WINDOW
                if members > MEMBERS:
                    raise UpstreamError(f"answered with more than {MEMBERS} compressed members")
            given, rest = rest[:window], rest[window:]
            window = min(2 * window, PIECE)
            yield _inflate(inflater, given)
            while inflater.unconsumed_tail:
                yield _inflate(inflater, inflater.unconsumed_tail)
            if inflater.unused_data:
                # What follows the end of a member belongs to the next one.
                rest = memoryview(chunk)[len(chunk) - len(rest) - len(inflater.unused_data) :]
    if members and not inflater.eof:
        raise UpstreamError("answered with compressed data that ends too early")


def _inflate(inflater: zlib._Decompress, chunk: bytes | memoryview) -> bytes:
    try:
        return inflater.decompress(chunk, PIECE)
    except zlib.error:
        raise UpstreamError("answered with broken compressed data") from None
