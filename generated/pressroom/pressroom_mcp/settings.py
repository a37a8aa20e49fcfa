"""What the environment decides; secrets are never shown."""

from pydantic_settings import SettingsConfigDict

from pressroom_mcp.runtime.audit_json import AuditSettings
from pressroom_mcp.runtime.caller_settings import CallerSettings
from pressroom_mcp.runtime.concurrency import CapSettings
from pressroom_mcp.runtime.passthrough import PassthroughSettings
from pressroom_mcp.runtime.settings import ServerSettings


class Settings(AuditSettings, CallerSettings, CapSettings, PassthroughSettings, ServerSettings):
    """The address of the API and the credentials it asks for; `ServerSettings` holds the rest."""

    model_config = SettingsConfigDict(env_prefix="PRESSROOM_")

    upstream: str = "https://api.pressroom.example/v1"
