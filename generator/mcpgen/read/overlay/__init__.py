"""Overlays: documents that change an API description without an edit of its file.

https://spec.openapis.org/overlay/v1.1.0.html
"""

from mcpgen.read.overlay.apply import apply_overlays

__all__ = ["apply_overlays"]
