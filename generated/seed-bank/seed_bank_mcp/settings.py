"""What the environment decides; secrets are never shown."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from seed_bank_mcp._runtime.settings import ServerSettings


class Settings(ServerSettings):
    """The address of the API and the credentials it asks for; `ServerSettings` holds the rest."""

    model_config = SettingsConfigDict(env_prefix="SEED_BANK_")

    upstream: str = "https://seeds.example/v3"

    member: SecretStr | None = None
