"""What the environment decides; secrets are never shown."""

from pydantic_settings import SettingsConfigDict

from touchstone_mcp._runtime.server.sessions import SessionSettings
from touchstone_mcp._runtime.settings import ServerSettings


class Settings(SessionSettings, ServerSettings):
    """The address of the API and the credentials it asks for; `ServerSettings` holds the rest."""

    model_config = SettingsConfigDict(env_prefix="TOUCHSTONE_")

    upstream: str = ""
