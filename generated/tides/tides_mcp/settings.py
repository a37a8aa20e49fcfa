"""The settings, read from environment variables; secrets are never printed."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from tides_mcp._runtime.settings import ServerSettings


class Settings(ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="TIDES_")

    upstream: str = "https://api.tides.example/v1"

    api_key: SecretStr | None = None
