"""Servers that talk to strangers."""

from __future__ import annotations

from zoo_kit import breaks
from zoo_server import ZooServer


@breaks("origin-foreign-refused")
class AnyOrigin(ZooServer):
    def origin_allowed(self, origin: str) -> bool:
        return True


@breaks("origin-foreign-refused")
class NullOrigin(ZooServer):
    def origin_allowed(self, origin: str) -> bool:
        return origin == "null" or super().origin_allowed(origin)


@breaks("origin-foreign-refused")
class PrefixOrigin(ZooServer):
    def origin_allowed(self, origin: str) -> bool:
        return origin.startswith("http://localhost")


@breaks("host-foreign-refused")
class AnyHost(ZooServer):
    def host_allowed(self, host: str) -> bool:
        return True


@breaks("host-foreign-refused")
class PrefixHost(ZooServer):
    def host_allowed(self, host: str) -> bool:
        return host.startswith(("127.0.0.1", "localhost"))


@breaks("oversize-body-refused")
class BigEater(ZooServer):
    limit = 1 << 30
