"""Adds servers to the configuration of clients on this machine, and removes servers: path and text of
the file, and the replacement in one step."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mcpgen.clients import Client, ConfigFormat, ServerEntry
from mcpgen.pipeline.connect import json_config, toml_config, yaml_config
from mcpgen.pipeline.connect.errors import ConfigUnusable


class ConfigEditor(Protocol):
    """The functions of a module that edits the text of a format. Each raises ConfigUnusable."""

    def entry_names(self, text: str, key: str) -> list[str]: ...
    def set_entry(self, text: str, key: str, name: str, value: Mapping[str, Any]) -> str: ...
    def remove_entry(self, text: str, key: str, name: str) -> str: ...


_EDITORS: Mapping[ConfigFormat, ConfigEditor] = {
    ConfigFormat.JSON: json_config,
    ConfigFormat.TOML: toml_config,
    ConfigFormat.YAML: yaml_config,
}


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """A planned change of a file: the bytes before (None without a file) and after."""

    path: Path
    before: bytes | None
    after: bytes

    @property
    def is_empty(self) -> bool:
        """True if the file stays as it is."""
        return (self.before or b"") == self.after

    def write(self) -> None:
        """Replaces the file in one step and keeps its mode.

        Raises ConfigUnusable if the file changed since it was read, and OSError if the disk refuses.
        """
        if _read_config_file(self.path) != self.before:
            raise ConfigUnusable("the file changed meanwhile; nothing was written")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        # Values of a client's other servers must not be readable for others in the meantime.
        descriptor = os.open(part, flags, 0o600 if self.before is not None else 0o666)
        try:
            with open(descriptor, "wb") as file:
                file.write(self.after)
                file.flush()
                os.fsync(file.fileno())
            if self.before is not None:
                os.chmod(part, stat.S_IMODE(self.path.stat().st_mode))
            os.replace(part, self.path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def user_file(client: Client, home: Path) -> Path:
    """The path of the user's configuration of a client on this system."""
    platform = sys.platform if sys.platform in client.files else "linux"
    folders = {
        "home": home.as_posix(),
        "config": os.environ.get("XDG_CONFIG_HOME") or (home / ".config").as_posix(),
        "appdata": os.environ.get("APPDATA") or (home / "AppData" / "Roaming").as_posix(),
    }
    return Path(client.files[platform].format(**folders))


def resolve_inside(path: Path, folder: Path) -> Path:
    """The path with symbolic links followed. Raises ConfigUnusable if a link leads out of `folder`."""
    target = path.resolve()
    is_inside = path.absolute().is_relative_to(folder.absolute())
    if is_inside and not target.is_relative_to(folder.resolve()):
        raise ConfigUnusable(
            f"a symbolic link leads to {target}; name the file with --file {target}"
        )
    return target


def plan_entry(client: Client, path: Path, server: ServerEntry) -> ConfigChange:
    """The change that adds or replaces the entry of a server. Raises ConfigUnusable."""
    before = _read_config_file(path)
    text = _decode_config(before or b"")
    if client.format is ConfigFormat.JSON and not text.strip():
        text = "{}\n"
    editor = _EDITORS[client.format]
    after = editor.set_entry(text, client.key, server.name, client.entry(server))
    return ConfigChange(path, before, after.encode())


def plan_removal(client: Client, path: Path, name: str) -> ConfigChange:
    """The change that removes the entry with a name. Raises ConfigUnusable without such an entry."""
    before = _read_config_file(path)
    text = _decode_config(before or b"")
    editor = _EDITORS[client.format]
    names = editor.entry_names(text, client.key) if text.strip() else []
    if name not in names:
        entries = ", ".join(f"`{other}`" for other in names) or "none"
        raise ConfigUnusable(f"there is no entry `{name}` under `{client.key}`; entries: {entries}")
    return ConfigChange(path, before, editor.remove_entry(text, client.key, name).encode())


def _read_config_file(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _decode_config(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        text = content[: error.start].decode("utf-8")
        raise ConfigUnusable("the file is not UTF-8", text, len(text)) from None
