"""The settings, read from environment variables; secrets are never printed."""

from pydantic_settings import SettingsConfigDict

from agent_registry_mcp._runtime.settings import ServerSettings


class Settings(ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="AGENT_REGISTRY_")

    upstream: str = "https://registry.example"
