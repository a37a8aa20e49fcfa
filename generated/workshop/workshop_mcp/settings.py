"""The settings, read from environment variables; secrets are never printed."""

from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from workshop_mcp._runtime.settings import ServerSettings


class Settings(ServerSettings):
    """The URL and the credentials of the API; `ServerSettings` has the other settings."""

    model_config = SettingsConfigDict(env_prefix="WORKSHOP_")

    upstream: str = "https://eu.workshop.example/api"

    staff_key: SecretStr | None = None
    guest_key: SecretStr | None = None
    staff_token: SecretStr | None = None
    till_username: SecretStr | None = None
    till_password: SecretStr | None = None
    office: SecretStr | None = None
    office_client_id: SecretStr | None = None
    office_client_secret: SecretStr | None = None
