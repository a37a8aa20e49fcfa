"""What the environment decides; secrets are never shown."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from tides_mcp._runtime.settings import ServerSettings


class Settings(ServerSettings):
    """The address of the API and the credentials it asks for; `ServerSettings` holds the rest."""

    model_config = SettingsConfigDict(env_prefix="TIDES_")

    upstream: str = "https://api.tides.example/v1"

    api_key: SecretStr | None = None
