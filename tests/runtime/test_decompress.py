"""Compressed bodies of the API are decompressed in pieces, in time linear in the length."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import AsyncIterator, Callable, Iterable
from random import Random

import pytest

from mcpgen_runtime.upstream.client import MEMBERS, PIECE, pieces, read_bounded
from mcpgen_runtime.upstream.exchange import UpstreamError

pytestmark = pytest.mark.anyio


async def chunked(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    """Yields the chunks as a connection does."""
    for chunk in chunks:
        yield chunk


async def content(chunks: Iterable[bytes], budget: int = 1 << 30) -> tuple[bytes, bool]:
    """Returns the decompressed body of chunks in gzip."""
    return await read_bounded(pieces(chunked(chunks), "gzip"), budget)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
@pytest.mark.parametrize("chunk_bytes", [1, 7, 300, 1 << 20])
async def test_body_of_members_is_their_content_however_it_is_divided(
    pack: Callable[[bytes], bytes], chunk_bytes: int
) -> None:
    random = Random(7)
    parts = [random.randbytes(size) for size in (0, 1, 200, 0, 3000, 70)] + [bytes(3 * PIECE)]
    data = b"".join(map(pack, parts))

    body, complete = await content(
        data[offset : offset + chunk_bytes] for offset in range(0, len(data), chunk_bytes)
    )

    assert (body, complete) == (b"".join(parts), True)


async def test_as_many_members_as_are_allowed_are_read() -> None:
    data = gzip.compress(b"x") * MEMBERS

    assert await content([data]) == (b"x" * MEMBERS, True)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
async def test_body_of_more_empty_members_is_refused(pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(UpstreamError, match="more than 1024 compressed members"):
        await content([pack(b"") * (MEMBERS + 1)])


async def test_members_are_counted_over_all_chunks() -> None:
    with pytest.raises(UpstreamError, match="more than 1024 compressed members"):
        await content([gzip.compress(b"")] * (MEMBERS + 1))
