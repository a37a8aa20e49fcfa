"""Decompression that stops at a budget: a few bytes of gzip can hold gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from .answer import Unanswered

ACCEPTED = "gzip"
"""What a request allows the API to compress with: what every API that compresses can."""

_AUTOMATIC = zlib.MAX_WBITS | 32


async def read(chunks: AsyncIterator[bytes], coding: str, budget: int) -> tuple[bytes, bool]:
    """The content of a body and whether it is all of it; at most `budget` bytes.

    Raises `Unanswered` for a coding that was not asked for, or for broken data.
    """
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        return await _read_plain(chunks, budget)
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise Unanswered("answered in a compression that was not asked for")
    return await _read_compressed(chunks, budget)


async def _read_plain(chunks: AsyncIterator[bytes], budget: int) -> tuple[bytes, bool]:
    content = bytearray()
    async for chunk in chunks:
        content += chunk
        if len(content) > budget:
            return bytes(content[:budget]), False
    return bytes(content), True


async def _read_compressed(chunks: AsyncIterator[bytes], budget: int) -> tuple[bytes, bool]:
    content = bytearray()
    inflater = zlib.decompressobj(_AUTOMATIC)
    async for chunk in chunks:
        while chunk:
            if inflater.eof:
                # gzip allows one member after another.
                inflater = zlib.decompressobj(_AUTOMATIC)
            content += _inflate(inflater, chunk, budget + 1 - len(content))
            if len(content) > budget:
                return bytes(content[:budget]), False
            chunk = inflater.unconsumed_tail or inflater.unused_data
    if content and not inflater.eof:
        raise Unanswered("answered with compressed data that ends too early")
    return bytes(content), True


def _inflate(inflater: zlib._Decompress, chunk: bytes, limit: int) -> bytes:
    try:
        return inflater.decompress(chunk, limit)
    except zlib.error:
        raise Unanswered("answered with broken compressed data") from None
