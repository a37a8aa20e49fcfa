"""What the environment decides; secrets are never shown."""

from pydantic_settings import SettingsConfigDict

from agent_registry_mcp._runtime.settings import ServerSettings


class Settings(ServerSettings):
    """The address of the API and the credentials it asks for; `ServerSettings` holds the rest."""

    model_config = SettingsConfigDict(env_prefix="AGENT_REGISTRY_")

    upstream: str = "https://registry.example"
