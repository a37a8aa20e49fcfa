"""What the environment decides; secrets are never shown."""

from pydantic_settings import SettingsConfigDict

from pressroom_mcp._runtime.auth.config import CallerSettings
from pressroom_mcp._runtime.auth.passthrough import PassthroughSettings
from pressroom_mcp._runtime.limits.concurrency import CapSettings
from pressroom_mcp._runtime.observability.audit_json import AuditSettings
from pressroom_mcp._runtime.settings import ServerSettings


class Settings(AuditSettings, CallerSettings, CapSettings, PassthroughSettings, ServerSettings):
    """The address of the API and the credentials it asks for; `ServerSettings` holds the rest."""

    model_config = SettingsConfigDict(env_prefix="PRESSROOM_")

    upstream: str = "https://api.pressroom.example/v1"
