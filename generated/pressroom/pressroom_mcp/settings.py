"""The settings, read from environment variables; secrets are never printed."""

from pydantic_settings import SettingsConfigDict

from pressroom_mcp._runtime.auth.config import CallerSettings
from pressroom_mcp._runtime.auth.passthrough import PassthroughSettings
from pressroom_mcp._runtime.limits.concurrency import CapSettings
from pressroom_mcp._runtime.observability.audit_json import AuditSettings
from pressroom_mcp._runtime.settings import ServerSettings


class Settings(AuditSettings, CallerSettings, CapSettings, PassthroughSettings, ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="PRESSROOM_")

    upstream: str = "https://api.pressroom.example/v1"
