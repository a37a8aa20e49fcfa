"""What the environment decides; secrets are never shown."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from reading_room_mcp._runtime.auth.config import CallerSettings
from reading_room_mcp._runtime.observability.audit_json import AuditSettings
from reading_room_mcp._runtime.server.opt_in_tools import OptInSettings
from reading_room_mcp._runtime.settings import ServerSettings


class Settings(AuditSettings, OptInSettings, CallerSettings, ServerSettings):
    """The address of the API and the credentials it asks for; `ServerSettings` holds the rest."""

    model_config = SettingsConfigDict(env_prefix="READING_ROOM_")

    upstream: str = "https://reading-room.example/api/v1"

    service_token: SecretStr | None = None
    chat_service: SecretStr | None = None
