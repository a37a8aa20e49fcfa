"""What the environment says about callers and how they prove who they are."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator

from .settings import ServerSettings

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class CallerSettings(ServerSettings):
    """The issuers of tokens, the keys of callers, and the public address of this server."""

    public_url: str = ""
    """The address clients reach this server at, without the path of the endpoint."""
    caller_issuer: str = ""
    """Who issues the tokens: the claim `iss`."""
    caller_jwks_url: str = ""
    """Where the issuer publishes the keys that sign tokens."""
    caller_audience: str = ""
    """The claim `aud` of tokens for this server; its public address if empty."""
    caller_introspection_url: str = ""
    """Where the issuer tells what an opaque token is worth."""
    caller_introspection_client_id: str = ""
    caller_introspection_client_secret: SecretStr = SecretStr("")
    caller_keys: SecretStr = SecretStr("")
    """The hashed keys of callers, as a JSON array."""
    caller_keys_file: str = ""
    """A file with such an array."""
    caller_anonymous: bool = False
    """Lets in whoever shows no credential, with every right; for development."""

    @field_validator("public_url", "caller_jwks_url", "caller_introspection_url")
    @classmethod
    def _check_address(cls, url: str) -> str:
        if url and not is_safe_url(url):
            raise ValueError("must be an https URL, or one of this machine")
        return url.rstrip("/")

    @property
    def address(self) -> str:
        """The public address, or the one that the server listens on if that is this machine's."""
        if self.public_url or self.host not in _LOOPBACK:
            return self.public_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def is_safe_url(url: str) -> bool:
    """Whether nobody on the way can read or change what is fetched from a URL."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    if not parts.hostname or parts.username is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
