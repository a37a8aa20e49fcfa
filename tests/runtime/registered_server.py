"""Server to start as processes: registers, and sends a heartbeat many times a second."""

from __future__ import annotations

import os

from pydantic_settings import SettingsConfigDict
from tests.runtime.apps import create_app
from tests.runtime.process_server import TOOLS, pid

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.registry.registration import RegistrationSettings, SelfRegistration
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.cli import main


class RegisteredServerSettings(RegistrationSettings):
    """Settings of the server."""

    model_config = SettingsConfigDict(env_prefix="CANARY_")


def create(settings: RegisteredServerSettings) -> App:
    """Returns the server."""
    rules = (SelfRegistration(settings, every=float(os.environ["CANARY_EVERY"])),)
    return create_app(
        ServerInfo("canary", "Canary", "1"), TOOLS, (), settings, Hooks({"pid": pid}), rules
    )


if __name__ == "__main__":
    raise SystemExit(main("canary_mcp", RegisteredServerSettings, create))
