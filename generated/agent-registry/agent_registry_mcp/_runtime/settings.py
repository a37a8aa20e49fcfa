"""What every server reads from its environment."""

from __future__ import annotations

from secrets import token_hex
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

Names = Annotated[tuple[str, ...], NoDecode]
"""Names, separated by commas in the environment."""


class ServerSettings(BaseSettings):
    """Where the server listens, whom it answers, and the limits of a request to the API."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True)

    enabled: bool = True
    """Whether there is an endpoint; without, everything but the probe answers 404."""
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """The port to listen on; 0 takes a free one."""
    upstream: str = ""
    """The base URL of the API."""
    allowed_hosts: Names = ()
    """Host names that may stand in the `Host` header beside the loopback's; `*` allows all."""
    allowed_origins: Names = ()
    """Origins of web pages that may call, beside the server's own and the loopback's."""
    workers: Annotated[int, Field(ge=1, le=1024)] = 1
    """How many processes serve at the same address."""
    hang_seconds: Annotated[float, Field(ge=0)] = 30
    """After how long without a sign of life one of several workers is killed and replaced; 0 for never."""
    fast_path: bool = True
    """Whether plain requests are answered in front of the SDK; without, all of them by it."""
    drain_seconds: Annotated[float, Field(ge=0)] = 0
    """How long a server that is told to end goes on as before, but says that it is not ready."""
    grace_seconds: Annotated[int, Field(ge=0)] = 5
    """How long calls under way may take after that."""
    timeout_seconds: Annotated[float, Field(gt=0)] = 30
    """How long one request to the API may take in all."""
    calls_at_once: Annotated[int, Field(gt=0)] = 500
    """How many calls a process makes at a time, each with a connection to the API; to more it says that
    they may be tried again."""
    connections_at_once: Annotated[int, Field(gt=0)] = 10_000
    """How many connections of clients a process holds, and never more than half of its open files; for one
    more, the connection that waits longest for its client is closed."""
    header_seconds: Annotated[float, Field(gt=0)] = 10
    """How long a client may take to send the header of a request."""
    body_seconds: Annotated[float, Field(gt=0)] = 30
    """How long a client may take to send the body of a request."""
    idle_seconds: Annotated[float, Field(gt=0)] = 5
    """How long a connection is kept between two requests."""
    send_seconds: Annotated[float, Field(gt=0)] = 30
    """How long a client may leave an answer unread."""
    request_bytes: Annotated[int, Field(gt=0)] = 4 * 1024 * 1024
    """How large a message from a client may be."""
    answer_seconds: Annotated[float, Field(gt=0, le=86_400)] = 300
    """How long a user may take to answer a question of a call."""
    questions_at_once: Annotated[int, Field(gt=0)] = 100
    """To how many questions a process waits for the answers at a time."""
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """From which level on the server logs; calls that succeed are logged at `debug`."""
    state_key: Annotated[SecretStr, Field(min_length=32)] = Field(
        default_factory=lambda: SecretStr(token_hex(32))
    )
    """What seals the state of calls that wait for answers; the same for all hosts of a server."""
    several_instances: bool = False
    """Whether other instances answer the same clients, so that `state_key` must be set."""
    result_bytes: Annotated[int, Field(gt=0)] = 1024 * 1024
    """How much of an answer of the API is read, counted after decompression."""
    stream_items: Annotated[int, Field(gt=0)] = 1000
    """How many items of an answer that comes item by item are read."""
    stream_seconds: Annotated[float, Field(gt=0)] = 20
    """How long such an answer is read, within `timeout_seconds`."""

    @field_validator("allowed_hosts", "allowed_origins", mode="before")
    @classmethod
    def _split(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        return tuple(name.strip() for name in given.split(",") if name.strip())

    @model_validator(mode="after")
    def _check_state_key(self) -> Self:
        if self.several_instances and "state_key" not in self.model_fields_set:
            raise ValueError(
                f"{self.variable('state_key')} is not set, but {self.variable('several_instances')} is: an"
                " instance could not read what another has sealed; set it to the same on all of them, such"
                " as the output of `openssl rand -hex 32`"
            )
        return self

    @field_validator("log_format", "log_level", mode="before")
    @classmethod
    def _lower(cls, given: object) -> object:
        return given.lower() if isinstance(given, str) else given

    @field_validator("upstream")
    @classmethod
    def _check_upstream(cls, url: str) -> str:
        if not url:
            return url
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be a URL that begins with http:// or https://")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("must not hold a user, a query or a fragment")
        return url.rstrip("/")

    def variable(self, field: str) -> str:
        """The name of the environment variable that sets a field."""
        return f"{self.model_config.get('env_prefix', '')}{field}".upper()
