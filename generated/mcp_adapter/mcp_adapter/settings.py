"""The settings, read from environment variables; secrets are never printed."""

from pydantic_settings import SettingsConfigDict

from mcp_adapter._runtime.auth.config import CallerSettings
from mcp_adapter._runtime.auth.passthrough import PassthroughSettings
from mcp_adapter._runtime.settings import ServerSettings


class Settings(CallerSettings, PassthroughSettings, ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="MCP_ADAPTER_")

    upstream: str = "http://127.0.0.1:8791"
