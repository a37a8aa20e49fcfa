"""The settings, read from environment variables; secrets are never printed."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from reading_room_mcp._runtime.auth.config import CallerSettings
from reading_room_mcp._runtime.observability.audit_json import AuditSettings
from reading_room_mcp._runtime.server.opt_in_tools import OptInSettings
from reading_room_mcp._runtime.settings import ServerSettings


class Settings(AuditSettings, OptInSettings, CallerSettings, ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="READING_ROOM_")

    upstream: str = "https://reading-room.example/api/v1"

    service_token: SecretStr | None = None
    chat_service: SecretStr | None = None
