"""The settings, read from environment variables; secrets are never printed."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from seed_bank_mcp._runtime.settings import ServerSettings


class Settings(ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="SEED_BANK_")

    upstream: str = "https://seeds.example/v3"

    member: SecretStr | None = None
