"""The settings, read from environment variables; secrets are never printed."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from launchpad_mcp._runtime.auth.config import CallerSettings
from launchpad_mcp._runtime.limits.rate_limits import RateSettings
from launchpad_mcp._runtime.limits.redis_client import RedisSettings
from launchpad_mcp._runtime.scripts.sandbox import ScriptSettings
from launchpad_mcp._runtime.server.sessions import SessionSettings
from launchpad_mcp._runtime.settings import ServerSettings


class Settings(
    CallerSettings,
    RateSettings,
    ScriptSettings,
    SessionSettings,
    RedisSettings,
    ServerSettings,
):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="LAUNCHPAD_")

    upstream: str = "https://api.launchpad.example/v1"

    platform_key: SecretStr | None = None
