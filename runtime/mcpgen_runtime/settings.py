"""Settings of every server, read from the environment."""

from __future__ import annotations

from secrets import token_hex
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def split_names(value: object) -> object:
    """Splits a text at commas; another value stays as it is."""
    if not isinstance(value, str):
        return value
    return tuple(name.strip() for name in value.split(",") if name.strip())


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(split_names)]
"""Names, with commas in the environment; `NoDecode` keeps pydantic from reading the variable as JSON."""


class ServerSettings(BaseSettings):
    """Settings of every server: address, allowed hosts and origins, processes, limits and timeouts of
    connections, requests and results, logs, and questions to users. Features have subclasses with
    further settings."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True)

    enabled: bool = True
    """Enables the endpoint; if false, every path except the probes answers 404."""
    host: str = "127.0.0.1"
    """The name or address to listen on."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """The port to listen on; 0 for any free port."""
    upstream: str = ""
    """The base URL of the API."""
    allowed_hosts: Names = ()
    """Allowed `Host` headers besides loopback names and `host`, or any IP address if the server listens
    on all interfaces; `*` allows all."""
    allowed_origins: Names = ()
    """Allowed origins of web pages, besides loopback origins and the origin in the `Host` header; `*`
    allows all."""
    workers: Annotated[int, Field(ge=1, le=1024)] = 1
    """Number of processes at the same address."""
    hang_seconds: Annotated[float, Field(ge=0)] = 30
    """Seconds without a heartbeat after which one of several workers is killed and replaced; 0 for
    never."""
    fast_path: bool = True
    """Answers plain requests without the SDK; if false, the SDK answers all requests."""
    drain_seconds: Annotated[float, Field(ge=0)] = 0
    """Seconds for which a stopping server still serves requests but reports not ready."""
    grace_seconds: Annotated[int, Field(ge=0)] = 5
    """Maximum seconds for running calls after draining."""
    timeout_seconds: Annotated[float, Field(gt=0)] = 30
    """Total timeout of a request to the API, in seconds."""
    calls_at_once: Annotated[int, Field(gt=0)] = 500
    """Maximum concurrent calls per process, and so of connections to the API; further calls are refused
    with a retry time."""
    connections_at_once: Annotated[int, Field(gt=0)] = 10_000
    """Maximum client connections per process, at most half of the open file limit; for one more,
    the connection that has waited longest for its client is closed."""
    header_seconds: Annotated[float, Field(gt=0)] = 10
    """Maximum seconds for receiving the header of a request."""
    body_seconds: Annotated[float, Field(gt=0)] = 30
    """Maximum seconds for receiving the body of a request."""
    idle_seconds: Annotated[float, Field(gt=0)] = 5
    """Seconds after which an idle client connection is closed."""
    send_seconds: Annotated[float, Field(gt=0)] = 30
    """Maximum seconds for which a client may leave a response unread."""
    request_bytes: Annotated[int, Field(gt=0)] = 4 * 1024 * 1024
    """Maximum bytes of a message from a client."""
    answer_seconds: Annotated[float, Field(gt=0, le=86_400)] = 300
    """Maximum seconds for a user's answer to a question, also until a client repeats a call with the
    answer."""
    questions_at_once: Annotated[int, Field(gt=0)] = 100
    """Maximum number of questions a process waits for at a time."""
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Minimum level of log messages; successful calls are logged at `debug`."""
    state_key: Annotated[SecretStr, Field(min_length=32)] = Field(
        default_factory=lambda: SecretStr(token_hex(32))
    )
    """The key that seals the state of calls that wait for an answer. Instances that serve the same
    clients need the same key. By default a random key, which a restart changes; the worker processes
    of one server share the key."""
    several_instances: bool = False
    """Declares that other instances serve the same clients, so that `state_key` must be set."""
    stdio_token: SecretStr = SecretStr("")
    """The bearer token of the local user, for a server over stdio that authenticates callers or hands
    on their credentials."""
    result_bytes: Annotated[int, Field(gt=0)] = 1024 * 1024
    """Maximum bytes read of an API response, after decompression."""
    stream_items: Annotated[int, Field(gt=0)] = 1000
    """Maximum items read of a streamed response."""
    stream_seconds: Annotated[float, Field(gt=0)] = 20
    """Maximum seconds for reading a streamed response, within `timeout_seconds`."""

    @model_validator(mode="after")
    def _check_state_key(self) -> Self:
        if self.several_instances and "state_key" not in self.model_fields_set:
            raise ValueError(
                f"{self.variable('state_key')} is not set, but {self.variable('several_instances')} is: an"
                " instance could not open a state that another instance has sealed; set the same key for all"
                " instances, such as the output of `openssl rand -hex 32`"
            )
        return self

    @field_validator("log_format", "log_level", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @field_validator("upstream")
    @classmethod
    def _check_upstream(cls, url: str) -> str:
        """The base URL without a final slash, so that a path can be appended."""
        if not url:
            return url
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be a URL that begins with http:// or https://")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("must not hold a user, a query or a fragment")
        return url.rstrip("/")

    @classmethod
    def variable(cls, field: str) -> str:
        """The name of the environment variable that sets a field."""
        return f"{cls.model_config.get('env_prefix', '')}{field}".upper()
