"""The settings, read from environment variables; secrets are never printed."""

from pydantic_settings import SettingsConfigDict

from touchstone_mcp._runtime.server.sessions import SessionSettings
from touchstone_mcp._runtime.settings import ServerSettings


class Settings(SessionSettings, ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="TOUCHSTONE_")

    upstream: str = ""
