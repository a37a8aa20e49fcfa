"""What the last build of a project has made, so that the next one makes only what changed."""

from mcpgen.cache.keys import DefinitionKeys, canonical_json, hash_texts
from mcpgen.cache.serialize import decode, encode
from mcpgen.cache.store import NO_CACHE, BuildCache

__all__ = [
    "NO_CACHE",
    "BuildCache",
    "DefinitionKeys",
    "canonical_json",
    "decode",
    "encode",
    "hash_texts",
]
